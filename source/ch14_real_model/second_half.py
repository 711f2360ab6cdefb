# %% [markdown]
# ## 14.4 One head at a time
#
# The model has 270 heads. Chapter 9 found *induction heads* in a model of two layers: they look for an earlier place with the same token, and attend to the token after it. Does a published model have them? We test it
# where no meaning can help: 40 random tokens, and the same 40 once more. First a function that returns the weights of all heads:

# %%
@torch.no_grad()
def watched(model, ids, allowed=None, mute=False):
    """Logits (batch, seq, vocab), and the first text's weights in all heads.

    allowed: (seq, seq), what each place sees; default: no later place
    mute: the first token's value is 0 for all other places
    """
    x, maps = model.token_embedding(ids), []          # (batch, seq, d_model)
    places = torch.arange(ids.size(1), device=ids.device)
    if allowed is None:
        allowed = places <= places[:, None]
    for block in model.blocks:
        a, h = block.attention, block.norm1(x)
        # (batch, heads, seq, d_head)
        q, k, v = (W(h).unflatten(-1, (-1, a.d_head)).transpose(1, 2)
                   for W in (a.W_q, a.W_k, a.W_v))
        q, k = a.turn(q, places), a.turn(k, places)
        k, v = (part.repeat_interleave(a.groups, dim=1) for part in (k, v))
        scores = q @ k.mT / a.d_head ** 0.5
        weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
        maps.append(weights[0])
        if mute:
            weights = weights.clone()
            weights[..., 1:, 0] = 0
        x = x + a.W_o((weights @ v).transpose(1, 2).flatten(2))
        x = x + block.feed_forward(block.norm2(x))
    return model.head(model.norm(x)), torch.stack(maps)

# %% tags=["show"]
def next_losses(logits, ids):
    """Loss of each next token, (batch, seq - 1)."""
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")

random = torch.randint(0, 49_152, (40,), generator=torch.Generator().manual_seed(14))
twice = random.repeat(2)[None]                        # (1, 80)

def find_induction():
    logits, maps = watched(model, twice)
    loss, place = next_losses(logits, twice)[0], torch.arange(41, 79)
    weight, head = maps[:, :, place, place - 39].mean(-1).flatten().topk(6)
    return {"loss": [loss[:39].mean().item(), loss[40:].mean().item()],
            "heads": [divmod(i, 9) for i in head.tolist()], "weights": weight.tolist()}

induction = measure("induction", find_induction)
print("loss of the first 40: {:.2f}, of the same 40 again: {:.2f}".format(
    *induction["loss"]))
for (layer, head), weight in zip(induction["heads"], induction["weights"]):
    print(f"layer {layer}, head {head}: weight {weight:.2f} on the token after")

# %% [markdown]
# The second time the loss is a fifth, and a few heads in the upper half put most of their weight on one token of 80: the one that came next the first time. Is it them? We switch them off one by one, and, as a control,
# equally many others *of the same layers*.
#
# **Predict, then run.** The two most pronounced induction heads of 270 are switched off. What is the loss of the second 40 then? (2.8 with all heads, 14.3 for tokens that nothing announces.)

# %% tags=["show"]
guess_induction = None  # type a number, then run the next cell

# %% tags=["show", "tolerance-0.05"]
# @title Heads switched off one by one, and equally many others
@contextmanager
def without(model, heads):
    """Inside the with-block these (layer, head) add nothing."""
    kept = {layer: model.blocks[layer].attention.W_o.weight.detach().clone()
            for layer, _ in heads}
    try:
        for layer, head in heads:
            a = model.blocks[layer].attention
            a.W_o.weight.detach()[:, head * a.d_head:(head + 1) * a.d_head] = 0
        yield
    finally:
        for layer, weight in kept.items():
            model.blocks[layer].attention.W_o.weight.detach().copy_(weight)

plain_text = "The harbour lay quiet in the morning light, and the boats had not gone out."

@torch.no_grad()
def losses_without(heads):
    with without(model, heads):
        again = next_losses(model(twice), twice)[0, 40:].mean().item()
        ids = torch.tensor([tokenizer.encode(plain_text)])
        return [again, next_losses(model(ids), ids).mean().item()]

def switch_off():
    heads = [tuple(head) for head in induction["heads"]]
    lists = {"induction heads": heads}
    for draw in range(2):
        generator, others = torch.Generator().manual_seed(draw), []
        for layer, _ in heads:                        # as many of the same layers
            free = [(layer, h) for h in range(9)
                    if (layer, h) not in heads + others]
            pick = torch.randint(len(free), (), generator=generator).item()
            others.append(free[pick])
        lists[f"others, draw {draw + 1}"] = others
    return {name: [losses_without(some[:n]) for n in (0, 1, 2, 4, 6)]
            for name, some in lists.items()}

off = measure("switched off", switch_off)
print("loss of the second 40    all on   1 off   2 off   4 off   6 off   "
      "(a sentence: all on, 6 off)")
for name, rows in off.items():
    again, text = zip(*rows)
    print(f"{name:22}", "".join(f"{loss:8.2f}" for loss in again),
          f"   ({text[0]:.2f}, {text[-1]:.2f})")
check_guess("loss with two heads off", guess_induction,
            round(off["induction heads"][2][0], 2))

# %% tags=["show"]
# @title Induction heads off, and equally many others
fig, ax = plt.subplots(figsize=(6.2, 2.8))
for (name, rows), style in zip(off.items(), ("o-", "s--", "^--")):
    ax.plot([0, 1, 2, 4, 6], [again for again, _ in rows], style, label=name)
ax.set(xlabel="heads switched off, of 270", ylabel="loss of the second 40",
       title="A few heads carry the repeating", ylim=(0, None))
