"""What a recogniser may expect: a word-pair model (ARPA) from texts, Witten-Bell smoothing.

Source: Witten and Bell, "The zero-frequency problem" (1991), method C.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

FLOOR = 0.5  # added to each word's count, so that words of the left-out chapter can be heard


def arpa(sentences: Iterable[Sequence[str]], vocabulary: Iterable[str]) -> str:
    """A bigram model in ARPA's form over a closed vocabulary.

    sentences: lists of words; words outside the vocabulary break a sentence in two.
    p(w|h) = (c(h w) + t(h) p(w)) / (c(h) + t(h)), with t(h) the number of different words after h;
    for every h the probabilities add up to 1.
    """
    known = set(vocabulary)
    follow: dict[str, Counter[str]] = defaultdict(Counter)
    count: Counter[str] = Counter(dict.fromkeys((*known, "</s>"), FLOOR))  # type: ignore[arg-type]
    for sentence in sentences:
        before = "<s>"
        for word in (*sentence, "</s>"):
            if word in known or word == "</s>":
                count[word] += 1
                follow[before][word] += 1
            before = word
    follow = {h: after for h, after in follow.items() if h in known or h == "<s>"}  # type: ignore[assignment]
    total = sum(count.values())
    chance = {word: n / total for word, n in count.items()}
    share = {h: len(after) / (after.total() + len(after)) for h, after in follow.items()}
    ones = ["-99.0000 <s> " + _log(share.get("<s>", 1.0))] + [
        f"{_log(chance[word])} {word} {_log(share.get(word, 1.0))}" for word in sorted(count)
    ]
    twos = [
        f"{_log(n / (after.total() + len(after)) + share[h] * chance[word])} {h} {word}"
        for h, after in sorted(follow.items())
        for word, n in sorted(after.items())
    ]
    head = f"\\data\\\nngram 1={len(ones)}\nngram 2={len(twos)}\n"
    return "\n".join([head, "\\1-grams:", *ones, "", "\\2-grams:", *twos, "", "\\end\\", ""])


def _log(probability: float) -> str:
    return f"{math.log10(probability):.4f}"
