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
# # 13 · Cheaper roads
#
# *160 minutes · ●●●●● · 4 exercises, 11 points · you need chapters 9, 11 and 12*
#
# > A decoder keeps a key and a value of every token, and reads every one of its weights for every token that it writes.
#
# **What if there were no cache, no call of the large model for each token, and not all of the weights: is the text still the same, or nearly?**
# There are three roads: a state of fixed size in place of the cache, a cheap draft that the large model only checks, and, for each token, a few of many networks.
#
# **After this chapter you can**
#
# - replace the cache by a state of fixed size that corrects itself, step by step or chunk by chunk, and say when it is full;
# - let a small model draft and a large one check, so that the text is distributed as if the large one had written it alone;
# - let each token use a few experts of many, count what that saves, and see who gets the work.

# %% tags=["setup"]
import math
import time
from collections import Counter

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

torch.manual_seed(13)
torch.set_printoptions(precision=4, sci_mode=False)
# our models are small: more threads would only wait for one another
torch.set_num_threads(1)
device = "cuda" if torch.cuda.is_available() else "cpu"

import attention_built as ab
from attention_built import OKABE_ITO, check_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 13.1 A memory that does not grow at all
#
# Leave the softmax out of attention. Then the output of a token is $o_t = \sum_j (q_t \cdot k_j)\, v_j = \left(\sum_j k_j v_j^\top\right)^\top q_t$. The sum in brackets is one matrix, `(d_k, d_v)`, however long the text is. It is a **state**, and
# takes the place of the cache (*linear attention*; Katharopoulos and others, 2020). Reading is a product with the query, writing adds $k v^\top$. What does adding do when a key comes a second time?

# %%
k = torch.tensor([1.0, 0.0])
state = torch.outer(k, torch.tensor([5.0])) + torch.outer(k, torch.tensor([7.0]))
print("5 was stored under a key, then 7; what is read:", (state.T @ k).tolist())

# %% [markdown]
# 12, which nobody stored. The **delta rule** reads before it writes: what does the state return for this key now? Then it writes only the difference, so that 7 replaces 5. Each token brings two more numbers: $\beta$ says how much of the difference is written, and a *gate* multiplies the old state, so that it fades. Most attention layers of Qwen3-Next and Kimi Linear are replaced by layers of this kind.

# %% [markdown]
# **The same state, chunk by chunk.** Token by token, this is a long loop of small steps, in which a GPU mostly waits. Can we compute all corrections of a chunk at once? Take three tokens by hand, with values of one feature, an empty state, no fading and $\beta = 1$. What does each token write?
#
# | token | key | value | the state says at its key | correction $u$ |
# | --- | --- | --- | --- | --- |
# | 1 | $(1, 0)$ | 5 | 0 | $u_1 = 5$ |
# | 2 | $(0.6, 0.8)$ | 7 | $0.6\,u_1 = 3$ | $u_2 = 4$ |
# | 3 | $(1, 0)$ | 9 | $1\,u_1 + 0.6\,u_2 = 7.4$ | $u_3 = 1.6$ |
#
# What the state says at a key is a sum of earlier corrections, each times the dot product of the two keys. So the table is a system of three equations. Its matrix is triangular, since a token depends only on earlier ones. We solve it in one step, without the states in between:

# %%
k = torch.tensor([[1.0, 0.0], [0.6, 0.8], [1.0, 0.0]])
v = torch.tensor([[5.0], [7.0], [9.0]])
products = k @ k.T                                    # (3, 3)
system = torch.eye(3) + products.tril(-1)
u = torch.linalg.solve(system, v)                     # (3, 1)
print("corrections:", u.flatten(), "  state:", (k.T @ u).flatten())
print("read at the three keys, in turn:", (products.tril() @ u).flatten())

# %% tags=["show"]
# @title The chunk as one system of equations
fig, axes = plt.subplots(1, 3, figsize=(6.4, 2.2), width_ratios=[3, 1, 1])
for ax, part, title in zip(axes, (system, u, v), ("keys with keys", "× u", "= v")):
    draw_matrix(ax, part, title=title, limits=(0, 10), digits=1)
    ax.set(xticks=[], yticks=[])
show(fig, "A three by three matrix with ones on its diagonal, the products of keys "
          "below and nothing above, times a column of corrections 5, 4 and 1.6, equals "
          "the column of values 5, 7 and 9.")

# %% [markdown]
# The state at the end is $\sum_j k_j u_j^\top$. What each token reads is attention without a softmax: products of query and key under the causal mask, times $u$. The exercise adds an earlier state, $\beta$, and gates, which let corrections fade from one token to the next. Only the state at the end of a chunk is handed on.

# %% [markdown]
# ### Exercise 13.1 · The gated delta rule · 4 points · about 70 minutes
#
# First token by token, then chunk by chunk. For each token the old state fades by its gate; read what it says at the key, write the correction, read at the query:
#
# $$S' = g_t\, S_{t-1}, \qquad S_t = S' + \beta_t\, k_t \left(v_t - S'^\top k_t\right)^\top, \qquad o_t = S_t^\top q_t$$
#
# Both return `(output, state)`, with the last state.
#
# - **Correction, 1 point:** outputs and state step by step, with all gates 1.
# - **Gates and states, 1 point:** two calls, the second with the first one's state, give what one call gives <!-- asks: state -->.
# - **Chunked, 2 points:** the same outputs and the same state for every `chunk` <!-- asks: chunks -->; states are made once for each chunk, not each token (measured) <!-- asks: states -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# `q`, `k` are `(..., seq, d_k)`, `v` is `(..., seq, d_v)`, `beta` and `gate` are `(..., seq)`, the state is `(..., d_k, d_v)`; no `state` means zeros. Nothing is scaled, and there is no softmax. The [house rules](#house-rules) hold in float32 and float64, for the state too
# <!-- asks: values, device, inputs-unchanged, gradient -->, and for the chunked form <!-- asks: chunk-inputs, chunk-device -->. `chunk` need not divide `seq`, and may be longer than it.
#
# Gates are above 0, but may be so small that their product over a chunk is 0 in floating point <!-- asks: small-gates -->. Gradients of the chunked form equal those of the step-by-step form <!-- asks: chunk-gradient -->, compared in float64 for gates from $10^{-6}$ on. For smaller gates they need only be finite, because the logarithms of hint 3 cost digits.
# </details>
#
# <details><summary>Hint 1</summary>Inside a chunk, write u_t for β_t (v_t − what the faded state says at k_t). Then the state is the faded old one plus the sum of k_j u_jᵀ, each faded by the gates after j.</details>
# <details><summary>Hint 2</summary>Put that sum into the definition of u_t: a system of equations with a lower triangular matrix, (chunk, chunk), for all u at once. Which j may appear in the equation for t?</details>
# <details><summary>Hint 3</summary>Fading from j to t is exp(L_t − L_j), with L the running sum of log gates within the chunk: a difference, never a quotient of products. <code>torch.linalg.solve_triangular</code> solves the system; row by row is right, too.</details>

# %% nbgrader={"grade": false, "grade_id": "ch13_gated_delta", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gated_delta(q, k, v, beta, gate, state=None):
    """Linear attention with the gated delta rule, token by token.

    q, k: (..., seq, d_k)   v: (..., seq, d_v)   beta, gate: (..., seq)
    state: (..., d_k, d_v) or None
    Returns output (..., seq, d_v) and the state after the last token.
    Yang, Kautz, Hatamizadeh (2024), Gated Delta Networks, section 3.1.
    """
    ### BEGIN SOLUTION
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        key = k[..., t, :, None]                      # (..., d_k, 1)
        state = gate[..., t, None, None] * state
        said = key.transpose(-2, -1) @ state          # (..., 1, d_v)
        correction = beta[..., t, None, None] * (v[..., t, None, :] - said)
        state = state + key @ correction
        outputs.append(q[..., t, None, :] @ state)
    return torch.cat(outputs, dim=-2), state
    ### END SOLUTION


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    """The same outputs and state, chunk by chunk, with matrix products inside a chunk.

    Shapes as for gated_delta; chunk: how many tokens are worked on at a time.
    Yang and others (2024), Parallelizing Linear Transformers with the Delta Rule over
    Sequence Length, section 3.2.
    """
    ### BEGIN SOLUTION
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        rows = slice(start, start + chunk)
        cq, ck, cv = q[..., rows, :], k[..., rows, :], v[..., rows, :]
        b = beta[..., rows, None]
        logs = gate[..., rows].log().cumsum(dim=-1)   # (..., chunk)
        faded = logs.exp()[..., None]                 # what is left of the old state
        # what is left of token j at token t: (..., chunk, chunk)
        between = logs[..., :, None] - logs[..., None, :]
        future = torch.ones_like(between, dtype=torch.bool).triu(1)
        between = between.masked_fill(future, float("-inf")).exp()
        system = (b * between * (ck @ ck.transpose(-2, -1))).tril(-1)
        system = system + torch.eye(system.shape[-1], dtype=q.dtype, device=q.device)
        wanted = b * (cv - faded * (ck @ state))
        # (..., chunk, d_v)
        u = torch.linalg.solve_triangular(system, wanted, upper=False)
        inside = between * (cq @ ck.transpose(-2, -1))
        outputs.append(faded * (cq @ state) + inside @ u)
        last = between[..., -1, :, None]              # what is left of each at the end
        state = faded[..., -1:, :] * state + (last * ck).transpose(-2, -1) @ u
    return torch.cat(outputs, dim=-2), state
    ### END SOLUTION