ax.legend(frameon=False)
show(fig, "Loss of the repeated half against the number of heads switched off: the line "
          "of the induction heads rises from about 3 to about 11, two lines of other "
          "heads of the same layers stay below 4.")

# %% [markdown]
# Switching off tells what a head is *needed* for. It does not tell what it *carries*. For that, take two texts that differ in one word:

# %% tags=["show"]
# @title Five pairs of texts, and which name is ahead
STORE = "When {} and {} went to the store, {} gave a drink to"
GIVEN = [(STORE, "Mary", "John"), (STORE, "John", "Mary"),
         ("When {} and {} went to the park, {} gave a ball to", "Alice", "Tom"),
         ("After {} and {} came to the house, {} handed a book to", "Peter", "Anna"),
         ("While {} and {} were in the garden, {} brought a flower to", "Paul", "Sarah")]

def both_texts(form, first, second):
    """Ids where the second gives something, and where the first does."""
    return [torch.tensor([tokenizer.encode(form.format(first, second, giver))])
            for giver in (second, first)]

def ahead(logits, first, second):
    """How far the first name is ahead of the second as the next token."""
    one, other = (tokenizer.encode(" " + name)[0] for name in (first, second))
    return (logits[0, -1, one] - logits[0, -1, other]).item()

@torch.no_grad()
def both_answers():
    return [[ahead(model(ids), *names) for ids in both_texts(form, *names)]
            for form, *names in GIVEN]

answers = measure("names", both_answers)
for (form, first, second), (clean, corrupt) in zip(GIVEN, answers):
    print(f"{first:5} ahead of {second:5} by {clean:4.1f}; where "
          f"{first} gives, by {corrupt:5.1f}")

# %% [markdown]
# The model gives the drink to the one who is not giving, in all five, names turned round or not. Some head must bring the name to the last place. **Patching** finds it: read the *corrupt* text, in which Mary gives, but let one head say what it
# said in the *clean* one. If the answer turns back to Mary, this head carries what is different. Everything else is as in the corrupt text, so no other explanation is left. To try it in small, a decoder of one layer with one head, and two texts that differ in their last token:

# %%
torch.manual_seed(1)
single = Decoder(DecoderConfig(11, 8, 1, 1, 1, 16, tied=False))
one, other = torch.tensor([[3, 1, 4]]), torch.tensor([[3, 1, 5]])

# %% [markdown]
# ### Exercise 14.4 · One head patched · 3 points · about 15 minutes
#
# Write `patch_head(model, layer, head, clean, corrupt)`, for two batches of ids of one shape `(batch, seq)`. It returns the logits `(batch, seq, vocab)` of `corrupt`, where the output of this one head is, at every place, its output in
# `clean`. The output of head $h$ is the $h$-th block of `attention.d_head` features in what `model.blocks[layer].attention.W_o` is given. One point each:
#
# - **The logits:** for any head of any layer, any sizes and batch <!-- asks: values -->; all other heads, and all layers, compute from the corrupt text <!-- asks: only-one -->; in the dtype of the model and on its device <!-- asks: dtype, device -->.
# - **Afterwards** the model is as before: what it answers, its weights, its gradients and its mode <!-- asks: restored -->; patched again it gives the same <!-- asks: again -->.
# - **After an exception**, too: an id that the model does not know, in the clean text or in the corrupt one, raises what the model raises, and nothing stays behind <!-- asks: errors -->. Shapes that differ raise a `ValueError` <!-- asks: shapes -->.
#
# No gradient is asked for, and no dropout acts.
#
# <details><summary>Hint 1</summary>The model runs twice. The first time you only listen at one place, the second time you speak there.</details>
# <details><summary>Hint 2</summary><code>register_forward_pre_hook</code> of a layer calls your function with the layer and its inputs, a tuple, before the layer runs; what your function returns takes their place. It gives back a handle; what takes the hook off again?</details>
# <details><summary>Hint 3</summary>Which Python statement runs its last part whatever happens? And does a copy of the clean part have to survive until the second run only?</details>

# %% nbgrader={"grade": false, "grade_id": "ch14_patch_head", "locked": false, "schema_version": 3, "solution": true, "task": false}
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    """Logits of the corrupt text, with one head's output taken from the clean one.

    clean, corrupt: (batch, seq)   Returns (batch, seq, vocab).
    Wang and others (2022), Interpretability in the Wild, section 3.
    """
    ### BEGIN SOLUTION
    if clean.shape != corrupt.shape:
        raise ValueError(f"the texts have shapes {tuple(clean.shape)} and "
                         f"{tuple(corrupt.shape)}; patching needs equal ones")
    attention = model.blocks[layer].attention
    own = slice(head * attention.d_head, (head + 1) * attention.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0][..., own].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()                    # (batch, seq, heads * d_head)
        joined[..., own] = kept[0]
        return (joined,)

    for ids, hook in ((clean, listen), (corrupt, speak)):
        handle = attention.W_o.register_forward_pre_hook(hook)
        try:
            logits = model(ids)
        finally:
            handle.remove()
    return logits
    ### END SOLUTION

# %% tags=["uses-exercise"]
def changes(clean, corrupt):
    """Whether the patched logits differ from the corrupt text's own, place by place."""
    gap = patch_head(single, 0, 0, clean, corrupt) - single(corrupt)
    return (gap.abs().amax(-1) > 1e-6).tolist()

ab.beside([[False, False, False]], lambda: changes(other, other))
ab.beside([[False, False, True]], lambda: changes(one, other))     # the last differs

# %% nbgrader={"grade": true, "grade_id": "ch14_patch_head_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.4, the logits: two layers, four heads, two texts."""
def decoder_(*sizes, dtype=torch.float64, **more):
    return ab.module(DecoderConfig(*sizes, **more), train=False, dtype=dtype, scale=2)

