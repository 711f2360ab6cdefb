"""Measurements of this project, each on one machine in one run: ``make bench``."""
