"""Speed of the course's own models against their peers, in one run on this machine: ratios, above 1
where ours is faster.

The reference solutions are taken out of the chapters' sources; the peer holds the same weights, and
both are checked to agree first. Every pair of times is measured in turn, A B A B …, so that a
machine that speeds up or slows down does so for both.

Generation multiplies one row by every weight for each token. Where the weights are too large for
the cache of the processor, reading them is most of the work of both models, and no code around it
helps: the line "nothing but the weights" measures what the ratio would be if our model did these
multiplications and nothing else.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from autograder.course.chapter import find_chapter
from coursesite.chapter_code import carried_code, chapter_code

Run = Callable[[], object]

ROUNDS = 7
SIZES = {
    "small (d_model 128, 4 layers)": (128, 4, 4, 512),
    "medium (d_model 384, 6 layers)": (384, 6, 6, 1024),
}  # d_model, heads, layers, vocabulary
SEQ, BATCH, NEW_TOKENS = 128, 4, 64


@dataclass(frozen=True)
class Row:
    """One comparison: the peer's seconds over ours, once for each round."""

    size: str  # "GPT, small (…)"
    what: str  # "forward"
    ratios: list[float]


def compare(root: Path, device: str) -> Iterator[Row]:
    """Measure everything on one device, a row at a time."""
    code = course_code(root)
    for size, shape in SIZES.items():
        for what, ratios in gpt_ratios(code, shape, device).items():
            yield Row(f"GPT, {size}", what, ratios)
    for what, ratios in attention_ratios(code, device).items():
        yield Row("MultiHeadAttention against nn.MultiheadAttention", what, ratios)


def course_code(root: Path) -> dict[str, Any]:
    """The functions and classes of the GPT's chapter, carried ones included, as a student's
    notebook holds them.
    """
    chapter = find_chapter(root, "ch08")
    made = [name for exercise in chapter.exercises for name in exercise.names]
    defined = [name for name, text in chapter.definitions.items() if text.startswith("@dataclass")]
    names = dict.fromkeys([*defined, *made])
    return chapter_code(root, 8, *names, start=carried_code(root, 8))


def gpt_ratios(
    code: dict[str, Any], shape: tuple[int, int, int, int], device: str
) -> dict[str, list[float]]:
    """{what: [peer's seconds / ours, …]} for the GPT of chapter 8 and transformers' GPT2LMHeadModel
    with the same weights.

    code: what ``course_code`` gives. shape: d_model, heads, layers, vocabulary.
    """
    from transformers import GPT2Config, GPT2LMHeadModel

    d_model, heads, layers, vocab = shape
    settings = GPT2Config(
        vocab_size=vocab,
        n_positions=256,
        n_embd=d_model,
        n_layer=layers,
        n_head=heads,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=0,
        eos_token_id=None,
        pad_token_id=0,
    )
    config = code["GPTConfig"](
        vocab_size=vocab, max_len=256, d_model=d_model, num_heads=heads, num_layers=layers
    )
    peer: Any = GPT2LMHeadModel(settings)
    peer = peer.to(device).eval()
    ours = code["GPT"](config).to(device).eval()
    code["load_gpt2"](ours, peer.state_dict())
    ids = torch.randint(vocab, (BATCH, SEQ), device=device)
    no_grad = torch.no_grad()
    with no_grad:
        torch.testing.assert_close(ours(ids), peer(ids).logits, atol=1e-3, rtol=1e-3)

    def loss(logits: Tensor) -> Tensor:
        return F.cross_entropy(logits.flatten(0, 1), ids.flatten())

    def generated(prompt: Tensor) -> Run:
        return lambda: code["generate"](ours, prompt, NEW_TOKENS, temperature=0)

    def generated_by_peer(prompt: Tensor) -> Run:
        return lambda: peer.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=NEW_TOKENS,
            min_new_tokens=NEW_TOKENS,
            do_sample=False,
            use_cache=True,
        )

    one, four = ids[:1, :16], ids[:4, :16]
    pairs: dict[str, tuple[Run, Run]] = {
        "forward": (no_grad(lambda: ours(ids)), no_grad(lambda: peer(ids).logits)),
        "forward and backward": (
            with_gradient(ours, lambda: loss(ours(ids))),
            with_gradient(peer, lambda: loss(peer(ids).logits)),
        ),
        f"{NEW_TOKENS} tokens, cache": (generated(one), generated_by_peer(one)),
        f"{NEW_TOKENS} tokens, 4 texts": (generated(four), generated_by_peer(four)),
        "  nothing but the weights": (only_weights(ours, 1), generated_by_peer(one)),
    }
    return {what: in_turn(*pair, device) for what, pair in pairs.items()}


def only_weights(model: nn.Module, texts: int) -> Run:
    """The multiplications with weights that generating NEW_TOKENS tokens takes at least, and
    nothing between them.
    """
    layers = [
        (layer, next(layer.parameters()).new_zeros(texts, layer.in_features))
        for layer in model.modules()
        if isinstance(layer, nn.Linear)
    ]

    @torch.no_grad()
    def multiply() -> None:
        for _ in range(NEW_TOKENS):
            for layer, row in layers:
                layer(row)

    return multiply


def with_gradient(module: nn.Module, loss: Callable[[], Tensor]) -> Run:
    """Forward to a loss, and backward into the gradients of a module, which are empty before."""

    def run() -> None:
        module.zero_grad(set_to_none=True)
        loss().backward()

    return run


def attention_ratios(code: dict[str, Any], device: str) -> dict[str, list[float]]:
    """{what: [peer's seconds / ours, …]} for the MultiHeadAttention of chapter 4, weights returned
    by both. code: what ``course_code`` gives.
    """
    peer = nn.MultiheadAttention(256, 8, bias=False, batch_first=True).to(device).eval()
    ours = code["MultiHeadAttention"](256, 8).to(device).eval()
    no_grad = torch.no_grad()
    x = torch.randn(BATCH, SEQ, 256, device=device)
    with no_grad:
        for part, weight in zip(
            (ours.W_q, ours.W_k, ours.W_v), peer.in_proj_weight.chunk(3), strict=True
        ):
            part.weight.copy_(weight)
        ours.W_o.weight.copy_(peer.out_proj.weight)
        torch.testing.assert_close(ours(x)[0], peer(x, x, x)[0], atol=1e-5, rtol=1e-5)

    def theirs() -> tuple[Tensor, Tensor]:
        return peer(x, x, x, average_attn_weights=False)

    pairs: dict[str, tuple[Run, Run]] = {
        "forward": (no_grad(lambda: ours(x)), no_grad(theirs)),
        "and backward": (
            with_gradient(ours, lambda: ours(x)[0].square().sum()),
            with_gradient(peer, lambda: theirs()[0].square().sum()),
        ),
    }
    return {what: in_turn(*pair, device) for what, pair in pairs.items()}


def in_turn(ours: Run, peer: Run, device: str) -> list[float]:
    """[peer's seconds / ours] of ROUNDS rounds, the two measured in turn after a round that warms
    up.
    """
    ratios = []
    for _ in range(ROUNDS + 1):
        a, b = _seconds(ours, device), _seconds(peer, device)
        ratios.append(b / a)
    return ratios[1:]


def _seconds(call: Run, device: str, at_least: float = 0.05) -> float:
    """Mean seconds of a call, repeated until AT_LEAST seconds are spent."""
    count, start = 0, time.perf_counter()
    while True:
        call()
        if device == "cuda":
            torch.cuda.synchronize()
        count += 1
        spent = time.perf_counter() - start
        if spent >= at_least:
            return spent / count
