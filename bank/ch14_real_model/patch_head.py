# %% right: two_handles
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% right: output_side
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    """What W_o adds for a head is linear: take the corrupt part off, put the clean one on."""
    if tuple(clean.size()) != tuple(corrupt.size()):
        raise ValueError("clean and corrupt must have one shape")
    attention = model.blocks[layer].attention
    columns = torch.arange(attention.d_head, device=clean.device) + head * attention.d_head
    seen = []

    def hook(W_o, inputs, output):
        seen.append(inputs[0][..., columns])
        if len(seen) == 2:
            return output + F.linear(seen[0] - seen[1], W_o.weight[:, columns])

    handle = attention.W_o.register_forward_hook(hook)
    try:
        model(clean)
        return model(corrupt)
    finally:
        handle.remove()

# %% right: other_module
class Patched(nn.Module):
    def __init__(self, inner, own, said=None):
        super().__init__()
        self.inner, self.own, self.said, self.heard = inner, own, said, None

    def forward(self, x):
        self.heard = x[..., self.own].detach()
        if self.said is not None:
            x = torch.cat([x[..., :self.own.start], self.said, x[..., self.own.stop:]], -1)
        return self.inner(x)


def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError(f"{clean.shape} is not {corrupt.shape}")
    attention = model.blocks[layer].attention
    W_o, d = attention.W_o, attention.d_head
    try:
        with torch.no_grad():
            attention.W_o = first = Patched(W_o, slice(head * d, head * d + d))
            model(clean)
            attention.W_o = Patched(W_o, first.own, first.heard)
            return model(corrupt)
    finally:
        attention.W_o = W_o

# %% right: one_batch
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    """Both texts in one call, the clean ones first."""
    if clean.shape != corrupt.shape:
        raise ValueError("shapes differ")
    attention, n = model.blocks[layer].attention, len(clean)

    def carry_over(W_o, inputs):
        x = inputs[0].unflatten(-1, (-1, attention.d_head)).clone()
        x[n:, :, head] = x[:n, :, head]
        return x.flatten(-2)

    handle = attention.W_o.register_forward_pre_hook(carry_over)
    try:
        return model(torch.cat([clean, corrupt]))[n:]
    finally:
        handle.remove()

# %% right: by_hand
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    """The blocks one by one; at the patched one the heads are read by a hook."""
    assert_same = clean.shape == corrupt.shape
    if not assert_same:
        raise ValueError("the texts must have the same shape")
    block = model.blocks[layer]
    heads = []

    def listen(module, inputs):
        heads.append(inputs[0])

    streams = []
    for ids in (clean, corrupt):
        x = model.token_embedding(ids)
        for earlier in model.blocks[:layer]:
            x = earlier(x)
        handle = block.attention.W_o.register_forward_pre_hook(listen)
        try:
            block.attention(block.norm1(x))
        finally:
            handle.remove()
        streams.append(x)
    mixed = heads[1].clone()
    d = block.attention.d_head
    mixed[..., head * d:(head + 1) * d] = heads[0][..., head * d:(head + 1) * d]
    x = streams[1] + block.post_norm1(block.attention.W_o(mixed))
    x = x + block.post_norm2(block.feed_forward(block.norm2(x)))
    for later in model.blocks[layer + 1:]:
        x = later(x)
    return model.head(model.norm(x))

