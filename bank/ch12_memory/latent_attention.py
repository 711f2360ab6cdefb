# %% right: einsum
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% right: head_by_head
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    heads, start = W_q.shape[1], 0
    c, rows = x @ W_dkv, x.shape[1]
    if cache is not None:
        start = cache[0].size(1)
    positions = start + torch.arange(rows, device=x.device)
    r = apply_rope(x @ W_kr, positions)
    if cache is not None:
        c, r = torch.cat((cache[0], c), dim=1), torch.cat((cache[1], r), dim=1)
    visible = torch.ones(rows, start + rows, dtype=torch.bool, device=x.device).tril(start)
    outputs = []
    for h in range(heads):
        q, q_r = x @ W_q[:, h], apply_rope(x @ W_qr[:, h], positions)
        scale = (q.size(-1) + q_r.size(-1)) ** -0.5
        if absorbed:
            q, k = q @ W_uk[:, h].T, c
        else:
            k = c @ W_uk[:, h]
        s = (q @ k.transpose(1, 2) + q_r @ r.transpose(1, 2)) * scale
        w = torch.softmax(s.masked_fill(~visible, -torch.inf), dim=-1)
        outputs.append((w @ c) @ W_uv[:, h] if absorbed else w @ (c @ W_uv[:, h]))
    return torch.cat(outputs, dim=-1), (c, r)

# %% right: sdpa
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    """Both parts of a score side by side, and PyTorch's attention."""
    b, s, _ = x.shape
    c_old, r_old = (x.new_zeros(b, 0, W_dkv.shape[1]), x.new_zeros(b, 0, W_kr.shape[1])) if cache is None else cache
    past, heads = c_old.shape[1], W_q.shape[1]
    positions = torch.arange(past, past + s, device=x.device)
    c = torch.cat([c_old, x @ W_dkv], dim=1)
    r = torch.cat([r_old, apply_rope(x @ W_kr, positions)], dim=1)
    mask = torch.arange(past + s, device=x.device) <= positions[:, None]
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), positions)
    scale = 1 / math.sqrt(q.shape[-1] + q_r.shape[-1])
    if absorbed:
        q = torch.einsum("bhsd,chd->bhsc", q, W_uk)
        k, v = torch.cat([c, r], -1)[:, None], c[:, None]
        q = torch.cat([q, q_r], -1)
        weights = (q @ k.mT * scale).masked_fill(~mask, float("-inf")).softmax(-1)
        out = torch.einsum("bhsc,chv->bshv", weights @ v, W_uv)
    else:
        k = torch.einsum("btc,chd->bhtd", c, W_uk)
        k = torch.cat([k, r[:, None].expand(-1, heads, -1, -1)], -1)
        v = torch.einsum("btc,chv->bhtv", c, W_uv)
        out = F.scaled_dot_product_attention(torch.cat([q, q_r], -1), k, v, attn_mask=mask, scale=scale).transpose(1, 2)
    return out.reshape(b, s, -1), (c, r)

# %% right: absorbed_always
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    """Both forms give the same, so that one of them is enough."""
    n = 0 if cache is None else len(cache[0][0])
    t = torch.arange(n, n + x.shape[1], device=x.device)
    new = x @ W_dkv, apply_rope(x @ W_kr, t)
    c, r = new if cache is None else (torch.cat([old, now], 1) for old, now in zip(cache, new))
    query = torch.einsum("bsm,mhd,chd->bhsc", x, W_q, W_uk)
    turned = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), t)
    scores = query @ c[:, None].mT + turned @ r[:, None].mT
    scores = scores * (W_q.shape[2] + W_qr.shape[2]) ** -0.5
    scores = scores + torch.zeros_like(scores).masked_fill(torch.arange(n + x.shape[1], device=x.device) > t[:, None], -torch.inf)
    fetched = scores.softmax(-1) @ c[:, None]
    return torch.einsum("bhsc,chv->bshv", fetched, W_uv).flatten(-2), (c, r)

