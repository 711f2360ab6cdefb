"""A large page's style sheet loses nothing that counts."""

from coursesite.pages.lean import lean_sheet


def test_a_sheet_keeps_what_a_word_of_the_script_may_set():
    css = ".used b,\n  .gone b { color: red;\n    margin: 1px\n 2px; }\n.gone { top: 0; }\nb { top: 1px; }\n"
    assert lean_sheet(css, 'h("p.used")') == ".used b{ color: red; margin: 1px 2px; }b{ top: 1px; }"