# %% tags=["uses-exercise"]
k = torch.tensor([[1.0, 0.0], [1.0, 0.0]])            # two tokens with the same key
v, ones = torch.tensor([[5.0], [7.0]]), torch.ones(2)
# output and state: 7 replaced 5, without the correction it would be 12
ab.beside([[[5.0], [7.0]], [[7.0], [0.0]]], lambda: gated_delta(k, k, v, ones, ones))

# %% nbgrader={"grade": true, "grade_id": "ch13_gated_delta_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.1, the correction: four tokens, gates of 1."""
def given_(*front, seq=4, d_k=3, d_v=2, gates=0.0, seed=0, dtype=torch.float32):
    """q, k, v, beta and gate; beta, and gate unless it is given, from 0.04 to 0.96."""
    q, k, v, beta, gate = (ab.numbers(*front, seq, *d, seed=5 * seed + n, dtype=dtype)
                           for n, d in enumerate([[d_k], [d_k], [d_v], [], []]))
    gate = torch.full_like(gate, gates) if gates else 0.5 + gate / 4.4
    return q, k / d_k ** 0.5, v, 0.5 + beta / 4.4, gate

first_ = ab.case("4 tokens", *given_(gates=1.0))
ab.check("13.1 correction", gated_delta, [
    first_,
    first_.but("the same 4 tokens again", hint="Nothing is kept between calls."),
    *(ab.case(f"{front} in front", *given_(*front, seq=3, gates=1.0))
      for front in [(2,), (3, 2), (0,)]),
    ab.case("float64", *given_(gates=1.0, dtype=torch.float64), look="dtype values",
            within=1e-10, hint="Was a part computed in a lower precision?"),
    *ab.house_rules(first_, only="views inputs device"),
], "q, k, v, beta, gate -> output, state")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("13.1 correction", gated_delta, [first_, *cases],
             "q, k, v, beta, gate -> output, state", like=reference("gated_delta"))

# Property: any leading dimensions and sizes, in the dtype of the input [values]
tried(*(ab.case(f"{front} in front, seq {seq}, d_k {d_k}, d_v {d_v}, {dtype}",
                *given_(*front, seq=seq, d_k=d_k, d_v=d_v, gates=1.0, seed=1,
                        dtype=dtype), look="dtype values", within=within)
        for front, seq, d_k, d_v in [
            ((), 7, 3, 5), ((2,), 11, 5, 2), ((3, 2), 5, 4, 7), ((1, 1), 1, 2, 3)]
        for dtype, within in [(torch.float64, 1e-10), (torch.float32, 1e-4)]))
other = ab.case("two texts of 5 tokens, transposed",
                *given_(2, seq=5, gates=1.0, seed=2))