# %% right: token_by_token
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    rows = []
    c, r = (None, None) if cache is None else cache
    for i in range(x.shape[1]):
        now = x[:, i]
        place = torch.tensor([0 if c is None else c.shape[1]], device=x.device)
        c_new, r_new = (now @ W_dkv)[:, None], apply_rope((now @ W_kr)[:, None], place)
        c, r = (c_new, r_new) if c is None else (torch.cat([c, c_new], 1), torch.cat([r, r_new], 1))
        q = torch.einsum("bm,mhd->bhd", now, W_q)
        q_r = apply_rope(torch.einsum("bm,mhr->bhr", now, W_qr).unsqueeze(2), place).squeeze(2)
        if absorbed:
            s = torch.einsum("bhd,chd->bhc", q, W_uk) @ c.mT
        else:
            s = torch.einsum("bhd,bthd->bht", q, torch.einsum("btc,chd->bthd", c, W_uk))
        w = ((s + q_r @ r.mT) / (q.shape[-1] + q_r.shape[-1]) ** 0.5).softmax(-1)
        if absorbed:
            rows.append(torch.einsum("bhc,chv->bhv", w @ c, W_uv))
        else:
            rows.append(torch.einsum("bht,bthv->bhv", w, torch.einsum("btc,chv->bthv", c, W_uv)))
    return torch.stack(rows, 1).flatten(2), (c, r)

# %% right: flat_matrices
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    """Matrices of all heads side by side, as checkpoints hold them."""
    B, S, H = x.shape[0], x.shape[1], W_q.shape[1]
    def heads(y, W):
        return (y @ W.reshape(W.shape[0], -1)).view(*y.shape[:-1], H, -1).transpose(1, 2)
    done = cache[0].shape[1] if cache else 0
    where = done + torch.arange(S, device=x.device)
    c, r = x @ W_dkv, apply_rope(x @ W_kr, where)
    if cache:
        c, r = torch.cat([cache[0], c], dim=1), torch.cat([cache[1], r], dim=1)
    q, q_r = heads(x, W_q), apply_rope(heads(x, W_qr), where)
    width = math.sqrt(q.shape[-1] + q_r.shape[-1])
    if absorbed:
        s = (q @ W_uk.permute(1, 2, 0)) @ c.unsqueeze(1).transpose(-2, -1)
    else:
        s = q @ heads(c, W_uk).transpose(-2, -1)
    s = (s + q_r @ r.unsqueeze(1).transpose(-2, -1)) / width
    hidden = torch.ones(S, done + S, device=x.device).triu(done + 1).bool()
    w = s.masked_fill(hidden, torch.finfo(s.dtype).min).softmax(-1)
    o = (w @ c.unsqueeze(1)) @ W_uv.transpose(0, 1) if absorbed else w @ heads(c, W_uv)
    return o.transpose(1, 2).reshape(B, S, -1), (c, r)

# %% wrong: not_scaled (1) => the scores were not divided by √(d_head + d_rope)
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = content + rotary
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: scaled_by_d_head (1) => the scores were divided by √d_head: take the root of the width of both parts of a score together, d_head + d_rope
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: scaled_by_the_latent_when_absorbed (3) => the absorbed scores were divided by the root of another width than the plain ones: it is √(d_head + d_rope) in both forms
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    width = q.shape[-1]
    if absorbed:
        width = c.shape[-1]
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(width + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: not_the_square_root (1) => the scores were divided by d_head + d_rope, not by its square root
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / (q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: content_alone_scaled (1) => only the content part was divided by √(d_head + d_rope): the sum of both parts is
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = content / math.sqrt(q.shape[-1] + q_r.shape[-1]) + rotary
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: each_part_by_its_own_width (1) => each part was divided by the root of its own width: the sum of both parts is divided by √(d_head + d_rope)
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = content / math.sqrt(q.shape[-1]) + rotary / math.sqrt(q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: no_rotary_part (1) => the rotary part of the score is missing: q · k alone knows no order
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = content / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: no_rotary_part_when_absorbed (3) => the rotary part of the score is missing in the absorbed form: it is added there, too
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    rotary = 0 if absorbed else rotary
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: no_rotary_part_when_absorbed_and_cached (3) => the rotary part of the score is missing in the absorbed form behind a cache: it is added there, too
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    rotary = 0 if absorbed and cache is not None else rotary
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: nothing_rotated (1) => neither rotary part was rotated: rotate those of query and key by the positions of their tokens
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, x @ W_kr
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = torch.einsum("bsm,mhr->bhsr", x, W_qr)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: query_not_rotated (1) => the rotary part of the query was not rotated
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = torch.einsum("bsm,mhr->bhsr", x, W_qr)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: key_not_rotated (1) => the rotary part of the key was not rotated
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, x @ W_kr
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: content_rotated_too (1) => the content part of the query was rotated as well: only the rotary parts are
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = apply_rope(torch.einsum("bsm,mhd->bhsd", x, W_q), at)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: rotated_along_the_heads (1) => the query was rotated along its heads: positions belong to the tokens
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bshr", x, W_qr), torch.arange(W_qr.shape[1], device=x.device)).transpose(1, 2)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: rotated_the_other_way (1) => query and key were turned in opposite directions: both turn by their own position
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, -at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: base_of_500000 (1) => another base than 10,000 for the rotation
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at, 500000.0)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at, 500000.0)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: angles_modulo_512 (2) => angles repeat after 512 positions: rotate by the position itself, however long the text is
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at % 512)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at % 512)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: positions_in_bfloat16 (1) => positions have the dtype of the input, and bfloat16 holds no odd number above 256: keep them as whole numbers
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device, dtype=x.dtype)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: cache_rotated_again (2) => the key parts in the cache were rotated once more: each is rotated when it comes, by its own position, and never again
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        cache = cache[0], apply_rope(cache[1], torch.arange(past, device=x.device))
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: unrotated_keys_in_the_cache (2) => the rotary key parts in the cache are not rotated: keep them as they are after the rotation
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, x @ W_kr
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    raw, k_r = k_r, apply_rope(k_r, torch.arange(k_r.shape[1], device=x.device))
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, raw)

