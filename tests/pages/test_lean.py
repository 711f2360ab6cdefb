"""A large page's script and style sheet lose nothing that counts."""

import pytest

from autograder.pages.lean import lean_script, lean_sheet


@pytest.mark.parametrize(
    ("code", "lean"),
    [
        ("const a = 1; // one\nconst b = a + +a;", "const a=1;const b=a+ +a;"),
        ("let a = b\n/* two */\n(c)", "let a=b\n(c)"),
        ("if (a) return\n  b", "if(a)return\nb"),
        ('f("a  // b", `c  ${ d + e }  // f`)', 'f("a  // b",`c  ${d+e}  // f`)'),
        ("a.replace(/ +[/]{2} /g, '') / 2", "a.replace(/ +[/]{2} /g,'')/2"),
        ("x = {\n  y,\n  z\n}\nw()", "x={y,z}\nw()"),
        ("a - -b - --c in d", "a- -b- --c in d"),
    ],
)
def test_a_script_keeps_its_tokens_its_strings_and_the_ends_of_statements(code, lean):
    assert lean_script(code) == lean


def test_a_sheet_keeps_what_a_word_of_the_script_may_set():
    css = ".used b,\n  .gone b { color: red;\n    margin: 1px\n 2px; }\n.gone { top: 0; }\nb { top: 1px; }\n"
    assert lean_sheet(css, 'h("p.used")') == ".used b{ color: red; margin: 1px 2px; }b{ top: 1px; }"
