"""Autograder for *Attention, built*: one source tree becomes student notebooks, solutions, marks and feedback."""

import sys

__version__ = "1.0.0"

# jsonschema, which comes with every notebook library, builds a grammar of web addresses when it is imported: a second in every
# process, for a check that nothing here asks for. It does without where the package is missing.
sys.modules.setdefault("rfc3987_syntax", None)
