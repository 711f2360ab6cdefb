"""Write what the pages are tested against, and the chapters' own tensors that pages start from.

    python -m autograder.pages.fixtures          write fixtures/*.json and data/*.json
    python -m autograder.pages.fixtures --check  say which are not what the chapters give, write nothing

Each function below runs solution code taken from a chapter's source by name, on the state that a page is put into.
fixtures/chNN….json: {"cases": [{"state": {field: value}, "values": {name: tensor}}]}, compared to 1e-5 in a browser.
"""

import json
import math
import os
import sys
from pathlib import Path

import torch

from autograder.pages.chapter_code import ROOT, chapter_cells, chapter_code
from autograder.pages.lehmer import normals, uniforms
from autograder.pages.trained import ch07, ch08, ch09

HERE = Path(__file__).resolve().parents[2] / "site" / "interactive"
torch.set_default_dtype(torch.float64)


# ---- the same deterministic inputs as the engine makes ----------------------------------------------------------------

RUNNING = {
    "your": [0.43, 0.15, 0.89],
    "journey": [0.55, 0.87, 0.66],
    "starts": [0.57, 0.85, 0.64],
    "with": [0.22, 0.58, 0.33],
    "one": [0.77, 0.25, 0.10],
    "step": [0.05, 0.80, 0.55],
}
SENTENCE = "Your journey starts with one step"


def embedding(word, dimensions=3):
    word = word.lower()
    if dimensions == 3 and word in RUNNING:
        return RUNNING[word]
    code = sum(k * ord(letter) for k, letter in enumerate(word, 1))
    return [math.floor(50 * (1 + math.sin(d * code)) + 0.5) / 100 for d in range(1, dimensions + 1)]


def embed(text, edits=()):
    edits = dict(edits)
    return torch.tensor([edits.get(word.lower(), embedding(word)) for word in text.split()])


# ---- chapters ---------------------------------------------------------------------------------------------------------


def ch01():
    code = chapter_code(1, "softmax", "attention_scores", "self_attention_simple", "context_shift")
    map_ = chapter_cells(1, "corpus", "vectors")
    words, vectors = map_["words"], map_["vectors"]
    cases = []
    for text, edits in [
        (SENTENCE, {}),
        ("We sat on the river bank", {}),
        ("one step", {"one": [3.0, -1.5, 0.25]}),
    ]:
        x = embed(text, edits)
        context, weights = code["self_attention_simple"](x)
        scores = torch.stack([code["attention_scores"](x, i) for i in range(len(x))])
        cases.append(
            {
                "state": {"text": text, "edits": edits},
                "values": {"x": x, "scores": scores, "weights": weights, "context": context},
            }
        )
    sentences = ["the fish in the river near the bank", "her savings in an account at the bank"]
    for pair, word in [
        (sentences, "bank"),
        (["the fish jumped near the boat", "the boat jumped near the fish"], "fish"),
    ]:
        kept = [map_["content"](sentence) for sentence in pair]
        a, b = (torch.stack([vectors[words.index(one)] for one in line]) for line in kept)
        before, after = code["context_shift"](a, b, kept[0].index(word), kept[1].index(word))
        sides = [
            {"tokens": line, "weights": code["self_attention_simple"](part)[1]}
            for line, part in zip(kept, (a, b))
        ]
        cases.append(
            {
                "state": {"first": pair[0], "second": pair[1], "shared": word},
                "values": {"pair": {"before": before, "after": after}, "sides": sides},
            }
        )
    return {"cases": cases, "data": {"words": words, "vectors": vectors, "sentences": sentences}}


