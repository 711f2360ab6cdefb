# %% right: solved_triangle
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% right: row_by_row
def gated_delta(q, k, v, beta, gate, state=None):
    S = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device) if state is None else state
    out = torch.empty_like(v)
    out = []
    for qt, kt, vt, bt, gt in zip(q.unbind(-2), k.unbind(-2), v.unbind(-2), beta.unbind(-1), gate.unbind(-1)):
        S = S * gt[..., None, None]
        S = S + torch.einsum("...k,...v->...kv", kt, bt[..., None] * (vt - torch.einsum("...k,...kv->...v", kt, S)))
        out.append(torch.einsum("...k,...kv->...v", qt, S))
    return torch.stack(out, -2), S

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    """Inside a chunk, row by row: what each token writes, given what the earlier ones wrote."""
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    done = []
    for Q, K, V, b, g in zip(q.split(chunk, -2), k.split(chunk, -2), v.split(chunk, -2), beta.split(chunk, -1), gate.split(chunk, -1)):
        total = g.cumprod(-1)
        writes, old = [], K @ state
        for i in range(K.shape[-2]):
            seen = total[..., i, None] * old[..., i, :]
            for j, u in enumerate(writes):
                between = g[..., j + 1:i + 1].prod(-1)
                seen = seen + (between * (K[..., i, :] * K[..., j, :]).sum(-1))[..., None] * u
            writes.append(b[..., i, None] * (V[..., i, :] - seen))
        U = torch.stack(writes, -2)
        n = U.shape[-2]
        D = torch.stack([torch.stack([g[..., j + 1:i + 1].prod(-1) if j <= i else torch.zeros_like(g[..., 0]) for j in range(n)], -1) for i in range(n)], -2)
        done.append(total[..., None] * (Q @ state) + (Q @ K.mT * D) @ U)
        state = total[..., -1, None, None] * state + (D[..., -1, :, None] * K).mT @ U
    return torch.cat(done, -2), state

# %% right: inverse_in_place_of_solve
def gated_delta(q, k, v, beta, gate, state=None):
    return gated_delta_chunked(q, k, v, beta, gate, 1, state)

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    S = q.new_zeros((*q.shape[:-2], q.shape[-1], v.shape[-1])) if state is None else state
    pieces = []
    for at in range(0, q.shape[-2], chunk):
        Q, K, V = (x[..., at:at + chunk, :] for x in (q, k, v))
        b, g = beta[..., at:at + chunk, None], gate[..., at:at + chunk]
        n = K.shape[-2]
        lower = torch.ones(n, n, dtype=torch.bool, device=q.device).tril()
        D = torch.where(lower[..., None], g[..., None, None, :].expand(*g.shape[:-1], n, n, n), 1)
        span = torch.arange(n, device=q.device)
        between = (span > span[None, :, None]) & (span <= span[:, None, None])
        D = torch.where(between, D, 1).prod(-1) * lower
        G = g.cumprod(-1)[..., None]
        T = torch.inverse((torch.eye(n, dtype=q.dtype, device=q.device) + (b * K @ K.mT * D).tril(-1)).to(torch.promote_types(q.dtype, torch.float32))).to(q.dtype)
        U = T @ (b * (V - G * (K @ S)))
        pieces.append(G * (Q @ S) + (Q @ K.mT * D) @ U)
        S = G[..., -1:, :] * S + (D[..., -1, :, None] * K).mT @ U
    return torch.cat(pieces, -2), S

# %% right: neumann_series
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    """The triangle is nilpotent, so that its inverse is a product of few factors."""
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        Q, K, V = (x.narrow(-2, start, min(chunk, x.shape[-2] - start)) for x in (q, k, v))
        b, g = (x.narrow(-1, start, K.shape[-2]) for x in (beta, gate))
        total = g.cumprod(-1)
        decay = torch.stack([torch.cat([torch.zeros_like(g[..., :j]), torch.ones_like(g[..., j:j + 1]), g[..., j + 1:].cumprod(-1)], -1) for j in range(K.shape[-2])], dim=-1)
        A = -(b[..., None] * (K @ K.mT) * decay).tril(-1)
        U, power, reach = b[..., None] * (V - total[..., None] * (K @ state)), A, 1
        while reach < K.shape[-2]:
            U, power, reach = U + power @ U, power @ power, 2 * reach
        outputs.append(total[..., None] * (Q @ state) + ((Q @ K.mT) * decay) @ U)
        state = total[..., -1, None, None] * state + (decay[..., -1, :, None] * K).mT @ U
    return torch.cat(outputs, dim=-2), state

# %% right: forward_substitution
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    """The inverse of the triangle, row by row; then what is written with an empty state, less what the old state says."""
    S = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1]) if state is None else state
    result = []
    for first in range(0, q.shape[-2], chunk):
        Q, K, V = q[..., first:first + chunk, :], k[..., first:first + chunk, :], v[..., first:first + chunk, :]
        b, L = beta[..., first:first + chunk], gate[..., first:first + chunk].log().cumsum(-1)
        n = K.shape[-2]
        above = torch.ones(n, n, dtype=torch.bool, device=q.device).triu(1)
        D = (L.unsqueeze(-1) - L.unsqueeze(-2)).masked_fill(above, -torch.inf).exp()
        A = -(b.unsqueeze(-1) * (K @ K.mT) * D).tril(-1)
        rows = []
        for i in range(n):
            row = torch.zeros_like(A[..., 0, :])
            row[..., i] = 1
            for j, earlier in enumerate(rows):
                row = row + A[..., i, j, None] * earlier
            rows.append(row)
        T = torch.stack(rows, -2) * b.unsqueeze(-2)
        U = T @ V - (T @ (L.exp().unsqueeze(-1) * K)) @ S
        result.append(L.exp().unsqueeze(-1) * (Q @ S) + (Q @ K.mT * D) @ U)
        S = L[..., -1].exp()[..., None, None] * S + (K * D[..., -1, :, None]).mT @ U
    return torch.cat(result, -2), S

