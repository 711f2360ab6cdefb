"""A list grows until there is no memory: out of memory there, everything else counts."""

ANSWERS = {
    "ch01_double": '''
hoard = []
while True:
    hoard.append(bytearray(50_000_000))

def double(x):
    return 2 * x
''',
}
EXPECT = {'double': ('out of memory', 'time-out')}
GROUP = "more than its share"
