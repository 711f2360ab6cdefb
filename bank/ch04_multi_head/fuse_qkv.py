# %% right: cat_no_grad
def fuse_qkv(mha):
    d_model = mha.W_q.in_features
    has_bias = mha.W_q.bias is not None
    linear = nn.Linear(d_model, 3 * d_model, bias=has_bias).to(mha.W_q.weight)
    with torch.no_grad():
        linear.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], dim=0))
        if has_bias:
            linear.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return linear

# %% right: new_parameter
def fuse_qkv(mha):
    d_model = mha.W_q.weight.shape[0]
    linear = nn.Linear(d_model, 3 * d_model, bias=mha.W_q.bias is not None, device="meta")
    linear.weight = nn.Parameter(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach())
    if mha.W_q.bias is not None:
        linear.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach())
    return linear

# %% right: zero_bias
def fuse_qkv(mha):
    W = mha.W_q.weight
    linear = nn.Linear(W.size(1), 3 * W.size(0), device=W.device, dtype=W.dtype)
    with torch.no_grad():
        linear.bias.zero_()
        for i, part in enumerate((mha.W_q, mha.W_k, mha.W_v)):
            rows = slice(i * W.size(0), (i + 1) * W.size(0))
            linear.weight[rows] = part.weight
            if part.bias is not None:
                linear.bias[rows] = part.bias
    return linear

# %% right: load_state_dict
def fuse_qkv(mha):
    state = {}
    for name, _ in mha.W_q.named_parameters():
        state[name] = torch.cat([getattr(part, name).detach() for part in (mha.W_q, mha.W_k, mha.W_v)])
    weight = state["weight"]
    linear = nn.Linear(weight.shape[1], weight.shape[0], bias="bias" in state, device=weight.device, dtype=weight.dtype)
    linear.load_state_dict(state)
    return linear

# %% right: data_vstack
def fuse_qkv(mha):
    w = torch.vstack([mha.W_q.weight.data, mha.W_k.weight.data, mha.W_v.weight.data])
    fused = nn.Linear(w.shape[1], w.shape[0], bias=False)
    fused.weight = nn.Parameter(w)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.hstack([mha.W_q.bias.data, mha.W_k.bias.data, mha.W_v.bias.data]))
    return fused

# %% right: parameter_of_cat
def fuse_qkv(mha):
    parts = [mha.W_q, mha.W_k, mha.W_v]
    fused = nn.Linear(mha.W_q.in_features, 3 * mha.W_q.out_features, bias=False)
    fused.weight = nn.Parameter(torch.cat([p.weight for p in parts]))
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([p.bias for p in parts]))
    return fused

# %% wrong: order_k_q_v (1) => q, k and v come in another order: q first, then k, then v
def fuse_qkv(mha):
    w = torch.cat([mha.W_k.weight, mha.W_q.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=mha.W_q.bias is not None)
    fused.weight = nn.Parameter(w)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([mha.W_k.bias, mha.W_q.bias, mha.W_v.bias]).detach())
    return fused

# %% wrong: side_by_side (1, 2) => nn.Linear stores the transpose: outputs side by side are matrices one below the other
def fuse_qkv(mha):
    w = mha.W_q.weight
    fused = nn.Linear(w.size(1), 3 * w.size(0), bias=mha.W_q.bias is not None, device=w.device, dtype=w.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], dim=1))
    return fused

# %% wrong: side_by_side_parameter (1, 2) => nn.Linear(4, 12) holds (12, 4): the matrices stand one below the other
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], dim=1).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=False)
    fused.weight = nn.Parameter(w)
    return fused

# %% wrong: transposed (1) => the matrices were transposed: nn.Linear stores them as they are to be copied
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight.T, mha.W_k.weight.T, mha.W_v.weight.T]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=mha.W_q.bias is not None)
    fused.weight = nn.Parameter(w)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach())
    return fused

# %% wrong: bias_forgotten (1) => the layer has biases, the fused projection has none
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=False)
    fused.weight = nn.Parameter(w)
    return fused

# %% wrong: random_bias_left_in (1) -> of q should be
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0])
    fused.weight = nn.Parameter(w)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach())
    return fused

# %% wrong: bias_taken_for_granted (1) => it does not run for a layer without bias: is a bias taken for granted?
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0])
    fused.weight = nn.Parameter(w)
    fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach())
    return fused

# %% wrong: interleaved (1) => q, k and v were interleaved, number by number: all of q comes first
def fuse_qkv(mha):
    d = mha.W_q.weight.shape[0]
    w = torch.stack([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], dim=1).reshape(3 * d, d).detach()
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    fused.weight = nn.Parameter(w)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.stack([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias], dim=1).flatten().detach())
    return fused