# %% right: general_solver
def gated_delta(q, k, v, beta, gate, state=None):
    S = torch.zeros_like(k[..., 0, :, None] * v[..., 0, None, :]) if state is None else state
    eye = torch.eye(k.shape[-1], dtype=k.dtype, device=k.device)
    outputs = []
    for t in range(k.shape[-2]):
        key, b = k[..., t, :, None], beta[..., t, None, None]
        S = (eye - b * key @ key.mT) @ (gate[..., t, None, None] * S) + b * key @ v[..., t, None, :]
        outputs.append((S.mT @ q[..., t, :, None])[..., 0])
    return torch.stack(outputs, -2), S

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    S = torch.zeros_like(k[..., 0, :, None] * v[..., 0, None, :]) if state is None else state
    outputs = []
    parts = zip(*(x.split(chunk, -2) for x in (q, k, v)), *(x.split(chunk, -1) for x in (beta, gate)))
    for Q, K, V, b, g in parts:
        n = Q.shape[-2]
        steps = torch.arange(n, device=q.device)
        inside = (steps[None, None, :] > steps[None, :, None]) & (steps[None, None, :] <= steps[:, None, None])
        fade = torch.where(inside, g[..., None, None, :], torch.ones_like(g[..., None, None, :])).prod(-1)
        fade = fade * (steps[None, :] <= steps[:, None])
        total = g.cumprod(-1)[..., None]
        matrix = torch.eye(n, dtype=q.dtype, device=q.device) + b[..., None] * fade * (K @ K.mT) * (steps[None, :] < steps[:, None])
        U = torch.linalg.solve(matrix, b[..., None] * (V - total * (K @ S)))
        outputs.append(total * (Q @ S) + (fade * (Q @ K.mT)) @ U)
        S = total[..., -1:, :] * S + (fade[..., -1, :, None] * K).mT @ U
    return torch.cat(outputs, -2), S

# %% right: row_by_row_transposed_state
def gated_delta(q, k, v, beta, gate, state=None):
    S = torch.zeros(k.shape[:-2] + (k.size(-1), v.size(-1)), dtype=v.dtype, device=v.device) if state is None else state
    out = []
    for qt, kt, vt, bt, gt in zip(q.unbind(-2), k.unbind(-2), v.unbind(-2), beta.unbind(-1), gate.unbind(-1)):
        S = torch.einsum("...,...kv->...kv", gt, S)
        error = vt - torch.einsum("...kv,...k->...v", S, kt)
        S = S + torch.einsum("...,...k,...v->...kv", bt, kt, error)
        out.append(torch.einsum("...kv,...k->...v", S, qt))
    return torch.stack(out, -2), S


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    S = torch.zeros(k.shape[:-2] + (k.size(-1), v.size(-1)), dtype=v.dtype, device=v.device) if state is None else state
    outs = []
    for Q, K, V, B, G in zip(q.split(chunk, -2), k.split(chunk, -2), v.split(chunk, -2), beta.split(chunk, -1), gate.split(chunk, -1)):
        us, faded = [], None
        logs = G.log().cumsum(-1)
        for t in range(K.size(-2)):
            since = (logs[..., t:t + 1] - logs[..., :t + 1]).exp()      # (..., t + 1)
            says = logs[..., t].exp()[..., None] * (S.mT @ K[..., t, :, None])[..., 0]
            if t:
                hit = since[..., :t] * torch.einsum("...jk,...k->...j", K[..., :t, :], K[..., t, :])
                says = says + torch.einsum("...j,...jv->...v", hit, torch.stack(us, -2))
            us.append(B[..., t, None] * (V[..., t, :] - says))
            hit = since * torch.einsum("...jk,...k->...j", K[..., :t + 1, :], Q[..., t, :])
            outs.append(logs[..., t].exp()[..., None] * (S.mT @ Q[..., t, :, None])[..., 0]
                        + torch.einsum("...j,...jv->...v", hit, torch.stack(us, -2)))
        rest = (logs[..., -1:] - logs).exp()
        S = logs[..., -1, None, None].exp() * S + torch.einsum("...j,...jk,...jv->...kv", rest, K, torch.stack(us, -2))
    return torch.stack(outs, -2), S