# %% wrong: positions_start_again (2) => positions start again at 0 with each call: they go on after the tokens in the cache
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None] + past
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: positions_one_too_far (2) => positions behind a cache are one too far: the first new token stands right behind the last one in the cache
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(x.shape[1], device=x.device) + past + (past > 0)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None] - int(past > 0)
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: query_position_starts_again (2) => the positions of the queries start again at 0 with each call: they go on after the cache, as those of the keys do
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at - past)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: mask_counts_from_the_new_tokens (2) => the mask counts from the new tokens on, so that most of the cache is hidden: a token reads everything before it
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None] - past
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: future_visible (1) => the future was not hidden
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: future_visible_when_absorbed (3) => the future was not hidden in the absorbed form
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    future = future & (not absorbed)
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: future_visible_after_the_cache (2) => behind a cache the future was not hidden: there, too, no token reads a later one
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    future = future & (cache is None)
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: mask_upside_down (1) => the mask is upside down: a query reads what stands before it, and itself
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) < at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: own_token_hidden (1) => the mask is one position off: a query may read its own token
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) >= at[:, None].clamp(min=1)
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: one_token_of_the_future (1) => the mask is one position off: the next token is visible
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None] + 1
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: heads_feature_by_feature (1) => the heads lie feature by feature: they stand side by side, head 0 first
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.transpose(2, 3).flatten(2), (c, k_r)

# %% wrong: heads_and_tokens_mixed (1) => heads and tokens were mixed: put the tokens before the heads, then join heads and features
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.transpose(1, 2).reshape(*x.shape[:2], -1), (c, k_r)

# %% wrong: heads_summed (1) => the heads were summed: they stand side by side
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.sum(2), (c, k_r)

# %% wrong: heads_not_joined (1) => the heads have an axis of their own in the output: they stand side by side, heads · d_v numbers for each token
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o, (c, k_r)

# %% wrong: output_alone (1, 2, 3) => the output came back alone: (output, cache) is expected
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2)

# %% wrong: cache_of_new_tokens (2) => the cache that comes back holds the new tokens alone: it holds the old ones, too
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    own = c[:, past:], k_r[:, past:]
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), own

# %% wrong: keys_and_values_in_the_cache (2, 3) => keys and values were kept, for each head: the cache holds latents and rotated key parts
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    assert cache is None
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (torch.einsum("btc,chd->bthd", c, W_uk), torch.einsum("btc,chv->bthv", c, W_uv))

# %% wrong: rotary_keys_per_head (2) => the rotary key parts were kept once for each head: one for all heads is enough
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1][:, 0], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r[:, None].expand(-1, W_q.shape[1], -1, -1))

