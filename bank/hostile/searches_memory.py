"""Goes through frames, the garbage collector, modules and its own memory for hidden tests: finds no line."""

ANSWERS = {
    "ch01_double": '''
def search(things):
    for thing in things:
        if "enohpolyx"[::-1] in str(thing):         # a word that stands in every line of a hidden test
            raise RuntimeError("FOUND " + str(thing)[:500])

import gc, sys

def double(x):
    frame = sys._getframe()
    while frame:
        search([list(frame.f_locals), list(frame.f_globals), frame.f_code.co_consts, frame.f_code.co_names])
        frame = frame.f_back
    search(thing for thing in gc.get_objects() if isinstance(thing, (list, tuple)) and len(thing) < 50
           and all(isinstance(part, str) for part in thing))
    search(text for texts in list(gc.get_objects()) if isinstance(texts, dict) for text in list(texts.values()) if isinstance(text, str))
    return 2 * x
''',
}
EXPECT = {}
FLAG = "looks at frames"
GROUP = "out of the sandbox"
