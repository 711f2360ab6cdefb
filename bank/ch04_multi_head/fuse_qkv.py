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

# %% wrong: order_k_q_v -> another order
def fuse_qkv(mha):
    w = torch.cat([mha.W_k.weight, mha.W_q.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=mha.W_q.bias is not None)
    fused.weight = nn.Parameter(w)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([mha.W_k.bias, mha.W_q.bias, mha.W_v.bias]).detach())
    return fused

# %% wrong: side_by_side -> one below the other
def fuse_qkv(mha):
    w = mha.W_q.weight
    fused = nn.Linear(w.size(1), 3 * w.size(0), bias=mha.W_q.bias is not None, device=w.device, dtype=w.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], dim=1))
    return fused

# %% wrong: side_by_side_parameter -> holds (6, 2)
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], dim=1).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=False)
    fused.weight = nn.Parameter(w)
    return fused

# %% wrong: transposed -> transposed
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight.T, mha.W_k.weight.T, mha.W_v.weight.T]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=mha.W_q.bias is not None)
    fused.weight = nn.Parameter(w)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach())
    return fused

# %% wrong: bias_forgotten -> the fused projection has none
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=False)
    fused.weight = nn.Parameter(w)
    return fused

# %% wrong: random_bias_left_in -> a bias was left in
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0])
    fused.weight = nn.Parameter(w)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach())
    return fused

# %% wrong: bias_taken_for_granted -> bias taken for granted
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0])
    fused.weight = nn.Parameter(w)
    fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach())
    return fused

# %% wrong: interleaved -> interleaved
def fuse_qkv(mha):
    d = mha.W_q.weight.shape[0]
    w = torch.stack([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], dim=1).reshape(3 * d, d).detach()
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    fused.weight = nn.Parameter(w)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.stack([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias], dim=1).flatten().detach())
    return fused

# %% wrong: head_by_head -> interleaved
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

# %% wrong: W_o_for_W_v -> W_o got in
def fuse_qkv(mha):
    parts = [mha.W_q, mha.W_k, mha.W_o]
    fused = nn.Linear(mha.W_q.in_features, 3 * mha.W_q.out_features, bias=False)
    fused.weight = nn.Parameter(torch.cat([p.weight for p in parts]).detach())
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([p.bias for p in parts]).detach())
    return fused

# %% wrong: scale_put_in -> was a scale put in
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    with torch.no_grad():
        fused.weight = nn.Parameter(torch.cat([mha.W_q.weight * d ** -0.5, mha.W_k.weight, mha.W_v.weight]))
        if mha.W_q.bias is not None:
            fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: never_copied -> not q, k, v side by side
def fuse_qkv(mha):
    d = mha.W_q.in_features
    return nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)

# %% wrong: returns_the_weight -> an nn.Linear is asked for
def fuse_qkv(mha):
    return torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight])

# %% wrong: written_with_gradient -> as if it were to be differentiated
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    fused.weight[:d] = mha.W_q.weight
    fused.weight[d:2 * d] = mha.W_k.weight
    fused.weight[2 * d:] = mha.W_v.weight
    return fused

# %% wrong: cpu_and_float32 -> dtype was lost
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

# %% wrong: cpu_only -> device was lost
def fuse_qkv(mha):
    w = mha.W_q.weight
    fused = nn.Linear(w.size(1), 3 * w.size(0), bias=mha.W_q.bias is not None, dtype=w.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if mha.W_q.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: changes_the_layer -> should stay as it is
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

# %% wrong: frozen -> trainable
def fuse_qkv(mha):
    w = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach()
    fused = nn.Linear(w.shape[1], w.shape[0], bias=mha.W_q.bias is not None)
    fused.weight = nn.Parameter(w, requires_grad=False)
    if mha.W_q.bias is not None:
        fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach(), requires_grad=False)
    return fused

# %% wrong: cat_assigned -> is an nn.Parameter and cannot be replaced by a plain tensor
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    fused.weight = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight])
    return fused

# %% wrong: cat_assigned_without_gradient -> is an nn.Parameter and cannot be replaced by a plain tensor
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    with torch.no_grad():
        fused.weight = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], dim=0)
        if mha.W_q.bias is not None:
            fused.bias = torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias])
    return fused

# %% wrong: cat_of_modules -> not the nn.Linear itself
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q, mha.W_k, mha.W_v]))
    return fused