tried(*ab.house_rules(other, only="views"))
# Property: inputs are not modified [inputs-unchanged]
tried(*ab.house_rules(other, only="inputs"))
# Property: everything happens on the device of the input [device]
tried(*ab.house_rules(other, only="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch13_gated_delta_check_gate", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.1, gates and states: an old state fades before it is read."""
faded_ = ab.case("4 tokens behind a state", *given_(), ab.numbers(3, 2, seed=9))
ab.check("13.1 gates and states", gated_delta, [
    faded_, *ab.house_rules(faded_, only="inputs gradient"),
], "q, k, v, beta, gate, state -> output, state")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("13.1 gates and states", gated_delta, [faded_, *cases],
             "q, k, v, beta, gate, state -> output, state",
             like=reference("gated_delta"))

def in_three(delta, *given, state):
    parts = []
    for cut in (slice(1), slice(1, 5), slice(5, None)):
        *values, beta, gate = given
        output, state = delta(*(t[..., cut, :] for t in values), beta[..., cut],
                              gate[..., cut], state=state)
        parts.append(output)
    return torch.cat(parts, dim=-2), state

# Property: gates, and a state that is handed in, are right for any sizes, and a text may come in several calls [state]
tried(*(ab.case(f"{front} in front, {'three calls' if ask else 'one call'}",
                *given_(*front, seq=seq, d_k=d_k, d_v=d_v, seed=3),
                state=ab.numbers(*front, d_k, d_v, seed=4), ask=ask)
        for front, seq, d_k, d_v in [((), 9, 3, 5), ((2, 3), 7, 5, 2)]
        for ask in (None, in_three)))
q, k, v, beta, gate = given_(seq=7, d_v=4, seed=5)
tried(ab.case("beta up to 1.9 and gates up to 1.2: they are used as they are",
              q, k, v, 2 * beta, 1.3 * gate, ab.numbers(3, 4)))
# Property: gradients reach every input and the state [gradient]
tried(*ab.house_rules(ab.case("two texts", *given_(2, seq=5, d_v=4, seed=6),
                              ab.numbers(2, 3, 4, seed=7)), only="gradient inputs"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch13_gated_delta_check_chunked", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.1, chunked: seven tokens in chunks of 1, 2, 3, 7 and 20."""
class States_(TorchDispatchMode):
    """Counts tensors of 67 · 71 numbers or more that are made, and no views. A product
    (chunk, 67, 71) counts as a chunk of states.
    """
    made = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        views = [one for one in func._schema.returns
                 if one.alias_info and not one.alias_info.is_write]
        if isinstance(result, torch.Tensor) and not views:
            states = result.numel() // (67 * 71)
            of_states = {67, 71} <= {*result.shape} or 67 * 71 in result.shape
            self.made += states if of_states else states > 0
        return result

def states_(chunked, *given):
    made = []
    for chunk in (20, 60):
        with States_() as states:
            chunked(*given, chunk)
        made.append(states.made)
    few = 0 < made[0] < 60 and made[1] < max(made[0], 8)
    told = "{} in chunks of 20, {} in one".format(*made)
    return "a few for each chunk" if few else told

seven_, tiny_, long_ = given_(seq=7), given_(seq=7, gates=1e-30), given_(seq=280)
long_[4][:-7] = 1e-30
behind_ = ab.case("chunks of 3 behind a state", *seven_, 3, ab.numbers(3, 2, seed=9))
ab.check("13.1 chunked", gated_delta_chunked, [
    *(ab.case(f"chunks of {chunk}", *seven_, chunk) for chunk in (1, 7, 2, 3, 20)),
    behind_,
    *(ab.case(f"{front} in front, chunks of 2", *given_(*front, seq=3), 2)
      for front in [(1,), (3, 2), (0,)]),
    ab.case("float64", *given_(seq=7, dtype=torch.float64), 3, look="dtype values",
            within=1e-10, hint="Was a part computed in a lower precision?"),
    *ab.house_rules(behind_, only="views inputs gradient device"),
    ab.case("gates of 1e-8 in float64", *given_(gates=1e-8, dtype=torch.float64), 4,
            within=1e-10, hint="A small gate is used as it is."),
    ab.case("seven gates of 1e-30 in one chunk", *tiny_, 7),
    ab.case("such gates: finite gradients", *tiny_, 7, look="gradient", within=1e300),
    ab.case("seven tokens in a chunk of their own, after 273 gates of 1e-30", *long_, 7,
            ask=lambda chunked, *given: chunked(*given)[0][-7:], within=1e-5),
    ab.case("60 tokens: how often something as large as a state, (67, 71), is made",
            *given_(seq=60, d_k=67, d_v=71), ask=states_),
], "q, k, v, beta, gate, state -> output, state")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("13.1 chunked", gated_delta_chunked, cases,
             "q, k, v, beta, gate, state -> output, state",
             like=reference("gated_delta_chunked"))

SIZES = [((), 13, 3, 5), ((2, 3), 11, 5, 2), ((2,), 1, 3, 4), ((1,), 7, 3, 2)]
# Property: the same outputs and the same state for every chunk length, also one that does not divide the text [chunks]
tried(*(ab.case(f"{front} in front, {seq} tokens in chunks of {chunk}"
                f"{', a state is handed in' if behind else ''}",
                *given_(*front, seq=seq, d_k=d_k, d_v=d_v, seed=1, dtype=torch.float64),
                chunk, *behind, within=1e-9)
        for front, seq, d_k, d_v in SIZES
        for behind in ([], [ab.numbers(*front, d_k, d_v, seed=2, dtype=torch.float64)])
        for chunk in (1, 2, 4, 5, seq, 40)))
q, k, v, beta, gate = given_(seq=7, d_v=4, seed=3)
tried(ab.case("beta up to 1.9 and gates up to 1.2: they are used as they are",
              q, k, v, 2 * beta, 1.3 * gate, 3),
      ab.case("float32", *given_(2, seq=9, seed=4), 4, look="dtype values"))
# Property: inputs are not modified, the state that is handed in neither [chunk-inputs]
other = ab.case("two texts", *given_(2, seq=7, d_v=4, seed=5), 3,
                ab.numbers(2, 3, 4, seed=6))
tried(*ab.house_rules(other, only="inputs views"))
# Property: everything happens on the device of the input [chunk-device]
tried(*ab.house_rules(other, only="device"))
# Property: gates whose product over a chunk is 0 in floating point give no NaN and the right outputs [small-gates]
for dtype, low in [(torch.float32, 1e-9), (torch.float64, 1e-60)]:
    small = given_(seq=17, seed=7, dtype=dtype)
    small[4][::3] = low
    tried(ab.case(f"every third gate is {low}", *small, 17),
          ab.case(f"every third gate is {low}: the gradients are finite", *small, 17,
                  look="gradient", within=1e300))
# Property: gradients are those of the step-by-step form [chunk-gradient]
small = given_(seq=9, seed=8, dtype=torch.float64)
small[4][::4] = 1e-6
tried(*ab.house_rules(other, only="gradient"),
      ab.case("every fourth gate is 1e-6", *small, 4, look="gradient"))
# Property: states are made once for each chunk, not for each token [states]
tried(ab.case("60 tokens of two texts", *given_(seq=60, d_k=67, d_v=71, seed=9),
              ask=states_))
### END HIDDEN TESTS

# %% [markdown]
# **What a fixed state loses** (*associative recall*). We store $n$ pairs of random key and value, then ask for each value by its key. An answer counts as right if no other value has a larger dot product with it. There are four memories: softmax over all pairs (a cache that
# grows), the sum without correction, the same sum with a gate of 0.98 for each pair, and the delta rule. The three states have $32 \times 32$ numbers, however many pairs come. In one test every key comes **once**; in the other **twice**, and its later value is asked for.
#
# **Predict, then run.** Keys come once, 32 pairs, keys of 32 numbers, $\beta = 1$. Which of the two states recalls more: the sum, or the delta rule?

# %% tags=["show"]
# "sum" or "delta rule"; then run the next cell
guess_recall = None

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
MEMORIES = ["softmax", "sum", "sum, gate 0.98", "delta rule"]

def pairs_of(n, times, seed, width=32, tries=8):
    """Keys (tries, n, width), and a value for each time that a key comes."""
    # states of 32 x 32 numbers stay on the CPU: a GPU would only wait for the next one
    generator = torch.Generator().manual_seed(1000 * seed + n)
    keys = torch.randn(tries, n, width, generator=generator)
    values = torch.randn(tries, times * n, width, generator=generator)
    return F.normalize(keys, dim=-1), F.normalize(values, dim=-1)

def delta_state(keys, values, beta=1.0):
    """The state after all pairs, gates open."""
    ones = torch.ones(keys.shape[:2])
    return gated_delta_chunked(keys, keys, values, beta * ones, ones, 32)[1]

def recalled(n, times, seed):
    """Shares right of n pairs whose keys come `times` times, for the four memories."""
    keys, values = pairs_of(n, times, seed)
    written, right = keys.repeat(1, times, 1), (times - 1) * n + torch.arange(n)
    left = 0.98 ** torch.arange(times * n).flip(0)[:, None]  # of each pair at the end
    answers = [(100 * keys @ written.mT).softmax(-1) @ values,
               keys @ (written.mT @ values),
               keys @ (written.mT @ (left * values)),
               keys @ delta_state(written, values)]
    fits = [answer @ values.mT for answer in answers]       # (tries, n, times · n)
    best = [fit >= fit.amax(-1, keepdim=True) - 1e-5 for fit in fits]
    # where two values fit equally well, each counts half
    found = [b[:, torch.arange(n), right] / b.sum(-1) for b in best]
    return [x.mean().item() for x in found]

counts = (4, 8, 16, 32, 64, 128)
shares = {times: torch.tensor([[recalled(n, times, seed) for seed in range(5)]
                               for n in counts]) for times in (1, 2)}
for times, found in shares.items():                   # (counts, seeds, memories)
    print(f"keys come {times} x   ", "  ".join(f"{n:4d}" for n in counts))
    for m, name in enumerate(MEMORIES):
        print(f"{name:16} ", "  ".join(f"{x:4.2f}" for x in found[:, :, m].mean(1)))
more = ("sum", "delta rule")[int(shares[1][3].mean(0)[[1, 3]].argmax())]
check_guess("more of 32 pairs, keys come once", guess_recall, more)

# %% tags=["show", "uses-exercise"]
# @title Pairs recalled, keys once and keys twice
fig, axes = plt.subplots(1, 2, figsize=(7.4, 3), sharey=True)
for ax, (times, found) in zip(axes, shares.items()):
    for m, (name, marker) in enumerate(zip(MEMORIES, "osv^")):
        share = found[:, :, m]                        # (counts, seeds)
        ax.plot(counts, share.mean(1), marker + "-", ms=4, label=name)
        ax.fill_between(counts, share.amin(1), share.amax(1), alpha=0.25)
    title = ["every key once", "every key twice, the later value asked"][times - 1]
    ax.set(xlabel="keys", title=title, ylim=(-0.03, 1.05), xscale="log")
    ax.set_xticks(counts, counts)
    ax.minorticks_off()
axes[0].set_ylabel("share recalled right")
axes[0].legend(frameon=False, fontsize=8, loc="lower left")
fig.suptitle("A fixed state fills up; a gate or the delta rule prefers the later value",
             x=0.01, ha="left", fontsize=10)
show(fig, "Two panels, share recalled right against the number of keys, five seeds "
          "with their spread. Keys once: softmax stays at one, the sum falls from 64 "
          "keys on, the gated sum and the delta rule earlier. Keys twice: the delta "
          "rule is near one for few keys and falls; the gated sum begins lower and "
          "falls later; softmax stays at one half; the sum begins there and falls too.")

# %% [markdown]
# Keys once: the cache forgets nothing. Among the states, the plain sum recalls more pairs than the delta rule **with $\beta = 1$**, which writes every correction in full.
#
# Keys twice: softmax returns the mean of both values, which is equally near to both (counted as one half). The sum returns a mixture, and chance decides which of the two is nearer. The delta rule returns the later value, until too many keys have come.
#
# Is the delta rule alone in this? No: a sum whose state fades to 0.98 with each pair prefers the later value, too. Which of the two finds more is a matter of tuning. With $\beta = 1$ the delta rule is ahead up to 16 keys, with $\beta = 0.4$ at every number of keys (try `delta_state(written, values, 0.4)` in `recalled`).
#
# Why does the delta rule lose older pairs? Each correction makes the newest pair exact and disturbs the older ones, whose keys are not at right angles to the new key. If that is the reason, the losses must lie with the oldest pairs, and a smaller
# $\beta$, which corrects less, must keep more of them. And because the answer may depend on how we count, we also measure the squared distance to the true value:

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
def by_age(beta, factor=1.0, n=32):
    """Shares right: the oldest 8, the newest 8, all; and the squared distance."""
    found = []
    for keys, values in (pairs_of(n, 1, seed) for seed in range(5)):
        state = keys.mT @ values if beta is None else delta_state(keys, values, beta)
        answer = factor * keys @ state
        right = ((answer @ values.mT).argmax(-1) == torch.arange(n)).float()
        distance = (answer - values).square().sum(-1)
        parts = right[:, :8], right[:, -8:], right, distance
        found.append([part.mean() for part in parts])
    return torch.tensor(found).mean(0).tolist()

print("32 pairs           oldest 8   newest 8        all   squared distance")
for name, beta, factor in [("sum", None, 1.0), ("half the sum", None, 0.5),
                           ("delta, β = 1", 1.0, 1.0), ("delta, β = 0.5", 0.5, 1.0),
                           ("delta, β = 0.2", 0.2, 1.0)]:
    oldest, newest, both, distance = by_age(beta, factor)
    print(f"{name:16} {oldest:10.2f} {newest:10.2f} {both:10.2f} {distance:18.2f}")

# %% [markdown]
# With $\beta = 1$ the newest eight are all found and about half of the oldest are lost. With $\beta = 0.2$ hardly more are lost than by the sum.
#
# Is the sum better, then? By squared distance it is the worst. All other pairs are added to what it returns, so its answer is as far from the true value as a vector of zeros (distance 1); only the direction is right. Half of it has the same direction, and is nearer than the delta rule's with $\beta = 1$. So which memory "recalls more" depends on what is done with the answer.
#
# Each of these states becomes full: the delta rule's with $\beta = 1$ around 32 pairs, the width of the keys, the sum later. The models named above keep some layers of full attention.
#
# What is such a state worth in a trained model? In small models, trained on chapter 9's language, it recalls 98 % of the chants, and a full cache only 51 %. But the layer with the state also sees the previous token. The control, a cache whose attention sees it as well, recalls all chants (["Five memories, trained"](deeper.ipynb), stored runs).

# %% [markdown]
# ## 13.2 Draft, then check
#
# So far we saved memory; now we save time. A large model that writes one token reads all its weights for it. Given five tokens at once, it reads the weights only once. We time four matrices of 16 MiB, as in a large model, and
# four of 16 KiB, as in ours, on this machine:

# %% tags=["show", "nbval-ignore-output"]
def milliseconds(rows, width):
    """Shortest time of four matrix products with so many tokens."""
    x, best = torch.randn(rows, width), math.inf
    matrices = [torch.randn(width, width) for _ in range(4)]
    for _ in range(10):
        begin = time.perf_counter()
        for W in matrices:
            x @ W.T
        best = min(best, time.perf_counter() - begin)
    return 1000 * best

for width in (2048, 64):
    one, five = milliseconds(1, width), milliseconds(5, width)
    print(f"width {width:5,d}: one token {one:7.3f} ms, five at once {five:7.3f} ms, "
          f"{five / one:.1f} times as long")

# %% [markdown]
# Five tokens at once take less than five times as long, in both cases. But who knows the next five tokens? A small model
# guesses: it **drafts** a few tokens, and the large one, the **target**, looks at all of them in one call. Which of them may stay?
#
# The target does not name one right token; it has a distribution $p$, and the draft was drawn from another one, $q$. Accept a drafted token with probability $\min(1, p/q)$. So a token is drafted and accepted with probability $q \cdot \min(1, p/q) = \min(p, q)$. The rest of $p$ must come from rejections: after one, draw from $\max(0, p - q)$, normalised. Three tokens, by hand:

# %%
p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.3, 0.5])
served = torch.minimum(p, q)                          # by accepted drafts
missing = (p - q).clamp(min=0)                        # by the correction
print("accepted ", served, "   together", round(served.sum().item(), 2))
print("corrected", missing, "   sum     ", served + missing)