# %% wrong: head_by_head (1) => q, k and v were interleaved, head by head: all of q comes first
def fuse_qkv(mha):
    h = mha.num_heads
    def mix(name):
        parts = [getattr(W, name).detach().unflatten(0, (h, -1)) for W in (mha.W_q, mha.W_k, mha.W_v)]
        return nn.Parameter(torch.stack(parts, dim=1).flatten(0, 2))
    d = mha.W_q.weight.shape[0]
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    fused.weight = mix("weight")
    if mha.W_q.bias is not None:
        fused.bias = mix("bias")
    return fused

# %% wrong: W_o_for_W_v (1) => W_o got in: only W_q, W_k and W_v are fused
def fuse_qkv(mha):
    parts = [mha.W_q, mha.W_k, mha.W_o]
    fused = nn.Linear(mha.W_q.in_features, 3 * mha.W_q.out_features, bias=False)
    fused.weight = nn.Parameter(torch.cat([p.weight for p in parts]).detach())
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([p.bias for p in parts]).detach())
    return fused

# %% wrong: scale_put_in (1) => a scale was put into q: it stays with the scores
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    with torch.no_grad():
        fused.weight = nn.Parameter(torch.cat([mha.W_q.weight * d ** -0.5, mha.W_k.weight, mha.W_v.weight]))
        if mha.W_q.bias is not None:
            fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: never_copied (1) -> of q should be
def fuse_qkv(mha):
    d = mha.W_q.in_features
    return nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)

# %% wrong: returns_the_weight (1, 2) => a tensor came back: an nn.Linear is asked for
def fuse_qkv(mha):
    return torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight])

# %% wrong: written_with_gradient (1, 2) => a parameter was written into as if it were to be differentiated: copy without gradients
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    fused.weight[:d] = mha.W_q.weight
    fused.weight[d:2 * d] = mha.W_k.weight
    fused.weight[2 * d:] = mha.W_v.weight
    return fused

# %% wrong: cpu_and_float32 (1, 2) -> the fused projection was made on the CPU
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    if mha.W_q.weight.dtype == torch.float64:
        fused = fused.double()
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if mha.W_q.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: cpu_only (2) => the fused projection was made on the CPU, though the layer is elsewhere: the device was lost
def fuse_qkv(mha):
    w = mha.W_q.weight
    fused = nn.Linear(w.size(1), 3 * w.size(0), bias=mha.W_q.bias is not None, dtype=w.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if mha.W_q.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: changes_the_layer (2) => numbers of the layer were changed: it should stay as it is
def fuse_qkv(mha):
    w = mha.W_q.weight
    fused = nn.Linear(w.size(1), 3 * w.size(0), bias=mha.W_q.bias is not None, dtype=w.dtype, device=w.device)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if mha.W_q.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
        for part in (mha.W_q, mha.W_k, mha.W_v):
            part.weight.zero_()
    return fused

# %% wrong: frozen (2) => the new weight and bias cannot be trained: is it asked for, or taken from what was copied?
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=mha.W_q.bias is not None)
    fused.weight = nn.Parameter(w, requires_grad=False)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach(), requires_grad=False)
    return fused

# %% wrong: cat_assigned (1, 2) => the weight of an nn.Linear is an nn.Parameter and cannot be replaced by a plain tensor: write the numbers into it, or make a parameter of them
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    fused.weight = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight])
    return fused

# %% wrong: cat_assigned_without_gradient (1, 2) => the weight of an nn.Linear is an nn.Parameter and cannot be replaced by a plain tensor: write the numbers into it, or make a parameter of them
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    with torch.no_grad():
        fused.weight = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], dim=0)
        if mha.W_q.bias is not None:
            fused.bias = torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias])
    return fused

# %% wrong: cat_of_modules (1, 2) => the matrices are the weight of each nn.Linear, not the nn.Linear itself
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q, mha.W_k, mha.W_v]))
    return fused

# %% wrong: bias_in_another_order (1) => the biases stand in another order than the matrices: that of q first, then k, then v
def fuse_qkv(mha):
    parts = (mha.W_q, mha.W_k, mha.W_v)
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([part.weight for part in parts]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([part.bias for part in reversed(parts)]))
    return fused

# %% wrong: hard_coded_width (1, 2) => it does not run for a layer of width 4: was a width written in by hand?
def fuse_qkv(mha):
    parts = (mha.W_q, mha.W_k, mha.W_v)
    fused = nn.Linear(2, 6, bias=mha.W_q.bias is not None)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([part.weight for part in parts]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([part.bias for part in parts]))
    return fused

# %% wrong: shares_nothing_but_the_first (1) => W_q was copied into all three places
def fuse_qkv(mha):
    fused = nn.Linear(mha.W_q.in_features, 3 * mha.W_q.in_features, bias=mha.W_q.bias is not None).to(mha.W_q.weight)
    with torch.no_grad():
        fused.weight.copy_(mha.W_q.weight.repeat(3, 1))
        if fused.bias is not None:
            fused.bias.copy_(mha.W_q.bias.repeat(3))
    return fused

