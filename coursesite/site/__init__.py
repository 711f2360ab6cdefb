"""The course site: chapters, players, front page, a server that shows it, and the offline pack made
of it.
"""