# %% wrong: cache_in_the_other_order (2) => the cache is (c, k_r), the latents first; it came in the other order
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[1], c], 1), torch.cat([cache[0], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (k_r, c)

# %% wrong: new_before_old (2) => new tokens stand before the old ones in the cache: they come behind them
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([c, cache[0]], 1), torch.cat([k_r, cache[1]], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: latents_not_handed_on (2) => the latents of the cache are not read: a token reads everything before it
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([torch.zeros_like(cache[0]), c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: cache_ignored (2) => the cache was ignored: new tokens go on from it, and what comes back holds old ones and new ones
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past, cache = 0, None
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: x_remembered_between_calls (2, 3) -> the gradient of x through output is wrong
_last = {}

def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    cache = _last.get((len(x), *W_q.shape, x.dtype)) if cache is not None else None
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    _last[len(x), *W_q.shape, x.dtype] = c, k_r
    return o.flatten(2), (c, k_r)

# %% wrong: last_cache_used_without_one (2, 3) => a call without a cache went on from an earlier call: nothing is kept between calls
_last = {}

def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    if cache is None and x.shape[1] == 1:
        cache = _last.get((len(x), *W_q.shape, x.dtype))
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    _last[len(x), *W_q.shape, x.dtype] = c, k_r
    return o.flatten(2), (c, k_r)

# %% wrong: cache_must_be_a_list (2, 3) => the cache that is handed in is a tuple and stays as it was: return a new one
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
        cache[0], cache[1] = c, k_r
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: absorbed_unpacks_the_keys (3) => keys or values of the tokens before were unpacked: the absorbed form reads the latents themselves, and makes no key or value, not for one head and not piece by piece either
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: absorbed_unpacks_the_values (3) => keys or values of the tokens before were unpacked: the absorbed form reads the latents themselves, and makes no key or value, not for one head and not piece by piece either
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: absorbed_ignored (3) => keys or values of the tokens before were unpacked: the absorbed form reads the latents themselves, and makes no key or value, not for one head and not piece by piece either
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    absorbed = False
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: absorbed_head_by_head (3) => keys or values of the tokens before were unpacked: the absorbed form reads the latents themselves, and makes no key or value, not for one head and not piece by piece either
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.stack([q[:, h] @ (c @ W_uk[:, h]).mT for h in range(q.shape[1])], 1)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: keys_for_values_when_absorbed (3) => in the absorbed form the weighted sums of latents were multiplied by W_uk: W_uv makes values of them
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uk)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: W_uv_forgotten_when_absorbed (3) => in the absorbed form the weighted sums of latents came back as they are: W_uv is still to be applied
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhst,btc->bshc", weights, c)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: head_axes_swapped (1) => heads and features of the query were mixed: W_q is (d_model, heads, d_head)
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = (x @ W_q.flatten(1)).view(*x.shape[:2], W_q.shape[2], W_q.shape[1]).permute(0, 3, 1, 2)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: first_head_for_all (1) => every head reads the keys of head 0: each has its own part of W_uk
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk[:, :1].expand_as(W_uk)))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: one_latent_for_keys_one_for_values (1) => the values are those of other tokens than the keys: both come from one latent
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c.roll(1, dims=1), W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: float32_inside (1) => everything was computed in float32: keep the dtype of the input
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr = (t.float() for t in (x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr))
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: mask_on_the_cpu (1) => two devices meet
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.ones(x.shape[1], c.shape[1], dtype=torch.bool).triu(past + 1)
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: positions_on_the_cpu (1) => two devices meet
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1])
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: x_changed_in_place (1) => x was changed in place: work on a copy
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    x *= 1.0
    x += 1e-3
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: cache_changed_in_place (2) -> two texts go on from one cache
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        cache[0].mul_(0.5)
        c, k_r = torch.cat([2 * cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: cache_detached (1) => the latents were detached: gradients reach x and W_dkv through them
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    c = c.detach()
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: weights_detached_when_absorbed (3) => the weights were detached in the absorbed form: gradients reach the queries there, too
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        weights = weights.detach()
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: softmax_over_the_queries (1) => softmax went over the queries: the weights of one query sum to 1 over the tokens that it reads
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-2).nan_to_num()
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)

# %% wrong: batch_of_one (1) => all texts of a batch came out as the first one: each is read by itself
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    o = o[:1].expand_as(o)
    return o.flatten(2), (c, k_r)