# %% right: chosen_by_feature
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError(f"{clean.shape} and {corrupt.shape}")
    attention = model.blocks[layer].attention
    feature = torch.arange(attention.W_o.in_features, device=clean.device)
    said = []

    def hear(W_o, inputs):
        said.append(inputs[0])
        return (torch.where(feature // attention.d_head == head, said[0], inputs[0]),)

    with torch.no_grad():
        handle = attention.W_o.register_forward_pre_hook(hear)
        try:
            for ids in (clean, corrupt):
                logits = model(ids)
        finally:
            handle.remove()
    return logits

# %% wrong: other_way_round (1) => the corrupt head was put into the clean text: the logits are those of corrupt, with one head of clean
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(corrupt)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(clean)
    finally:
        handle.remove()

# %% wrong: whole_layer (1) => all heads of the layer were taken from the clean text: one head is patched
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined = kept[0]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: all_but_one (1) => all heads but this one were taken from the clean text
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = kept[0].clone()
        joined[..., own] = inputs[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: next_head (1) => another head was patched: head h owns the features from h · d_head on, h counted from 0
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice((head + 1) * a.d_head, (head + 2) * a.d_head) if (head + 1) * a.d_head < a.W_o.in_features else slice(0, a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: switched_off (1, 2) => the head was switched off: it gives what it gives in the clean text
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = 0
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: last_place_only (1) => only the last place was patched: the head's output is taken over at every place
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[:, -1, own] = kept[0][:, -1, own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: mean_of_the_batch (1) => the texts of the batch were mixed: each corrupt text has a clean one of its own
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own].mean(0)
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: first_text_for_all (1) => the texts of the batch were mixed: each corrupt text has a clean one of its own
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][:1, :, own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: width_from_d_model (1) => a head is d_head wide, not d_model // heads
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    wide = model.token_embedding.embedding_dim // (a.W_o.in_features // a.d_head)
    own = slice(head * wide, (head + 1) * wide)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: every_layer (1) => the head was patched in more layers than one
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handles = [b.attention.W_o.register_forward_pre_hook(speak) for b in model.blocks[layer:]]
    try:
        return model(corrupt)
    finally:
        for handle in handles:
            handle.remove()

# %% wrong: output_features (1) => features of W_o's output were taken over: the heads lie side by side in its input
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs, output):
        kept.append(output.clone())

    def speak(W_o, inputs, output):
        joined = output.clone()
        joined[..., own] = kept[0][..., own]
        return joined

    for ids, hook in ((clean, listen), (corrupt, speak)):
        handle = a.W_o.register_forward_hook(hook)
        try:
            logits = model(ids)
        finally:
            handle.remove()
    return logits

# %% wrong: in_float32 (1) => the logits are not in the dtype of the model
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt).double()
    finally:
        handle.remove()

# %% wrong: last_logits (1) => the logits of every place are asked for, (batch, seq, vocab)
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)[:, -1]
    finally:
        handle.remove()

# %% wrong: hook_stays (2, 3) => the hook is still on: the model answers otherwise than before
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    return model(corrupt)

# %% wrong: training_mode_lost (2) => the model is in another mode than before
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []
    model.eval()

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: gradients_lost (2) => gradients that were there are gone
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []
    model.zero_grad()

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: weights_frozen (2) => parameters can no longer be trained
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []
    model.requires_grad_(False)

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: W_o_replaced (2) => parameters of the model are other objects than before
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []
    a.W_o.weight = nn.Parameter(a.W_o.weight.detach().clone())

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: kept_of_the_first_call (2) => what the first call kept was used again: each call listens anew
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        model.heard = getattr(model, 'heard', kept[0])
        joined[..., own] = model.heard[..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: corrupt_hook_stays_after_an_error (3) => after an exception the hook is still on: remove it in finally
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    logits = model(corrupt)
    handle.remove()
    return logits

# %% wrong: swallowed (3) => the exception was swallowed: what the model raises comes out
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    except IndexError:
        return None
    finally:
        handle.remove()

# %% wrong: shapes_unchecked (3) => texts of different shapes were accepted: raise a ValueError
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own].expand(*joined.shape[:2], -1) if kept[0].shape[0] in (1, len(joined)) and kept[0].shape[1] in (1, joined.shape[1]) else kept[0][:1, :1, own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: lengths_alone (3) => texts of different shapes were accepted: raise a ValueError
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape[1] != corrupt.shape[1]:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own] if len(kept[0]) == len(joined) else kept[0][:1, :, own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: asserted (3) => texts of different shapes raised something else: raise a ValueError
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise IndexError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        handle.remove()

# %% wrong: mode_after_an_error (3) => the model is in another mode than before
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("other shapes")
    a = model.blocks[layer].attention
    own = slice(head * a.d_head, (head + 1) * a.d_head)
    kept = []
    was = model.training
    model.train(not was)
    model.train(was)

    def listen(W_o, inputs):
        kept.append(inputs[0].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return joined

    handle = a.W_o.register_forward_pre_hook(listen)
    try:
        model(clean)
    finally:
        handle.remove()
    handle = a.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    except IndexError:
        model.train(not was)
        raise
    finally:
        handle.remove()

# %% wrong: listening_hook_stays (2, 3) => a hook, or another forward, is still on the model: put back what was there, in finally
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("the texts have different shapes")
    attention = model.blocks[layer].attention
    own = slice(head * attention.d_head, (head + 1) * attention.d_head)
    kept = []
    attention.W_o.register_forward_pre_hook(lambda W_o, inputs: kept.append(inputs[0][..., own].clone()))
    model(clean)

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0]
        return (joined,)

    hook = attention.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        hook.remove()

# %% wrong: hook_is_switched_off (2, 3) => a hook, or another forward, is still on the model: put back what was there, in finally
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("the texts have different shapes")
    attention = model.blocks[layer].attention
    own = slice(head * attention.d_head, (head + 1) * attention.d_head)
    kept, state = [], {"does": "listen"}

    def hook(W_o, inputs):
        if state["does"] == "listen":
            kept.append(inputs[0][..., own].clone())
        if state["does"] == "speak":
            joined = inputs[0].clone()
            joined[..., own] = kept[0]
            return (joined,)

    attention.W_o.register_forward_pre_hook(hook)
    try:
        model(clean)
        state["does"] = "speak"
        return model(corrupt)
    finally:
        state["does"] = "nothing"

# %% wrong: forward_replaced (2, 3) => a hook, or another forward, is still on the model: put back what was there, in finally
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("the texts have different shapes")
    W_o, width = model.blocks[layer].attention.W_o, model.blocks[layer].attention.d_head
    plain, kept, active = W_o.forward, [], [True]

    def forward(joined):
        if active[0] and not kept:
            kept.append(joined.clone())
        elif active[0]:
            joined = joined.clone()
            joined[..., head * width:(head + 1) * width] = kept[0][..., head * width:(head + 1) * width]
        return plain(joined)

    W_o.forward = forward
    try:
        model(clean)
        return model(corrupt)
    finally:
        active[0] = False

# %% wrong: hook_on_the_attention_stays (2, 3) => a hook, or another forward, is still on the model: put back what was there, in finally
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("the texts have different shapes")
    attention = model.blocks[layer].attention
    own = slice(head * attention.d_head, (head + 1) * attention.d_head)
    seen, kept = [], []
    attention.register_forward_hook(lambda module, inputs, output: seen.append(output))
    listening = attention.W_o.register_forward_pre_hook(lambda W_o, inputs: kept.append(inputs[0].clone()))
    try:
        model(clean)
    finally:
        listening.remove()

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0][..., own]
        return (joined,)

    speaking = attention.W_o.register_forward_pre_hook(speak)
    try:
        return model(corrupt)
    finally:
        speaking.remove()

# %% wrong: weights_rounded_to_half (2) => the weights are not those of before: they were rounded
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    if clean.shape != corrupt.shape:
        raise ValueError("the texts have different shapes")
    attention = model.blocks[layer].attention
    own = slice(head * attention.d_head, (head + 1) * attention.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0][..., own].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()
        joined[..., own] = kept[0]
        return (joined,)

    for ids, hook in ((clean, listen), (corrupt, speak)):
        handle = attention.W_o.register_forward_pre_hook(hook)
        try:
            logits = model(ids)
        finally:
            handle.remove()
    for p in model.parameters():
        p.copy_(p.half())
    return logits
