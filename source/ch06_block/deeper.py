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
# # 6 · Deeper: The block
#
# What [chapter 6](ch06_block.ipynb) says in a sentence, measured. Optional, and without exercises: nothing later
# needs it. The blocks here are PyTorch's own, so that nothing of yours is needed.

# %% tags=["setup"]
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(6)
torch.set_num_threads(1)  # matrices as small as ours are faster on one thread
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% carry=["ch04_multi_head: MultiHeadAttention"]
# The attention of chapter 4.

# %% [markdown]
# ## Who shares the batch?
#
# "cat" in two batches, each time with nine other words around it. Batch norm takes mean and variance of each feature over the batch, layer norm
# takes those of each token over its features.

# %%
cat = torch.randn(64)
company = [
    torch.stack([cat, *torch.randn(9, 64, generator=torch.Generator().manual_seed(n))])
    for n in (1, 2)]
for name, norm in [
        ("layer norm", nn.LayerNorm(64)), ("batch norm", nn.BatchNorm1d(64))]:
    first, second = (norm(batch)[0].detach() for batch in company)
    print(f"{name}: cat changes with its company by up to "
          f"{(first - second).abs().max():.2f}")

# %% [markdown]
# With layer norm it makes no difference who shares the batch, how long the sentence is, or whether we train or test, and
# nothing leaks from the future.
#
# ## Does attention bend?
#
# Within one token it does not: a sentence of one word gets weight 1, and what is left keeps sums and multiples.

# %%
layer = MultiHeadAttention(64, num_heads=4, bias=False).requires_grad_(False)

def f(x):
    return layer(x)[0]

a, b = torch.randn(2, 1, 1, 64)                   # two sentences of one token
print(f"f(a + b) and f(a) + f(b) differ by {(f(a + b) - f(a) - f(b)).abs().max():.5f}")
print(f"f(3 a) and 3 f(a) differ by        {(f(3 * a) - 3 * f(a)).abs().max():.5f}")

# %% [markdown]
# Between tokens it does. Two tokens, each 0 or 1. From the first place of one attention layer, without a feed-forward network, we read whether exactly one of them is 1. The
# control puts a plain mean of the two tokens in the place of the weights.

# %% tags=["tolerance-0.1"]
ids, answer = torch.tensor([[0, 0], [0, 1], [1, 0], [1, 1]]), torch.tensor([0, 1, 1, 0])