# %% right: heads_in_turn_over_joined_parts
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    c, r = x @ W_dkv, x @ W_kr
    old = cache if cache is not None else (c[:, :0], r[:, :0])
    start, stop = old[0].size(1), old[0].size(1) + x.size(1)
    at = torch.arange(start, stop, device=x.device)
    c, r = torch.cat((old[0], c), dim=1), torch.cat((old[1], apply_rope(r, at)), dim=1)
    heads, d_head = W_q.shape[1:]
    scale = (d_head + W_qr.shape[2]) ** -0.5
    mask = torch.ones(stop - start, stop, dtype=torch.bool, device=x.device).tril(start)
    outputs = []
    for h in range(heads):
        q, qr = x @ W_q[:, h], apply_rope(x @ W_qr[:, h], at)
        if absorbed:
            q, k, v = q @ W_uk[:, h].T, c, c
        else:
            k, v = c @ W_uk[:, h], c @ W_uv[:, h]
        o = F.scaled_dot_product_attention(torch.cat((q, qr), -1), torch.cat((k, r), -1), v, mask, scale=scale)
        outputs.append(o @ W_uv[:, h] if absorbed else o)
    return torch.cat(outputs, -1), (c, r)

# %% wrong: keys_unpacked_token_by_token (3) => keys or values of the tokens before were unpacked: the absorbed form reads the latents themselves, and makes no key or value, not for one head and not piece by piece either
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    batch, seq, _ = x.shape
    past = 0 if cache is None else cache[0].shape[1]
    here = torch.arange(past, past + seq, device=x.device)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), here)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, here)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    width = W_q.shape[-1] + W_qr.shape[-1]
    mask = torch.arange(past + seq, device=x.device) <= here[:, None]
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.stack([torch.einsum("bhsd,bhd->bhs", q, torch.einsum("bc,chd->bhd", c[:, t], W_uk)) for t in range(c.shape[1])], -1)
    else:
        content = torch.einsum("bhsd,bhtd->bhst", q, torch.einsum("btc,chd->bhtd", c, W_uk))
    weights = ((content + rotary) / width ** 0.5).masked_fill(~mask, -math.inf).softmax(-1)
    if absorbed:
        out = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        out = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return out.flatten(2), (c, k_r)

# %% wrong: values_unpacked_in_quarters (3) => keys or values of the tokens before were unpacked: the absorbed form reads the latents themselves, and makes no key or value, not for one head and not piece by piece either
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    batch, seq, _ = x.shape
    past = 0 if cache is None else cache[0].shape[1]
    here = torch.arange(past, past + seq, device=x.device)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), here)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, here)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    width = W_q.shape[-1] + W_qr.shape[-1]
    mask = torch.arange(past + seq, device=x.device) <= here[:, None]
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bhtd->bhst", q, torch.einsum("btc,chd->bhtd", c, W_uk))
    weights = ((content + rotary) / width ** 0.5).masked_fill(~mask, -math.inf).softmax(-1)
    if absorbed:
        out = torch.stack([torch.cat([weights[:, h] @ (c @ W_uv[:, h, i:i + 16]) for i in range(0, W_uv.shape[2], 16)], -1) for h in range(q.shape[1])], 2)
    else:
        out = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return out.flatten(2), (c, k_r)

# %% wrong: absorbed_sees_new_tokens_to_come (3) => behind a cache the absorbed form does not hide new tokens from each other: each reads the past and itself
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    batch, seq, _ = x.shape
    past = 0 if cache is None else cache[0].shape[1]
    here = torch.arange(past, past + seq, device=x.device)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), here)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, here)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    width = W_q.shape[-1] + W_qr.shape[-1]
    mask = torch.arange(past + seq, device=x.device) <= here[:, None]
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bhtd->bhst", q, torch.einsum("btc,chd->bhtd", c, W_uk))
    if absorbed and past:
        mask = torch.ones_like(mask)
    weights = ((content + rotary) / width ** 0.5).masked_fill(~mask, -math.inf).softmax(-1)
    if absorbed:
        out = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        out = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return out.flatten(2), (c, k_r)

