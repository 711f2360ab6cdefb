"""What a notebook shows and follows: guesses, progress, pages, sound. No verdict depends on it, and
nothing here loads a library before it is called.
"""
