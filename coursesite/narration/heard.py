"""What was heard against what was to be spoken: words, their pairs, error rates, terms.

Needs no recogniser: words in, figures out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Pair = tuple[str, str]  # (expected word or "", heard word or "")
Same = Callable[[str, str], bool]
WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")


def words(text: str) -> list[str]:
    """The words of a text in small letters, without punctuation; hyphens part words.

    Raises ValueError for a figure or a symbol: scripts write those as words, and a letter lost
    here would count as a word that nobody said.
    """
    plain = text.lower().replace("’", "'")
    strange = sorted(set(re.findall(r"[^\sa-z'.,;:?!\"()“”–—-]", plain)))
    if strange:
        raise ValueError(f"expected words only; got {' '.join(strange)} in {text[:60]!r}")
    return WORD.findall(plain)


def pairs(expected: Sequence[str], heard: Sequence[str], same: Same | None = None) -> list[Pair]:
    """Both texts side by side with the fewest substitutions, deletions and insertions
    (Levenshtein) and, among these, the most equal words; a missing word is "".

    same: whether two words count as one, as for words that sound alike; default: equal spelling.
    """
    same = same or (lambda a, b: a == b)
    gap = len(expected) + len(heard) + 1  # a substitution costs one more: it breaks ties only
    cost = [[gap * column for column in range(len(heard) + 1)]]
    for row, word in enumerate(expected, 1):
        above, line = cost[-1], [gap * row]
        for column, other in enumerate(heard, 1):
            put = above[column - 1] + (0 if same(word, other) else gap + 1)
            line.append(min(put, above[column] + gap, line[-1] + gap))
        cost.append(line)
    row, column, found = len(expected), len(heard), []
    while row or column:
        least = cost[row][column]
        word, other = expected[row - 1] if row else "", heard[column - 1] if column else ""
        put = 0 if same(word, other) else gap + 1
        if row and column and least == cost[row - 1][column - 1] + put:
            found.append((word, other))
            row, column = row - 1, column - 1
        elif row and least == cost[row - 1][column] + gap:
            found.append((word, ""))
            row -= 1
        else:
            found.append(("", other))
            column -= 1
    return found[::-1]


def errors(matched: Iterable[Pair], same: Same | None = None) -> int:
    """How many pairs are not the same word."""
    same = same or (lambda a, b: a == b)
    return sum(not same(word, other) for word, other in matched)


def sound_alike(sounds: Mapping[str, set[str]]) -> Same:
    """Whether two words are spelled alike or share a pronunciation.

    sounds: {word: its pronunciations}, as {"weight": {"W EY T"}, "wait": {"W EY T"}}.
    """

    def same(one: str, other: str) -> bool:
        return one == other or bool(sounds.get(one, set()) & sounds.get(other, set()))

    return same


@dataclass(frozen=True)
class Place:
    """One place at which a term was to be spoken."""

    term: str
    index: int  # of its first word among the expected words, from 0
    heard: str  # the term itself where all its words were heard, else what stands there

    @property
    def missed(self) -> bool:
        """Whether something else was heard."""
        return self.heard != self.term


def places(
    matched: Sequence[Pair], terms: Iterable[str], same: Same | None = None
) -> Iterator[Place]:
    """Every place of every term (one word or several), in the order of the terms.

    A term is heard where all its words are, in their order, with nothing between them. What is
    heard in its place includes what was put in between the expected words beside it; "nothing"
    for silence.
    """
    at = [index for index, (word, _) in enumerate(matched) if word]
    said = [matched[index][0] for index in at]
    for term in terms:
        parts = term.split()
        for start in range(len(said) - len(parts) + 1):
            after = start + len(parts)
            if said[start:after] != parts:
                continue
            if errors(matched[at[start] : at[after - 1] + 1], same) == 0:
                yield Place(term, start, term)
                continue
            first = at[start - 1] + 1 if start else 0
            end = at[after] if after < len(at) else len(matched)
            between = " ".join(other for _, other in matched[first:end] if other)
            yield Place(term, start, between or "nothing")


@dataclass(frozen=True)
class Miss:
    """A term that the transcription did not have, and what the second look found in its place."""

    segment: str  # path of the sound
    second: float  # start of its sentence
    term: str
    heard: str  # in the transcription
    closer: str  # in the second look

    @property
    def cleared(self) -> bool:
        """Whether the second look heard the term."""
        return self.closer == self.term


@dataclass
class Report:
    """What was heard of some segments."""

    rates: dict[str, tuple[int, int]] = field(default_factory=dict)  # {audio: (errors, words)}
    said: Counter[str] = field(default_factory=Counter)  # {term: places}
    heard: Counter[str] = field(default_factory=Counter)  # of these, in the transcription
    misses: list[Miss] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Word error rate over all segments."""
        return sum(e for e, _ in self.rates.values()) / sum(n for _, n in self.rates.values())

    @property
    def never(self) -> list[str]:
        """Terms that neither the transcription nor the second look heard anywhere."""
        cleared = {miss.term for miss in self.misses if miss.cleared}
        return [term for term in self.said if not self.heard[term] and term not in cleared]


def summary(report: Report) -> str:
    """Terms that were heard everywhere in one line, each other place in one of its own."""
    count = sum(report.said.values())
    cleared = sum(miss.cleared for miss in report.misses)
    lines = [
        f"word error rate {report.rate:.1%} over {len(report.rates)} segment(s)",
        f"{len(report.said)} terms at {count} places: {sum(report.heard.values())} in the"
        f" transcription, {cleared} more at a second look, {len(report.misses) - cleared} missed",
    ]
    whole = [term for term, said in report.said.items() if report.heard[term] == said]
    lines.append(f"transcribed everywhere: {', '.join(whole) or 'none'}")
    for miss in sorted(report.misses, key=lambda miss: (miss.term, miss.segment)):
        if not miss.cleared:
            minute, second = divmod(int(miss.second), 60)
            lines.append(
                f"{miss.segment} {minute}:{second:02d}: expected {miss.term!r}, heard"
                f" {miss.heard!r}, at a second look {miss.closer!r}"
            )
    for term in report.never:
        lines.append(
            f"{term!r} was never heard ({report.said[term]} place(s)): listen to it; if the voice"
            " says it wrong, respell it in narration/respelling.toml and run 'make narration'"
        )
    return "\n".join(lines)
