"""Answers that nobody thought of: no verdict but the right one, and no parent of a process is lost.

FUZZ=500 grades so many of them instead of a few: as long as one likes, by hand.
"""

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.assurance.quality import grade_answer
from autograder.grading.result import Status

KEEPS = [  # what leaves the value as it is, in other memory, strides or words
    "({}).clone()",
    "({})[...]",
    "({}) + 0",
    "torch.stack([{}, 0 * x], -1)[..., 0]",
    "torch.cat([{}, x])[: len(x)]",
    "({}).unsqueeze(0).squeeze(0)",
    "(lambda: {})()",
    "[{}, None][0]",
]
BREAKS = [  # what makes something else of it
    "[{}]",
    "({}, {})",
    "{{'value': {}}}",
    "({}).expand(2, *x.shape)",
    "({}).sum()",
    "({}).unsqueeze(-1)",
    "({})[:0]",
    "({}) * float('nan')",
    "({}).to(torch.complex64) * 1j",
    "({}).to('meta')",
    "str({})",
    "(lambda: {})",
    "(None, {})[0]",
    "(_ for _ in ()).throw(StopIteration({}))",
    "(_ for _ in ()).throw(AssertionError({}))",
    "(_ for _ in ()).throw(KeyboardInterrupt)",
    "type('T', (torch.Tensor,), {{'__eq__': lambda *a: True}})()",
    "10 ** 400 * ({}).long()",
]
steps = st.lists(st.sampled_from(KEEPS), max_size=3)


@settings(
    max_examples=int(os.environ.get("FUZZ", "8")),
    deadline=None,
    derandomize="FUZZ" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
@given(before=steps, broken=st.none() | st.sampled_from(BREAKS), after=st.booleans())
def test_a_value_gets_the_verdict_that_it_deserves(loose, before, broken, after):
    made = "2 * x"
    for step in [*before, *([broken] if broken else [])]:
        made = step.replace("{}", made).replace("{{", "{").replace("}}", "}")
    made = f"(lambda y: y)({made})" if after else made
    verdicts = grade_answer(
        loose, "ch01_trial", "ch01_double", f"def double(x):\n    return {made}"
    )
    passed = all(verdict.status is Status.PASSED for verdict in verdicts)
    assert passed == (broken is None), f"{made}: {verdicts}"
    right = grade_answer(loose, "ch01_trial", "ch01_double", "def double(x):\n    return 2 * x")
    assert all(verdict.status is Status.PASSED for verdict in right)