# %% right: row_by_row_vector_times_state
def gated_delta(q, k, v, beta, gate, state=None):
    S = torch.zeros(k.shape[:-2] + (k.size(-1), v.size(-1)), dtype=v.dtype, device=v.device) if state is None else state
    out = []
    for qt, kt, vt, bt, gt in zip(q.unbind(-2), k.unbind(-2), v.unbind(-2), beta.unbind(-1), gate.unbind(-1)):
        S = torch.einsum("...,...kv->...kv", gt, S)
        error = vt - torch.einsum("...kv,...k->...v", S, kt)
        S = S + torch.einsum("...,...k,...v->...kv", bt, kt, error)
        out.append(torch.einsum("...kv,...k->...v", S, qt))
    return torch.stack(out, -2), S


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    S = torch.zeros(k.shape[:-2] + (k.size(-1), v.size(-1)), dtype=v.dtype, device=v.device) if state is None else state
    outs = []
    for Q, K, V, B, G in zip(q.split(chunk, -2), k.split(chunk, -2), v.split(chunk, -2), beta.split(chunk, -1), gate.split(chunk, -1)):
        us, faded = [], None
        logs = G.log().cumsum(-1)
        for t in range(K.size(-2)):
            since = (logs[..., t:t + 1] - logs[..., :t + 1]).exp()      # (..., t + 1)
            says = logs[..., t].exp()[..., None] * (K[..., t:t + 1, :] @ S)[..., 0, :]
            if t:
                hit = since[..., :t] * torch.einsum("...jk,...k->...j", K[..., :t, :], K[..., t, :])
                says = says + torch.einsum("...j,...jv->...v", hit, torch.stack(us, -2))
            us.append(B[..., t, None] * (V[..., t, :] - says))
            hit = since * torch.einsum("...jk,...k->...j", K[..., :t + 1, :], Q[..., t, :])
            outs.append(logs[..., t].exp()[..., None] * (Q[..., t:t + 1, :] @ S)[..., 0, :]
                        + torch.einsum("...j,...jv->...v", hit, torch.stack(us, -2)))
        rest = (logs[..., -1:] - logs).exp()
        S = logs[..., -1, None, None].exp() * S + torch.einsum("...j,...jk,...jv->...kv", rest, K, torch.stack(us, -2))
    return torch.stack(outs, -2), S


# %% right: einsum_row_by_row
def gated_delta(q, k, v, beta, gate, state=None):
    S = torch.zeros(k.shape[:-2] + (k.size(-1), v.size(-1)), dtype=v.dtype, device=v.device) if state is None else state
    out = []
    for qt, kt, vt, bt, gt in zip(q.unbind(-2), k.unbind(-2), v.unbind(-2), beta.unbind(-1), gate.unbind(-1)):
        S = torch.einsum("...,...kv->...kv", gt, S)
        error = vt - torch.einsum("...kv,...k->...v", S, kt)
        S = S + torch.einsum("...,...k,...v->...kv", bt, kt, error)
        out.append(torch.einsum("...kv,...k->...v", S, qt))
    return torch.stack(out, -2), S


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    S = torch.zeros(k.shape[:-2] + (k.size(-1), v.size(-1)), dtype=v.dtype, device=v.device) if state is None else state
    outs = []
    for Q, K, V, B, G in zip(q.split(chunk, -2), k.split(chunk, -2), v.split(chunk, -2), beta.split(chunk, -1), gate.split(chunk, -1)):
        us, faded = [], None
        logs = G.log().cumsum(-1)
        for t in range(K.size(-2)):
            since = (logs[..., t:t + 1] - logs[..., :t + 1]).exp()      # (..., t + 1)
            says = logs[..., t].exp()[..., None] * torch.einsum("...kv,...k->...v", S, K[..., t, :])
            if t:
                hit = since[..., :t] * torch.einsum("...jk,...k->...j", K[..., :t, :], K[..., t, :])
                says = says + torch.einsum("...j,...jv->...v", hit, torch.stack(us, -2))
            us.append(B[..., t, None] * (V[..., t, :] - says))
            hit = since * torch.einsum("...jk,...k->...j", K[..., :t + 1, :], Q[..., t, :])
            outs.append(logs[..., t].exp()[..., None] * torch.einsum("...kv,...k->...v", S, Q[..., t, :])
                        + torch.einsum("...j,...jv->...v", hit, torch.stack(us, -2)))
        rest = (logs[..., -1:] - logs).exp()
        S = logs[..., -1, None, None].exp() * S + torch.einsum("...j,...jk,...jv->...kv", rest, K, torch.stack(us, -2))
    return torch.stack(outs, -2), S


