# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 8 · Deeper: A full GPT
#
# What [chapter 8](ch08_decoder.ipynb) says in a sentence, measured. Optional, and without exercises.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

import attention_built as ab
from attention_built import OKABE_ITO, show
from attention_built.notebook.pages import packed, show_page
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## What breaks if every matrix starts alike?
#
# Each block adds to the stream twice, and GPT-2 starts the two matrices that write into it, `W_o` and `linear2`, smaller by the factor
# $1/\sqrt{2 \cdot \mathrm{layers}}$. We measure the size of the stream at the width of GPT-2, 768, and with its start, 0.02: in towers of 12 and of
# 48 blocks, with the factor and without. The stream begins as the sum of two rows of size 0.02. No library is used here but PyTorch's functions.

# %% tags=["show"]
@torch.no_grad()
def stream_sizes(towers, d_model=768, num_heads=12, seq=32, std=0.02):
    """towers: name -> (blocks, factor on what writes). How large each stream is at the
    start and after each of its blocks.
    """
    generator = torch.Generator().manual_seed(8)
    def matrix(*shape):
        return std * torch.randn(*shape, generator=generator)
    start = matrix(1, seq, d_model) + matrix(seq, d_model)          # token and position
    streams, sizes = (
        dict.fromkeys(towers, start), {name: [start.std().item()] for name in towers})
    for number in range(max(blocks for blocks, _ in towers.values())):
        W_q, W_k, W_v, W_o = (matrix(d_model, d_model) for _ in range(4))
        W_1, W_2 = matrix(d_model, 4 * d_model), matrix(4 * d_model, d_model)
        # the same matrices for every tower
        for name, (blocks, factor) in towers.items():
            if number >= blocks:
                continue
            x = streams[name]
            h = F.layer_norm(x, (d_model,))
            q, k, v = ((h @ W).unflatten(-1, (num_heads, -1)).transpose(1, 2)
                       for W in (W_q, W_k, W_v))
            attended = F.scaled_dot_product_attention(
                q, k, v, is_causal=True).transpose(1, 2).flatten(2)
            x = x + attended @ W_o * factor
            x = x + F.gelu(
                F.layer_norm(x, (d_model,)) @ W_1, approximate="tanh") @ W_2 * factor
            streams[name] = x
            sizes[name].append(x.std().item())
    return sizes

# %% tags=["show", "tolerance-0.05"]
sizes = stream_sizes(
    {f"{blocks} blocks, "
     f"{name}": (blocks, (2 * blocks) ** -0.5 if name == "with the factor" else 1.0)
     for blocks in (12, 48) for name in ("all alike", "with the factor")})
for name, curve in sizes.items():
    print(f"{name:26} {curve[0]:.3f} to {curve[-1]:.2f}, {curve[-1] / curve[0]:.0f} "
          "times as large")

# %% tags=["show"]
# @title The size of the stream, block by block
fig, ax = plt.subplots(figsize=(7, 3))
for name, curve in sizes.items():
    ax.plot(curve, color=OKABE_ITO[0 if "factor" in name else 3],
            linestyle="-" if "48" in name else "--",
            linewidth=1.5 if "48" in name else 3, label=name)
ax.set(xlabel="block", ylabel="size of the stream", ylim=(0, None),
       title="With the factor the final size does not depend on the depth")
ax.legend(frameon=False, fontsize=8)
show(fig,
     "Four curves of the size of the residual stream against the block. With all "
     "matrices alike it climbs to about 1.5 after 12 blocks and about 3.1 after 48. "
     "With the two writing matrices scaled down it ends near 0.3 in both towers.")

# %% [markdown]
# Without the factor the stream ends larger the deeper the tower is; with it, towers of 12 and of 48 blocks end at the same
# size, about eleven times the size it began with.

# %% [markdown]
# ## The real GPT-2 reads
#
# The first cell below records how a GPT-2 of `transformers` reads one text of up to 24 pieces: queries and keys of every head, what each layer would
# say, what is left of an answer without each head. The second fetches GPT-2, 548 MB, once you set `WATCH_GPT2 = True`, and hands the recording to the
# page of a GPT that one can watch.

