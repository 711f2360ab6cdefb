"""Puts HTML and control characters into an error: text stays text, control characters go."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    raise ValueError("<script>alert(1)</script>\\x1b[2J\\x00\\x07\\u202e")
''',
}
EXPECT = {'double': 'error'}
MESSAGE = "<script>alert(1)</script>"
GROUP = "marks without work"
