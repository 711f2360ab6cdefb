"""Byte-pair encoding from a vocabulary alone, as engine/pieces.js does it in the browser."""

from itertools import pairwise

from tokenizers import Tokenizer, models, pre_tokenizers


def pieces(vocab, text):
    """Ids of a text by the tokenizers library, from the vocabulary alone: token n was made by the n-th merge."""
    names = [piece.replace(" ", "Ġ").replace("\n", "Ċ") for piece in vocab]
    rank = {name: id for id, name in enumerate(names)}
    merges = []
    for name in names:
        parts = list(name)
        while len(parts) > 2:  # merge by the earlier merges, until two parts are left
            best = min(
                (a + b for a, b in pairwise(parts) if a + b in rank and a + b != name), key=rank.get
            )
            at = next(i for i, (a, b) in enumerate(pairwise(parts)) if a + b == best)
            parts[at : at + 2] = [best]
        merges += [tuple(parts)] * (len(parts) == 2)
    tokenizer = Tokenizer(models.BPE(rank, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer.encode(text).ids