def ch02():
    code = chapter_code(2, "W_q", "W_k", "W_v", "project_qkv", "scaled_dot_product_attention")
    W = {name: code[name].double() for name in ("W_q", "W_k", "W_v")}
    start = {name: matrix.tolist() for name, matrix in W.items()}
    cases = []
    for text, change in [
        (SENTENCE, {}),
        (SENTENCE, {"W_k": W["W_q"]}),
        ("We sat on the river bank", {"W_q": torch.tensor([[0.5, -1], [2, 0], [1, 1.25]])}),
    ]:
        x, w = embed(text), {**W, **change}
        q, k, v = (part[0] for part in code["project_qkv"](x[None], w["W_q"], w["W_k"], w["W_v"]))
        output, weights = code["scaled_dot_product_attention"](q, k, v)
        state = {"text": text, **{name: matrix.tolist() for name, matrix in w.items()}}
        cases.append(
            {
                "state": state,
                "values": {
                    "q": q,
                    "k": k,
                    "v": v,
                    "scores": q @ k.T,
                    "scaled": q @ k.T / math.sqrt(2),
                    "weights": weights,
                    "output": output,
                },
            }
        )
        if not change:
            unscaled = (q @ k.T).softmax(-1)
            cases.append(
                {
                    "state": {**state, "scale": False},
                    "values": {"weights": unscaled, "output": unscaled @ v},
                }
            )
    for d_k in (1, 16, 512):
        q, k = normals((QUERIES, d_k), 2 * d_k + 1), normals((KEYS, d_k), 2 * d_k + 2)
        values = {}
        for name, divide in [("unscaled", 1), ("scaled", math.sqrt(d_k))]:
            scores = (q @ k.T / divide).requires_grad_()
            weights = scores.softmax(-1)
            if name == "scaled":
                torch.testing.assert_close(
                    weights, code["scaled_dot_product_attention"](q, k, k)[1]
                )
            entropy = torch.special.entr(weights).sum(-1).mean()
            values[name] = {
                "std": scores.std(),
                "entropy": entropy,
                "gradient": surviving_gradient(scores),
            }
        cases.append({"state": {"d_k": d_k}, "values": {"study": values}})
    return {"cases": cases, "data": start}


QUERIES, KEYS = 256, 16