wide_ = (13, 16, 2, 4, 2, 12)               # heads of 4 features
ids_ = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])
pair_ = ids_, torch.tensor([[3, 1, 7, 1, 5], [9, 0, 6, 5, 8]])

def patched_(words, layer, head, *pair, sizes=wide_, dtype=torch.float64, look="values",
             **more):
    return ab.case(words, layer, head, *(pair or pair_), look=look,
                   of=decoder_(*sizes, dtype=dtype, **more))

first_patch_ = patched_("head 1 of layer 0", 0, 1)
ab.check("14.4 logits", (patch_head, Decoder), [
    first_patch_,
    *(patched_(f"head {head} of layer {layer}", layer, head)
      for layer, head in [(1, 2), (0, 0), (1, 3)]),
    patched_("both texts the same", 1, 1, ids_, ids_),
    patched_("heads of 6 features, 24 for a model 16 wide", 1, 3, d_head=6),
    patched_("one text alone", 0, 2, *(part[:1] for part in pair_)),
    patched_("in float32", 0, 2, dtype=torch.float32, look="dtype values"),
    patched_("on another device, as on a GPU", 1, 0, look="device"),
], "layer, head, clean, corrupt -> logits")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.4 logits", (patch_head, Decoder), [first_patch_, *cases],
             "layer, head, clean, corrupt -> logits",
             like=reference("patch_head", along=type(single)))

def texts(vocab, batch, seq):
    return [(ab.numbers(batch, seq, seed=seed) * 64).long() % vocab for seed in (5, 6)]