# %% [markdown]
# The sum is $p$, exactly. **What breaks if…** there is no correction, and after a rejection we simply draw from the target? A draft is rejected with probability 0.3:

# %%
print("no correction:", served + 0.3 * p, "  wanted:", p)

# %% [markdown]
# A text of the right length, every token plausible, comes out, but its distribution is wrong. The draft gives the first token less probability than the target, so it comes too rarely (0.35 in place of 0.50), and both others too often. Only counting many draws shows it.
#
# <!-- interactive page -->
# On the page, choose what happens after a rejection, and compare the last row of the table with the first.

# %% [markdown]
# ### Exercise 13.2 · Accept or correct · 3 points · about 15 minutes
#
# Drafts are accepted or corrected, so that the token at every place has the target's distribution.
#
# Write `speculative_accept(target, draft, tokens, generator)`. `tokens` are the drafted ids, `draft` holds their distributions, `target` those of the large model at the same places and at the one after.
# Return the accepted ids, and a last one that you draw. One point each:
#
# - **Counts:** each drafted id is accepted with probability $\min(1, p/q)$; the first rejection ends this <!-- asks: acceptance -->.
# - **Correction:** after a rejection the last one is drawn from $\max(0, p - q)$, normalised <!-- asks: distribution -->.
# - **Last row:** after $n$ accepted ids the last one is drawn from the last row of the target <!-- asks: bonus -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Here $p$ and $q$ are the probabilities that target and draft gave an id. With $p = 0$ it is never accepted, with $p \ge q$ always <!-- asks: certain -->. Any `n`, 0 too, and any vocabulary <!-- asks: sizes -->.
# Draw from `generator` alone <!-- asks: generator -->; leave the inputs as they are <!-- asks: inputs-unchanged -->.
# </details>
#
# <details><summary>Hint 1</summary>Something happens "with probability r" if a uniform random number is below r. A product on one side of the comparison needs no division.</details>
# <details><summary>Hint 2</summary>At the place of the rejection, accepted drafts already cover every token up to min(p, q). What does p still lack?</details>
# <details><summary>Hint 3</summary><code>torch.multinomial</code> normalises what it is given, and takes a generator.</details>

# %% nbgrader={"grade": false, "grade_id": "ch13_speculative_accept", "locked": false, "schema_version": 3, "solution": true, "task": false}
def speculative_accept(target, draft, tokens, generator):
    """Which drafted ids stay, and one more: distributed as by the target alone.

    target: (n + 1, vocab)   draft: (n, vocab), both probabilities
    tokens: (n,), drawn from draft
    Returns ids: (accepted + 1,).
    Leviathan, Kalman, Matias (2023), Fast Inference from Transformers via Speculative
    Decoding, algorithm 1.
    """
    ### BEGIN SOLUTION
    accepted, rest = 0, None
    for p, q, token in zip(target, draft, tokens.tolist()):
        u = torch.rand((), generator=generator).item()
        if u * q[token] >= p[token]:
            rest = (p - q).clamp(min=0)               # what the draft has not covered
            break
        accepted += 1
    rest = target[len(tokens)] if rest is None else rest
    drawn = torch.multinomial(rest, 1, generator=generator)
    return torch.cat([tokens[:accepted], drawn])
    ### END SOLUTION

# %% tags=["uses-exercise"]
# the target is sure: 0, then 1, then 0; the draft tosses a coin
sure = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
coin = torch.full((2, 2), 0.5)
generator = torch.Generator().manual_seed(0)
for drafted, wanted in ([1, 1], [0]), ([0, 0], [0, 1]), ([0, 1], [0, 1, 0]):
    drafted = torch.tensor(drafted)
    ab.beside(wanted, lambda: speculative_accept(sure, coin, drafted, generator))

# %% nbgrader={"grade": true, "grade_id": "ch13_speculative_accept_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.2, counts: which drafted ids stay, in one call and in hundreds."""
def tried_(words, target, draft, tokens, then, calls=200, within=0.2, **more):
    given = target, draft, torch.tensor(tokens).long(), ab.seed(1, calls=calls)
    return ab.case(f"{words}; calls: {calls}", *given, then=then, within=within, **more)

def stay_(ids):
    """All but the one more, of a single call."""
    return ids[0, :-1]

def counts_(ids):
    """How many stay, of many calls: the fewest, the mean, the most."""
    stay = (~ids.isnan()).sum(1) - 1.0
    return torch.stack([stay.min(), stay.mean(), stay.max()])

def coins_(p, q, n=1):
    """Target and draft of n places that give id 0 p and q."""
    return [torch.tensor([x, 1 - x]).repeat(m, 1) for x, m in ((p, n + 1), (q, n))]

def dice_(f, *given):
    """Whether equal generators give equal ids, and whether these are fractions; whether
    12 generators that have moved on, here or in f, give the same ids as before.
    """
    undrafted = [one[:n] for one, n in zip(given, (1, 0, 0))]
    def new():
        return [torch.Generator().manual_seed(n) for n in range(12)]
    def ids_of(generators):
        return torch.cat([f(*drafted, one) for one in generators
                          for drafted in (given, undrafted)])
    used, moved = new(), new()
    for one in moved:
        torch.rand(3, generator=one)
    ids, again, *later = map(ids_of, (used, new(), used, moved))
    same = any(torch.equal(ids, other) for other in later)
    return (torch.equal(ids, again), ids.is_floating_point(),
            f"a generator that has moved on gives the same: {same}")

sure_, flat_ = torch.eye(4)[[2, 1, 0, 3]], torch.full((3, 4), 0.25)
even_, thin_ = torch.full((2, 50), 0.02), torch.full((301, 1000), 1e-7)
thin_[:, 999] = 1 - 999e-7
first_ = tried_("drafts 2, 1, 0, the target is sure of them", sure_, flat_, [2, 1, 0],
                stay_, 1, 1e-4)
ab.check("13.2 counts", speculative_accept, [
    first_,
    *(tried_(f"drafts {tokens}, the target is sure of 2, 1, 0", sure_, flat_, tokens,
             stay_, 1, 1e-4, look="values inputs")
      for tokens in ([2, 3, 0], [0, 1, 0])),
    *(tried_(f"p = {p}, q = {q}, drafts: {n}; fewest, mean and most", *coins_(p, q, n),
             [0] * n, counts_, calls, within)
      for p, q, n, calls, within in [
          (0.2, 0.4, 1, 200, 0.2), (0.48, 0.5, 1, 1000, 0.04),
          (0.6, 0.8, 8, 200, 0.4)]),
    tried_("300 drafts, p = q = 1e-7", thin_, thin_[:300], [*range(300)], counts_, 1),
    ab.case("24 calls, and the same again", even_, F.pad(2 * even_[:1, :25], (0, 25)),
            torch.tensor([7]), ask=dice_,
            hint="Draw from the generator alone, and return whole numbers."),
], "target, draft, tokens -> what stays")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("13.2 counts", speculative_accept, [first_, *cases],
             "target, draft, tokens -> what stays",
             like=reference("speculative_accept"))

def softmax_of(*shape, seed):
    return ab.numbers(*shape, seed=seed).softmax(-1)

# Property: an id is accepted with probability min(1, p/q), and the first rejection ends it [acceptance]
target = torch.tensor([[0.1, 0.5, 0.4], [0.3, 0.3, 0.4], [0.2, 0.2, 0.6]]).double()
draft = torch.tensor([[0.5, 0.1, 0.4], [0.4, 0.2, 0.4]]).double()
tried(*(tried_(f"drafts {tokens}", target, draft, tokens, counts_)
        for tokens in ([0, 0], [1, 0], [0, 2])),
      *(tried_(f"p = {p}, q = {q}, drafts: {n}", *coins_(p, q, n), [0] * n, counts_,
               calls, within)
        for p, q, n, calls, within in [
            (0.45, 0.6, 8, 200, 0.4), (0.291, 0.3, 1, 400, 0.05),
            (0.09, 0.1, 1, 200, 0.12)]))