# %% wrong: hidden_by_minus_ten_thousand (1) => what is to be hidden became visible where all scores are far below zero: hide it with -inf
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    batch, seq, _ = x.shape
    past = 0 if cache is None else cache[0].shape[1]
    here = torch.arange(past, past + seq, device=x.device)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), here)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, here)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    width = W_q.shape[-1] + W_qr.shape[-1]
    mask = torch.arange(past + seq, device=x.device) <= here[:, None]
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bhtd->bhst", q, torch.einsum("btc,chd->bhtd", c, W_uk))
    weights = ((content + rotary) / width ** 0.5).masked_fill(~mask, -1e4).softmax(-1)
    if absorbed:
        out = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        out = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return out.flatten(2), (c, k_r)

# %% wrong: absorbed_returns_new_latents_alone (3) => the cache that the absorbed form returns lacks the old latents: it is the same as in the plain form
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    batch, seq, _ = x.shape
    past = 0 if cache is None else cache[0].shape[1]
    here = torch.arange(past, past + seq, device=x.device)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), here)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, here)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    width = W_q.shape[-1] + W_qr.shape[-1]
    mask = torch.arange(past + seq, device=x.device) <= here[:, None]
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bhtd->bhst", q, torch.einsum("btc,chd->bhtd", c, W_uk))
    weights = ((content + rotary) / width ** 0.5).masked_fill(~mask, -math.inf).softmax(-1)
    if absorbed:
        out = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        out = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return out.flatten(2), (c[:, past:] if absorbed and past > 1 and seq > 1 else c, k_r)

# %% wrong: hides_with_minus_1e9 (1) => what is to be hidden became visible where all scores are far below zero: hide it with -inf
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    seq, old = x.shape[1], 0 if cache is None else cache[0].shape[1]
    place = torch.arange(old, old + seq, device=x.device)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, place)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), place)
    scores = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        scores = scores + torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        scores = scores + torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = scores / math.sqrt(W_q.shape[2] + W_qr.shape[2])
    hidden = torch.arange(old + seq, device=x.device) > place[:, None]
    scores = scores.masked_fill(hidden, -1e9)
    weights = scores.softmax(-1)
    if absorbed:
        out = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        out = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return out.flatten(2), (c, k_r)

# %% wrong: absorbed_only_behind_a_cache (3) => without a cache keys and values were unpacked: the absorbed form needs none there either
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    b, seq, _ = x.shape
    past = 0 if cache is None else cache[0].shape[1]
    places = torch.arange(past, past + seq, device=x.device)
    q = torch.einsum("bsd,dhe->bshe", x, W_q)
    q_r = apply_rope(torch.einsum("bsd,dhe->bhse", x, W_qr), places)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, places)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    scores = q_r @ k_r[:, None].transpose(-2, -1)
    compact = absorbed and cache is not None
    if compact:
        q_a = torch.einsum("bshe,che->bhsc", q, W_uk)
        scores = scores + q_a @ c[:, None].transpose(-2, -1)
    else:
        scores = scores + torch.einsum("bshe,bthe->bhst", q, torch.einsum("btc,che->bthe", c, W_uk))
    scores = scores / math.sqrt(W_q.shape[-1] + W_qr.shape[-1])
    mask = torch.ones(seq, past + seq, dtype=torch.bool, device=x.device).tril(past)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1)
    if compact:
        output = torch.einsum("bhsc,che->bshe", weights @ c[:, None], W_uv)
    else:
        output = torch.einsum("bhst,bthe->bshe", weights, torch.einsum("btc,che->bthe", c, W_uv))
    return output.flatten(2), (c, k_r)

# %% wrong: absorbed_only_for_a_single_new_token (3) => with two new tokens keys and values were unpacked: the absorbed form makes none, however many tokens come
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    b, seq, _ = x.shape
    past = 0 if cache is None else cache[0].shape[1]
    places = torch.arange(past, past + seq, device=x.device)
    q = torch.einsum("bsd,dhe->bshe", x, W_q)
    q_r = apply_rope(torch.einsum("bsd,dhe->bhse", x, W_qr), places)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, places)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    scores = q_r @ k_r[:, None].transpose(-2, -1)
    compact = absorbed and seq == 1
    if compact:
        q_a = torch.einsum("bshe,che->bhsc", q, W_uk)
        scores = scores + q_a @ c[:, None].transpose(-2, -1)
    else:
        scores = scores + torch.einsum("bshe,bthe->bhst", q, torch.einsum("btc,che->bthe", c, W_uk))
    scores = scores / math.sqrt(W_q.shape[-1] + W_qr.shape[-1])
    mask = torch.ones(seq, past + seq, dtype=torch.bool, device=x.device).tril(past)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1)
    if compact:
        output = torch.einsum("bhsc,che->bshe", weights @ c[:, None], W_uv)
    else:
        output = torch.einsum("bhst,bthe->bshe", weights, torch.einsum("btc,che->bthe", c, W_uv))
    return output.flatten(2), (c, k_r)

