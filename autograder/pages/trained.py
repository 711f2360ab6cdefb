"""Fixtures of the pages that explore a trained model: the chapters' own solution code on the committed, rounded numbers of data/."""

import json
from pathlib import Path

import torch
from torch.nn.functional import cosine_similarity, cross_entropy

from autograder.pages.chapter_code import chapter_code
from autograder.pages.checkpoint import filled_model
from autograder.pages.lehmer import lehmer
from autograder.pages.models import language7, language9
from autograder.pages.pieces import pieces

DATA = Path(__file__).resolve().parents[2] / "site" / "interactive" / "data"


def checkpoint(name):
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def ch07():
    made, space = checkpoint("ch07_encoder_decoder"), language7()
    assert (made["german"], made["english"]) == (space["GERMAN"], space["ENGLISH"]), (
        "the language has changed: run models.py ch07"
    )
    torch.set_default_dtype(torch.float64)
    model = filled_model(space["new_translator"](), made["tensors"])
    model.positions = space["sinusoidal_encoding"](512, 48).double()
    bos, eos = made["config"]["bos"], made["config"]["eos"]
    cases = []
    for text in (
        "kannst du mir helfen",
        "morgen werde ich Tom treffen weil er uns hier rufen muss",
        "helfen mir du kannst",
    ):
        source = torch.tensor([[space["german_ids"][word] for word in text.split()]])
        with torch.no_grad():
            ids = space["greedy_translate"](model, source, bos, eos, 16)[0]
            ids = ids[ids != eos]
            memory, reads = model.encode(source), torch.cat([torch.tensor([bos]), ids])[None]
            logits, cross = model.decode(reads, memory)
            probabilities = lambda logits: (
                logits[0, : len(ids)].softmax(-1).gather(-1, ids[:, None])[:, 0]
            )
            hide = [
                (torch.arange(source.size(1)) != place)[None, None, None]
                for place in range(source.size(1))
            ]
            without = torch.stack(
                [probabilities(model.decode(reads, memory, mask)[0]) for mask in hide], dim=-1
            )
        english = [space["ENGLISH"][i] for i in ids]
        values = {
            "english": english,
            "memory": memory[0],
            "likely": logits[0].softmax(-1),
            "sure": probabilities(logits),
            "without": without,
        }
        cases.append(
            {
                "state": {"text": text, "head": "both"},
                "values": {**values, "cross": cross[0].mean(0)[: len(ids)]},
            }
        )
        cases.append(
            {
                "state": {
                    "text": text,
                    "head": "1",
                    "attention": "cross",
                    "layer": "1",
                    "which": "0",
                },
                "values": {"cross": cross[0, 1, : len(ids)], "three": cross[0, 0]},
            }
        )
    words = "sie kann sie sehen".split()
    with torch.no_grad():
        ids = torch.tensor([[space["german_ids"][word] for word in words]])
        table = model.source_embedding(ids) * 48**0.5
        stages = [table, table + model.positions[:4]]
        for block in model.encoder.blocks:
            x, weights = block(stages[-1])
            stages.append(x)
    cases.append(
        {
            "state": {"text": " ".join(words), "attention": "encoder", "layer": "1", "which": "1"},
            "values": {
                "similar": [cosine_similarity(x[0][:, None], x[0][None], dim=-1) for x in stages],
                "three": weights[0, 1],
            },
        }
    )
    return {"cases": cases}


def knobs(space, logits, temperature, top_k, top_p):
    """The probabilities from which chapter 8's `sample` draws: it is asked with a multinomial that only looks."""
    seen, draw = [], torch.multinomial
    torch.multinomial = lambda rows, *arguments, **named: (
        seen.append(rows) or draw(rows, *arguments, **named)
    )
    try:
        ids = space["sample"](logits, temperature=temperature, top_k=top_k, top_p=top_p)
    finally:
        torch.multinomial = draw
    return (
        seen[0].reshape(logits.shape) / seen[0].sum(-1)
        if seen
        else torch.nn.functional.one_hot(ids, logits.size(-1)).double()
    )


