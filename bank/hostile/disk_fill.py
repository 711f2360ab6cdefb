"""Fills the scratch folder until it is full: an error that it can catch, and nothing else suffers."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    try:
        for number in range(1000):
            with open(f"/tmp/fill{number}", "wb") as file:
                for _ in range(60):
                    file.write(bytes(1_000_000))
        raise RuntimeError("FOUND no end of the disk")
    except OSError:
        return 2 * x
''',
}
EXPECT = {}
GROUP = "more than its share"