# %% wrong: softmax_left_in (1) => a softmax is left: linear attention uses q and k as they are
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :].softmax(-1) @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: softmax_over_keys (1) => a softmax is left: linear attention uses q and k as they are
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    k = k.softmax(-1)
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: softmax_attention (1) => this is softmax attention: the state replaces it
def gated_delta(q, k, v, beta, gate, state=None):
    scores = (q @ k.transpose(-2, -1)).masked_fill(torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool, device=q.device).triu(1), float("-inf"))
    return scores.softmax(-1) @ v, q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: no_delta (1) => the correction is missing: what is written is v minus what the state says at the key, or old values pile up
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * v[..., t, :]
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: delta_has_the_wrong_sign (1) => what the state says at the key was added to v: it is subtracted
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] + found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: no_beta (1) => beta is missing: it says how much of the correction is written
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = v[..., t, :] - found
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: beta_on_the_value_alone (1) => beta counts for v alone: it counts for what the state says as well
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * v[..., t, :] - found
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: beta_twice (1) => beta counts twice: once is enough
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] ** 2 * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: no_gate (2) => the gate does nothing: the old state fades by it
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: gate_after_the_write (2) => the new token faded as well: the old state fades, then the token is written
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        state = gate[..., t, None, None] * state
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: gate_after_the_read (2) => the state faded after the token had been read: it fades at the start of each token
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
        state = gate[..., t, None, None] * state
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: gate_not_in_what_is_found (2) => the correction was computed from the state before it faded: it fades first, and then says something at the key
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        found = (k[..., t, None, :] @ state)[..., 0, :]
        state = gate[..., t, None, None] * state
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: gate_as_a_logarithm (2) => the gate was taken for a logarithm: it is the factor itself
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None].exp() * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: gate_forgets_what_it_should_keep (2) => the gate is what stays, not what goes: 1 keeps everything
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = (1 - gate[..., t, None, None]) * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: sigmoid_of_the_gate (2) => a sigmoid was applied to the gate: it is the factor itself
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None].sigmoid() * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: gate_of_the_next_token (2) => the old state fades by the gate of another token: each token has its own
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., min(t + 1, gate.shape[-1] - 1), None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: read_before_the_write (1) => the output was read before the token was written: it comes from the new state
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        outputs.append((q[..., t, None, :] @ (gate[..., t, None, None] * state))[..., 0, :])
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: read_with_the_key (1) => the output was read at the key: it is read at the query
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((k[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: scaled (1) => something was divided by the root of d_k: there is no softmax here whose scores must stay small
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :] / math.sqrt(q.shape[-1]))
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: keys_normalised (1) => the keys were normalised: they are used as they are
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    k = F.normalize(k, dim=-1)
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: state_ignored (2) => the state that is handed in is not used
def gated_delta(q, k, v, beta, gate, state=None):
    if True:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: state_changed_in_place (2) => the state that was handed in was changed in place: it stays as it was
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state.mul_(gate[..., t, None, None])
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state.add_(k[..., t, :, None] * change[..., None, :])
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: state_transposed (1) => the state came back transposed: it is (d_k, d_v)
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state.transpose(-2, -1)

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: state_one_token_late (1) => the returned state is the one before the last token: it is the one after it
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        before = state
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), before

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: state_of_float32 (1) => the state came back in float32: it has the dtype of the input
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        state, dtype = state.float(), q.dtype
        found = (k[..., t, None, :].float() @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + (k[..., t, :, None] * change[..., None, :]).float()
        outputs.append((q[..., t, None, :].float() @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2).to(q.dtype), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: state_on_the_cpu (1) => the state was made on the CPU: it belongs on the device of the input
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = torch.zeros(*q.shape[:-2], q.shape[-1], v.shape[-1], dtype=q.dtype)
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: square_state (1) => it did not run. The state is square here: it is (d_k, d_v), and the two may differ
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], q.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: state_detached (2) => the state was detached on the way: gradients reach every earlier token
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        state = state.detach()
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: outputs_along_the_heads (1) => the outputs of the tokens were joined along the wrong axis: it is the one before the last
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=1), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: remembers_between_calls (1) => a second call starts from the state of the first: without a state it starts from zeros
_kept = {}

def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = _kept.get((q.shape, q.dtype), q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1]))
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    _kept[q.shape, q.dtype] = state.detach()
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: last_chunk_lost (3) => the last tokens are missing: the last chunk need not be full
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2] // chunk * chunk or chunk, chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: state_not_handed_on (3) => every chunk starts from nothing: the state at the end of a chunk goes on into the next one
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        after = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), after

# %% wrong: start_state_ignored (3) => chunked: the state that is handed in is not used
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if True:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: diagonal_left_out (3) => a token does not read its own write: in the outputs j goes up to t
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        inside = decay.tril(-1)
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * inside) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: future_inside_the_chunk (3) => inside a chunk a token sees later ones: it sees itself and those before
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: no_correction_inside (3) => inside a chunk nothing is corrected: each u_t needs those before it (j < t)
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = wanted
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: one_round_of_correction (3) => inside a chunk the corrections know the first round only: each u_t needs the corrected ones before it, a triangular system
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = wanted - A @ wanted
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: correction_of_the_wrong_sign (3) => inside a chunk what earlier tokens wrote was added to v: it is subtracted
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye - A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: decay_one_token_off (3) => between two tokens one gate is missing: what j wrote has faded by all gates after j, up to that of t
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        upto = upto - g.log()
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: decay_of_the_state_off_by_one (3) => the old state has faded by one gate too many or too few: at token t by all gates of the chunk up to that of t
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto + g.log()).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: no_decay_inside (3) => inside a chunk nothing fades: what j wrote fades by the gates after j
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        decay = torch.ones_like(decay).tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: no_decay_of_the_old_state (3) => at the end of a chunk the old state did not fade: it fades by all gates of the chunk
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: old_state_read_undecayed (3) => the outputs read the old state as it was at the start of the chunk: it fades by the gates up to each token
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append((Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: old_state_not_taken_off (3) => what the old state says at the key was not taken off v
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * V
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: overlapping_by_one (3) => a token at a boundary was worked on twice
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(max(start - 1, 0), start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append((upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)[..., min(start, 1):, :])
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: boundary_token_skipped (3) => a token at a boundary is missing: the next chunk begins right behind the last
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start + (start > 0), start + (start > 0) + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        if n == 0:
            continue
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        if n == 0:
            continue
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: quotient_of_small_products (3) => NaN or inf for small gates: their product over a chunk is 0 in floating point, and fading must not be a quotient of products
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        total = g.cumprod(-1)
        decay = (total[..., :, None] / total[..., None, :]).tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: right_for_chunks_that_divide (3) => a last chunk that is not full gives another state at the end: what it was filled up with faded or wrote as well
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    pad = -q.shape[-2] % chunk
    q, k, v = (F.pad(x, (0, 0, 0, pad)) for x in (q, k, v))
    beta, gate = F.pad(beta, (0, pad)), F.pad(gate, (0, pad), value=0.5)
    length = q.shape[-2] - pad
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2)[..., :length, :], state

# %% wrong: padded_with_the_last_token (3) => a last chunk that is not full gives another state at the end: what it was filled up with faded or wrote as well
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    length, pad = q.shape[-2], -q.shape[-2] % chunk
    q, k, v = (torch.cat([x] + [x[..., -1:, :]] * pad, -2) for x in (q, k, v))
    beta, gate = (torch.cat([x] + [x[..., -1:]] * pad, -1) for x in (beta, gate))
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2)[..., :length, :], state

# %% wrong: first_chunk_for_all (3) => every chunk fades by the gates of the first: each has its own
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., :chunk][..., :q[..., part, :].shape[-2]]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: solved_in_float32 (3) => it did not run. A part was computed in float32: all of it has the dtype of the input
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular((eye + A).float(), wanted.float(), upper=False, unitriangular=True)
        Q, K, state, decay, upto = Q.float(), K.float(), state.float(), decay.float(), upto.float()
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: identity_on_the_cpu (3) => a matrix was made on the CPU: it belongs on the device of the input
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: overflow_above_the_diagonal (3) => NaN in the gradient of the gates: what lies above the diagonal must be hidden before the exponential, not after it
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: state_in_place (3) => chunked: the state that was handed in was changed in place: it stays as it was
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state.mul_(upto[..., -1].exp()[..., None, None]).add_((last * K).transpose(-2, -1) @ U)
    return torch.cat(outputs, dim=-2), state

