"""Which submissions are too alike to be independent? Compared after taking away what the release
gave them and what most of the class wrote.

Every answer is cut into runs of tokens (names and layout kept, comments too: those are what
independent people choose differently). A run counts by how rare it is in the class. The figure
of a pair is the weight of the runs it shares, over that of the shorter of the two.
"""

import io
import math
import tokenize
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

RUN = 6  # tokens in a run
MIN_RUNS = 12  # with fewer rare runs, too little was written to tell
SUSPECT = 0.8
COMMON = 0.3  # runs in a larger share of the class say nothing
SKIPPED = {
    tokenize.NEWLINE,
    tokenize.NL,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}


@dataclass(frozen=True)
class Pair:
    """Two students whose answers are too alike."""

    one: str
    other: str
    share: float  # 0 to 1
    example: str  # the rarest passage they share


@dataclass(frozen=True)
class Cluster:
    """Students whose answers to the same exercises are too alike."""

    students: tuple[str, ...]
    exercises: tuple[str, ...]
    share: float  # 0 to 1, the mean over the exercises of what they have in common
    example: str  # the rarest passage they share


def clusters(
    answers: Mapping[str, Mapping[str, str]],
    given: Mapping[str, Sequence[str]],
    together: Mapping[str, Sequence[str]] | None = None,
) -> list[Cluster]:
    """Students who are alike, exercise by exercise, most exercises first: three copied answers of
    five are seen, and a class of copies is one line.

    answers: {student: {exercise: text}}; given: {exercise: texts that are no evidence: what was
    released, and right answers that many find}; together: {student: who handed in with them}.
    """
    group = {student: frozenset(members) for student, members in (together or {}).items()}
    found: dict[tuple[str, ...], list[tuple[str, float, str]]] = defaultdict(list)
    for exercise in sorted({name for own in answers.values() for name in own}):
        own = {who: [texts[exercise]] for who, texts in answers.items() if exercise in texts}
        pairs = alike(own, given.get(exercise, ()))
        pairs = [pair for pair in pairs if pair.other not in group.get(pair.one, ())]
        for students in _connected(pairs):
            inside = [pair for pair in pairs if pair.one in students]
            share = mean(pair.share for pair in inside)
            found[tuple(sorted(students))].append((exercise, share, inside[0].example))
    made = []
    for who, seen in found.items():
        exercises, shares, examples = zip(*seen, strict=True)
        made.append(Cluster(who, exercises, mean(shares), max(examples, key=len)))
    return sorted(made, key=lambda one: (-len(one.exercises), -one.share, one.students))


def _connected(pairs: Sequence[Pair]) -> list[set[str]]:
    """The sets of students whom pairs connect, directly or through others."""
    sets: dict[str, set[str]] = {}
    for pair in pairs:
        joined = sets.get(pair.one, {pair.one}) | sets.get(pair.other, {pair.other})
        for student in joined:
            sets[student] = joined
    return list({id(one): one for one in sets.values()}.values())


def alike(answers: Mapping[str, Sequence[str]], released: Sequence[str] = ()) -> list[Pair]:
    """Pairs of students whose answers share at least SUSPECT of their weight, the most alike first.

    answers: {student: [text of each answer]}; released: texts that everybody was given. Needs
    memory in proportion to the class and time in proportion to the pairs that share a rare run.
    """
    given = {run for text in released for run in runs(text)}
    known: dict[tuple, tuple] = {}  # each run once in memory
    held = {
        student: {known.setdefault(run, run) for text in texts for run in runs(text)} - given
        for student, texts in answers.items()
    }
    count = Counter(run for own in held.values() for run in own)
    most = max(2, COMMON * len(held))
    weight = {run: math.log(len(held) / n) + 0.1 for run, n in count.items() if n <= most}
    total = {student: sum(weight.get(run, 0) for run in own) for student, own in held.items()}
    rare = {student: sum(run in weight for run in own) for student, own in held.items()}
    enough = {student for student, count in rare.items() if count >= MIN_RUNS}
    holders = defaultdict(list)
    for student in sorted(enough):
        for run in held[student]:
            if run in weight and count[run] > 1:
                holders[run].append(student)
    pairs = []
    # one student after the other, so that what is counted is never more than the class
    for one in sorted(enough):
        shared: dict[str, float] = defaultdict(float)
        for run in held[one] & holders.keys():
            for other in reversed(holders[run]):
                if other == one:
                    break
                shared[other] += weight[run]
        pairs += [
            Pair(one, other, share, _example(held[one] & held[other], holders))
            for other, common in shared.items()
            if (share := common / min(total[one], total[other])) >= SUSPECT
        ]
    return sorted(pairs, key=lambda pair: (-pair.share, pair.one, pair.other))


def _example(both: set[tuple[str, ...]], rare: Collection[tuple[str, ...]]) -> str:
    """The longest rare run of those that two students share."""
    return max((" ".join(run) for run in both if run in rare), key=lambda text: (len(text), text))


def runs(text: str) -> set[tuple[str, ...]]:
    """All runs of RUN tokens of a Python text; what does not tokenise is cut at spaces."""
    words = _tokens(text)
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def _tokens(text: str) -> list[str]:
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return [token.string.strip() for token in tokens if token.type not in SKIPPED]
    except (tokenize.TokenError, SyntaxError, ValueError):
        return text.split()
