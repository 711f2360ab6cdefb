""" "Copy this state": the copied address opens the interactive page in the same state."""

import pytest

pytestmark = pytest.mark.slow
FRAME = "document.querySelector('.stage iframe').contentWindow"


@pytest.mark.parametrize(
    "name, state",
    [
        ("ch01_why_attention", "text=the%20bank%20of%20a%20river&query=2&step=context"),
        ("ch02_single_head", "step=softmax&scale=off&W_q=1,0;0,2;3,-1"),
        ("ch05_positions", ""),
    ],
)
def test_a_copied_address_opens_the_same_state(browser, address, name, state):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{address}{name}.html")
    page.wait_for_function(f"{FRAME}.attention")
    page.evaluate(f"(state) => {FRAME}.postMessage({{ state }}, '*')", state)
    page.wait_for_function(
        f"(state) => !state || {FRAME}.attention.hash.includes('step=')", arg=state
    )
    page.get_by_role("button", name="Copy this state").click()
    page.get_by_role("button", name="Link copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    wanted = page.evaluate(f"JSON.stringify({FRAME}.attention.state)")
    assert copied.startswith(f"{address}interactive/{name}.html")
    other = context.new_page()
    other.goto(copied)
    other.wait_for_function("window.attention")
    assert other.evaluate("JSON.stringify(window.attention.state)") == wanted
    context.close()