# Property: never where the target gives 0, always where it gives at least as much [certain]
tried(tried_("p = 0", torch.tensor([[0.0, 0.6, 0.4], [0.1, 0.8, 0.1]]),
             torch.tensor([[0.98, 0.01, 0.01]]), [0], counts_, 60),
      tried_("p = 0.5, q = 0.49", *coins_(0.5, 0.49), [0], counts_, 60))
# Property: any number of drafted ids, 0 too, and any vocabulary [sizes]
sizes = [(0, 3), (1, 2), (5, 11), (2, 97), (4, 7), (13, 5), (3, 300), (6, 4), (7, 3),
         (8, 6), (9, 5)]
targets = [softmax_of(n + 1, vocab, seed=n) for n, vocab in sizes]
tried(*(tried_(f"{n} drafts that the target agrees with, {vocab} ids", target,
               target[:n], [(7 * i + n) % vocab for i in range(n)], stay_, 1, 1e-4)
        for target, (n, vocab) in zip(targets, sizes)))
# Property: draws come from the generator alone [generator]
target, other = softmax_of(8, 50, seed=77), softmax_of(7, 50, seed=78)
drafts = [alike * target[:7] + (1 - alike) * other for alike in (0.0, 0.5, 0.9)]
tried(*(ab.case("drafts ever nearer to the target", target, draft, draft.argmax(-1),
                ask=dice_) for draft in drafts))
