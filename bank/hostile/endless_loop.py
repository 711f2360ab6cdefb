"""The answer cell never ends: a time-out there, everything else counts."""

ANSWERS = {
    "ch01_double": '''
while True:
    pass

def double(x):
    return 2 * x
''',
}
EXPECT = {'double': 'time-out'}
GROUP = "more than its share"