# %% wrong: chunks_by_matrices_of_single_steps (3) => something as large as a state was made for every token: inside a chunk (chunk, chunk) and (chunk, d_v) are enough
def gated_delta(q, k, v, beta, gate, state=None):
    """S = gate (I − beta k kᵀ) S + beta k vᵀ, written with the matrix."""
    d = k.shape[-1]
    eye = torch.eye(d, dtype=k.dtype, device=k.device)
    if state is None:
        state = torch.zeros_like(k[..., 0, :, None] * v[..., 0, None, :])
    outputs = []
    for t in range(k.shape[-2]):
        column, b = k[..., t, :].unsqueeze(-1), beta[..., t, None, None]
        state = gate[..., t, None, None] * ((eye - b * column @ column.mT) @ state) + b * column @ v[..., t, None, :]
        outputs.append(q[..., t, None, :] @ state)
    return torch.cat(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    """The matrices of a chunk, multiplied from the right: P and R with state_after = P state + R."""
    d = k.shape[-1]
    eye = torch.eye(d, dtype=k.dtype, device=k.device)
    if state is None:
        state = torch.zeros_like(k[..., 0, :, None] * v[..., 0, None, :])
    outputs = []
    for start in range(0, k.shape[-2], chunk):
        P, R = eye.expand(*k.shape[:-2], d, d), torch.zeros_like(state)
        for t in range(start, min(start + chunk, k.shape[-2])):
            column, b = k[..., t, :, None], beta[..., t, None, None]
            M = gate[..., t, None, None] * (eye - b * column @ column.mT)
            P, R = M @ P, M @ R + b * column @ v[..., t, None, :]
            outputs.append(q[..., t, None, :] @ (P @ state + R))
        state = P @ state + R
    return torch.cat(outputs, dim=-2), state

# %% wrong: chunks_in_single_steps (3) => something as large as a state was made for every token: inside a chunk (chunk, chunk) and (chunk, d_v) are enough
def _run(q, k, v, beta, gate, state):
    """v, and what the state holds for k, are one row each; the state is its transpose here."""
    S = v.new_zeros(*v.shape[:-2], v.shape[-1], k.shape[-1]) if state is None else state.mT
    y = []
    for i in range(v.shape[-2]):
        S = gate[..., i, None, None] * S
        error = v[..., i, :, None] - S @ k[..., i, :, None]
        S = S + beta[..., i, None, None] * error @ k[..., i, None, :]
        y.append(S @ q[..., i, :, None])
    return torch.cat(y, -1).mT, S.mT

def gated_delta(q, k, v, beta, gate, state=None):
    return _run(q, k, v, beta, gate, state)

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    results = []
    for i in range(0, q.shape[-2], chunk):
        j = i + chunk
        y, state = _run(q[..., i:j, :], k[..., i:j, :], v[..., i:j, :], beta[..., i:j], gate[..., i:j], state)
        results.append(y)
    return torch.cat(results, -2), state

# %% right: series_of_powers
def gated_delta(q, k, v, beta, gate, state=None):
    S = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1]) if state is None else state
    out = []
    for t in range(k.shape[-2]):
        S = gate[..., t, None, None] * S
        kt = k[..., t, :, None]
        u = beta[..., t, None, None] * (v[..., t, None, :] - kt.mT @ S)
        S = S + kt @ u
        out.append((q[..., t, None, :] @ S))
    return torch.cat(out, dim=-2), S


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    S = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1]) if state is None else state
    out = []
    for i in range(0, k.shape[-2], chunk):
        Q, K, V = (t[..., i:i + chunk, :] for t in (q, k, v))
        b, L = beta[..., i:i + chunk, None], gate[..., i:i + chunk].log().cumsum(-1)
        n = K.shape[-2]
        upper = torch.ones(n, n, dtype=torch.bool, device=k.device).triu(1)
        D = (L[..., :, None] - L[..., None, :]).masked_fill(upper, -math.inf).exp()
        P = L.exp()[..., None]
        A = (b * (K @ K.mT) * D).tril(-1)
        R = b * (V - P * (K @ S))
        U, term = R, R
        for _ in range(n - 1):
            term = -A @ term
            U = U + term
        out.append(P * (Q @ S) + ((Q @ K.mT) * D) @ U)
        S = P[..., -1:, :] * S + (K * D[..., -1, :, None]).mT @ U
    return torch.cat(out, dim=-2), S

