"""What hidden tests of every chapter ask in the same way, written once.

A check cell names the functions that it calls in its metadata,
``checks=["gpt_numbers"]``; the build puts them at the top of the cell's hidden tests.
Each needs torch and nothing else of this file.
"""

import torch


def gpt_numbers(vocab, max_len, d_model, num_layers, seed, dtype=torch.float64):
    """{name: random numbers} for all parameters of a GPT of chapter 8, the shared table
    once.

    They are so large that the next token depends on every token before. What is
    expected of a model that holds them is computed from them (``gpt_logits``), not by
    the model: its class is a student's.
    """
    generator = torch.Generator().manual_seed(seed)
    shapes = {
        "token_embedding": [vocab, d_model], "position_embedding": [max_len, d_model],
        "norm": [d_model]}
    for i in range(num_layers):
        shapes |= {f"blocks.{i}.{norm}": [d_model] for norm in ("norm1", "norm2")}
        shapes |= {
            f"blocks.{i}.attention.W_{name}": [d_model, d_model] for name in "qkvo"}
        shapes |= {f"blocks.{i}.feed_forward.linear1": [4 * d_model, d_model],
                   f"blocks.{i}.feed_forward.linear2": [d_model, 4 * d_model]}
    numbers = {}
    for name, shape in shapes.items():
        scale = (6 if name.endswith(("W_o", "linear2")) else 1.5) / shape[-1] ** 0.5
        scale = 0.2 if len(shape) == 1 else scale
        random = scale * torch.randn(shape, generator=generator, dtype=torch.float64)
        numbers[f"{name}.weight"] = (random + (len(shape) == 1)).to(dtype)
        if "embedding" not in name:
            bias = 0.2 * torch.randn(shape[0], generator=generator, dtype=torch.float64)
            numbers[f"{name}.bias"] = bias.to(dtype)
    return numbers


def gpt_logits(numbers, ids, num_heads):
    """Logits (batch, seq, vocab) for ids (batch, seq), from a GPT's numbers alone
    (``gpt_numbers``).
    """
    from torch.nn import functional as F

    def linear(part, x):
        return F.linear(x, numbers[f"{part}.weight"], numbers[f"{part}.bias"])

    def norm(part, x):
        return F.layer_norm(
            x, x.shape[-1:], numbers[f"{part}.weight"], numbers[f"{part}.bias"])

    table = numbers["token_embedding.weight"]
    x = table[ids] + numbers["position_embedding.weight"][: ids.size(1)]
    hidden = torch.ones(ids.size(1), ids.size(1)).triu(1).bool()
    for i in range(sum(name.endswith("W_q.weight") for name in numbers)):
        block = f"blocks.{i}"
        h = norm(f"{block}.norm1", x)
        q, k, v = (
            linear(f"{block}.attention.W_{name}",
                   h).unflatten(-1, (num_heads, -1)).transpose(1, 2) for name in "qkv")
        scores = (
            q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).masked_fill(hidden, -torch.inf)
        x = x + linear(f"{block}.attention.W_o",
                       (scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
        h = F.gelu(linear(f"{block}.feed_forward.linear1", norm(f"{block}.norm2", x)),
                   approximate="tanh")
        x = x + linear(f"{block}.feed_forward.linear2", h)
    return F.linear(norm("norm", x), table)