# %% wrong: sizes_exchanged (1, 2) => nn.Linear(4, 12) holds (12, 4): the matrices stand one below the other
def fuse_qkv(mha):

    d = mha.W_q.in_features
    f = nn.Linear(3 * d, d, bias=False)
    with torch.no_grad():
        f.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], 1))
    return f

# %% wrong: bias_of_q_only (1) => the bias of q alone was copied: k and v have one each, too
def fuse_qkv(mha):

    d = mha.W_q.in_features
    f = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        f.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if f.bias is not None:
            f.bias.zero_()
            f.bias[:d] = mha.W_q.bias
    return f

# %% wrong: stacked (1, 2) => the matrices were stacked along a new axis: they stand one below the other, in one matrix
def fuse_qkv(mha):

    d = mha.W_q.in_features
    f = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        f.weight.copy_(torch.stack([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if f.bias is not None:
            f.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return f

# %% wrong: projected_identity (1, 2) -> the matrices were transposed
def fuse_qkv(mha):

    d = mha.W_q.in_features
    f = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    f.weight = nn.Parameter(torch.cat([mha.W_q(torch.eye(d)), mha.W_k(torch.eye(d)), mha.W_v(torch.eye(d))]))
    return f

# %% wrong: result_kept_on_the_layer (2) => the layer has got a new part: it should stay as it is, and a second call makes a new projection
def fuse_qkv(mha):
    if hasattr(mha, "fused"):
        return mha.fused
    parts = [mha.W_q, mha.W_k, mha.W_v]
    d_model = mha.W_q.in_features
    fused = nn.Linear(d_model, 3 * d_model, bias=mha.W_q.bias is not None).to(mha.W_q.weight)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([p.weight for p in parts]))
        if mha.W_q.bias is not None:
            fused.bias.copy_(torch.cat([p.bias for p in parts]))
    mha.fused = fused
    return fused

# %% wrong: sizes_exchanged_then_replaced (1) => the matrix is right, but the layer was made with other sizes: 4 numbers go in, 12 come out
def fuse_qkv(mha):
    d_model = mha.W_q.weight.shape[0]
    linear = nn.Linear(3 * d_model, d_model, bias=mha.W_q.bias is not None, device="meta")
    linear.weight = nn.Parameter(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach())
    if mha.W_q.bias is not None:
        linear.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach())
    return linear

# %% wrong: bias_frozen (2) => the new bias cannot be trained, though the weight can
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    if fused.bias is not None:
        fused.bias.requires_grad_(False)
    return fused

# %% wrong: layer_into_evaluation_mode (2) => the old layer was put into another mode: it should stay as it is
def fuse_qkv(mha):
    mha.eval()
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: layer_frozen (2) => the old layer can no longer be trained: it should stay as it is
def fuse_qkv(mha):
    mha.requires_grad_(False)
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: layer_trainable_again (2) => a frozen matrix of the old layer can be trained again: it should stay as it is
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    mha.requires_grad_(True)
    return fused

# %% wrong: result_hung_on_the_layer (2) => the layer has got a new part: it should stay as it is, and a second call makes a new projection
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    mha.fused = fused
    return fused

# %% wrong: bias_in_float32 (1) => weight and bias of the new layer have two dtypes: both keep that of the old one
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).float())
    return fused

# %% wrong: cat_hung_on_as_an_attribute (2) => the new weight is no parameter of the nn.Linear: no optimizer would find it
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    del fused.weight
    fused.weight = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight])
    with torch.no_grad():
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: frozen_like_the_layer (2) => a frozen layer gave weights that cannot be trained: the new ones can be, whatever the old ones were
def fuse_qkv(mha):
    w = mha.W_q.weight
    d = w.size(1)
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=w.device, dtype=w.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    fused.requires_grad_(w.requires_grad)
    return fused

# %% wrong: through_float32 (1) => nearly right: float64 numbers went through float32 on the way
def fuse_qkv(mha):
    d, W = mha.W_q.in_features, mha.W_q.weight
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=W.device)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused.to(W.dtype)

# %% right: copy_of_one_layer_made_wider
def fuse_qkv(mha):
    from copy import deepcopy
    fused = deepcopy(mha.W_q)
    layers = mha.W_q, mha.W_k, mha.W_v
    fused.weight = nn.Parameter(torch.cat([W.weight for W in layers]).detach())
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([W.bias for W in layers]).detach())
    fused.out_features = 3 * fused.in_features
    return fused

# %% wrong: bias_left_random (1) -> Does every number of the new layer, biases too, come from the old one
def fuse_qkv(mha):
    d, like = mha.W_q.in_features, mha.W_q.weight
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=like.device, dtype=like.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
    return fused
