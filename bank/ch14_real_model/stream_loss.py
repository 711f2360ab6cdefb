# %% right: flattened
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% right: loop
def stream_loss(model, ids, window, sinks=0):
    n = ids.size(1)
    allowed = torch.zeros(n, n, dtype=torch.bool, device=ids.device)
    for i in range(n):
        allowed[i, max(0, i + 1 - window):i + 1] = True
        allowed[i, :min(sinks, i + 1)] = True
    logits = watched(model, ids, allowed)[0].log_softmax(-1)
    return -logits[:, :-1].gather(-1, ids[:, 1:, None]).squeeze(-1)

# %% right: triangles
@torch.no_grad()
def stream_loss(model, ids, window, sinks=0):
    ones = torch.ones(ids.size(1), ids.size(1), device=ids.device).bool()
    allowed = ones.tril() & ~ones.tril(-window)
    allowed[:, :sinks] = ones.tril()[:, :sinks]
    logits = watched(model, ids, allowed)[0][:, :-1]
    right = logits.gather(-1, ids[:, 1:].unsqueeze(-1))[..., 0]
    return logits.logsumexp(-1) - right

# %% right: without_watched
@torch.no_grad()
def stream_loss(model, ids, window, sinks=0):
    """The whole pass written out, with PyTorch's own attention."""
    places = torch.arange(ids.size(1), device=ids.device)
    distance = places.view(-1, 1) - places
    blocked = (distance < 0) | ((distance >= window) & (places >= sinks))
    x = model.token_embedding(ids)
    for block in model.blocks:
        a, h = block.attention, block.norm1(x)
        q, k, v = (W(h).unflatten(-1, (-1, a.d_head)).transpose(1, 2)
                   for W in (a.W_q, a.W_k, a.W_v))
        q, k = a.turn(q, places), a.turn(k, places)
        k, v = (part.repeat_interleave(a.groups, dim=1) for part in (k, v))
        heads = F.scaled_dot_product_attention(q, k, v, ~blocked)
        x = x + a.W_o(heads.transpose(1, 2).flatten(2))
        x = x + block.feed_forward(block.norm2(x))
    logits = model.head(model.norm(x)).transpose(1, 2)
    return F.cross_entropy(logits[..., :-1], ids[:, 1:], reduction="none")

# %% right: text_by_text
def stream_loss(model, ids, window, sinks=0):
    place = torch.arange(ids.size(1), device=ids.device)
    lowest = (place - window + 1).unsqueeze(-1)
    allowed = torch.logical_and(torch.logical_or(place >= lowest, place < sinks),
                                place <= place.unsqueeze(-1))
    rows = []
    for text in ids:
        logits = watched(model, text[None], allowed)[0][0, :-1]
        rows.append(nn.CrossEntropyLoss(reduction="none")(logits, text[1:]))
    return torch.stack(rows)

# %% right: how_far_back
def stream_loss(model, ids, window, sinks=0):
    place = torch.arange(ids.size(1), device=ids.device)
    back = place.unsqueeze(1) - place
    allowed = (back >= 0) & ((back < window) | (place < sinks))
    said = watched(model, ids, allowed)[0][:, :-1].log_softmax(dim=-1)
    return F.nll_loss(said.transpose(1, 2), ids[:, 1:], reduction="none")

# %% wrong: one_more (1) => a place sees itself and window - 1 places before it, here it was one more
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j <= window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: one_less (1) => a place sees itself and window - 1 places before it, here it was one less
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = (i - j < window - 1) | (i == j)
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: no_window (1) => the window hides nothing
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < n
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: future_seen (1) => places see later ones
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks))
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: transposed (1) => rows and columns of allowed are exchanged: row i belongs to the place that looks
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed.T)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: mean (1, 2) => the loss of each token is asked for, not the mean
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1).mean()

# %% wrong: not_shifted (1) => the logits at a place are about the token after it
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, :-1].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: shifted_twice (1) => the logits at a place are about the token after it
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, 1:].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: flat (1) => the loss has the shape (batch, seq - 1)
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none")

# %% wrong: in_float32 (1) => the loss is not in the dtype of the model
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1).double()

# %% wrong: place_on_the_cpu (1) => two devices met: make the positions on the device of ids
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n)[:, None]
    j = torch.arange(n)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: minus (1) => the loss is the negative logarithm of the probability
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return -F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: bits (1) => the loss is in bits: take the natural logarithm
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1) / 0.6931471805599453

# %% wrong: cut_into_pieces (1) => the text was cut into pieces: a window moves with the place
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i // window == j // window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: first_text_alone (1) => only the first text was read
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids[:1].expand_as(ids), allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: no_sinks (2) => the sinks are not seen
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = near & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: one_sink_more (2) => one sink too many is seen: places 0 to sinks - 1
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near if sinks == 0 else near | (j <= sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: sinks_from_before (2) => places before a sink see it
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near & (j <= i)) | (j < sinks)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: sinks_take_from_the_window (2) => the sinks took places away from the window: they come in addition
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < max(window - sinks, 1)
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: one_sink_at_most (2) => only the first token was kept: sinks says how many
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < min(sinks, 1))) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: sinks_only_behind_the_window (2) => the sinks push the window: it is counted from the place that looks
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window + sinks
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: only_sinks_with_sinks (2) => with sinks the window was lost
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = ((j < sinks) | (i == j) if sinks else near) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: sinks_see_all (2) => the sinks see later places
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = ((near | (j < sinks)) & (j <= i)) | (i < sinks)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: twice_as_wide (1) => the window is twice as wide as asked for
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < 2 * window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(),
                           reduction="none").view(len(ids), -1)

# %% wrong: last_token_missing (1) => the loss of the last token is missing: there are seq - 1 next tokens
def stream_loss(model, ids, window, sinks=0):
    n = ids.shape[1]
    i = torch.arange(n, device=ids.device)[:, None]
    j = torch.arange(n, device=ids.device)[None]
    near = i - j < window
    allowed = (near | (j < sinks)) & (j <= i)
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(logits[:, :-2].flatten(0, 1), ids[:, 1:-1].flatten(),
                           reduction="none").view(len(ids), -1)
