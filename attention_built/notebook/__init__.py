"""Guesses, progress, pages, sound: no verdict depends on them; what they need is loaded late."""