def ch08():
    made, space = checkpoint("ch08_decoder"), language9()
    torch.set_default_dtype(torch.float64)
    space = chapter_code(8, "sample", "generate", start=space)
    model = filled_model(space["GPT"](space["GPTConfig"](**made["config"])), made["tensors"])
    cases = []
    for text, temperature, k, p in [
        ("A function definition is an executable", 1.0, 0, 1.0),
        ("A class definition is an", 0.5, 5, 1.0),
        ("The value of the", 2.0, 0, 0.8),
        ("The list is then sorted, and it's 12 times", 1.5, 20, 0.7),
        ("Nothing", 0.0, 0, 1.0),
    ]:
        ids = torch.tensor([pieces(made["vocab"], text)])
        with torch.no_grad():
            logits = model(ids)[0]
            greedy = space["generate"](model, ids, 24, temperature=0)[0, ids.size(1) :]
        chances = torch.stack(
            [knobs(space, row, temperature, k or None, p if p < 1 else None) for row in logits]
        )
        values = {
            "ids": ids[0],
            "logits": logits[-1],
            "plain": logits[-1].softmax(-1),
            "chances": chances[-1],
            "kept": (chances > 0).sum(-1),
            "greedy": greedy,
        }
        cases.append(
            {"state": {"text": text, "temperature": temperature, "k": k, "p": p}, "values": values}
        )
    return {"cases": cases}


def tune(period, length, seed):
    """The page's chant: sixteen syllables in the order of Lehmer's numbers, the first `period` of them again and again."""
    draw = lehmer(seed)
    order = torch.tensor([next(draw) for _ in range(16)]).argsort()
    return order[torch.arange(length) % period]


def ch09():
    made, space = checkpoint("ch09_training"), language9()
    assert made["vocab"] == space["words"], "the language has changed: run models.py ch09"
    torch.set_default_dtype(torch.float64)
    model = filled_model(space["GPT"](space["GPTConfig"](**made["config"])), made["tensors"])
    encode, ablate, maps, heads = (
        space["encode"],
        space["ablate_head"],
        space["attention_maps"],
        [(layer, head) for layer in range(2) for head in range(4)],
    )
    story, other = (
        "the cat sat on the mat because it was hungry . who ? the",
        "the dog lay on the sack because it was soft . who ? the",
    )
    earlier, cases = "the fox slept on the rug because it was tired . who ? the fox . ", []
    for text, before, off in [
        (story, True, None),
        (story.replace("hungry", "soft"), True, (1, 1)),
        (other, False, (0, 2)),
        ("the hen stood on the", True, None),
    ]:
        ids = encode((earlier if before else "") + text)
        first = ids.size(1) - len(text.split())
        with torch.no_grad():
            chances = model(ids)[0, -1].softmax(-1)
            best, alone = chances.argmax(), torch.zeros(2, 4)
            for layer, head in heads:
                with ablate(model, layer, head):
                    alone[layer, head] = model(ids)[0, -1].softmax(-1)[best]
            values = {"chances": chances, "alone": alone}
            state = {"text": text, "before": before, "place": len(text.split()) - 1}
            if off:
                with ablate(model, *off):
                    values["now"] = model(ids)[0, -1].softmax(-1)
                    values["at"] = maps(model, ids)[:, 0, :, -1, first:].flatten(0, 1)
                state[f"l{off[0]}h{off[1]}"] = False
            else:
                values["at"] = maps(model, ids)[:, 0, :, -1, first:].flatten(0, 1)
        cases.append({"state": state, "values": values})
    first_syllable = space["FIRST_SYLLABLE"]
    for period, seed in [(9, 1), (4, 5), (14, 3)]:
        length = min(48, 2 * period + max(1, period // 2))
        song = tune(period, length + 1, seed)[None] + first_syllable
        ids, targets = song[:, :-1], torch.where(torch.arange(length) < period, -100, song[:, 1:])
        price = lambda: cross_entropy(model(ids)[0], targets[0])
        with torch.no_grad():
            every, whole, rise = maps(model, ids)[:, 0], price(), torch.zeros(2, 4)
            for layer, head in heads:
                with ablate(model, layer, head):
                    rise[layer, head] = price() - whole
        scores = {
            name: torch.stack([function(layer) for layer in every])
            for name, function in [
                ("previous", space["previous_token_score"]),
                ("induction", lambda weights: space["induction_score"](weights, period)),
            ]
        }
        cases.append(
            {
                "state": {"period": period, "tune": seed, "look": "1.2"},
                "values": {
                    "chant": [space["words"][i] for i in ids[0]],
                    "price": whole,
                    "rise": rise,
                    "pattern": every[1, 2],
                    **scores,
                },
            }
        )
    return {"cases": cases}
