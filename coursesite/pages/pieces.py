"""Byte-pair encoding from a vocabulary alone, as engine/pieces.js does it in the browser."""

from itertools import pairwise

from tokenizers import Tokenizer, models, pre_tokenizers, trainers


def pieces(vocab: list[str], text: str) -> list[int]:
    """Ids of a text by the tokenizers library, from the vocabulary alone: token n was made by the
    n-th merge.
    """
    names = [piece.replace(" ", "Ġ").replace("\n", "Ċ") for piece in vocab]
    rank = {name: id for id, name in enumerate(names)}
    merges = []
    for name in names:
        parts = list(name)
        while len(parts) > 2:  # merge by the earlier merges, until two parts are left
            joined = [a + b for a, b in pairwise(parts)]
            known = [pair for pair in joined if pair in rank and pair != name]
            best = min(known, key=lambda pair: rank[pair])
            at = joined.index(best)
            parts[at : at + 2] = [best]
        if len(parts) == 2:
            merges.append((parts[0], parts[1]))
    tokenizer = Tokenizer(models.BPE(rank, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer.encode(text).ids


def vocabulary(text: str, size: int = 448) -> list[str]:
    """The pieces that byte-pair encoding makes of a text, in the order of its merges."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(
        text.splitlines(keepends=True),
        trainers.BpeTrainer(
            vocab_size=size, min_frequency=2, initial_alphabet=[], show_progress=False
        ),
    )
    by_id = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    names = [name.replace("Ġ", " ").replace("Ċ", "\n") for name, _ in by_id]
    if pieces(names, text) != tokenizer.encode(text).ids:
        raise ValueError("the vocabulary alone must give the same pieces: pages have nothing else")
    return names