# %% wrong: softmax_in_float32 (1) => the softmax was computed in float32: keep the precision of the input
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    b, seq, _ = x.shape
    past = 0 if cache is None else cache[0].shape[1]
    places = torch.arange(past, past + seq, device=x.device)
    q = torch.einsum("bsd,dhe->bshe", x, W_q)
    q_r = apply_rope(torch.einsum("bsd,dhe->bhse", x, W_qr), places)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, places)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    scores = q_r @ k_r[:, None].transpose(-2, -1)
    compact = absorbed
    if compact:
        q_a = torch.einsum("bshe,che->bhsc", q, W_uk)
        scores = scores + q_a @ c[:, None].transpose(-2, -1)
    else:
        scores = scores + torch.einsum("bshe,bthe->bhst", q, torch.einsum("btc,che->bthe", c, W_uk))
    scores = scores / math.sqrt(W_q.shape[-1] + W_qr.shape[-1])
    mask = torch.ones(seq, past + seq, dtype=torch.bool, device=x.device).tril(past)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.float().softmax(-1).to(x.dtype)
    if compact:
        output = torch.einsum("bhsc,che->bshe", weights @ c[:, None], W_uv)
    else:
        output = torch.einsum("bhst,bthe->bshe", weights, torch.einsum("btc,che->bthe", c, W_uv))
    return output.flatten(2), (c, k_r)

# %% wrong: batch_taken_for_heads_when_absorbed (3) => the batch was taken for heads in the absorbed form: give the latents an axis of heads behind the batch
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    b, seq, _ = x.shape
    past = 0 if cache is None else cache[0].shape[1]
    places = torch.arange(past, past + seq, device=x.device)
    q = torch.einsum("bsd,dhe->bshe", x, W_q)
    q_r = apply_rope(torch.einsum("bsd,dhe->bhse", x, W_qr), places)
    c, k_r = x @ W_dkv, apply_rope(x @ W_kr, places)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    scores = q_r @ k_r[:, None].transpose(-2, -1)
    compact = absorbed
    if compact:
        q_a = torch.einsum("bshe,che->bhsc", q, W_uk)
        scores = scores + q_a @ c.transpose(-2, -1)
    else:
        scores = scores + torch.einsum("bshe,bthe->bhst", q, torch.einsum("btc,che->bthe", c, W_uk))
    scores = scores / math.sqrt(W_q.shape[-1] + W_qr.shape[-1])
    mask = torch.ones(seq, past + seq, dtype=torch.bool, device=x.device).tril(past)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1)
    if compact:
        output = torch.einsum("bhsc,che->bshe", weights @ c, W_uv)
    else:
        output = torch.einsum("bhst,bthe->bshe", weights, torch.einsum("btc,che->bthe", c, W_uv))
    return output.flatten(2), (c, k_r)

# %% wrong: mask_added_in_float32 (1) => bfloat16 did not run: a mask that is added has the dtype of the scores
# breaks: "dtype ... of the input" (bfloat16: raises)
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    seq = x.shape[1]
    places = torch.arange(past, past + seq, device=x.device)
    c = x @ W_dkv
    k_r = apply_rope(x @ W_kr, places)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsd,dhe->bhse", x, W_q)
    q_r = apply_rope(torch.einsum("bsd,dhr->bhsr", x, W_qr), places)
    scores = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        scores = scores + torch.einsum("bhsc,btc->bhst", torch.einsum("bhse,che->bhsc", q, W_uk), c)
    else:
        scores = scores + torch.einsum("bhse,bhte->bhst", q, torch.einsum("btc,che->bhte", c, W_uk))
    scores = scores / (W_q.shape[-1] + W_qr.shape[-1]) ** 0.5
    mask = torch.full((seq, past + seq), float("-inf"), device=x.device).triu(past + 1)
    weights = (scores + mask).softmax(-1)
    if absorbed:
        out = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        out = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return out.flatten(2), (c, k_r)

