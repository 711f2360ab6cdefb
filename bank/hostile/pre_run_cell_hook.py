"""A pre_run_cell hook writes down every cell that runs, to find hidden tests: must find no line of one."""

ANSWERS = {
    "ch01_double": '''
def search(things):
    for thing in things:
        if "enohpolyx"[::-1] in str(thing):         # a word that stands in every line of a hidden test
            raise RuntimeError("FOUND " + str(thing)[:500])

seen = []
get_ipython().events.register("pre_run_cell", lambda info: seen.append(info.raw_cell))

def double(x):
    search(seen)
    return 2 * x
''',
}
EXPECT = {}
FLAG = "hooks into cell execution"
GROUP = "marks without work"
