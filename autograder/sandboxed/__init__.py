"""The pipe between the trusted process and the sandbox, the same code at both ends.

This folder alone is shown to the sandbox, as a package of its own, so nothing in it imports the
rest of the project.
"""