# Property: the inputs are not modified [inputs-unchanged]
tried(ab.case("nine calls", target, drafts[1], drafts[1].argmax(-1),
              ab.seed(79, calls=9), look="inputs"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch13_speculative_accept_check_correction", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.2, correction: what comes in place of a draft that is rejected."""
def shares_(place):
    """How often each of the ids 0 to 3 comes at this place of many calls."""
    return lambda ids: (ids[:, place:place + 1] == torch.arange(4)[:, None, None]
                        ).double().mean(1).sum(1)

likes_ = torch.tensor([[0, 0, 1, 0], [0, 0.1, 0.4, 0.5], [0, 0.8, 0.2, 0], [0.25] * 4])
drafts_ = torch.tensor([[0, 0, 1, 0], [0.4, 0.3, 0, 0.3], [0.6, 0.4, 0, 0]])
alike_ = torch.full((2, 1000), 0.001)
other_ = alike_ + torch.linspace(0, 1e-6, 1000)
other_[:, 0], other_[:, 1] = 0, 0.0015
first_ = tried_("three drafts, the first certain, the second impossible", likes_,
                drafts_, [2, 0, 0], shares_(1), hint="Draw it in each call anew.")
ab.check("13.2 correction", speculative_accept, [
    first_,
    tried_("half of what is left is id 1, the other half 998 ids", other_, alike_[:1],
           [0], shares_(0), hint="Draw from all that is left, and add nothing to it."),
], "target, draft, tokens -> the shares of the ids")
### BEGIN HIDDEN TESTS
def softmax_of(*shape, seed):
    return ab.numbers(*shape, seed=seed, dtype=torch.float64).softmax(-1)

def others(place, token):
    """Shares of all ids but the drafted one, at this place of many calls."""
    def then(ids):
        there = ids[:, place][~ids[:, place].isnan() & (ids[:, place] != token)]
        return (there[:, None] == torch.arange(7)).double().mean(0)
    return then

# Property: after a rejection the one more is drawn from what is left of the target, at every place, whatever the draft is [distribution]
tries = []
for place, vocab in [(1, 5), (3, 7)]:
    target, draft = (softmax_of(place + more, vocab, seed=80 + more) for more in (3, 2))
    ratio = target[:-1] / draft
    tokens = ratio.argmax(-1).tolist()
    token = tokens[place] = int(ratio[place].argmin())
    tries.append(tried_(f"place {place}, {vocab} ids", target, draft, tokens,
                        others(place, token)))
    target[:place] = draft[:place] = F.one_hot(torch.tensor(tokens), vocab)[:place]
    target[place, token] = 0
    tries.append(tried_(f"place {place}, {vocab} ids, one of them impossible", target,
                        draft, tokens, shares_(place)))
ab.check("13.2 correction", speculative_accept, [first_, *tries],
         "target, draft, tokens -> the shares of the ids",
         like=reference("speculative_accept"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch13_speculative_accept_check_last", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.2, last row: what comes behind accepted drafts, and without a draft."""
last_ = torch.tensor([[0.4, 0.5, 0.05, 0.05]])
certain_ = torch.eye(4)[[2, 0]]
first_ = tried_("two drafts that both are sure of", torch.cat([certain_, last_]),
                certain_, [2, 0], shares_(2))
ab.check("13.2 last row", speculative_accept, [
    first_,
    tried_("no draft, half is id 3, the other half all ids alike",
           (alike_[:1] + F.one_hot(torch.tensor([3]), 1000)) / 2, alike_[:0], [],
           shares_(0)),
], "target, draft, tokens -> the shares of the ids")
### BEGIN HIDDEN TESTS
# Property: after all drafted ids were accepted the one more comes from the last row, 0 of them too [bonus]
tries = []
for n, vocab in [(0, 3), (1, 4), (4, 7)]:
    rows = torch.eye(vocab, dtype=torch.float64)[:n]
    target = torch.cat([rows, ab.numbers(1, vocab, seed=90 + n).double().softmax(-1)])
    tries.append(tried_(f"{n} drafts, {vocab} ids", target, rows, [*range(n)],
                        shares_(n)))
ab.check("13.2 last row", speculative_accept, [first_, *tries],
         "target, draft, tokens -> the shares of the ids",
         like=reference("speculative_accept"))
### END HIDDEN TESTS

# %% [markdown]
# From chapter 9 come the batches and the training step, from chapter 11 the network with a gate, from chapter 12 the small model.

# %% carry=["ch09_training: make_batch, learning_rate, train_step", "ch11_today: SwiGLU", "ch12_memory: rotate, Layer, Reader, Everything"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %% [markdown]
# The target is now the reader of chapter 12, trained again on the same text.

# %%
TRAINED = 64
alphabet = "\n" + "".join(map(chr, range(32, 127)))
id_of = {character: i for i, character in enumerate(alphabet)}
text = ab.manual()[:400_000]
ids = torch.tensor([id_of.get(c, id_of["?"]) for c in text])
train_ids = ids[:360_000]

# %% tags=["show"]
def trained_reader(steps, seed=12, **sizes):
    """A Reader after so many batches of 32 pieces of 64 characters."""
    torch.manual_seed(seed)
    model, generator = Reader(**sizes).to(device), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=4e-3, betas=(0.9, 0.95), weight_decay=0.0)
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, 4e-3, 30, steps)
        batch = make_batch(train_ids, 32, TRAINED, generator)
        train_step(model, [part.to(device) for part in batch], optimizer)
    return model.eval().cpu()         # writes token by token: quicker on the CPU

reader = trained_reader(500)
size = sum(p.numel() for p in reader.parameters())
print(f"{size:,d} parameters, trained on pieces of {TRAINED} characters")

# %% [markdown]
# The draft is a table: how often each character followed the last three in the training text. It drafts four characters, the target checks them at once, your function decides.

# %% tags=["show"]
CONTEXT = 3
codes = train_ids.unfold(0, CONTEXT + 1, 1)           # (n, 4): three, and the next
tables = {}
for row, n in Counter(map(tuple, codes.tolist())).items():
    counts_of = tables.setdefault(row[:CONTEXT], torch.full((96,), 0.01))
    counts_of[row[CONTEXT]] += n
unknown = torch.full((96,), 1 / 96)
tables = {context: counts / counts.sum() for context, counts in tables.items()}
print(f"{len(tables):,d} contexts of {CONTEXT} characters")

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
@torch.no_grad()
def write(model, prompt, n, generator, drafts=4, make_memory=Everything):
    """At least n characters after the prompt.

    Returns the ids, how often the model was called for them, and the drafts accepted.
    """
    memories, written = [make_memory() for _ in model.layers], list(prompt)
    model(torch.tensor([written[:-1]]), memories)     # all but the last one
    calls = kept = 0
    while len(written) < len(prompt) + n:
        guessed, q = list(written), []
        for _ in range(drafts):
            q.append(tables.get(tuple(guessed[-CONTEXT:]), unknown))
            guessed.append(torch.multinomial(q[-1], 1, generator=generator).item())
        # one call for the last character and the drafts
        logits = model(torch.tensor([guessed[len(written) - 1:]]), memories)[0]
        tokens = torch.tensor(guessed[len(written):], dtype=torch.long)
        q = torch.stack(q) if drafts else torch.zeros(0, 96)
        new = speculative_accept(logits.softmax(-1), q, tokens, generator).tolist()
        written, calls, kept = written + new, calls + 1, kept + len(new) - 1
        if drafts:                                    # what was rejected goes
            for memory in memories:
                memory.k, memory.v = (
                    part[:, :, :len(written) - 1] for part in (memory.k, memory.v))
    return written, calls, kept

prompt = [id_of[c] for c in "The statement is ex"]
for drafts in (0, 2, 4):
    generator, total, calls, kept = torch.Generator().manual_seed(7), 0, 0, 0
    for _ in range(6):
        ids_, c, a = write(reader, prompt, 40, generator, drafts)
        total, calls, kept = total + len(ids_) - len(prompt), calls + c, kept + a
    share = f", {kept / (drafts * calls):.2f} of the drafts accepted" if drafts else ""
    print(f"{drafts} drafts: {total / calls:.1f} characters for each call{share}")

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
print("".join(alphabet[i] for i in ids_))

# %% [markdown]
# Is it still the target's text? We draw 20,000 times at one place, in four ways: by the target itself (its distance to $p$ is only chance), by drafts with your correction, by drafts without one, and with all drafts accepted. The distance is half the sum of the absolute differences: 0 for equal distributions, 1 for nothing in common.

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
with torch.no_grad():
    p = reader(torch.tensor([prompt])).softmax(-1)[0, -1]
q, generator = tables[tuple(prompt[-CONTEXT:])], torch.Generator().manual_seed(8)
own = torch.multinomial(p, 20_000, replacement=True, generator=generator)
drafted = torch.multinomial(q, 20_000, replacement=True, generator=generator)
checked = torch.cat([
    speculative_accept(torch.stack([p, p]), q[None], one, generator)[:1]
    for one in drafted.split(1)])
kept = torch.rand(20_000, generator=generator) * q[drafted] < p[drafted]
careless = torch.where(kept, drafted, own)
ways = {"the target's own": own, "drafted, corrected": checked,
        "no correction": careless, "accept all": drafted}
for name, drawn in ways.items():
    apart = (torch.bincount(drawn, minlength=96) / 20_000 - p).abs().sum().item() / 2
    print(f"{name:19} distance to the target's distribution: {apart:.2f}")

# %% [markdown]
# The corrected draws are as near to $p$ as the target's own. The method is **exact in distribution, not letter by letter**: with drafts we get another text, as with another seed.
#
# **Characters per second**, on this machine: the model writes 100 of them without a cache, with one, and with four drafts. For comparison, `transformers` writes with a GPT-2 of as many layers and the same width. These numbers depend on the machine; the counts above hardly do.

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
from transformers import GPT2Config, GPT2LMHeadModel

@torch.no_grad()
def without_cache(n):
    written = list(prompt)
    for _ in range(n):
        p = reader(torch.tensor([written]))[0, -1].softmax(-1)
        written.append(torch.multinomial(p, 1).item())

torch.manual_seed(9)
config = GPT2Config(vocab_size=96, n_positions=640, n_embd=64, n_layer=2, n_head=4,
                    bos_token_id=None, eos_token_id=None, pad_token_id=None)
theirs, start = GPT2LMHeadModel(config).eval(), torch.tensor([prompt])
settings = {"attention_mask": torch.ones_like(start), "do_sample": True, "top_k": 0}

def ours(n, drafts=0):
    write(reader, prompt, n, torch.Generator().manual_seed(1), drafts)

ways = {"no cache": without_cache, "cache": ours,
        "cache, 4 drafts": lambda n: ours(n, drafts=4),
        "transformers": lambda n: theirs.generate(start, max_new_tokens=n, **settings)}
for name, way in ways.items():
    way(4)                                            # the first call warms up
    best = math.inf
    for _ in range(3):
        begin = time.perf_counter()
        way(100)
        best = min(best, time.perf_counter() - begin)
    print(f"{name:16} about {100 / best:5.0f} characters a second")

# %% [markdown]
# ## 13.3 A few experts of many
#
# Most parameters of a decoder's layers are in their feed-forward networks, and every token uses all of them. A **mixture of experts** has many smaller networks instead, the *experts*, and a *router*: one
# matrix that gives a token a score for each expert. Only the $k$ experts with the highest scores compute. Qwen 3 30B-A3B has 128 experts in each layer and uses 8 of them (its technical report and settings; norms left out):

# %%
# 48 layers, 2,048 wide, 32 query heads and 4 key-value heads of 128, 151,936 tokens
layers, width, experts, chosen, d_ff = 48, 2048, 128, 8, 768
attention = layers * width * 128 * (2 * 32 + 2 * 4)
rest = attention + layers * width * experts + 2 * 151_936 * width
for name, n in {"all": experts, "used for a token": chosen}.items():
    billions = (rest + layers * n * 3 * width * d_ff) / 1e9
    print(f"{name:17} {billions:4.1f} billion parameters")

# %% [markdown]
# The model needs memory for 30 billion parameters, and arithmetic for 3 billion. How does a token choose? By a softmax over its scores, of which the $k$ largest are kept. One token, eight experts, $k = 2$:

# %% tags=["show"]
# @title One token's probabilities for eight experts
generator = torch.Generator().manual_seed(9)
p = torch.randn(8, generator=generator).softmax(-1)
used = p >= p.sort().values[-2]
fig, ax = plt.subplots(figsize=(6.4, 2.4))
ax.bar(range(8), p, color=[OKABE_ITO[1] if one else "0.8" for one in used])
for n, value in enumerate(p.tolist()):
    ax.text(n, value + 0.01, f"{value:.2f}", ha="center", fontsize=8)
ax.set(xlabel="expert", ylabel="probability", ylim=(0, float(p.max()) + 0.08),
       title="The two largest compute, the other six do nothing")
show(fig, "Eight bars, the probabilities of one token for eight experts. The two "
          "highest are coloured: these experts compute, the six grey ones do not.")

# %% [markdown]
# The two outputs are added with weights in proportion to these probabilities. By hand, for four experts with probabilities $(0.1, 0.5, 0.15, 0.25)$ and $k = 2$: the largest two belong to experts 1 and 3. Together they have $0.5 + 0.25 = 0.75$, so the weights are
# $0.5/0.75 = 2/3$ and $0.25/0.75 = 1/3$.

# %% [markdown]
# ### Exercise 13.3 · The router · 1 point · about 8 minutes
#
# Write `route(x, W_router, k)`, with `x` `(..., d_model)` and `W_router` `(d_model, num_experts)`. It returns `(weights, experts)`, both `(..., k)`: the numbers of the $k$ experts with the largest probability, the
# largest first (int64), and their weights, which sum to one for each token <!-- asks: values -->. The softmax runs over all experts, in the dtype of `x`; scores may be in the hundreds <!-- asks: large -->. The
# [house rules](#house-rules) hold <!-- asks: axes, dtype, device, inputs-unchanged, gradient -->.
#
# <details><summary>Hint 1</summary>PyTorch has a function that gives the k largest of the last axis, and where they stand.</details>
# <details><summary>Hint 2</summary>To divide (..., k) by a sum over its last axis, the sum needs a last axis of one.</details>

# %% nbgrader={"grade": false, "grade_id": "ch13_route", "locked": false, "schema_version": 3, "solution": true, "task": false}
def route(x, W_router, k):
    """Which k experts each token uses, and with which weights.

    x: (..., d_model)   W_router: (d_model, num_experts)
    Returns weights and experts, both (..., k), the largest weight first.
    Shazeer and others (2017), Outrageously Large Neural Networks, section 2.1, with the
    softmax over all experts.
    """
    ### BEGIN SOLUTION
    probabilities = (x @ W_router).softmax(dim=-1)    # (..., num_experts)
    weights, experts = probabilities.topk(k, dim=-1)  # (..., k) both
    return weights / weights.sum(dim=-1, keepdim=True), experts
    ### END SOLUTION

# %% tags=["uses-exercise"]
x = torch.tensor([[1.0, 0.0]])                        # picks the first row of W_router
W_router = torch.stack([torch.tensor([0.1, 0.5, 0.15, 0.25]).log(), torch.zeros(4)])
# weights and experts of the example above
ab.beside([[[2 / 3, 1 / 3]], [[1, 3]]], lambda: route(x, W_router, 2))

# %% nbgrader={"grade": true, "grade_id": "ch13_route_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.3: seven tokens of three features, five experts."""
x_, router_ = 2 * ab.numbers(7, 3), ab.numbers(3, 5, seed=1)
form_ = "x, W_router, k -> weights, experts"
seven_ = ab.case("7 tokens, 5 experts, k = 2", x_, router_, 2, look="dtype values")

def near_(number):
    """Inputs whose scores lie around this number."""
    ones = F.pad(router_, (0, 0, 0, 1), value=1.0)
    return F.pad(x_, (0, 1), value=float(number)), ones

ab.check("13.3 route", route, [
    seven_,
    *(ab.case(f"the same, k = {k}", x_, router_, k) for k in (1, 3, 5)),
    *(ab.case(f"x {shape}", 2 * ab.numbers(*shape, seed=2), router_, 2)
      for shape in [(3,), (2, 4, 3), (2, 1, 2, 3), (0, 3)]),
    *(ab.case(f"scores around {n}", *near_(n), 2, within=1e-3) for n in (200, -200)),
    *ab.house_rules(seven_, only="float64 views gradient inputs device"),
], form_)
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("13.3 route", route, [seven_, *cases], form_, like=reference("route"))

def sized(tokens, d_model, experts, k, dtype=torch.float32, seed=3):
    return [2 * ab.numbers(*tokens, d_model, seed=seed, dtype=dtype),
            ab.numbers(d_model, experts, seed=seed + 1, dtype=dtype), k]

# Property: the k largest probabilities, the largest first, divided by their sum [values]
tried(*(ab.case(f"{d_model} features, {experts} experts, k = {k}",
                *sized((11,), d_model, experts, k))
        for d_model, experts, k in [
            (2, 3, 1), (7, 13, 5), (5, 5, 2), (3, 2, 2), (4, 17, 3)]))
# Property: large scores give the same as small ones [large]
tried(*(ab.case(f"scores around {n}", *near_(n), 3, within=1e-3) for n in (500, -500)))
# Property: any number of axes in front [axes]
tried(*(ab.case(f"x {tokens}", *sized(tokens, 5, 7, 3))
        for tokens in [(), (1,), (2, 3), (3, 1, 2), (2, 0)]))
# Property: weights in the dtype of x, experts as int64 [dtype]
tried(*(ab.case(f"{dtype}", *sized((5,), 3, 7, 2, dtype), look="dtype values",
                within=within) for dtype, within in [
    (torch.float64, 1e-10), (torch.float32, 1e-4)]),
      ab.case("bfloat16", *sized((5,), 3, 7, 2, torch.bfloat16), look="dtype"))
# Property: everything happens on the device of the input [device]
other = ab.case("six tokens", *sized((2, 3), 5, 7, 3, seed=7))
tried(*ab.house_rules(other, only="device"))
# Property: inputs are not modified [inputs-unchanged]
tried(*ab.house_rules(other, only="inputs views"))
# Property: gradients reach x and the router [gradient]
tried(*ab.house_rules(other, only="gradient"))
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 13.4 · A mixture of experts · 3 points · about 20 minutes
#
# A token's output is the sum of what its $k$ experts give for it, each with its weight of exercise 13.3.
#
# Write `MixtureOfExperts(d_model, d_ff, num_experts, k)`, which replaces a decoder's `SwiGLU`. Its parts are `router` (`nn.Linear` without bias) and `experts` (an `nn.ModuleList` of
# chapter 11's `SwiGLU(d_model, d_ff)`, each its own network) <!-- asks: parts -->. One point each:
#
# - **All experts:** with `k = num_experts` the output is the weighted sum over all of them <!-- asks: all -->.
# - **Some experts:** each token chooses for itself, and an expert may have no token <!-- asks: some -->.
# - **Computed:** an expert computes its own tokens and no other; one that no token chose computes nothing (counted) <!-- asks: counted -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The [house rules](#house-rules) hold, except for the device <!-- asks: axes, dtype, inputs-unchanged, gradient -->; nothing is random, and no token is dropped. In float32 the output equals that of Qwen 3's block in `transformers`, below (whose softmax is always in float32; yours keeps the dtype of `x`).
# </details>
#
# <details><summary>Hint 1</summary>A loop over experts, not over tokens: each expert computes all its tokens in one call. Bring x into the shape (tokens, d_model) first.</details>
# <details><summary>Hint 2</summary><code>torch.where(experts == e)</code> tells for which tokens, and in which of their k places, expert e was chosen.</details>
# <details><summary>Hint 3</summary>Several experts write to the same token, so what they give is added: <code>index_add</code>.</details>

# %% nbgrader={"grade": false, "grade_id": "ch13_MixtureOfExperts", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MixtureOfExperts(nn.Module):
    """Feed-forward networks of which each token uses k: (..., d_model) -> the same.

    Shazeer and others (2017), Outrageously Large Neural Networks, section 2.
    """

    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        ### BEGIN SOLUTION
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        tokens = x.reshape(-1, x.shape[-1])           # (tokens, d_model)
        weights, experts = route(tokens, self.router.weight.T, self.k)
        output = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            token, place = torch.where(experts == number)
            if len(token):                            # its tokens, and no other
                part = weights[token, place, None] * expert(tokens[token])
                output = output.index_add(0, token, part)
        return output.view(x.shape)
        ### END SOLUTION

# %% tags=["uses-exercise"]
def one_number():
    """Expert 0 gives silu(x) · x, expert 1 ten times as much; both have weight 1/2."""
    layer = MixtureOfExperts(d_model=1, d_ff=1, num_experts=2, k=2)
    with torch.no_grad():
        for p in layer.parameters():
            p.fill_(1.0)
        layer.experts[1].down.weight.fill_(10.0)
    return layer(torch.tensor([[2.0]]))

# silu(2) = 2 · 0.8808, times 2, times (1 + 10) / 2
ab.beside([[2 / (1 + math.exp(-2)) * 2 * 5.5]], one_number)

# %% nbgrader={"grade": true, "grade_id": "ch13_MixtureOfExperts_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.4, all experts: three experts, and every token uses all of them."""
def mixture_(words, x, *sizes, **more):
    return ab.case(words, x, of=ab.module(*sizes, scale=4), **more)

all_ = mixture_("x (2, 5, 4), k = 3 of 3 experts", ab.numbers(2, 5, 4), 4, 6, 3, 3,
                look="dtype values", hint="Nothing is drawn, in training either.")
ab.check("13.4 all experts", MixtureOfExperts, [
    ab.case("MixtureOfExperts(4, 6, 3, 2)", look="parameters",
            of=ab.module(4, 6, 3, 2, weights={})),
    all_,
    *(mixture_(f"x {shape}", ab.numbers(*shape, seed=1), 4, 6, 3, 3)
      for shape in [(7, 4), (4,), (2, 1, 3, 4), (0, 4)]),
    *ab.house_rules(all_, only="float64 views gradient inputs"),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("13.4 all experts", MixtureOfExperts, [all_, *cases], "x -> y",
             like=reference("MixtureOfExperts"))

# Property: a router without bias and experts of their own, by these names [parts]
tried(*(ab.case(f"MixtureOfExperts{sizes}", look="parameters",
                of=ab.module(*sizes, weights={}))
        for sizes in [(3, 5, 7, 2), (5, 2, 1, 1)]))
# Property: with k = num_experts the weighted sum of all [all]
tried(*(mixture_(f"MixtureOfExperts{sizes}", ab.numbers(3, 7, sizes[0], seed=2), *sizes)
        for sizes in [(3, 5, 2, 2), (5, 3, 1, 1), (7, 2, 5, 5)]))
# Property: any number of axes in front [axes]
tried(*(mixture_(f"x {shape}", ab.numbers(*shape, seed=3), 5, 3, 2, 2)
        for shape in [(5,), (3, 5), (2, 3, 1, 5), (2, 0, 5)]))
# Property: the output has the dtype of x [dtype]
other = mixture_("x (3, 5, 5), two experts", ab.numbers(3, 5, 5, seed=4), 5, 3, 2, 2,
                 look="dtype values")
tried(*ab.house_rules(other, only="float64 bfloat16"))
# Property: x is not modified [inputs-unchanged]
tried(*ab.house_rules(other, only="inputs views"))
# Property: gradients reach x, the router and every expert [gradient]
tried(*ab.house_rules(other, only="gradient"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch13_MixtureOfExperts_check_some", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.4, some experts: two of five, chosen by each token for itself."""
def one_by_one_(layer, x):
    return torch.cat([layer(token) for token in x.split(1, dim=1)], dim=1)

some_ = mixture_("x (2, 7, 4), k = 2 of 5", ab.numbers(2, 7, 4), 4, 6, 5, 2)
ab.check("13.4 some experts", MixtureOfExperts, [
    some_,
    *(mixture_(f"k = {k} of {n}", ab.numbers(2, 7, 4), 4, 6, n, k)
      for n, k in [(5, 1), (5, 4), (9, 3)]),
    some_.but("the same tokens, one in each call", ask=one_by_one_),
    mixture_("one token, k = 1 of 9", ab.numbers(1, 1, 4, seed=5), 4, 6, 9, 1),
    ab.case("x, then other tokens", of=ab.module(4, 6, 5, 2, scale=4), steps=[
        ("", ab.numbers(2, 7, 4)), ("", ab.numbers(2, 7, 4, seed=6))]),
], "x -> y")
### BEGIN HIDDEN TESTS
# Property: each token chooses for itself, and an expert may have no token [some]
ab.check("13.4 some experts", MixtureOfExperts, [some_, *(
    mixture_(f"MixtureOfExperts{sizes}, x {shape}", ab.numbers(*shape, seed=7), *sizes)
    for sizes, shape in [((3, 5, 7, 2), (2, 11, 3)), ((5, 3, 4, 3), (1, 13, 5)),
                         ((4, 2, 31, 2), (1, 3, 4)), ((4, 2, 6, 1), (3, 5, 4))]
)], "x -> y", like=reference("MixtureOfExperts"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch13_MixtureOfExperts_check_counted", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 13.4, computed: the rows of numbers made inside experts."""
class Inside_(TorchDispatchMode):
    """Counts rows as wide as an expert, d_ff or what was made of it."""
    def __init__(self, width):
        super().__init__()
        self.width, self.rows = width, 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        made = func(*args, **(kwargs or {}))
        if isinstance(made, torch.Tensor) and made.shape[-1:] == (self.width,):
            self.rows += made.numel() // self.width
        return made

def more_(kind, x, experts, k):
    """How much more is computed with so many experts than with k of k."""
    rows = []
    for n in (experts, k):
        layer = kind(x.shape[-1], 37 * 8, n, k)
        first = layer.experts[0]
        width = first.gate.out_features if hasattr(first, "gate") else 37 * 8
        with Inside_(width) as inside:
            layer(x)
        rows.append(inside.rows)
    times = rows[0] / max(rows[1], 1)
    return "as much as with two" if 0.9 < times < 1.5 else f"{times:.0f} times as much"

ab.check("13.4 computed", MixtureOfExperts, [
    ab.case(f"{words}, 2 of 8 experts", x, 8, 2, ask=more_)
    for words, x in [("64 tokens", ab.numbers(2, 32, 4)),
                     ("64 times the same token", ab.numbers(1, 1, 4).expand(2, 32, 4))]
], "x -> what is computed")
### BEGIN HIDDEN TESTS
# Property: an expert computes its own tokens and no other, and nothing without tokens [counted]
ab.check("13.4 computed", MixtureOfExperts, [
    ab.case(f"x {tuple(x.shape)}, 2 of {experts} experts", x, experts, 2, ask=more_)
    for experts in (6, 11)
    for x in (ab.numbers(3, 29, 5, seed=8),
              ab.numbers(1, 1, 5, seed=9).expand(1, 71, 5))
], "x -> what is computed", like=reference("MixtureOfExperts"))
### END HIDDEN TESTS

# %% [markdown]
# **The same numbers as in Qwen 3?** The block of `transformers` and yours, with the same random weights:

# %% tags=["show", "uses-exercise"]
from transformers import Qwen3MoeConfig
from transformers.models.qwen3_moe.modeling_qwen3_moe import Qwen3MoeSparseMoeBlock

config = Qwen3MoeConfig(hidden_size=64, moe_intermediate_size=48, num_experts=8,
                        num_experts_per_tok=2, norm_topk_prob=True)
config._experts_implementation = "eager"              # a plain loop
theirs, ours_ = Qwen3MoeSparseMoeBlock(config), MixtureOfExperts(64, 48, 8, 2)
generator = torch.Generator().manual_seed(10)
with torch.no_grad():
    for p in theirs.parameters():
        p.normal_(0, 0.2, generator=generator)
    ours_.router.weight.copy_(theirs.gate.weight)
    for n, expert in enumerate(ours_.experts):
        gate, up = theirs.experts.gate_up_proj[n].chunk(2)
        numbers = {"gate": gate, "up": up, "down": theirs.experts.down_proj[n]}
        for name, part in numbers.items():
            getattr(expert, name).weight.copy_(part)
    x = torch.randn(2, 10, 64, generator=generator)
    far = (ours_(x) - theirs(x)).abs().max().item()
print("at most 1e-4 apart" if far < 1e-4 else f"up to {far:.1e} apart")

# %% [markdown]
# **Who gets the work?** Nothing so far makes the router share it evenly, and an expert that gets few tokens is trained on few. So a **balancing term** is added to the loss (Fedus and others, 2021):
#
# $$\alpha\, E \sum_{e=1}^{E} f_e\, P_e$$
#
# with $f_e$ the share of all choices that fell on expert $e$, and $P_e$ its mean probability. If both are even, $E$ times the sum is 1. If the most chosen experts also have the largest probabilities, it is larger. Compare four experts of which two get all choices with four that share evenly:

# %%
f, P = torch.tensor([0.5, 0.5, 0.0, 0.0]), torch.tensor([0.4, 0.4, 0.1, 0.1])
even = torch.full((4,), 0.25)
print(f"lopsided: {4 * (f * P).sum():.2f}   even: {4 * (even * even).sum():.2f}")

# %% [markdown]
# $f_e$ is a count and has no gradient; $P_e$ has one, and is pushed down most where the count is high.
#
# We trained a decoder of chapter 11, with two layers of 64 features, on 400 batches of chapter 9's text, with four kinds of feed-forward network and three seeds each (stored: `source/ch13_cheaper/experts.py`).
#
# **Predict, then run.** Eight experts, two used, no balancing: which share of the choices falls on the most used expert of a layer? An even share would be 0.125.

# %% tags=["show"]
# the mean of three seeds, in the layer where it is largest; type a number
guess_load = None

# %% tags=["show"]
# @title Stored runs: experts, parameters, loss and loads
# name -> parameters, used for a token, loss of three seeds,
#         load of the most and of the least used expert of any layer
STORED_EXPERTS = {
    "one network, as two experts": (
        76096, 76096, (1.514, 1.474, 1.517), (),
        ()),
    "one network, as eight": (
        186688, 186688, (1.33, 1.33, 1.329), (),
        ()),
    "eight experts, two used": (
        187712, 77120, (1.44, 1.438, 1.449), (0.31, 0.36, 0.36),
        (0.02, 0.01, 0.02)),
    "the same, balanced": (
        187712, 77120, (1.428, 1.417, 1.427), (0.17, 0.16, 0.21),
        (0.08, 0.08, 0.08)),
}
print("                           parameters    used   loss   most used   least used")
for name, (size, used, losses, *loads) in STORED_EXPERTS.items():
    most, least = (f"{sum(row) / 3:.2f}" if row else "" for row in loads)
    print(f"{name:27} {size:9,d} {used:7,d}   {sum(losses) / 3:.2f}   "
          f"{most:>9}   {least:>10}")
unbalanced = STORED_EXPERTS["eight experts, two used"][3]
check_guess("load of the most used expert", guess_load, round(sum(unbalanced) / 3, 2))

# %% tags=["show"]
# @title Loads of the eight experts
# second layer, first seed, the most used expert first
LOADS = {
    "no balancing": [
        0.29, 0.27, 0.15, 0.07, 0.07, 0.06, 0.05, 0.03],
    "with the balancing term": [
        0.15, 0.14, 0.14, 0.14, 0.12, 0.11, 0.11, 0.1],
}
fig, ax = plt.subplots(figsize=(6.4, 2.6))
for n, (name, loads) in enumerate(LOADS.items()):
    ax.bar([e + 0.4 * n - 0.2 for e in range(8)], loads, width=0.38, label=name)
ax.axhline(1 / 8, color="0.4", linewidth=0.8, linestyle="--")
ax.set(xlabel="expert, the most used first", ylabel="share of the choices",
       xticks=range(8), title="A small term in the loss shares the work out")
ax.legend(frameon=False, fontsize=8)
show(fig, "Bars for eight experts in order of their share of the choices. Without a "
          "balancing term the share falls steeply from the first to the last; with it "
          "all bars lie near the dashed line of one eighth.")

# %% [markdown]
# Two experts compute as much as one network of twice their width. With the three seeds here their loss is slightly lower, with a fourth it is not (`experts.py 32 7`): so this shows no advantage. The control is one network as large as all eight together. It takes as much memory as they do, and has a lower loss with every seed.
#
# Who got the work? Without the term the most used expert of a layer gets 34 % of the choices, nearly three times its share. The term with $\alpha = 0.01$ brings it to 18 %, and the loss does not suffer. After 400 batches no expert has starved; whether one does later, these runs do not tell.

# %% [markdown]
# ### Make it yours
#
# Not graded. Give the draft another context, or let it draft more, and find out beyond how many drafts a call of the target gives no more characters.

# %% tags=["show", "uses-exercise", "tolerance-0.2"]
# edit this
my_drafts = 6
generator = torch.Generator().manual_seed(1)
ids_, calls, kept = write(reader, prompt, 100, generator, my_drafts)
each = (len(ids_) - len(prompt)) / calls
print(f"{my_drafts} drafts: {each:.1f} characters for each call")

# %% [markdown]
# ## Summary
#
# No cache, fewer calls of the large model, not all of the weights: is the text still the same? It is only with drafts, and only in distribution. You can now
#
# - replace the cache by a state of fixed size that corrects itself, step by step or chunk by chunk, and say when it is full: with $\beta = 1$ recall falls around the width of the keys, with a smaller $\beta$ later;
# - let a small model draft and a large one check, so that the text is distributed as if the large one had written it alone: about three characters for each call;
# - let each token use a few experts of many, count what that saves, and see who gets the work: it saves arithmetic, not memory, and a small term in the loss shares the work out.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **Next:** all of this was measured on small models of our own. Chapter 14 takes one that others trained and published, and asks whether any of it is true there.
#
# ## Further reading
#
# - Katharopoulos and others (2020), *Transformers are RNNs*: section 3. [arXiv:2006.16236](https://arxiv.org/abs/2006.16236)
# - Yang and others (2024), *Parallelizing Linear Transformers with the Delta Rule over Sequence Length*: section 3.2. [arXiv:2406.06484](https://arxiv.org/abs/2406.06484)
# - Yang, Kautz, Hatamizadeh (2024), *Gated Delta Networks: Improving Mamba2 with Delta Rule*: section 3.1. [arXiv:2412.06464](https://arxiv.org/abs/2412.06464)
# - Leviathan, Kalman, Matias (2023), *Fast Inference from Transformers via Speculative Decoding*: section 2.3, algorithm 1, appendix A.1 (why the distribution is the target's). [arXiv:2211.17192](https://arxiv.org/abs/2211.17192)
# - Shazeer and others (2017), *Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer*: section 2. [arXiv:1701.06538](https://arxiv.org/abs/1701.06538)
# - Fedus, Zoph, Shazeer (2021), *Switch Transformers*: section 2.2 (the balancing term). [arXiv:2101.03961](https://arxiv.org/abs/2101.03961)
# - Qwen Team (2025), *Qwen3 Technical Report*: section 2, tables 1 and 2. [arXiv:2505.09388](https://arxiv.org/abs/2505.09388)