# %% wrong: chunks_of_at_most_eight (3) => one chunk made as many states as three: a chunk is as long as chunk says
def gated_delta(q, k, v, beta, gate, state=None):
    S = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1]) if state is None else state
    out = []
    for t in range(k.shape[-2]):
        S = gate[..., t, None, None] * S
        kt = k[..., t, :, None]
        u = beta[..., t, None, None] * (v[..., t, None, :] - kt.mT @ S)
        S = S + kt @ u
        out.append((q[..., t, None, :] @ S))
    return torch.cat(out, dim=-2), S


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    chunk = min(chunk, 8)
    S = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1]) if state is None else state
    out = []
    for i in range(0, k.shape[-2], chunk):
        Q, K, V = (t[..., i:i + chunk, :] for t in (q, k, v))
        b, L = beta[..., i:i + chunk, None], gate[..., i:i + chunk].log().cumsum(-1)
        n = K.shape[-2]
        upper = torch.ones(n, n, dtype=torch.bool, device=k.device).triu(1)
        D = (L[..., :, None] - L[..., None, :]).masked_fill(upper, -math.inf).exp()
        P = L.exp()[..., None]
        A = (b * (K @ K.mT) * D).tril(-1)
        U = torch.linalg.solve_triangular(A + torch.eye(n, dtype=k.dtype, device=k.device), b * (V - P * (K @ S)), upper=False)
        out.append(P * (Q @ S) + ((Q @ K.mT) * D) @ U)
        S = P[..., -1:, :] * S + (K * D[..., -1, :, None]).mT @ U
    return torch.cat(out, dim=-2), S

# %% wrong: log_sums_by_a_table_of_the_cpu (3) -> made on the CPU ?? on meta a matrix product takes a table of the CPU
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log() @ torch.ones(n, n, dtype=q.dtype).triu()
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: raises_small_gates (3) => a gate of 1e-8 counts for more than it is: a small gate is used as it is
def gated_delta(q, k, v, beta, gate, state=None):
    S = q.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1]) if state is None else state
    outputs = []
    for t in range(q.shape[-2]):
        S = S * gate[..., t, None, None]
        says = (k[..., t, None, :] @ S).squeeze(-2)
        u = beta[..., t, None] * (v[..., t, :] - says)
        S = S + k[..., t, :, None] * u[..., None, :]
        outputs.append((q[..., t, None, :] @ S).squeeze(-2))
    return torch.stack(outputs, dim=-2), S


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    S = q.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1]) if state is None else state
    outputs = []
    for first in range(0, q.shape[-2], chunk):
        part = slice(first, first + chunk)
        qc, kc, vc = q[..., part, :], k[..., part, :], v[..., part, :]
        b, L = beta[..., part], gate[..., part].clamp(min=1e-6).log().cumsum(-1)
        n = qc.shape[-2]
        low = torch.ones(n, n, dtype=torch.bool, device=q.device).tril()
        fade = (L[..., :, None] - L[..., None, :]).masked_fill(~low, -math.inf).exp()
        start = L.exp()[..., None]
        A = (b[..., None] * fade * (kc @ kc.mT)).tril(-1)
        rhs = b[..., None] * (vc - start * (kc @ S))
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        u = torch.linalg.solve_triangular(A + eye, rhs, upper=False, unitriangular=True)
        outputs.append(start * (qc @ S) + (fade * (qc @ kc.mT)) @ u)
        S = L[..., -1, None, None].exp() * S + (fade[..., -1, :, None] * kc).mT @ u
    return torch.cat(outputs, dim=-2), S

# %% wrong: chunk_solved_in_float32 (3) => in float64 the outputs have the digits of float32 only: a part was computed in it
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :, None]
        state = gate[..., t, None, None] * state
        says = (state * kt).sum(-2)
        write = beta[..., t, None] * (v[..., t, :] - says)
        state = state + kt * write[..., None, :]
        outputs.append((state * q[..., t, :, None]).sum(-2))
    return torch.stack(outputs, -2), state


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs, seq = [], q.shape[-2]
    for a in range(0, seq, chunk):
        b = min(a + chunk, seq)
        Q, K, V, B = q[..., a:b, :], k[..., a:b, :], v[..., a:b, :], beta[..., a:b, None]
        lg = gate[..., a:b].log().cumsum(-1)
        low = torch.ones(b - a, b - a, dtype=torch.bool, device=q.device).tril()
        fade = (lg[..., :, None] - lg[..., None, :]).masked_fill(~low, float("-inf")).exp()
        old = lg.exp()[..., None]
        system = (B * fade * (K @ K.transpose(-2, -1))).tril(-1)
        rhs = B * (V - old * (K @ state))
        u = torch.linalg.solve_triangular(system.float(), rhs.float(), upper=False, unitriangular=True).to(q.dtype)
        outputs.append(old * (Q @ state) + (fade * (Q @ K.transpose(-2, -1))) @ u)
        state = old[..., -1:, :] * state + (fade[..., -1, :, None] * K).transpose(-2, -1) @ u
    return torch.cat(outputs, -2), state

