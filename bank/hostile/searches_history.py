"""Dumps input history, namespace, environment and command line: finds no line of a hidden test."""

ANSWERS = {
    "ch01_double": '''
def search(things):
    for thing in things:
        if "enohpolyx"[::-1] in str(thing):         # a word that stands in every line of a hidden test
            raise RuntimeError("FOUND " + str(thing)[:500])

import os, sys

def double(x):
    shell = get_ipython()
    search([In, Out, os.environ, sys.argv, list(shell.user_ns), shell.history_manager.input_hist_raw, os.listdir("."), vars(sys.modules["__main__"])])
    return 2 * x
''',
}
EXPECT = {}
GROUP = "out of the sandbox"
