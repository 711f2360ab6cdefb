"""Puts other modules into sys.modules: only its own process suffers."""

ANSWERS = {
    "ch01_double": '''
import sys, types
for name in ("torch", "numpy", "json", "struct", "socket", "autograder", "sandboxed"):
    sys.modules[name] = types.ModuleType(name)

def double(x):
    return 0 * x
''',
}
EXPECT = {'double': ('wrong', 'error', 'process died'), 'layer': ('passed', 'wrong', 'error')}
GROUP = "marks without work"
