"""Matches between agents: schedules, workers, statistics, evaluation, tournaments."""