# %% wrong: bias_in_another_order -> in that order
def fuse_qkv(mha):
    parts = (mha.W_q, mha.W_k, mha.W_v)
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([part.weight for part in parts]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([part.bias for part in reversed(parts)]))
    return fused

# %% wrong: hard_coded_width -> does not run for
def fuse_qkv(mha):
    parts = (mha.W_q, mha.W_k, mha.W_v)
    fused = nn.Linear(2, 6, bias=mha.W_q.bias is not None)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([part.weight for part in parts]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([part.bias for part in parts]))
    return fused

# %% wrong: shares_nothing_but_the_first -> not q, k, v side by side
def fuse_qkv(mha):
    fused = nn.Linear(mha.W_q.in_features, 3 * mha.W_q.in_features, bias=mha.W_q.bias is not None)
    with torch.no_grad():
        fused.weight.copy_(mha.W_q.weight.repeat(3, 1))
        if fused.bias is not None:
            fused.bias.copy_(mha.W_q.bias.repeat(3))
    return fused

# %% wrong: sizes_exchanged -> holds (6, 2)
def fuse_qkv(mha):

    d = mha.W_q.in_features
    f = nn.Linear(3 * d, d, bias=False)
    with torch.no_grad():
        f.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight], 1))
    return f

# %% wrong: bias_of_q_only -> were all three copied
def fuse_qkv(mha):

    d = mha.W_q.in_features
    f = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        f.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if f.bias is not None:
            f.bias.zero_()
            f.bias[:d] = mha.W_q.bias
    return f

# %% wrong: stacked -> one below the other
def fuse_qkv(mha):

    d = mha.W_q.in_features
    f = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        f.weight.copy_(torch.stack([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if f.bias is not None:
            f.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return f

# %% wrong: projected_identity -> transposed
def fuse_qkv(mha):

    d = mha.W_q.in_features
    f = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None)
    f.weight = nn.Parameter(torch.cat([mha.W_q(torch.eye(d)), mha.W_k(torch.eye(d)), mha.W_v(torch.eye(d))]))
    return f

# %% wrong: result_kept_on_the_layer -> make a new one each time
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

# %% wrong: sizes_exchanged_then_replaced -> made with other sizes
def fuse_qkv(mha):
    d_model = mha.W_q.weight.shape[0]
    linear = nn.Linear(3 * d_model, d_model, bias=mha.W_q.bias is not None, device="meta")
    linear.weight = nn.Parameter(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]).detach())
    if mha.W_q.bias is not None:
        linear.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).detach())
    return linear

# %% wrong: bias_frozen -> trainable
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

# %% wrong: layer_into_evaluation_mode -> another mode
def fuse_qkv(mha):
    mha.eval()
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: layer_frozen -> can no longer be trained
def fuse_qkv(mha):
    mha.requires_grad_(False)
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: layer_trainable_again -> other matrices of the layer ?? all matrices of the visible check can be trained
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    mha.requires_grad_(True)
    return fused

# %% wrong: result_hung_on_the_layer -> new part ?? the parts of a layer are looked at by hidden tests alone
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    mha.fused = fused
    return fused

# %% wrong: bias_in_float32 -> dtype was lost
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
        if fused.bias is not None:
            fused.bias = nn.Parameter(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]).float())
    return fused

# %% wrong: cat_hung_on_as_an_attribute -> trainable
def fuse_qkv(mha):
    d = mha.W_q.in_features
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=mha.W_q.weight.device, dtype=mha.W_q.weight.dtype)
    del fused.weight
    fused.weight = torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight])
    with torch.no_grad():
        if fused.bias is not None:
            fused.bias.copy_(torch.cat([mha.W_q.bias, mha.W_k.bias, mha.W_v.bias]))
    return fused

# %% wrong: frozen_like_the_layer -> a frozen layer gave
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

# %% wrong: through_float32 -> put into float32 ?? the visible check compares no numbers in float64
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

# %% wrong: bias_left_random -> were all three copied
def fuse_qkv(mha):
    d, like = mha.W_q.in_features, mha.W_q.weight
    fused = nn.Linear(d, 3 * d, bias=mha.W_q.bias is not None, device=like.device, dtype=like.dtype)
    with torch.no_grad():
        fused.weight.copy_(torch.cat([mha.W_q.weight, mha.W_k.weight, mha.W_v.weight]))
    return fused