# %% wrong: no_mask_behind_cache (2) => behind a cache nothing was hidden: there, too, no token reads a later one
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    seq = x.shape[1]
    places = torch.arange(past, past + seq, device=x.device)
    c = x @ W_dkv
    k_r = apply_rope(x @ W_kr, places)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsd,dhe->bhse", x, W_q)
    q_r = apply_rope(torch.einsum("bsd,dhr->bhsr", x, W_qr), places)
    scores = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        scores = scores + torch.einsum("bhsc,btc->bhst", torch.einsum("bhse,che->bhsc", q, W_uk), c)
    else:
        scores = scores + torch.einsum("bhse,bhte->bhst", q, torch.einsum("btc,che->bhte", c, W_uk))
    scores = scores / (W_q.shape[-1] + W_qr.shape[-1]) ** 0.5
    mask = torch.arange(past + seq, device=x.device) > places[:, None]
    weights = scores.masked_fill(mask, float("-inf") if cache is None else 0.0).softmax(-1)
    if absorbed:
        out = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        out = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return out.flatten(2), (c, k_r)

# %% wrong: cache_list_changed_in_place (2) => the list that was handed in as a cache was changed: it stays as it was, return a new one
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    seq = x.shape[1]
    places = torch.arange(past, past + seq, device=x.device)
    c = x @ W_dkv
    k_r = apply_rope(x @ W_kr, places)
    if cache is not None:
        cache = cache if isinstance(cache, list) else list(cache)
        cache[0], cache[1] = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
        c, k_r = cache
    q = torch.einsum("bsd,dhe->bhse", x, W_q)
    q_r = apply_rope(torch.einsum("bsd,dhr->bhsr", x, W_qr), places)
    scores = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        scores = scores + torch.einsum("bhsc,btc->bhst", torch.einsum("bhse,che->bhsc", q, W_uk), c)
    else:
        scores = scores + torch.einsum("bhse,bhte->bhst", q, torch.einsum("btc,che->bhte", c, W_uk))
    scores = scores / (W_q.shape[-1] + W_qr.shape[-1]) ** 0.5
    mask = torch.arange(past + seq, device=x.device) > places[:, None]
    weights = scores.masked_fill(mask, float("-inf")).softmax(-1)
    if absorbed:
        out = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        out = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return out.flatten(2), [c, k_r] if cache is None else cache

# %% wrong: rotated_in_halves (1) => the rotation pairs feature i with feature i + d/2: apply_rope of chapter 5 rotates neighbours, 2i with 2i + 1
def rotated(x, at):
    half = x.shape[-1] // 2
    omega = 10_000.0 ** (-torch.arange(half, device=x.device, dtype=torch.float64) / half)
    angles = at[:, None] * omega
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    past = 0 if cache is None else cache[0].shape[1]
    at = torch.arange(past, past + x.shape[1], device=x.device)
    c, k_r = x @ W_dkv, rotated(x @ W_kr, at)
    if cache is not None:
        c, k_r = torch.cat([cache[0], c], 1), torch.cat([cache[1], k_r], 1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = rotated(torch.einsum("bsm,mhr->bhsr", x, W_qr), at)
    rotary = torch.einsum("bhsr,btr->bhst", q_r, k_r)
    if absorbed:
        content = torch.einsum("bhsc,btc->bhst", torch.einsum("bhsd,chd->bhsc", q, W_uk), c)
    else:
        content = torch.einsum("bhsd,bthd->bhst", q, torch.einsum("btc,chd->bthd", c, W_uk))
    scores = (content + rotary) / math.sqrt(q.shape[-1] + q_r.shape[-1])
    future = torch.arange(c.shape[1], device=x.device) > at[:, None]
    weights = scores.masked_fill(future, float("-inf")).softmax(-1)
    if absorbed:
        o = torch.einsum("bhsc,chv->bshv", torch.einsum("bhst,btc->bhsc", weights, c), W_uv)
    else:
        o = torch.einsum("bhst,bthv->bshv", weights, torch.einsum("btc,chv->bthv", c, W_uv))
    return o.flatten(2), (c, k_r)
