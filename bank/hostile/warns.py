"""Right, with warnings and text on stderr: full points."""

ANSWERS = {
    "ch01_double": '''
import sys, warnings

def double(x):
    warnings.warn("careful")
    print("careful", file=sys.stderr)
    return 2 * x
''',
}
EXPECT = {}
GROUP = "honest, oddly edited"