def surviving_gradient(scores):
    """Median over the queries of the size (Frobenius norm) of softmax's Jacobian: the gradient at the scores for a random wish of size 1."""
    jacobians = torch.func.vmap(torch.func.jacrev(lambda row: row.softmax(-1)))(scores.detach())
    sizes = jacobians.norm(dim=(-2, -1)).sort().values
    return (sizes[QUERIES // 2 - 1] + sizes[QUERIES // 2]) / 2


def ch03():
    code = chapter_code(
        3,
        "causal_mask",
        "masked_attention",
        "mask_after_softmax",
        "padding_mask",
        "combine_masks",
        "attend_to_all",
        "triangle_after",
    )
    cases = []
    for text, kind, real, front in [
        (SENTENCE, "causal", 4, False),
        (SENTENCE, "both", 4, False),
        (SENTENCE, "both", 4, True),
        (SENTENCE, "padding", 2, False),
        ("We sat on the river bank", "none", 4, False),
    ]:
        x, seq = embed(text), len(text.split())
        padding = code["padding_mask"](torch.tensor([real]), seq)[0]
        padding = padding.flip(-1) if front else padding
        causal, every = code["causal_mask"](seq), torch.ones(seq, seq, dtype=torch.bool)
        mask = {
            "none": every,
            "causal": causal,
            "padding": code["combine_masks"](every, padding),
            "both": code["combine_masks"](causal, padding),
        }[kind]
        output, weights = code["masked_attention"](x, x, x, mask)
        full = code["masked_attention"](x, x, x)[1]
        cases.append(
            {
                "state": {"text": text, "mask": kind, "real": real, "front": front},
                "values": {
                    "mask": mask,
                    "weights": weights,
                    "output": output,
                    "full": full,
                    "kept": full * mask,
                    "divided": code["mask_after_softmax"](full, mask),
                },
            }
        )
    x, other, causal = embed(SENTENCE), embed(SENTENCE), code["causal_mask"](6)
    other[5] = other[5] * 3
    roads = {
        "full": lambda x: code["attend_to_all"](x, x, x)[0],
        "kept": lambda x: code["triangle_after"](x, x, x)[0],
        "divided": lambda x: (
            code["mask_after_softmax"](code["attend_to_all"](x, x, x)[1], causal) @ x
        ),
        "hidden": lambda x: code["masked_attention"](x, x, x, causal)[0],
    }
    moved = torch.stack([(road(x) - road(other)).abs().amax(-1) for road in roads.values()], dim=-1)
    cases.append(
        {
            "state": {"changed": 5, "factor": 3},
            "values": {
                "moved": moved,
                "leaks": {name: moved[:5, r].max() for r, name in enumerate(roads)},
            },
        }
    )
    return {"cases": cases}


def ch04():
    head = chapter_code(
        3, "causal_mask", "masked_attention", "attention_dropout", "CausalAttention"
    )
    shown = chapter_cells(4, "heads", "dog_bites_cat", start=head)
    data = [
        {name: getattr(one, name).weight.T for name in ("W_q", "W_k", "W_v")}
        for one in shown["heads"]
    ]
    code = chapter_code(
        4, "MultiHeadWrapper", "split_heads", "combine_heads", "attention_parameters", start=head
    )
    cases = []
    for text in (SENTENCE, "We sat on the river bank"):
        wrapper = code["MultiHeadWrapper"](3, 2, 2).double()
        with torch.no_grad():
            for one, matrices in zip(wrapper.heads, data):
                for name, matrix in matrices.items():
                    getattr(one, name).weight.copy_(matrix.T)
        output, weights = wrapper(embed(text)[None])
        cases.append(
            {
                "state": {"text": text},
                "values": {"output": output[0].detach(), "weights": weights[0].detach()},
            }
        )
    for tokens, cut, width in [(3, 2, 2), (4, 3, 3), (2, 4, 1)]:
        labels = 10 * torch.arange(tokens)[:, None] + torch.arange(cut * width)
        split = code["split_heads"](labels[None], cut)
        assert torch.equal(code["combine_heads"](split)[0], labels)
        cases.append(
            {
                "state": {"tokens": tokens, "cut": cut, "width": width},
                "values": {
                    "labels": labels,
                    "split": split[0],
                    "viewed": labels.view(cut, tokens, width),
                },
            }
        )
    view_alone, join_alone = (
        (lambda x, heads: x.reshape(1, heads, x.size(1), -1)),
        (lambda x: x.reshape(1, x.size(2), -1)),
    )
    split, join = code["split_heads"], code["combine_heads"]
    for way, (cut, paste) in {
        "right": (split, join),
        "split": (view_alone, join),
        "combine": (split, join_alone),
        "neither": (view_alone, join_alone),
    }.items():

        def layer(x):
            parts = cut(x[None], 2)
            return paste(
                torch.nn.functional.scaled_dot_product_attention(
                    parts, parts, parts, is_causal=True
                )
            )[0]

        x = normals((6, 4), 4)
        heard = torch.stack(
            [(layer(x + torch.eye(6)[:, [token]]) - layer(x)).abs().amax(-1) for token in range(6)],
            dim=1,
        )
        cases.append({"state": {"way": way}, "values": {"heard": heard}})
    for d_model, heads in [(512, 8), (768, 16), (64, 1)]:
        cases.append(
            {
                "state": {"d_model": d_model, "heads": heads},
                "values": {"bill": {"parameters": code["attention_parameters"](d_model, heads)}},
            }
        )
    for alpha, beta in [(0.5, 0.5), (1, 0), (0.3, 0.8)]:
        two = torch.tensor([[alpha, 1 - alpha], [beta, 1 - beta]], dtype=torch.float64)
        dog, cat = (two @ shown[name].double() for name in ("dog_bites_cat", "cat_bites_dog"))
        cases.append(
            {
                "state": {"alpha": alpha, "beta": beta},
                "values": {
                    "latin": {
                        "one": {"dog": dog[0], "cat": cat[0]},
                        "two": {
                            "dog": dog.flatten(),
                            "cat": cat.flatten(),
                            "apart": (dog - cat).norm(),
                        },
                    }
                },
            }
        )
    return {"cases": cases, "data": {"heads": data}}


def ch05():
    code = chapter_code(
        5,
        "permutation_gap",
        "sinusoidal_encoding",
        "shift_matrix",
        "apply_rope",
        "alibi_bias",
        "LearnedPositions",
    )
    cases = []
    attend = torch.nn.functional.scaled_dot_product_attention
    for text, order in [("dog bites man", "reverse"), ("We sat on the river bank", "rotate")]:
        words = text.split()
        x, seq = torch.tensor([embedding(word, 8) for word in words])[None], len(words)
        perm = torch.arange(seq).flip(0) if order == "reverse" else (torch.arange(seq) + 1) % seq
        table = code["LearnedPositions"](8, 8).double()
        with torch.no_grad():
            table.table.weight.copy_(normals((8, 8), 5))
        places = torch.arange(seq)
        ways = {
            "none": lambda x: attend(x, x, x),
            "sinusoidal": lambda x: attend(*[x + code["sinusoidal_encoding"](seq, 8)] * 3),
            "learned": lambda x: attend(*[table(x)] * 3),
            "rope": lambda x: attend(
                code["apply_rope"](x, places), code["apply_rope"](x, places), x
            ),
            "alibi": lambda x: attend(x, x, x, attn_mask=code["alibi_bias"](8, seq)[0].to(x)),
        }
        for way, function in ways.items():
            gap = code["permutation_gap"](lambda x: (function(x).detach(), None), x, perm)
            cases.append(
                {
                    "state": {"text": text, "places": way, "order": order},
                    "values": {"output": function(x)[0].detach(), "gap": gap},
                }
            )
    table = code["sinusoidal_encoding"](64, 8).double()
    for p, k in [(4, 3), (20, -16), (36, 9)]:
        cases.append(
            {
                "state": {"p": p, "k": k},
                "values": {
                    "table": code["sinusoidal_encoding"](40, 16),
                    "here": table[p],
                    "there": table[p + k],
                    "turned": code["shift_matrix"](k, 8).double() @ table[p],
                },
            }
        )
    for m, n in [(7, 4), (0, 60), (33, 33)]:
        q, k = (
            code["apply_rope"](normals((1, 4), seed), torch.tensor([place]))[0]
            for seed, place in [(51, m), (52, n)]
        )
        cases.append({"state": {"m": m, "n": n}, "values": {"q": q, "key": k, "score": q @ k / 2}})
    return {"cases": cases}


def lehmer_blocks(make, count, gain, seed=600):
    """Blocks of the chapter with the weights that the engine's makeBlock gives them."""
    blocks = torch.nn.ModuleList(make() for _ in range(count)).double()
    with torch.no_grad():
        for n, block in enumerate(blocks):
            layers = [getattr(block.attention, name) for name in ("W_q", "W_k", "W_v", "W_o")] + [
                block.feed_forward.linear1,
                block.feed_forward.linear2,
            ]
            for number, layer in enumerate(layers):
                bound = math.sqrt(6 / (layer.in_features + layer.out_features)) * (
                    gain if number in (3, 5) else 1
                )
                layer.weight.copy_(
                    uniforms(
                        (layer.in_features, layer.out_features), seed + 10 * n + number, bound
                    ).T
                )
                layer.bias.zero_()
    return blocks


def ch06():
    attention = chapter_code(4, "MultiHeadAttention")
    code = chapter_code(
        6,
        "LayerNorm",
        "TransformerBlock",
        "gradient_norms",
        "stack",
        "WithoutResidual",
        start=attention,
    )

    def bare():
        block = code["WithoutResidual"](32, 4)
        block.norm1 = block.norm2 = torch.nn.Identity()
        return block

    kinds = {
        "pre": lambda: code["TransformerBlock"](32, 4),
        "post": lambda: code["TransformerBlock"](32, 4, norm_first=False),
        "none": lambda: code["WithoutResidual"](32, 4),
        "bare": bare,
    }
    x, cases = normals((1, 10, 32), 61), []
    for depth, gentle in [(2, False), (8, False), (24, False), (24, True)]:
        stacks = {}
        for kind, make in kinds.items():
            blocks = lehmer_blocks(make, depth, 1 / math.sqrt(2 * depth) if gentle else 1)
            states = [x, *code["stack"](blocks, x)]
            units = [torch.nn.functional.normalize(state[0], dim=-1) for state in states]
            stacks[kind] = {
                "gradients": code["gradient_norms"](blocks, x),
                "last": states[-1][0].detach(),
                "apart": [(u[1:] - u[:-1]).square().sum(-1).mean().detach() / 2 for u in units],
                "size": [state[0].norm(dim=-1).mean().detach() for state in states],
            }
        cases.append({"state": {"depth": depth, "gentle": gentle}, "values": {"stacks": stacks}})
    for row, times, plus in [
        ([2, -1, 0.5, 0, 1.5, -0.5], 10, 50),
        ([1, 1.1, 1, 0.95, 1, 1.05], 1, 0),
    ]:
        vector = torch.tensor([row])
        cases.append(
            {
                "state": {"vector": vector, "times": times, "plus": plus},
                "values": {"normed": code["LayerNorm"](6).double()(vector * times + plus).detach()},
            }
        )
    return {"cases": cases}


def ch10():
    code = chapter_code(
        10,
        "online_softmax",
        "flash_attention",
        "kv_cache_bytes",
        "scaling_exponent",
        "sliding_window_mask",
    )
    cases = []
    row = (100 * normals((12,), 101)).add(0.5).floor() / 100
    for block, scores in [(3, row), (4, row.index_fill(0, torch.tensor(11), 8.0)), (12, row + 4)]:
        cases.append(
            {
                "state": {"scores": scores[None], "block": block},
                "values": {
                    "online": {"weights": code["online_softmax"](scores.split(block))},
                    "whole": scores.softmax(-1),
                },
            }
        )
    for seq, size, causal in [(12, 4, True), (23, 6, True), (24, 8, False), (7, 2, False)]:
        q, k, v = (normals((24, 4), seed)[:seq] for seed in (102, 103, 104))
        output = code["flash_attention"](q, k, v, block_size=size, causal=causal)
        cases.append(
            {
                "state": {"seq": seq, "size": size, "causal": causal, "done": 144},
                "values": {"flash": {"output": output, "right": output}},
            }
        )
    lengths = [2**p for p in range(6, 18)]
    for heads, tile, dtype in [(16, 64, torch.float32), (8, 256, torch.float16)]:
        naive, tiled = (
            [heads * n * n * dtype.itemsize for n in lengths],
            [heads * min(tile, n) ** 2 * dtype.itemsize for n in lengths],
        )
        cases.append(
            {
                "state": {"heads": heads, "tile": tile, "dtype": str(dtype)[6:]},
                "values": {
                    "cost": {"naive": naive, "tiled": tiled},
                    "exponents": {
                        "naive": code["scaling_exponent"](lengths, naive),
                        "tiled": code["scaling_exponent"](lengths, tiled),
                    },
                },
            }
        )
    for kv, layers, length, batch, dtype in [
        (4, 32, 4096, 1, torch.float32),
        (1, 12, 1024, 8, torch.float16),
        (16, 96, 131072, 2, torch.float16),
    ]:
        values = {
            "now": code["kv_cache_bytes"](layers, kv, 64, length, batch, dtype),
            "full": code["kv_cache_bytes"](layers, 16, 64, length, batch, dtype),
        }
        cases.append(
            {
                "state": {
                    "kv": kv,
                    "layers": layers,
                    "length": length,
                    "batch": batch,
                    "dtype": str(dtype)[6:],
                },
                "values": {"cache": values},
            }
        )
    for window in (1, 4, 16):
        cases.append(
            {
                "state": {"window": window},
                "values": {"mask": code["sliding_window_mask"](16, window)},
            }
        )
    return {"cases": cases}


CHAPTERS = {
    "ch01_why_attention": ch01,
    "ch02_single_head": ch02,
    "ch03_masks": ch03,
    "ch04_multi_head": ch04,
    "ch05_positions": ch05,
    "ch06_block": ch06,
    "ch07_encoder_decoder": ch07,
    "ch08_decoder": ch08,
    "ch09_training": ch09,
    "ch10_efficiency": ch10,
}


def plain(value):
    """Tensors, also nested in dicts and lists, as numbers."""
    if torch.is_tensor(value):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return float(f"{value:.9g}") if math.isfinite(value) else str(value)
    return value


def close(a, b):
    """Equal but for what another machine's arithmetic may change."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=2e-6, abs_tol=2e-6)
    return a == b


def write(path, value, check):
    value = plain(value)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
    if path.exists() and close(json.loads(path.read_text(encoding="utf-8")), value):
        return False
    if not check:
        path.parent.mkdir(exist_ok=True)
        partial = path.with_suffix(".partial")
        partial.write_text(text, encoding="utf-8", newline="\n")
        os.replace(partial, path)
    return True


def main():
    check = "--check" in sys.argv[1:]
    wanted = [name for name in sys.argv[1:] if not name.startswith("-")]
    changed = []
    for name, make in CHAPTERS.items():
        if wanted and not any(name.startswith(part) for part in wanted):
            continue
        if not (ROOT / "source" / name).exists():
            print(f"{name}: not written yet, left as it is")
            continue
        made = make()
        data = made.pop("data", None)
        changed += [f"fixtures/{name}.json"] * write(
            HERE / "fixtures" / f"{name}.json", made, check
        )
        changed += [f"data/{name}.json"] * (
            data is not None and write(HERE / "data" / f"{name}.json", data, check)
        )
    for name in changed:
        print(f"{'stale' if check else 'wrote'}: {name}")
    if check and changed:
        sys.exit(
            "Fixtures are not what the chapters give; run: python -m autograder.pages.fixtures"
        )


if __name__ == "__main__":
    main()