def learn_one_or_the_other(seed, heads, mean=False):
    """The loss over the four cases after 500 steps; a coin has ln 2 = 0.69."""
    torch.manual_seed(seed)
    model = nn.ModuleList(
        [nn.Embedding(2, 8), MultiHeadAttention(8, heads), nn.Linear(8, 2)])
    embed, attention, read = model
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(500):
        h = embed(ids)                                            # (4, 2, 8)
        out = attention.W_o(attention.W_v(h.mean(1, True))) if mean else attention(h)[0]
        logits = read(out)[:, 0]                                  # (4, 2)
        loss = F.cross_entropy(logits, answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.detach().item()

for name, heads, mean in [("two heads", 2, False), ("one head", 1, False),
                          ("plain mean", 2, True)]:
    print(f"{name:11} loss, five starts:",
          *(f"{learn_one_or_the_other(seed, heads, mean):.2f}" for seed in range(5)))

# %% [markdown]
# The weights depend on both tokens at once, so with two heads attention is a bend *between* tokens. One head without positions gets three cases of four right. A plain mean
# is a linear map: it stays at the loss of a coin.
#
# ## Four towers of PyTorch's blocks
#
# The sections below stack PyTorch's `nn.TransformerEncoderLayer`: as it comes, with its plus signs taken out, or with Xavier's start for each matrix.

# %%
class Plain(nn.TransformerEncoderLayer):
    """PyTorch's block without its plus signs (norms in front of the parts)."""

    def forward(self, x, src_mask=None):
        x = self.norm1(x)
        x = self.self_attn(x, x, x, attn_mask=src_mask, need_weights=False)[0]
        return self.linear2(F.gelu(self.linear1(self.norm2(x))))

def tower(depth, plus=True, norm_first=False, start="", seed=6):
    torch.manual_seed(seed)
    blocks = nn.ModuleList([(nn.TransformerEncoderLayer if plus else Plain)(
        32, 4, 128, 0.0, "gelu", batch_first=True, norm_first=norm_first)
        for _ in range(depth)])
    for name, p in blocks.named_parameters():
        if start and p.dim() > 1:
            for part in p.data.chunk(3) if "in_proj" in name else [p.data]:
                nn.init.xavier_uniform_(part)                     # W_q, W_k, W_v alone
            if start == "gentle" and ("out_proj" in name or "linear2" in name):
                p.data /= (2 * depth) ** 0.5
    return blocks

def learn_to_echo(blocks, steps=40, rate=1e-3, warmup=1, falling=False, mask=None):
    """The losses of a tower that learns to give back each of 16 words."""
    generator = torch.Generator().manual_seed(6)
    embed, read = nn.Embedding(16, 32), nn.Linear(32, 16)
    nn.init.normal_(embed.weight, generator=generator)
    nn.init.xavier_uniform_(read.weight, generator=generator), nn.init.zeros_(read.bias)
    model = nn.ModuleList([embed, blocks, read]).to(device)
    optimizer, losses = torch.optim.Adam(model.parameters(), lr=rate), []
    for step in range(1, steps + 1):
        slower = min(1, step / warmup) * (1 - (step - 1) / steps if falling else 1)
        optimizer.param_groups[0]["lr"] = rate * slower
        ids = torch.randint(16, (32, 8), generator=generator).to(device)
        h = embed(ids)
        for block in blocks:
            h = block(h, src_mask=mask)
        logits = read(F.layer_norm(h, (32,)))
        loss = F.cross_entropy(logits.flatten(0, 1), ids.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

# %% [markdown]
# ## Does patience help?
#
# The tower without residual connections, with norms, of 8 and of 24 blocks. Blind guessing is 2.77. The runs of 200 steps take minutes, so their results stand here.

# %% tags=["show", "tolerance-0.1"]
for depth in (8, 24):
    losses = [learn_to_echo(tower(depth, plus=False, seed=seed))[-1] for seed in (6, 7)]
    print(f"{depth:2d} blocks, 40 steps of 0.001, two starts:",
          *(f"{loss:.2f}" for loss in losses))
# stored: the blocks of chapter 6, steps and rate as named, two or three starts
for depth, words, losses in [
        (8, "200 steps of 0.001", (2.70, 2.68, 2.65)),
        (8, "200 steps, falling to 0", (2.77, 2.65)),
        (8, "100 steps of 0.0001", (2.61, 2.58)),
        (24, "200 steps of 0.001", (2.77, 2.78, 2.77)),
        (24, "200 steps, falling to 0", (2.77, 2.77)),
        (24, "100 steps of 0.0001", (2.77, 2.75)),
        (24, "40 steps of 0.003", (2.77, 2.78))]:
    print(f"stored: {depth:2d} blocks, {words:24}", *(f"{loss:.2f}" for loss in losses))

# %% [markdown]
# With 8 blocks smaller steps begin to teach it something (2.34 after 400 steps of 0.0003, another start); with 24 hardly (2.75 to 2.77).
#
# ## Is it the tokens?
#
# If equal tokens are why queries and keys get no gradient, a *late* block that is given tokens which still differ must get one, with the same weights and
# the same blocks above it. We cut the tower without residual connections and feed the sentences straight into block 5, 9 or 13.

# %% tags=["show"]
def queries_and_keys(blocks, x):
    """The gradient norm of the queries and keys of the first of these blocks."""
    blocks.zero_grad()
    for block in blocks:
        x = block(x)
    x[:, :, 0].sum().backward()
    return blocks[0].self_attn.in_proj_weight.grad[:64].norm().item()

sentences = torch.randn(4, 10, 32, generator=torch.Generator().manual_seed(6)).double()
blocks = tower(24, plus=False).double()
for place in (5, 9, 13):
    x = sentences
    for block in blocks[:place - 1]:
        x = block(x).detach()
    was, fresh = (queries_and_keys(blocks[place - 1:], given)
                  for given in (x, sentences))
    print(f"queries, keys of block {place:2d}:   in the tower "
          f"{f'{was:.0e}' if was > 1e-12 else '< 1e-12':>8}   with fresh tokens "
          f"{fresh:.1f}")

# %% [markdown]
# And the control of section 6.6 with 24 blocks: a mask lets each token see itself alone.

# %% tags=["show", "tolerance-0.3"]
alone = ~torch.eye(8, dtype=torch.bool, device=device)  # True: hidden
for rate, mask, words in [(1e-3, alone, "each token alone"), (1e-4, None, "mixed"),
                          (1e-4, alone, "each token alone")]:
    loss = learn_to_echo(tower(24, plus=False), steps=100, rate=rate, mask=mask)[-1]
    print(f"24 blocks, 100 steps of {rate:.4f}, {words:16} {loss:.2f}")

# %% [markdown]
# In steps of 0.001 the tower of 24 blocks fails even when each token is alone; in steps of 0.0001 it is on its way (below 1), and where the tokens are mixed it is not (2.7). So the blur hurts,
# and it is not the only thing that plus signs prevent: with them a deep stack can also take larger steps.
#
# ## Does warm-up help?
#
# Post-norm, 24 blocks, Xavier's start. The usual advice is warm-up: small steps at first. The runs of 400 steps take minutes, so their results stand here.

# %% tags=["show", "tolerance-0.1"]
for start in ("", "xavier", "gentle"):
    loss = learn_to_echo(tower(24, start=start))[-1]
    print(f"{start or 'as it comes':12} 40 steps {loss:.2f}")
# stored, mean of five losses up to step 100 and up to step 400, seeds 6, 7 and 8
print("Xavier, three times, loss after   100 steps          400 steps")
for rate, warmup, early, late in [
        (1e-3, 0, (2.78, 2.67, 2.72), (2.77, 2.54, 2.65)),
        (1e-3, 100, (2.61, 2.63, 2.58), (2.38, 2.34, 2.35)),
        (1e-4, 0, (2.63, 2.62, 2.60), (2.40, 2.33, 2.39))]:
    print(f"   steps of {rate:.4f}, warm-up {warmup:3d}:  ",
          *(f"{x:.2f}" for x in early), "   ", *(f"{x:.2f}" for x in late))

# %% [markdown]
# Warm-up helps a little: after 400 steps the loss is 2.34 to 2.38, without it 2.54 to 2.77. The last 300 steps have full size in
# both trainings, and after a warm-up they lower the loss by 0.23 to 0.29, otherwise by 0.01 to 0.13: it prepares the tower for large steps. But steps
# that are a tenth as large *throughout* do as well, and none of these trainings learns the task. A smaller start does, in 40 steps.
#
# `nn.Transformer` fills the matrix that holds $W_q$, $W_k$ and $W_v$ as one, and so starts it a little smaller than we do. Its 24 post-norm layers fail as well: 2.78 and 2.68
# after 40 steps, 2.73 and 2.59 after 200 (two starts).