# Property: right for any head of any layer, other sizes, batches and lengths [values]
tried(*(patched_(f"{sizes}, ids {size}, head {head} of layer {layer}", layer, head,
                 *texts(sizes[0], *size), sizes=sizes, **more)
        for sizes, size, more in [
            ((17, 10, 3, 5, 5, 8), (2, 7), {}), ((29, 14, 1, 7, 1, 6), (3, 5), {}),
            ((11, 6, 2, 3, 1, 5), (1, 1), {"d_head": 6}),
            ((11, 8, 3, 2, 2, 5), (5, 3), {"qk_norm": True, "windows": [2, None, 1]})]
        for layer in {0, sizes[2] - 1} for head in {0, sizes[3] // 2, sizes[3] - 1}))
# Property: other heads and later layers compute from the corrupt text [only-one]
tried(*(patched_(f"one place of {place} differs, head {head} of layer {layer}", layer,
                 head, ids_, ids_ + (torch.arange(5) == place), sizes=(19, *wide_[1:]))
        for place in (0, 2, 4) for layer in (0, 1) for head in (0, 3)))
# Property: in the dtype of the model [dtype]
tried(*(patched_(f"{dtype}", 1, 2, dtype=dtype, look="dtype")
        for dtype in (torch.float32, torch.float64, torch.bfloat16)))
# Property: everything happens on the device of the texts [device]
tried(*(patched_("on another device", layer, 1, look="device") for layer in (0, 1)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_patch_head_check_afterwards", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.4, afterwards: the model answers, and is, as before."""
def left_(patch, *calls, errors=()):
    """What another decoder is after these calls: (layer, head, clean, corrupt)."""
    model, came = patch.args[0], []
    for p in model.parameters():
        p.grad = torch.ones_like(p)                   # gradients that wait for a step
    def all_of_it():
        return {f"numbers of {n}": p.tolist() for n, p in model.state_dict().items()} | {
            f"{what} {n}": seen for n, p in model.named_parameters() for what, seen in [
                ("itself:", id(p)), ("whether it can be trained:", p.requires_grad),
                ("gradient of", p.grad is not None and p.grad.tolist())]} | {
            "its answers": [model(ids).tolist() for ids in pair_]}
    before, mode = all_of_it(), model.training
    for call in calls:
        try:
            patch(*call)
        except errors as error:
            came.append(type(error).__name__)
    now = all_of_it()
    changed = [n for n in {**before, **now} if before.get(n) != now.get(n)]
    return [f"changed: {sorted(changed)}", f"same mode: {mode == model.training}",
            f"raised: {came}"]

def after_(words, *calls, train=False, **more):
    of = decoder_(*wide_)
    of.train = train
    return ab.case(words, *calls, ask=left_, of=of, **more)

again_ = patched_("the same head twice, and another one between", 0, 1).but(
    "the same head twice, and another one between", args=(), last=True, steps=[
        ("", layer, 1, *pair_) for layer in (0, 1, 0)])
ab.check("14.4 afterwards", (patch_head, Decoder), [
    after_("the model after one call", (0, 1, *pair_)),
    after_("after two, in training mode", (0, 1, *pair_), (1, 2, *pair_), train=True),
    again_,
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.4 afterwards", (patch_head, Decoder), cases,
             like=reference("patch_head", along=type(single)))

# Property: the model is as before: answers, weights, gradients and mode [restored]
tried(*(after_(f"after head {head} of layer {layer}, training: {train}",
               (layer, head, *pair_), train=train)
        for layer, head in [(0, 0), (1, 3), (0, 2)] for train in (True, False)))
# Property: patched again, it gives the same, whatever was patched between [again]
tried(again_, *(again_.but(f"{turns}", steps=[("", *turn, *pair_) for turn in turns])
                for turns in [((1, 3), (0, 0), (1, 3)), ((0, 2), (0, 2))]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_patch_head_check_errors", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.4, after an exception: unknown ids, and texts of other lengths."""
strange_ = ids_ + 100 * (torch.arange(5) == 2)
def broken_(words, *pair, place=(0, 1)):
    return after_(words, (*place, *pair), errors=(IndexError, ValueError))

ab.check("14.4 after an exception", (patch_head, Decoder), [
    broken_("an unknown id in the corrupt text", ids_, strange_),
    broken_("an unknown id in the clean text", strange_, ids_),
    broken_("a clean text of one token", ids_[:, :1], ids_),
    broken_("one clean text for two corrupt ones", ids_[:1], ids_),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.4 after an exception", (patch_head, Decoder), cases,
             like=reference("patch_head", along=type(single)))

# Property: what the model raises comes out, and the model is as before [errors]
tried(*(broken_(f"{words}, layer {layer}", *pair, place=(layer, 3))
        for layer in (0, 1) for words, pair in [
            ("an unknown id in the corrupt text", (ids_, strange_)),
            ("an unknown id in the clean text", (strange_, ids_))]))
# Property: texts of different shapes raise a ValueError, and the model is as before [shapes]
tried(*(broken_(f"{one.shape} and {other.shape}", one, other, place=(1, 2))
        for one, other in [(ids_[:, 1:], ids_), (ids_, ids_[:, :1]), (ids_[:1], ids_),
                           (ids_, ids_[:1]), (ids_[:, :1], ids_)]))
### END HIDDEN TESTS

# %% [markdown]
# Your function on the model: how much of the difference between the two texts does one head bring back? For all 270 this takes a minute or two, so the map is stored; the rows below it are measured here.

# %% tags=["show"]
# @title What each of the 270 heads brings back (stored)
fig, ax = plt.subplots(figsize=(7.2, 2.9))
image = ax.imshow(torch.tensor(stored["all heads"]).T, cmap="PuOr", vmin=-0.6, vmax=0.6)
for layer, head in [(23, 3), (29, 1), (20, 0)]:
    ax.annotate(f"{layer}.{head}", (layer, head), ha="center", va="center", fontsize=6)
ax.set(xlabel="layer", ylabel="head", yticks=range(9),
       title="Share of the difference that one head brings back: eight do something")
fig.colorbar(image, shrink=0.7)
show(fig, "A grid of 30 layers and 9 heads, nearly all white. Layer 23, head 3 is "
          "darkest with about 0.6; a few other heads of layers 17 to 29 are coloured, "
          "two of layers 24 and 29 in the colour of negative numbers.")

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
HEADS = [(23, 3), (29, 1), (20, 0), (24, 4), (23, 5), (12, 3)]

def brought_back(layer, head, form, *names):
    """0: as in the corrupt text, 1: as in the clean one."""
    clean, corrupt = both_texts(form, *names)
    patched = ahead(patch_head(model, layer, head, clean, corrupt), *names)
    low, high = answers[GIVEN.index((form, *names))][::-1]
    return (patched - low) / (high - low)

shares = measure("patched", lambda: [
    [brought_back(*place, *given) for given in GIVEN] for place in HEADS])
print("brought back       ", *(f"{first + ', ' + second:>13}" for _, first, second in GIVEN))
for (layer, head), row in zip(HEADS, shares):
    print(f"layer {layer}, head {head}   ", *(f"{share:13.2f}" for share in row))

# %% tags=["show"]
# @title Where head 3 of layer 23 looks
def where_it_looks():
    ids = both_texts(*GIVEN[0])[0]
    looks = watched(model, ids)[1][23, 3, -1]
    return [[tokenizer.decode([token]), weight]
            for token, weight in zip(ids[0].tolist(), looks.tolist())]

looks = measure("23.3", where_it_looks)
print("layer 23, head 3, from the last place:", ", ".join(
    f"{word.strip()} {weight:.2f}" for word, weight in looks if weight > 0.03))

# %% [markdown]
# One head of 270 carries a third to a half of the answer, in five texts with other names and another order, and it looks at the name: it copies it to the last place. Head 4 of layer 24 pulls the other way, and the last two, drawn without looking at
# the map, do nothing: the method can also say no.
#
# **And "it"?** Everybody's example for attention: "the cat sat on the mat because it was hungry", or "soft", and "it" is said to look at the cat or at the mat. We ask the model afterwards who it was.

# %% tags=["show", "tolerance-0.05"]
ENDINGS = ("hungry", "tired", "wide", "soft")

@torch.no_grad()
def who_was_it():
    found = []
    for word in ENDINGS:
        text = f"The cat sat on the mat because it was {word}. What was {word}? The"
        found.append(ahead(model(torch.tensor([tokenizer.encode(text)])), "cat", "mat"))
    return found

cat = measure("it", who_was_it)
for word, gap in zip(ENDINGS, cat):
    print(f"it was {word:7} cat ahead of mat by {gap:.1f}")

# %% [markdown]
# The answer moves in the right direction, by more than two, and never changes: the cat wins, even where it is soft or wide. In this model the famous example is **a shift, not a switch**. It is a small model; a larger one may well switch. Measure before you tell
# the story.

# %% [markdown]
# ## 14.5 The first token
#
# In chapter 12 dropping the first tokens did no harm to our own model; Llama 2, as reported, became useless. Now you can measure it. How much weight do heads give the first token of a text?

# %% tags=["show", "tolerance-0.05"]
from pydoc_data.topics import topics

PASSAGE = topics["assert"].strip()

def to_the_first():
    ids = torch.tensor([tokenizer.encode(PASSAGE)[:200]])
    return watched(model, ids)[1][:, :, 100:, 0].mean((1, 2)).tolist()

sink = measure("sink", to_the_first)
print("weight on the first of 200 tokens, seen from place 100 on; equal shares: 0.01")
for start in range(0, 30, 10):
    print(f"layers {start:2d} to {start + 9:2d}:",
          " ".join(f"{share:.2f}" for share in sink[start:start + 10]))

# %% [markdown]
# From the third layer on, up to four fifths of all weight goes to a token that says nothing about the text: `The`. So what happens if a window drops it?

# %% [markdown]
# ### Exercise 14.5 · Loss with a window and sinks · 2 points · about 8 minutes
#
# Write `stream_loss(model, ids, window, sinks=0)`: the loss of each next token, `(batch, seq − 1)`, where every place sees itself and the `window` − 1 places before it (chapter 11), and the first `sinks` places, but never a later one. `watched`,
# above, returns the logits for any `allowed`. One point each:
#
# - **Window:** any window from 1 on, any model and batch <!-- asks: values -->; where it covers the text, the loss is the model's own <!-- asks: full -->. Dtype and device are the model's <!-- asks: dtype, device -->.
# - **Sinks:** seen from everywhere behind them, counted once where the window sees them anyway <!-- asks: sinks -->, and from nowhere before them <!-- asks: causal -->.
#
# <details><summary>Hint 1</summary>Row i of <code>allowed</code> belongs to the place that looks, column j to the place that is seen. Two <code>arange</code>, one as a column, give all distances.</details>
# <details><summary>Hint 2</summary>(near enough OR a sink) AND not later. The logits at place i are about token i + 1.</details>

# %% nbgrader={"grade": false, "grade_id": "ch14_stream_loss", "locked": false, "schema_version": 3, "solution": true, "task": false}
def stream_loss(model, ids, window, sinks=0):
    """Loss of each next token, (batch, seq - 1), seen through a window and sinks.

    ids: (batch, seq)
    Xiao and others (2023), Efficient Streaming Language Models, section 3.
    """
    ### BEGIN SOLUTION
    place = torch.arange(ids.size(1), device=ids.device)
    back = place[:, None] - place                     # (seq, seq)
    allowed = (back >= 0) & ((back < window) | (place < sinks))
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(
        logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    ### END SOLUTION

# %% tags=["uses-exercise"]
def unchanged(*settings):
    """Whether the loss is the whole text's, at the first and the second place."""
    whole = F.cross_entropy(single(one)[0, :-1], one[0, 1:], reduction="none")
    return (stream_loss(single, one, *settings)[0] - whole).abs() < 1e-5

ab.beside([True, True], lambda: unchanged(3))         # the window covers the text
ab.beside([True, False], lambda: unchanged(1))        # the second place loses the first
ab.beside([True, True], lambda: unchanged(1, 1))      # and has it back, as a sink

# %% nbgrader={"grade": true, "grade_id": "ch14_stream_loss_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.5, window: two layers, two texts of seven tokens, no sinks."""
seven_ = torch.tensor([[3, 1, 4, 1, 5, 9, 2], [6, 5, 3, 5, 8, 9, 7]])

def streamed_(words, window, *sinks, ids=seven_, sizes=(13, 16, 2, 4, 2, 12),
              dtype=torch.float64, look="values"):
    return ab.case(words, ids, window, *sinks, look=look, of=ab.module(
        DecoderConfig(*sizes), train=False, dtype=dtype, scale=2))

narrow_ = streamed_("window 3", 3)
ab.check("14.5 window", (stream_loss, Decoder), [
    narrow_, streamed_("window 1", 1), streamed_("window 7, the whole text", 7),
    streamed_("window 50", 50), streamed_("one text", 2, ids=seven_[:1]),
    streamed_("in float32", 3, dtype=torch.float32, look="dtype values"),
    streamed_("on another device, as on a GPU", 3, look="device"),
], "ids, window, sinks -> loss")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.5 window", (stream_loss, Decoder), [narrow_, *cases],
             "ids, window, sinks -> loss",
             like=reference("stream_loss", along=type(single)))

def text(vocab, batch, seq):
    return (ab.numbers(batch, seq, seed=9) * 64).long() % vocab

KINDS = [((17, 10, 3, 5, 5, 8), (2, 11)), ((29, 14, 1, 7, 1, 6), (3, 5)),
         ((11, 6, 2, 3, 1, 5), (1, 2)), ((11, 8, 3, 2, 2, 5), (5, 13))]
# Property: right for any window, model and batch [values]
tried(*(streamed_(f"{sizes}, ids {size}, window {window}", window,
                  ids=text(sizes[0], *size), sizes=sizes)
        for sizes, size in KINDS for window in (1, 2, 4)))
# Property: a window that covers the text gives the model's own loss [full]
tried(*(streamed_(f"{sizes}, ids {size}, window {size[1] + more}", size[1] + more,
                  ids=text(sizes[0], *size), sizes=sizes)
        for sizes, size in KINDS for more in (0, 1, 100)))
# Property: in the dtype of the model [dtype]
tried(*(streamed_(f"{dtype}", 3, dtype=dtype, look="dtype")
        for dtype in (torch.float32, torch.float64)))
# Property: everything happens on the device of the text [device]
tried(streamed_("on another device", 2, look="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_stream_loss_check_sinks", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.5, sinks: the first tokens stay in sight."""
sunk_ = streamed_("window 2, 1 sink", 2, 1)
ab.check("14.5 sinks", (stream_loss, Decoder), [
    sunk_, streamed_("window 1, 3 sinks", 1, 3), streamed_("window 3, 2 sinks", 3, 2),
    streamed_("window 2, 7 sinks, the whole text", 2, 7),
], "ids, window, sinks -> loss")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.5 sinks", (stream_loss, Decoder), [sunk_, *cases],
             "ids, window, sinks -> loss",
             like=reference("stream_loss", along=type(single)))

# Property: window and sinks together, each token counted once [sinks]
tried(*(streamed_(f"{sizes}, ids {size}, window {window}, {sinks} sinks", window, sinks,
                  ids=text(sizes[0], *size), sizes=sizes)
        for sizes, size in KINDS for window, sinks in [(1, 1), (2, 3), (4, 2)]))
# Property: no place sees a later one, not even where it is a sink [causal]
tried(*(streamed_(f"{sinks} sinks of {size[1]} tokens", 1, sinks, ids=text(
    sizes[0], *size), sizes=sizes) for sizes, size in KINDS for sinks in (4, size[1], 40)))
### END HIDDEN TESTS

# %% [markdown]
# **Predict, then run.** A window of 32 on 200 tokens: the loss behind the window rises from 2.6 to 5.0. What is it with the window and the first token, 33 tokens in all?

# %% tags=["show"]
guess_sink = None  # type a number, then run the next cell

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
# @title The loss with the first token and without, and the controls
WINDOW = 32

def with_and_without():
    ids = torch.tensor([tokenizer.encode(PASSAGE)[:200]])
    place = torch.arange(200)
    back = place[:, None] - place
    near, others = back < WINDOW, (place >= 7) & (place < 20) & (place % 4 == 3)
    def seen(*masks, **how):
        return next_losses(watched(model, ids, *masks, **how)[0], ids)
    rows = {"the whole text": stream_loss(model, ids, 200),
            "window": stream_loss(model, ids, WINDOW),
            "window + 1": stream_loss(model, ids, WINDOW + 1),
            "window, first token": stream_loss(model, ids, WINDOW, 1),
            "window, four other old ones": seen((back >= 0) & (near | others)),
            "window, first token with value 0": seen(
                (back >= 0) & (near | (place < 1)), mute=True)}
    return {name: loss[0, WINDOW:].mean().item() for name, loss in rows.items()}

windows = measure("windows", with_and_without)
for name, loss in windows.items():
    print(f"{name:33} {loss:.2f}")
check_guess("loss with the window and the first token", guess_sink,
            round(windows["window, first token"], 2))

# %% tags=["show"]
# @title A window, and what is added to it
fig, ax = plt.subplots(figsize=(6.4, 2.6))
ax.barh(list(windows)[::-1], list(windows.values())[::-1],
        color=[OKABE_ITO[2 if "first" in name else 0] for name in list(windows)[::-1]])
for row, loss in enumerate(list(windows.values())[::-1]):
    ax.text(loss + 0.05, row, f"{loss:.2f}", va="center", fontsize=8)
ax.set(xlabel=f"loss behind place {WINDOW}", xlim=(0, 5.8),
       title="One token nearly saves the window, four others do not")
show(fig, "Six bars. The whole text 2.6, the window 5.0, one token more in the window "
          "5.0, the window with the first token 2.8, with four other old tokens 5.0, "
          "with the first token and its value set to zero 3.7.")

# %% [markdown]
# One token of 200 saves nearly everything that the window lost. Neither a larger window nor four other old tokens do, so it is *this* token, and not its meaning: it is `The`. Is it only a place to leave weight that nobody needs (chapter 12)? Then
# its *value* would not matter. With the value set to 0 about three fifths of the gain remain: mostly a place for the weight, but what is read there also counts, as a constant that the model has learned to expect.
# Can positions be stretched beyond the 8,192 it was trained for? [Measured in the deeper notebook](deeper.ipynb), since it takes half an hour.

# %% [markdown]
# ## 14.6 The text is its own draft
#
# Writing is slow because every token needs a call that reads all 135 million weights. In chapter 13 a small model drafted and the large one checked several tokens in one call. Here is a draft that costs nothing: **look the last two tokens up in the
# text so far, and propose what followed the last time.** Code, tables, and answers that quote the question repeat themselves.

# %% [markdown]
# ### Exercise 14.6 · Drafts looked up in the text · 3 points · about 20 minutes
#
# Two functions, one point for the first and two for the second. A text is a tensor of ids `(seq,)`.
#
# - **Looked up:** `lookup_draft(ids, match, length)` takes the last `match` tokens, finds the last *earlier* place where they stand, and returns the tokens that followed there, at most `length`, as many as there are <!-- asks: drafts -->. The earlier occurrence may
#   overlap with the last one <!-- asks: overlap -->. Where there is none, or the text is too short, it returns no token <!-- asks: nothing -->. Drafts are a tensor of ids like `ids`.
# - **The same text:** `generate_with_drafts(model, ids, n, draft)` returns `(seq + n,)`: `ids`, and the `n` tokens that greedy writing gives one by one <!-- asks: same -->, whatever `draft` proposes: right, wrong, nothing, or more than is
#   needed <!-- asks: any-draft -->. `draft` is called with the text so far, and returns a tensor of ids `(at most any number,)`.
# - **Fewer calls:** one call of the model checks a whole draft and gives one token more <!-- asks: calls -->. The caches of chapter 11 are used: no token of the text goes through the model twice, and what was proposed in vain leaves the caches <!-- asks: cached -->.
#
# <details><summary>Hint 1</summary><code>ids.unfold(0, match, 1)</code> has a row for each piece of <code>match</code> tokens. Which row must not count?</details>
# <details><summary>Hint 2</summary>Give the model what it has not read yet, and the draft behind it. What it says after the last token of the text, and after each drafted one, are the tokens that it would write itself.</details>
# <details><summary>Hint 3</summary>The draft counts up to the first token that the model would not have written; there the model's own token is taken. Then cut every <code>[k, v]</code> to the tokens that are in the text and have been read.</details>

# %% nbgrader={"grade": false, "grade_id": "ch14_generate_with_drafts", "locked": false, "schema_version": 3, "solution": true, "task": false}
def lookup_draft(ids, match, length):
    """The tokens that followed the last earlier occurrence of the last `match` tokens.

    ids: (seq,)   Returns (at most length,).
    """
    ### BEGIN SOLUTION
    if len(ids) <= match:
        return ids[:0]
    same = (ids[:-1].unfold(0, match, 1) == ids[-match:]).all(-1).nonzero()
    if len(same) == 0:
        return ids[:0]
    start = same[-1, 0] + match
    return ids[start:start + length]
    ### END SOLUTION


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    """The text and n tokens more, each the likeliest: (seq + n,).

    draft: a function, text so far (m,) -> proposed tokens (any number,)
    """
    ### BEGIN SOLUTION
    caches, read, end = [[] for _ in model.blocks], 0, len(ids) + n
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        new = torch.cat([ids[read:], drafted])
        # the model's own token after the text, and after each drafted one
        best = model(new[None], caches)[0, -len(drafted) - 1:].argmax(-1)
        good = (best[:-1] == drafted).long().cumprod(0).sum()
        ids = torch.cat([ids, best[:good + 1]])
        read = len(ids) - 1
        for cache in caches:                          # rejected drafts go
            cache[:] = [part[:, :, :read] for part in cache]
    return ids
    ### END SOLUTION

# %% tags=["uses-exercise"]
sung = torch.tensor([7, 8, 9, 1, 7, 8, 5, 7, 8])
ab.beside([5, 7, 8], lambda: lookup_draft(sung, 2, 4))    # behind the last 7, 8
ab.beside([5], lambda: lookup_draft(sung, 2, 1))
ab.beside([], lambda: lookup_draft(sung, 3, 4))           # 5, 7, 8 is new

greedy = [3, 1, 4, *tokens(single, [3, 1, 4], 6)]
ab.beside(greedy, lambda: generate_with_drafts(
    single, one[0], 6, lambda ids: lookup_draft(ids, 1, 3)))

# %% nbgrader={"grade": true, "grade_id": "ch14_generate_with_drafts_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 14.6, looked up: a text in which 7, 8 stands three times."""
def found_(words, text, match, length):
    return ab.case(words, torch.tensor(text), match, length)

refrain_ = [7, 8, 9, 1, 7, 8, 5, 2, 7, 8]
ab.check("14.6 looked up", lookup_draft, [
    found_("match 2, length 3", refrain_, 2, 3),
    found_("as many as there are", refrain_, 2, 9),
    found_("match 1, length 2", refrain_, 1, 2),
    found_("the last three are new", refrain_, 3, 4),
    found_("5, 5, 5, 5: an occurrence that overlaps", [5] * 4, 2, 3),
    found_("the two stand at the very beginning", [3, 4, 1, 3, 4], 2, 2),
    found_("a text of match tokens", [3, 4], 2, 2), found_("shorter", [4], 2, 2),
    found_("half of it fits", [3, 9, 3, 8, 1, 9, 8], 2, 2),
], "ids, match, length -> draft")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.6 looked up", lookup_draft, cases, "ids, match, length -> draft",
             like=reference("lookup_draft"))

def some(n, vocab, seed):
    return ((ab.numbers(n, seed=seed) * 64).long() % vocab).tolist()

# Property: what followed the last earlier occurrence, at most length tokens [drafts]
tried(*(found_(f"{n} ids of {vocab}, match {match}, length {length}",
               some(n, vocab, seed), match, length)
        for seed, (n, vocab) in enumerate([(23, 3), (41, 2), (97, 5), (151, 7)])
        for match, length in [(1, 5), (2, 3), (3, 11), (2, 1)]))
# Property: the earlier occurrence may overlap with the last one [overlap]
tried(*(found_(f"{text}, match {match}", text, match, 4) for text, match in [
    ([1] * 7, 3), ([2, 1, 2, 1, 2], 3), ([4, 4], 1), ([1, 2, 3] * 3, 5)]))
# Property: no token where there is no earlier occurrence, or the text is short [nothing]
tried(*(found_(f"{text}, match {match}", text, match, 3) for text, match in [
    ([1, 2, 3, 4], 1), ([1, 2, 1, 3], 2), ([5], 1), ([5, 5], 2), ([5, 5], 4), ([], 1)]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_generate_with_drafts_check_same", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.6, the same text: drafts that are right, wrong, empty and too long."""
ids_ = torch.tensor([3, 1, 4, 1, 5, 9, 2])
DRAFTS_ = {"nothing": lambda so_far: so_far[:0], "one token": lambda so_far: so_far[:1],
           "the text so far": lambda so_far: so_far,
           "40 times 3": lambda so_far: torch.full((40,), 3)}

def draft_(generate, ids, n, kind):
    """One of these, or a draft that knows so many tokens of what comes, no more."""
    if kind in DRAFTS_:
        return DRAFTS_[kind]
    text = generate(ids, n, DRAFTS_["nothing"])
    def draft(so_far):
        coming = text[len(so_far):].clone()
        coming[kind:] = (coming[kind:] + 1) % 13
        return coming[:kind + 1]
    return draft

def text_(generate, ids, n, kind):
    return generate(ids, n, draft_(generate, ids, n, kind))

def written_(words, n, kind, ids=ids_, sizes=(13, 16, 2, 4, 2, 12), ask=text_):
    return ab.case(words, ids, n, kind, ask=ask, of=ab.module(
        DecoderConfig(*sizes), train=False, dtype=torch.float64, scale=4))

plain_ = written_("9 tokens, nothing is drafted", 9, "nothing")
ab.check("14.6 the same text", (generate_with_drafts, Decoder), [
    plain_,
    *(written_(f"9 tokens, the draft: {kind}", 9, kind)
      for kind in ("one token", "the text so far", "40 times 3")),
    *(written_(f"9 tokens, {right} of each draft are right", 9, right)
      for right in (1, 3, 40)),
    written_("1 token", 1, "the text so far"), written_("no token", 0, "nothing"),
    written_("a text of one token", 5, 2, ids_[:1]),
], "ids, n, draft -> text")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.6 the same text", (generate_with_drafts, Decoder), [plain_, *cases],
             "ids, n, draft -> text",
             like=reference("generate_with_drafts", along=type(single)))

def text(vocab, seq):
    return (ab.numbers(seq, seed=9) * 64).long() % vocab

# Property: the greedy text for other models, texts and lengths [same]
tried(*(written_(f"{sizes}, {seq} tokens and {n} more", n, "the text so far",
                 text(sizes[0], seq), sizes)
        for sizes, seq, n in [((17, 10, 3, 5, 5, 8), 2, 13), ((29, 14, 1, 7, 1, 6), 5, 7),
                              ((11, 6, 2, 3, 1, 5), 1, 17), ((11, 8, 2, 2, 2, 5), 19, 3)]))
# Property: whatever is drafted, the text is the same, and n tokens longer [any-draft]
tried(*(written_(f"{n} tokens, draft {kind}", n, kind, text(13, 4))
        for n in (2, 8) for kind in (*DRAFTS_, 0, 1, 2, 5, 40)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_generate_with_drafts_check_calls", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.6, fewer calls: what goes through the model's embedding is counted."""
class Read(TorchDispatchMode):
    """Notes how many tokens go through the embedding in each call of the model."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if "embedding" in str(func):
            self.calls.append(args[1].numel())
        return func(*args, **(kwargs or {}))

def counted_(generate, ids, n, right):
    """Each draft has `right` tokens that are right, and a wrong one."""
    draft, least = draft_(generate, ids, n, right), -(-n // (right + 1))
    with Read() as read:
        generate(ids, n, draft)
    most = len(ids) + n + least + 1                   # one in vain for each call
    return [f"calls, at most one more than needed: {len(read.calls) <= least + 1}",
            f"each token is read once: {sum(read.calls) <= most}"]

def fewer_(words, n, right, ids=ids_):
    return written_(words, n, right, ids, ask=counted_)

ab.check("14.6 fewer calls", (generate_with_drafts, Decoder), [
    fewer_("24 tokens, three of each draft are right", 24, 3),
    fewer_("24 tokens, no draft is right", 24, 0),
    fewer_("24 tokens, all is right", 24, 40),
    fewer_("a text of one token, one of each draft is right", 12, 1, ids_[:1]),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.6 fewer calls", (generate_with_drafts, Decoder), cases,
             like=reference("generate_with_drafts", along=type(single)))

# Property: one call checks a whole draft and gives one token more [calls]
tried(*(fewer_(f"{n} tokens, {right} of each draft are right", n, right, text(13, 3))
        for n, right in [(30, 1), (30, 2), (31, 5), (9, 8)]))
# Property: no token of the text is read twice [cached]
tried(*(fewer_(f"{seq} tokens and {n} more, {right} right", n, right, text(13, seq))
        for seq, n, right in [(31, 12, 0), (17, 20, 2), (5, 25, 4)]))
### END HIDDEN TESTS

# %% [markdown]
# On the model: a table that repeats itself, and a story that does not; drafts of up to eight tokens behind the last two. First the counts, which are the same on every machine.

# %% tags=["show", "uses-exercise"]
# @title Four ways to write 40 tokens
TEXTS = {"a table": """{"name": "Anna", "city": "Berlin", "country": "Germany"}
{"name": "Jean", "city": "Paris", "country": "France"}
{"name": "Maria", "city": "Rome", "country":""",
         "a story": "The best way to bake bread at home is"}
N = 40

def timed_drafts():
    """(tokens after each call, tokens for each second, the new text) of each way."""
    found = {}
    for name, text in TEXTS.items():
        ids = torch.tensor(tokenizer.encode(text))
        for way, length in (("cached", 0), ("drafts", 8)):
            seen = []
            def draft(so_far):
                seen.append(len(so_far))
                return lookup_draft(so_far, 2, length)
            start = time.perf_counter()
            new = generate_with_drafts(model, ids, N, draft)
            rate = N / (time.perf_counter() - start)
            found[f"{name}, {way}"] = len(seen), rate, new[len(ids):].tolist()
        for way, more in (("transformers", {}), ("transformers, drafts", {
                "prompt_lookup_num_tokens": 8, "max_matching_ngram_size": 2})):
            start = time.perf_counter()
            new = theirs.generate(ids[None], max_new_tokens=N, min_new_tokens=N,
                                  do_sample=False, pad_token_id=2, **more)[0]
            rate = N / (time.perf_counter() - start)
            found[f"{name}, {way}"] = 0, rate, new[len(ids):].tolist()
    return found

timed = measure("drafts", timed_drafts)
for name in TEXTS:
    plain, *others = (timed[f"{name}, {way}"] for way in (
        "cached", "drafts", "transformers", "transformers, drafts"))
    print(f"{name}: {plain[0]} calls for {N} tokens, with drafts {others[0][0]}; the same "
          f"tokens in all four ways: {all(new == plain[2] for *_, new in others)}")

# %% [markdown]
# And the tokens per second of the same runs, with `transformers` beside it. They depend on the machine and on what else it does.

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
for name, (_, rate, _) in timed.items():
    print(f"{name:30} {rate:5.1f} tokens per second")

# %% [markdown]
# On the table one call in three or so is left; on the story nearly all. A draft costs little where it is wrong, since reading one token or five takes nearly the same time: the weights have to come out of memory either way. The text is the same, token by token, and that is
# the difference to chapter 13, where it was the same in distribution.
