"""What users hold: batches, environments, decisions, errors."""