# %% wrong: chunks_of_two_dimensions_alone (3) => it did not run. Chunked: any number of axes may stand in front
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :, None]
        state = gate[..., t, None, None] * state
        says = (state * kt).sum(-2)
        write = beta[..., t, None] * (v[..., t, :] - says)
        state = state + kt * write[..., None, :]
        outputs.append((state * q[..., t, :, None]).sum(-2))
    return torch.stack(outputs, -2), state


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs, seq = [], q.shape[-2]
    for a in range(0, seq, chunk):
        b = min(a + chunk, seq)
        Q, K, V, B = q[..., a:b, :], k[..., a:b, :], v[..., a:b, :], beta[..., a:b, None]
        lg = gate[..., a:b].log().cumsum(-1)
        low = torch.ones(b - a, b - a, dtype=torch.bool, device=q.device).tril()
        fade = (lg[..., :, None] - lg[..., None, :]).masked_fill(~low, float("-inf")).exp()
        old = lg.exp()[..., None]
        system = (B * fade * (torch.einsum("td,sd->ts", K, K))).tril(-1)
        rhs = B * (V - old * (K @ state))
        u = torch.linalg.solve_triangular(system, rhs, upper=False, unitriangular=True)
        outputs.append(old * (Q @ state) + (fade * (torch.einsum("td,sd->ts", Q, K))) @ u)
        state = old[..., -1:, :] * state + (fade[..., -1, :, None] * K).transpose(-2, -1) @ u
    return torch.cat(outputs, -2), state

# %% wrong: logarithms_summed_over_the_whole_text (3) => logarithms were summed over the whole text: large sums lose digits, so begin anew in each chunk
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :, None]
        state = gate[..., t, None, None] * state
        says = (state * kt).sum(-2)
        write = beta[..., t, None] * (v[..., t, :] - says)
        state = state + kt * write[..., None, :]
        outputs.append((state * q[..., t, :, None]).sum(-2))
    return torch.stack(outputs, -2), state


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs, seq = [], q.shape[-2]
    logs = gate.log().cumsum(-1)
    for a in range(0, seq, chunk):
        b = min(a + chunk, seq)
        Q, K, V, B = q[..., a:b, :], k[..., a:b, :], v[..., a:b, :], beta[..., a:b, None]
        lg = logs[..., a:b] - (logs[..., a - 1:a] if a else 0.0)
        low = torch.ones(b - a, b - a, dtype=torch.bool, device=q.device).tril()
        fade = (lg[..., :, None] - lg[..., None, :]).masked_fill(~low, float("-inf")).exp()
        old = lg.exp()[..., None]
        system = (B * fade * (K @ K.transpose(-2, -1))).tril(-1)
        rhs = B * (V - old * (K @ state))
        u = torch.linalg.solve_triangular(system, rhs, upper=False, unitriangular=True)
        outputs.append(old * (Q @ state) + (fade * (Q @ K.transpose(-2, -1))) @ u)
        state = old[..., -1:, :] * state + (fade[..., -1, :, None] * K).transpose(-2, -1) @ u
    return torch.cat(outputs, -2), state

# %% wrong: v_corrected_in_place (1, 2) => v was changed in place: the correction belongs into a tensor of its own
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = v.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for t in range(k.shape[-2]):
        kt = k[..., t, :, None]
        state = gate[..., t, None, None] * state
        says = (state * kt).sum(-2, keepdim=True)
        vt = v[..., t, None, :]
        vt -= says
        state = state + kt * (beta[..., t, None, None] * vt)
        outputs.append((state * q[..., t, :, None]).sum(-2))
    return torch.stack(outputs, dim=-2), state


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = v.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for a in range(0, k.shape[-2], chunk):
        q_, k_, v_ = (t[..., a:a + chunk, :] for t in (q, k, v))
        beta_, L = beta[..., a:a + chunk], gate[..., a:a + chunk].log().cumsum(-1)
        n = k_.shape[-2]
        upto = torch.ones(n, n, dtype=torch.bool, device=k.device).tril()
        fade = (L[..., :, None] - L[..., None, :]).masked_fill(~upto, float("-inf")).exp()
        A = beta_[..., None] * ((k_ @ k_.mT) * fade).tril(-1)
        old = L.exp()[..., None]
        u = torch.linalg.solve_triangular(
            A + torch.eye(n, dtype=k.dtype, device=k.device),
            beta_[..., None] * (v_ - old * (k_ @ state)), upper=False, unitriangular=True)
        outputs.append(old * (q_ @ state) + ((q_ @ k_.mT) * fade) @ u)
        last = (L[..., -1:] - L).exp()[..., None]
        state = old[..., -1:, :] * state + (last * k_).mT @ u
    return torch.cat(outputs, dim=-2), state

