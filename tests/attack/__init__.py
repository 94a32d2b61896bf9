"""Attacks on everything that is read from outside: mutated files and states, with their checksums put right.

`python -m tests.attack --seconds 60 --seed 1 --formats saves states` counts tries and findings. A finding is an error that is not the
documented one, a game that changed although the input was refused, a crash, or a try that takes more than five
seconds of processor time.
"""