# %% tags=["show"]
# @title How a GPT-2 reads, recorded
def record_run(model, ids, names, most=24):
    """How a GPT2LMHeadModel of transformers reads ids, for the page of the GPT that one
    can watch.
    names: the text of each id. Queries and keys of all heads, what each layer would
    say, what is left without each head."""
    ids, blocks, kept = list(ids)[:most], model.transformer.h, {}
    n, heads, seq = len(blocks), model.config.n_head, len(ids)
    x = torch.tensor([ids], device=model.device)
    d = model.config.n_embd // heads

    def keep(name):
        def hook(module, args, out):
            kept[name] = (out[0] if isinstance(out, tuple) else out).detach().reshape(
                seq, -1).float()
        return hook

    def without(head):
        def hook(module, args):
            given = args[0].clone()
            given[..., head * d:(head + 1) * d] = 0
            return (given, *args[1:])
        return hook
    parts = [("in", model.transformer.drop)]
    for i, block in enumerate(blocks):
        parts += [(("qkv", i), block.attn.c_attn), (("attended", i), block.attn.c_proj),
                  (("fed", i), block.mlp)]
    hooks = [part.register_forward_hook(keep(name)) for name, part in parts]
    with torch.no_grad():
        chances = model(x).logits[0].float().softmax(-1)
        for hook in hooks:
            hook.remove()
        streams, lengths = [kept["in"]], []
        for i in range(n):
            added = streams[-1] + kept["attended", i]
            streams.append(added + kept["fed", i])
            rows = {
                "before": streams[-2], "added": added, "attended": kept["attended", i],
                "fed": kept["fed", i], "after": streams[-1]}
            lengths.append(
                {name: row.norm(dim=-1).tolist() for name, row in rows.items()})
        steps = torch.stack(
            [model.lm_head(model.transformer.ln_f(row)).float().softmax(-1)
             for row in streams])
        best, left = chances.argmax(-1), []
        for i in range(n):
            for head in range(heads):
                hook = blocks[i].attn.c_proj.register_forward_pre_hook(without(head))
                left.append(model(x).logits[0].float().softmax(-1))
                hook.remove()
                left[-1] = (left[-1].gather(-1, best[:, None])[:, 0], *left[-1].max(-1))
    chance, top, says = (
        torch.stack(values).reshape(n, heads, seq) for values in zip(*left))
    known = sorted(
        {*ids, *steps.topk(min(8, steps.size(-1)), dim=-1).indices.flatten().tolist(),
         *says.flatten().tolist()})
    at = {token: place for place, token in enumerate(known)}
    qkv = torch.stack(
        [kept["qkv", i] for i in range(n)]).split(model.config.n_embd, dim=-1)
    return {
        "text": "".join(names[token] for token in ids),
        "vocab": [names[token] for token in known], "ids": [at[token] for token in ids],
        "layers": n, "heads": heads, "lengths": lengths,
        "chances": packed(steps[..., known].half().flatten()),
        "q": packed(qkv[0].flatten()), "k": packed(qkv[1].flatten()),
        "alone": {
            "chance": chance.tolist(), "most": top.tolist(),
            "says": [[[at[t] for t in row] for row in rows] for rows in says.tolist()]}}

# %% tags=["show"]
# @title Watch the real GPT-2 read (only if you ask for it: 548 MB from huggingface.co)
# True: fetch GPT-2 once, record how it reads the text, and show that
WATCH_GPT2 = False
GPT2_TEXT = "When Mary and John went to the store, John gave a drink to"

def watch_gpt2(wanted, text, source="gpt2", height=820):
    """Fetch GPT-2 and show how it reads a text, where this is wanted; else, or without
    a network, one line says what to do.
    """
    if not wanted:
        print("Set WATCH_GPT2 = True and run the cell again: it downloads 548 MB once, "
              "and records one reading.")
        return
    try:
        from transformers import AutoTokenizer, GPT2LMHeadModel
        model, tokenizer = (GPT2LMHeadModel.from_pretrained(source).eval(),
                            AutoTokenizer.from_pretrained(source))
    except Exception as error:        # no network, no transformers, no room on the disk
        print(f"GPT-2 could not be had ({type(error).__name__}); the page of "
              "chapter 8 shows a small GPT without it.")
        return
    ids = tokenizer(text)["input_ids"]
    names = {token: tokenizer.decode([token]) for token in range(len(tokenizer))}
    title = "GPT-2 reads your text"
    data = {"run": record_run(model, ids, names), "title": title}
    # the page with its small GPT; where it is on the web, it is found by this address
    ab.page("https://attention-built.github.io/attention-built/interactive/my_model.html")
    show_page("my_model", title, height, data, "ATTENTION_MODEL")

watch_gpt2(WATCH_GPT2, GPT2_TEXT)