# %% wrong: v_of_chunk_corrected_in_place (3) => chunked: v was changed in place: the correction belongs into a tensor of its own
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = v.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for t in range(k.shape[-2]):
        kt = k[..., t, :, None]
        state = gate[..., t, None, None] * state
        says = (state * kt).sum(-2, keepdim=True)
        state = state + kt * (beta[..., t, None, None] * (v[..., t, None, :] - says))
        outputs.append((state * q[..., t, :, None]).sum(-2))
    return torch.stack(outputs, dim=-2), state


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = v.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for a in range(0, k.shape[-2], chunk):
        q_, k_, v_ = (t[..., a:a + chunk, :] for t in (q, k, v))
        beta_, L = beta[..., a:a + chunk], gate[..., a:a + chunk].log().cumsum(-1)
        n = k_.shape[-2]
        upto = torch.ones(n, n, dtype=torch.bool, device=k.device).tril()
        fade = (L[..., :, None] - L[..., None, :]).masked_fill(~upto, float("-inf")).exp()
        A = beta_[..., None] * ((k_ @ k_.mT) * fade).tril(-1)
        old = L.exp()[..., None]
        u = torch.linalg.solve_triangular(
            A + torch.eye(n, dtype=k.dtype, device=k.device),
            beta_[..., None] * (v_ - old * (k_ @ state)), upper=False, unitriangular=True)
        v_ -= old * (k_ @ state)
        outputs.append(old * (q_ @ state) + ((q_ @ k_.mT) * fade) @ u)
        last = (L[..., -1:] - L).exp()[..., None]
        state = old[..., -1:, :] * state + (last * k_).mT @ u
    return torch.cat(outputs, dim=-2), state

# %% wrong: log_plus_eps (3) => in float64 the outputs are a millionth off: was a small number added to the gates?
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = v.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for t in range(k.shape[-2]):
        kt = k[..., t, :, None]
        state = gate[..., t, None, None] * state
        says = (state * kt).sum(-2, keepdim=True)
        state = state + kt * (beta[..., t, None, None] * (v[..., t, None, :] - says))
        outputs.append((state * q[..., t, :, None]).sum(-2))
    return torch.stack(outputs, dim=-2), state


def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = v.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for a in range(0, k.shape[-2], chunk):
        q_, k_, v_ = (t[..., a:a + chunk, :] for t in (q, k, v))
        beta_, L = beta[..., a:a + chunk], (gate[..., a:a + chunk] + 1e-6).log().cumsum(-1)
        n = k_.shape[-2]
        upto = torch.ones(n, n, dtype=torch.bool, device=k.device).tril()
        fade = (L[..., :, None] - L[..., None, :]).masked_fill(~upto, float("-inf")).exp()
        A = beta_[..., None] * ((k_ @ k_.mT) * fade).tril(-1)
        old = L.exp()[..., None]
        u = torch.linalg.solve_triangular(
            A + torch.eye(n, dtype=k.dtype, device=k.device),
            beta_[..., None] * (v_ - old * (k_ @ state)), upper=False, unitriangular=True)
        outputs.append(old * (q_ @ state) + ((q_ @ k_.mT) * fade) @ u)
        last = (L[..., -1:] - L).exp()[..., None]
        state = old[..., -1:, :] * state + (last * k_).mT @ u
    return torch.cat(outputs, dim=-2), state


# %% wrong: chunked_loses_a_batch_of_one (3) => chunked: a batch of one lost its axis
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    outputs = torch.cat(outputs, dim=-2)
    return (outputs.squeeze(0) if outputs.dim() == 3 else outputs), state

# %% wrong: chunked_comes_later (3) -> the chunked form comes later
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    raise NotImplementedError("the chunked form comes later")

# %% wrong: step_by_step_comes_later (1, 2) -> step by step comes later
def gated_delta(q, k, v, beta, gate, state=None):
    raise NotImplementedError("step by step comes later")

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        state = upto[..., -1].exp()[..., None, None] * state + (last * K).transpose(-2, -1) @ U
    return torch.cat(outputs, dim=-2), state

# %% wrong: one_product_of_all_states (3) => something as large as a state was made for every token: inside a chunk (chunk, chunk) and (chunk, d_v) are enough
def gated_delta(q, k, v, beta, gate, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for t in range(q.shape[-2]):
        state = gate[..., t, None, None] * state
        found = (k[..., t, None, :] @ state)[..., 0, :]
        change = beta[..., t, None] * (v[..., t, :] - found)
        state = state + k[..., t, :, None] * change[..., None, :]
        outputs.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state

def gated_delta_chunked(q, k, v, beta, gate, chunk, state=None):
    if state is None:
        state = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    outputs = []
    for start in range(0, q.shape[-2], chunk):
        part = slice(start, start + chunk)
        Q, K, V, b, g = q[..., part, :], k[..., part, :], v[..., part, :], beta[..., part], gate[..., part]
        n = Q.shape[-2]
        upto = g.log().cumsum(-1)
        decay = (upto[..., :, None] - upto[..., None, :]).tril().exp().tril()
        eye = torch.eye(n, dtype=q.dtype, device=q.device)
        A = (b[..., None] * (K @ K.transpose(-2, -1)) * decay).tril(-1)
        wanted = b[..., None] * (V - upto.exp()[..., None] * (K @ state))
        U = torch.linalg.solve_triangular(eye + A, wanted, upper=False, unitriangular=True)
        outputs.append(upto.exp()[..., None] * (Q @ state) + (Q @ K.transpose(-2, -1) * decay) @ U)
        last = (upto[..., -1:] - upto).exp()[..., None]
        written = (last * K)[..., None] * U[..., None, :]
        state = upto[..., -1].exp()[..., None, None] * state + written.sum(-3)
    return torch.cat(outputs, dim=-2), state
