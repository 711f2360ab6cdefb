# %% right: lists_and_cat
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% right: feed_forward_by_hand
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                f = block.feed_forward
                h = block.norm2(x) @ f.linear1.weight.T + f.linear1.bias
                h = 0.5 * h * (1 + torch.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h * h * h)))
                x = x + h @ f.linear2.weight.T + f.linear2.bias
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% right: text_written_in_place
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache, seq = None, ids.size(1)
    text = torch.cat([ids, ids.new_zeros(ids.size(0), n)], dim=1)
    for T in range(seq, seq + n):
        ids = text[:, :T]
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        text[:, T] = token
    return text

# %% right: all_logits_then_last
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = F.linear(model.norm(x[:, -1:]), model.token_embedding.weight)[:, 0]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat((ids, token[:, None].detach()), 1)
    return ids

# %% right: recursive_window
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    if n == 0:
        return ids
    settings = dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    limit = model.position_embedding.weight.size(0)
    kept, result = [], ids.clone()
    with torch.inference_mode():
        while result.size(1) < ids.size(1) + n:
            if not use_cache or result.size(1) > limit:
                last = model(result[:, -limit:])[:, -1, :]
            else:
                done = kept[0][0].size(2) if kept else 0
                x = model.token_embedding.weight[result[:, done:]] + model.position_embedding.weight[done:result.size(1)]
                for number, block in enumerate(model.blocks):
                    h, heads = block.norm1(x), block.attention.num_heads
                    q, k, v = [layer(h).unflatten(2, (heads, -1)).permute(0, 2, 1, 3) for layer in (block.attention.W_q, block.attention.W_k, block.attention.W_v)]
                    if done == 0:
                        kept.append([k, v])
                    else:
                        kept[number] = [torch.cat([kept[number][0], k], 2), torch.cat([kept[number][1], v], 2)]
                    mixed = F.scaled_dot_product_attention(q, *kept[number], is_causal=done == 0)
                    x = x + block.attention.W_o(mixed.permute(0, 2, 1, 3).flatten(2))
                    x = x + block.feed_forward(block.norm2(x))
                last = model.head(model.norm(x))[:, -1]
            result = torch.cat([result, sample(last, **settings)[:, None]], dim=1)
    return result.clone()

# %% wrong: only_new (1) => the new tokens alone came back: the result begins with the text
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids[:, -n:]

# %% wrong: first_place (1) => the logits of the first place were taken: the last one tells what comes next
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, 0]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: reads_newest_only (1) => after the first step the model has read the newest token alone: without cache it must read the whole text
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:] if _ == 0 else ids[:, -1:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: settings_lost (1) -> the likeliest token
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: temperature_lost (1) -> greedy
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: generator_lost (1) -> generators in one state
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: one_token_more (1) => one token more than n was written
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n + 1):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: prompt_in_place (1) -> changed in place
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        given = ids if _ == 0 else given
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
        given[:, -1] = 0
    return ids

# %% wrong: position_zero (2) => the newest token got position 0: it stands behind all the others
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places - start)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: position_one_late (2) => the newest token got the position after its own
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            shifted = (places + (start > 0)).clamp(max=max_len - 1)
            x = model.token_embedding(new) + model.position_embedding(shifted)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: no_mask_at_first (2) => the first step did not hide the future: a text of many tokens needs the causal mask
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: cache_never_grows (2) => the keys and values of new tokens were not kept
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                if cache[i] is None:
                    cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(k.size(2), device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: only_itself (2) => after the first step the newest token sees only itself: the keys and values before it were not used
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    pass
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(k.size(2), device=ids.device) + 0 * T <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: one_cache_for_all (2) => all blocks share one cache: each block has its own keys and values
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if start > 0:
                    k = torch.cat([cache[0][0], k], dim=2)
                    v = torch.cat([cache[0][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(k.size(2), device=ids.device) <= (places[:, None] if start == 0 else k.size(2))
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: prompt_not_kept (2) => the keys and values of the text that was given were not kept
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                if start > 0:
                    cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(k.size(2), device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: no_cache_at_all (2) => the tokens are right, but nothing was saved: after the first step only the newest token of each text goes through the blocks
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if False:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: cache_reads_all_again (2) => the tokens are right, but nothing was saved: after the first step only the newest token of each text goes through the blocks
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                cache, new, start = [None] * len(model.blocks), ids, 0
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: cache_not_default (2) => without use_cache the cache should be in use: it is the default
@torch.no_grad()
def generate(model, ids, n, use_cache=False, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: no_last_norm (2) => the last norm is missing where the cache is used
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(x)[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: extra_draw (2) => with cache sample is called more than once in a step: draw once
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
            sample(logits, generator=generator)
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: no_window (3) => a text longer than max_len was handed to the model whole: let it read the last max_len tokens
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids)[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: window_too_narrow (3) => the window is one token too narrow: it holds max_len tokens
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, 1 - max_len:] if ids.size(1) >= max_len else ids)[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: stops_at_max_len (3) => writing stopped at max_len: the window slides, the text goes on
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if T >= max_len:
            break
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: window_read_wrongly (3) => the first token of the window stands at position 0, the last one at max_len − 1
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1 if T != max_len + 1 else 0]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: stale_cache (3) => every token has moved to another position, so no key that was kept is right any more
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device).clamp(max=max_len - 1)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= torch.arange(start, T, device=ids.device)[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: text_cut_to_window (3) => the text keeps all its tokens, those outside the window, too !! not on the device
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        ids = ids[:, -max_len:]
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: batch_of_one (1) => only the first text is continued: all texts of the batch are
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache, ids = None, ids[:1]
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: leaves_training (1) => the model comes in evaluation mode, and is in training mode afterwards
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    model.train()
    return ids

# %% wrong: heads_guessed_from_the_width (2, 3) -> it did not run. RuntimeError: shape ?? the visible models have the number of heads that is guessed
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, (5 if D == 10 else 3), D // (5 if D == 10 else 3)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: greedy_by_default (1) -> no settings
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: zero_is_none (1) -> greedy
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature or 1.0, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: mask_from_the_corner (2) => after the first step the newest token sees the first token only: a mask for one query is its last row, not its first
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.ones(S, T, dtype=torch.bool, device=ids.device).tril()
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: not_scaled (2) => the scores are not divided by the root of d_head where the cache is used
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1)
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: W_o_forgotten (2) => W_o is missing where the cache is used
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + (weights @ v).transpose(1, 2).reshape(B, S, D)
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: norm_in_the_wrong_place (2) => the norms stand in another place than in a block where the cache is used
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = x
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% right: cache_dict_helper
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    context = model.position_embedding.num_embeddings

    def heads(x, num_heads):
        batch, seq, d = x.shape
        return x.reshape(batch, seq, num_heads, d // num_heads).permute(0, 2, 1, 3)

    def attend(attention, x, past):
        q, k, v = (heads(W(x), attention.num_heads) for W in (attention.W_q, attention.W_k, attention.W_v))
        if "k" in past:
            k = torch.concat((past["k"], k), dim=-2)
            v = torch.concat((past["v"], v), dim=-2)
        past["k"], past["v"] = k, v
        old = k.shape[-2] - q.shape[-2]
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
        future = torch.ones(q.shape[-2], k.shape[-2], device=x.device, dtype=torch.bool).triu(old + 1)
        scores.masked_fill_(future, torch.finfo(scores.dtype).min)
        out = torch.einsum("bhqk,bhkd->bqhd", F.softmax(scores, -1), v)
        return attention.W_o(out.flatten(-2))

    def step(tokens, past, offset):
        positions = torch.arange(offset, offset + tokens.shape[1], device=tokens.device)
        x = model.token_embedding(tokens) + model.position_embedding(positions)
        for block, memory in zip(model.blocks, past):
            x = x + attend(block.attention, block.norm1(x), memory)
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x))

    past, out = [{} for _ in model.blocks], ids
    for i in range(n):
        length = out.shape[1]
        if not use_cache or length > context:
            logits = model(out[:, -context:])
        elif i == 0:
            logits = step(out, past, 0)
        else:
            logits = step(out[:, -1:], past, length - 1)
        next_id = sample(logits[:, -1, :], temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        out = torch.cat((out, next_id.view(-1, 1)), dim=1)
    return out

# %% right: two_functions
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    settings = (temperature, top_k, top_p, generator)
    limit = model.position_embedding.weight.shape[0]
    text = [column for column in ids.unbind(1)]

    def whole():
        window = torch.stack(text[-limit:], 1)
        return model(window)[:, -1]

    def only(new, position, store):
        x = model.token_embedding(new) + model.position_embedding.weight[position]    # (batch, d)
        for block, (keys, values) in zip(model.blocks, store):
            a, h = block.attention, block.norm1(x)
            q = a.W_q(h).unflatten(-1, (a.num_heads, -1))
            keys.append(a.W_k(h).unflatten(-1, (a.num_heads, -1)))
            values.append(a.W_v(h).unflatten(-1, (a.num_heads, -1)))
            k, v = torch.stack(keys, 2), torch.stack(values, 2)        # (batch, heads, seen, d_head)
            weights = ((k @ q[..., None]).squeeze(-1) * k.size(-1) ** -0.5).softmax(-1)
            x = x + a.W_o((weights[..., None] * v).sum(2).flatten(1))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x))

    store, read = [([], []) for _ in model.blocks], 0
    with torch.no_grad():
        for _ in range(n):
            if use_cache and len(text) <= limit:
                while read < len(text):                # one token after the other, the prompt too
                    logits = only(text[read], read, store)
                    read += 1
            else:
                logits = whole()
            text.append(sample(logits, *settings))
    return torch.stack(text, 1)

# %% right: keys_along_the_sequence
@torch.inference_mode()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    max_len = model.position_embedding.num_embeddings
    result = torch.empty(ids.size(0), ids.size(1) + n, dtype=ids.dtype, device=ids.device)
    result[:, :ids.size(1)] = ids
    caches = {}
    for end in range(ids.size(1), ids.size(1) + n):
        begin = max(0, end - max_len)
        if begin or not use_cache:
            logits = model(result[:, begin:end])[:, -1]
        else:
            first = caches[0][0].size(1) if caches else 0
            x = model.token_embedding(result[:, first:end])
            x = x + model.position_embedding(torch.arange(first, end, device=x.device))
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                new = torch.stack([a.W_k(h), a.W_v(h)])               # (2, batch, new, d_model)
                caches[i] = torch.cat([caches[i], new], dim=2) if i in caches else new
                k, v = caches[i].unflatten(-1, (a.num_heads, -1)).transpose(2, 3)
                q = a.W_q(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2)
                mask = torch.arange(end, device=x.device) <= torch.arange(first, end, device=x.device)[:, None]
                mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
                x = x + a.W_o(mixed.transpose(1, 2).reshape(h.shape))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x[:, -1]))
        result[:, end] = sample(logits, temperature, top_k, top_p, generator)
    return result.clone()

# %% wrong: settings_in_the_wrong_order (1, 2) -> the likeliest token
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    """Continue each text by n tokens.

    model: a GPT in evaluation mode   ids: (batch, seq)
    Returns (batch, seq + n), which begins with ids.
    """
    max_len, room = (model.position_embedding.num_embeddings,
                     min(model.position_embedding.num_embeddings, ids.size(1) + n))
    cache = []            # for each block: keys and values (batch, heads, room, d_head)

    def last_logits(new, start):
        """Logits after the last of the new tokens, which stand at start, start + 1, …;
        their keys and values are kept.
        """
        stop = start + new.size(1)
        x = model.token_embedding(new) + model.position_embedding.weight[start:stop]
        for i, block in enumerate(model.blocks):
            attention, h = block.attention, block.norm1(x)
            # (batch, heads, new, d_head)
            q, k, v = (W(h).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
                       for W in (attention.W_q, attention.W_k, attention.W_v))
            if start == 0:
                cache.append([part.new_empty(*part.shape[:2], room, part.size(-1))
                              for part in (k, v)])
            keys, values = cache[i]
            keys[:, :, start:stop], values[:, :, start:stop] = k, v
            output = F.scaled_dot_product_attention(
                q, keys[:, :, :stop], values[:, :, :stop], is_causal=start == 0)
            x = x + attention.W_o(output.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))                         # (batch, vocab)

    for _ in range(n):
        if use_cache and ids.size(1) <= max_len:
            start = ids.size(1) - 1 if cache else 0    # the first step reads everything
            logits = last_logits(ids[:, start:], start)
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        new = sample(logits, temperature, top_p, top_k, generator)        # (batch,)
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids

# %% wrong: one_token_for_all_texts (1) => all texts get the token that was drawn for the first
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    """Continue each text by n tokens.

    model: a GPT in evaluation mode   ids: (batch, seq)
    Returns (batch, seq + n), which begins with ids.
    """
    max_len, room = (model.position_embedding.num_embeddings,
                     min(model.position_embedding.num_embeddings, ids.size(1) + n))
    cache = []            # for each block: keys and values (batch, heads, room, d_head)

    def last_logits(new, start):
        """Logits after the last of the new tokens, which stand at start, start + 1, …;
        their keys and values are kept.
        """
        stop = start + new.size(1)
        x = model.token_embedding(new) + model.position_embedding.weight[start:stop]
        for i, block in enumerate(model.blocks):
            attention, h = block.attention, block.norm1(x)
            # (batch, heads, new, d_head)
            q, k, v = (W(h).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
                       for W in (attention.W_q, attention.W_k, attention.W_v))
            if start == 0:
                cache.append([part.new_empty(*part.shape[:2], room, part.size(-1))
                              for part in (k, v)])
            keys, values = cache[i]
            keys[:, :, start:stop], values[:, :, start:stop] = k, v
            output = F.scaled_dot_product_attention(
                q, keys[:, :, :stop], values[:, :, :stop], is_causal=start == 0)
            x = x + attention.W_o(output.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))                         # (batch, vocab)

    for _ in range(n):
        if use_cache and ids.size(1) <= max_len:
            start = ids.size(1) - 1 if cache else 0    # the first step reads everything
            logits = last_logits(ids[:, start:], start)
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        new = sample(logits[:1], temperature, top_k, top_p, generator).expand(len(ids))        # (batch,)
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids

# %% wrong: generator_for_the_first_only (1) -> generators in one state
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    """Continue each text by n tokens.

    model: a GPT in evaluation mode   ids: (batch, seq)
    Returns (batch, seq + n), which begins with ids.
    """
    max_len, room = (model.position_embedding.num_embeddings,
                     min(model.position_embedding.num_embeddings, ids.size(1) + n))
    cache = []            # for each block: keys and values (batch, heads, room, d_head)

    def last_logits(new, start):
        """Logits after the last of the new tokens, which stand at start, start + 1, …;
        their keys and values are kept.
        """
        stop = start + new.size(1)
        x = model.token_embedding(new) + model.position_embedding.weight[start:stop]
        for i, block in enumerate(model.blocks):
            attention, h = block.attention, block.norm1(x)
            # (batch, heads, new, d_head)
            q, k, v = (W(h).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
                       for W in (attention.W_q, attention.W_k, attention.W_v))
            if start == 0:
                cache.append([part.new_empty(*part.shape[:2], room, part.size(-1))
                              for part in (k, v)])
            keys, values = cache[i]
            keys[:, :, start:stop], values[:, :, start:stop] = k, v
            output = F.scaled_dot_product_attention(
                q, keys[:, :, :stop], values[:, :, :stop], is_causal=start == 0)
            x = x + attention.W_o(output.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))                         # (batch, vocab)

    for start_ in range(n):
        if use_cache and ids.size(1) <= max_len:
            start = ids.size(1) - 1 if cache else 0    # the first step reads everything
            logits = last_logits(ids[:, start:], start)
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        new = sample(logits, temperature, top_k, top_p, generator if start_ == 0 else None)        # (batch,)
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids

# %% wrong: cache_joined_along_the_heads (2, 3) -> did not run
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = [None] * len(model.blocks)
    seen = 0
    for _ in range(n):
        if not use_cache or ids.shape[1] > max_len:
            logits = model(ids[:, -max_len:])[:, -1]
        else:
            new = ids[:, seen:]
            x = model.token_embedding(new) + model.position_embedding.weight[seen:ids.shape[1]]
            for i, block in enumerate(model.blocks):
                a, h = block.attention, block.norm1(x)
                q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2)
                           for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k, v = torch.cat([cache[i][0], k], dim=1), torch.cat([cache[i][1], v], dim=1)
                cache[i] = k, v
                mask = torch.ones(ids.shape[1], k.shape[2], dtype=torch.bool, device=ids.device).tril()[seen:]
                o = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
                x = x + a.W_o(o.transpose(1, 2).flatten(2))
                x = x + block.feed_forward(block.norm2(x))
            seen = ids.shape[1]
            logits = model.head(model.norm(x[:, -1]))
        token = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, token[:, None]], dim=1)
    return ids

# %% wrong: cache_in_float32 (2, 3) -> did not run
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = [None] * len(model.blocks)
    seen = 0
    for _ in range(n):
        if not use_cache or ids.shape[1] > max_len:
            logits = model(ids[:, -max_len:])[:, -1]
        else:
            new = ids[:, seen:]
            x = model.token_embedding(new) + model.position_embedding.weight[seen:ids.shape[1]]
            for i, block in enumerate(model.blocks):
                a, h = block.attention, block.norm1(x)
                q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2)
                           for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is None:
                    shape = (*k.shape[:2], max_len, k.shape[3])
                    cache[i] = torch.zeros(shape), torch.zeros(shape)
                cache[i][0][:, :, seen:ids.shape[1]] = k
                cache[i][1][:, :, seen:ids.shape[1]] = v
                k, v = (part[:, :, :ids.shape[1]] for part in cache[i])
                mask = torch.ones(ids.shape[1], k.shape[2], dtype=torch.bool, device=ids.device).tril()[seen:]
                o = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
                x = x + a.W_o(o.transpose(1, 2).flatten(2))
                x = x + block.feed_forward(block.norm2(x))
            seen = ids.shape[1]
            logits = model.head(model.norm(x[:, -1]))
        token = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, token[:, None]], dim=1)
    return ids

# %% wrong: square_mask_for_one_query (2, 3) -> did not run
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = [None] * len(model.blocks)
    seen = 0
    for _ in range(n):
        if not use_cache or ids.shape[1] > max_len:
            logits = model(ids[:, -max_len:])[:, -1]
        else:
            new = ids[:, seen:]
            x = model.token_embedding(new) + model.position_embedding.weight[seen:ids.shape[1]]
            for i, block in enumerate(model.blocks):
                a, h = block.attention, block.norm1(x)
                q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2)
                           for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k, v = torch.cat([cache[i][0], k], dim=2), torch.cat([cache[i][1], v], dim=2)
                cache[i] = k, v
                mask = torch.ones(ids.shape[1], k.shape[2], dtype=torch.bool, device=ids.device).tril()
                o = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
                x = x + a.W_o(o.transpose(1, 2).flatten(2))
                x = x + block.feed_forward(block.norm2(x))
            seen = ids.shape[1]
            logits = model.head(model.norm(x[:, -1]))
        token = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, token[:, None]], dim=1)
    return ids

# %% wrong: positions_on_the_cpu (2) -> two devices meet
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: mask_on_the_cpu (2) -> on the device ?? "meta" alone does not see a mask of the CPU
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    context = model.position_embedding.num_embeddings

    def heads(x, num_heads):
        batch, seq, d = x.shape
        return x.reshape(batch, seq, num_heads, d // num_heads).permute(0, 2, 1, 3)

    def attend(attention, x, past):
        q, k, v = (heads(W(x), attention.num_heads) for W in (attention.W_q, attention.W_k, attention.W_v))
        if "k" in past:
            k = torch.concat((past["k"], k), dim=-2)
            v = torch.concat((past["v"], v), dim=-2)
        past["k"], past["v"] = k, v
        old = k.shape[-2] - q.shape[-2]
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
        future = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).triu(old + 1)
        scores.masked_fill_(future, torch.finfo(scores.dtype).min)
        out = torch.einsum("bhqk,bhkd->bqhd", F.softmax(scores, -1), v)
        return attention.W_o(out.flatten(-2))

    def step(tokens, past, offset):
        positions = torch.arange(offset, offset + tokens.shape[1], device=tokens.device)
        x = model.token_embedding(tokens) + model.position_embedding(positions)
        for block, memory in zip(model.blocks, past):
            x = x + attend(block.attention, block.norm1(x), memory)
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x))

    past, out = [{} for _ in model.blocks], ids
    for i in range(n):
        length = out.shape[1]
        if not use_cache or length > context:
            logits = model(out[:, -context:])
        elif i == 0:
            logits = step(out, past, 0)
        else:
            logits = step(out[:, -1:], past, length - 1)
        next_id = sample(logits[:, -1, :], temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        out = torch.cat((out, next_id.view(-1, 1)), dim=1)
    return out

# %% right: room_made_beforehand
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    settings = dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    p0 = model.token_embedding.weight
    h0 = model.blocks[0].attention.num_heads if len(model.blocks) else 1
    room = p0.new_empty(len(model.blocks), 2, ids.size(0), h0, width, p0.size(1) // h0)

    def read(new, start):
        places = torch.arange(start, start + new.size(1), device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        mask = places[:, None] >= torch.arange(start + new.size(1), device=new.device)
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
            end = start + new.size(1)
            room[i, 0, :, :, start:end], room[i, 1, :, :, start:end] = k, v
            k, v = room[i, :, :, :, :end]
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    seen = 0
    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            scores = read(ids[:, seen:], seen)
            seen = ids.size(1)
        else:
            scores = model(ids[:, -width:])[:, -1]
        ids = torch.cat([ids, sample(scores, **settings)[:, None]], 1)
    return ids

# %% wrong: use_cache_ignored (2) => use_cache is ignored: without cache the whole text is read at each step
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    settings = dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    cache = [None] * len(model.blocks)

    def read(new, start):
        places = torch.arange(start, start + new.size(1), device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        mask = places[:, None] >= torch.arange(start + new.size(1), device=new.device)
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k, v = torch.cat([cache[i][0], k], 2), torch.cat([cache[i][1], v], 2)
            cache[i] = k, v
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    seen = 0
    for _ in range(n):
        if ids.size(1) <= width:
            scores = read(ids[:, seen:], seen)
            seen = ids.size(1)
        else:
            scores = model(ids[:, -width:])[:, -1]
        ids = torch.cat([ids, sample(scores, **settings)[:, None]], 1)
    return ids

# %% wrong: dropout_at_work (2) => dropout is at work: in evaluation mode it does nothing
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    settings = dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    cache = [None] * len(model.blocks)

    def read(new, start):
        places = torch.arange(start, start + new.size(1), device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        mask = places[:, None] >= torch.arange(start + new.size(1), device=new.device)
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k, v = torch.cat([cache[i][0], k], 2), torch.cat([cache[i][1], v], 2)
            cache[i] = k, v
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + F.dropout(a.W_o(out.transpose(1, 2).flatten(2)), block.dropout.p)
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    seen = 0
    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            scores = read(ids[:, seen:], seen)
            seen = ids.size(1)
        else:
            scores = model(ids[:, -width:])[:, -1]
        ids = torch.cat([ids, sample(scores, **settings)[:, None]], 1)
    return ids

# %% wrong: first_texts_logits_for_all (1) => tokens are drawn by the logits of the first text for all texts: each has its own
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    settings = dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    cache = [None] * len(model.blocks)

    def read(new, start):
        places = torch.arange(start, start + new.size(1), device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        mask = places[:, None] >= torch.arange(start + new.size(1), device=new.device)
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k, v = torch.cat([cache[i][0], k], 2), torch.cat([cache[i][1], v], 2)
            cache[i] = k, v
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    seen = 0
    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            scores = read(ids[:, seen:], seen)
            seen = ids.size(1)
        else:
            scores = model(ids[:, -width:])[:, -1]
        ids = torch.cat([ids, (sample(scores, **settings)[:, None] if temperature == 0 else sample(scores[:1].expand(len(ids), -1), **settings)[:, None])], 1)
    return ids

# %% wrong: top_p_forgotten_with_cache (2) => with cache not all settings are handed on to sample
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    settings = dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    cache = [None] * len(model.blocks)

    def read(new, start):
        places = torch.arange(start, start + new.size(1), device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        mask = places[:, None] >= torch.arange(start + new.size(1), device=new.device)
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k, v = torch.cat([cache[i][0], k], 2), torch.cat([cache[i][1], v], 2)
            cache[i] = k, v
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    seen = 0
    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            scores = read(ids[:, seen:], seen)
            seen = ids.size(1)
        else:
            scores = model(ids[:, -width:])[:, -1]
        ids = torch.cat([ids, sample(scores, **(settings if not use_cache else {**settings, 'top_p': None}))[:, None]], 1)
    return ids

# %% wrong: seed_set_on_the_way (1) -> no settings
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    settings = dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    cache = [None] * len(model.blocks)

    def read(new, start):
        places = torch.arange(start, start + new.size(1), device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        mask = places[:, None] >= torch.arange(start + new.size(1), device=new.device)
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k, v = torch.cat([cache[i][0], k], 2), torch.cat([cache[i][1], v], 2)
            cache[i] = k, v
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    torch.manual_seed(0)
    seen = 0
    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            scores = read(ids[:, seen:], seen)
            seen = ids.size(1)
        else:
            scores = model(ids[:, -width:])[:, -1]
        ids = torch.cat([ids, sample(scores, **settings)[:, None]], 1)
    return ids

# %% wrong: narrower_window_when_drawn (3) => the window is narrower where the cache is in use and tokens are drawn
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    settings = dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    cache = [None] * len(model.blocks)

    def read(new, start):
        places = torch.arange(start, start + new.size(1), device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        mask = places[:, None] >= torch.arange(start + new.size(1), device=new.device)
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k, v = torch.cat([cache[i][0], k], 2), torch.cat([cache[i][1], v], 2)
            cache[i] = k, v
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    seen = 0
    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            scores = read(ids[:, seen:], seen)
            seen = ids.size(1)
        elif use_cache and temperature > 0:
            scores = read(ids[:, -1:], width - 1) if False else model(ids[:, -width + 1:])[:, -1]
        else:
            scores = model(ids[:, -width:])[:, -1]
        ids = torch.cat([ids, sample(scores, **settings)[:, None]], 1)
    return ids

# %% wrong: at_most_64_tokens_read (1, 2) -> 70 tokens
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = min(model.position_embedding.num_embeddings, 64)
    settings = dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    cache = [None] * len(model.blocks)

    def read(new, start):
        places = torch.arange(start, start + new.size(1), device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        mask = places[:, None] >= torch.arange(start + new.size(1), device=new.device)
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k, v = torch.cat([cache[i][0], k], 2), torch.cat([cache[i][1], v], 2)
            cache[i] = k, v
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    seen = 0
    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            scores = read(ids[:, seen:], seen)
            seen = ids.size(1)
        else:
            scores = model(ids[:, -width:])[:, -1]
        ids = torch.cat([ids, sample(scores, **settings)[:, None]], 1)
    return ids

# %% right: places_moved_there
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T).to(ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T).to(ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids

# %% wrong: settings_forgotten_past_the_window (3) => once the window slides, settings are not handed on to sample any more
def _through(model, ids, start, cache):
    x = model.token_embedding(ids) + model.position_embedding.weight[start:start + ids.size(1)]
    for block, kept in zip(model.blocks, cache):
        attend = block.attention
        h = block.norm1(x)
        q, k, v = (part(h).unflatten(-1, (attend.num_heads, -1)).transpose(1, 2)
                   for part in (attend.W_q, attend.W_k, attend.W_v))
        if kept:
            k, v = torch.cat([kept[0], k], dim=2), torch.cat([kept[1], v], dim=2)
        kept[:] = [k, v]
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        seen = torch.ones(q.size(2), k.size(2), dtype=torch.bool, device=ids.device).tril(k.size(2) - q.size(2))
        weights = scores.masked_fill(~seen, -torch.inf).softmax(-1)
        x = x + attend.W_o((weights @ v).transpose(1, 2).flatten(2))
        x = x + block.feed_forward(block.norm2(x))
    return model.head(model.norm(x[:, -1]))


@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    longest = model.position_embedding.num_embeddings
    cache = [[] for _ in model.blocks]
    read = 0
    for _ in range(n):
        if not use_cache or ids.size(1) > longest:
            logits = model(ids[:, -longest:])[:, -1]
        else:
            logits = _through(model, ids[:, read:], read, cache)
            read = ids.size(1)
        if ids.size(1) > longest:
            new = sample(logits, temperature, generator=generator)
        else:
            new = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids

# %% wrong: gradients_cleared (1) -> gradients that the parameters had ?? before the visible check no parameter has a gradient
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache and T <= max_len:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    model.zero_grad()
    return ids

# %% wrong: keys_in_half_precision (2) => keys or values are rounded when they are kept: they keep the dtype of the model
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    longest = model.position_embedding.num_embeddings
    cache = [None] * len(model.blocks)

    def read(new, start):
        seq = new.size(1)
        x = model.token_embedding(new) + model.position_embedding.weight[start:start + seq]
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2)
                       for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k = torch.cat([cache[i][0].to(k.dtype), k], dim=2)
                v = torch.cat([cache[i][1].to(v.dtype), v], dim=2)
            cache[i] = k.half(), v
            out = F.scaled_dot_product_attention(q, k, v, is_causal=seq > 1)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    for step in range(n):
        seq = ids.size(1)
        if use_cache and seq <= longest:
            logits = read(ids[:, -1:], seq - 1) if step else read(ids, 0)
        else:
            logits = model(ids[:, -longest:])[:, -1]
        new = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids

# %% wrong: values_in_half_precision (2) => keys or values are rounded when they are kept: they keep the dtype of the model
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    longest = model.position_embedding.num_embeddings
    cache = [None] * len(model.blocks)

    def read(new, start):
        seq = new.size(1)
        x = model.token_embedding(new) + model.position_embedding.weight[start:start + seq]
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2)
                       for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k = torch.cat([cache[i][0].to(k.dtype), k], dim=2)
                v = torch.cat([cache[i][1].to(v.dtype), v], dim=2)
            cache[i] = k, v.half()
            out = F.scaled_dot_product_attention(q, k, v, is_causal=seq > 1)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    for step in range(n):
        seq = ids.size(1)
        if use_cache and seq <= longest:
            logits = read(ids[:, -1:], seq - 1) if step else read(ids, 0)
        else:
            logits = model(ids[:, -longest:])[:, -1]
        new = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids

# %% wrong: keys_and_values_in_bfloat16 (2) => keys or values are rounded when they are kept: they keep the dtype of the model
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    longest = model.position_embedding.num_embeddings
    cache = [None] * len(model.blocks)

    def read(new, start):
        seq = new.size(1)
        x = model.token_embedding(new) + model.position_embedding.weight[start:start + seq]
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2)
                       for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k = torch.cat([cache[i][0].to(k.dtype), k], dim=2)
                v = torch.cat([cache[i][1].to(v.dtype), v], dim=2)
            cache[i] = k.bfloat16(), v.bfloat16()
            out = F.scaled_dot_product_attention(q, k, v, is_causal=seq > 1)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    for step in range(n):
        seq = ids.size(1)
        if use_cache and seq <= longest:
            logits = read(ids[:, -1:], seq - 1) if step else read(ids, 0)
        else:
            logits = model(ids[:, -longest:])[:, -1]
        new = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids

# %% wrong: keys_kept_in_float32 (2) => keys or values are rounded when they are kept: they keep the dtype of the model
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    longest = model.position_embedding.num_embeddings
    cache = [None] * len(model.blocks)

    def read(new, start):
        seq = new.size(1)
        x = model.token_embedding(new) + model.position_embedding.weight[start:start + seq]
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2)
                       for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k = torch.cat([cache[i][0].to(k.dtype), k], dim=2)
                v = torch.cat([cache[i][1].to(v.dtype), v], dim=2)
            cache[i] = k.float(), v
            out = F.scaled_dot_product_attention(q, k, v, is_causal=seq > 1)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    for step in range(n):
        seq = ids.size(1)
        if use_cache and seq <= longest:
            logits = read(ids[:, -1:], seq - 1) if step else read(ids, 0)
        else:
            logits = model(ids[:, -longest:])[:, -1]
        new = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids

# %% wrong: window_of_the_last_none (3) => where max_len is 1, a slice from -(max_len - 1) on is [-0:]: all, not nothing
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    longest = model.position_embedding.num_embeddings
    cache, window = [None] * len(model.blocks), ids[:, -longest:]

    def read(new, start):
        seq = new.size(1)
        x = model.token_embedding(new) + model.position_embedding.weight[start:start + seq]
        for i, block in enumerate(model.blocks):
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2)
                       for W in (a.W_q, a.W_k, a.W_v))
            if cache[i] is not None:
                k, v = (torch.cat(pair, dim=2) for pair in zip(cache[i], (k, v)))
            cache[i] = k, v
            out = F.scaled_dot_product_attention(q, k, v, is_causal=seq > 1)
            x = x + a.W_o(out.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))

    for step in range(n):
        seq = ids.size(1)
        if use_cache and seq <= longest:
            logits = read(ids[:, -1:], seq - 1) if step else read(ids, 0)
        else:
            logits = model(window)[:, -1]
        new = sample(logits, temperature, top_k, top_p, generator)[:, None]
        ids = torch.cat([ids, new], dim=1)
        if window.size(1) == longest:
            window = window[:, -(longest - 1):]
        window = torch.cat([window, new], dim=1)
    return ids

# %% wrong: no_cache_if_the_text_will_not_fit (2) => the cache is left aside where the end of the text will not fit: use it as long as the text fits
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    cache = None
    use_cache = use_cache and ids.size(1) + n <= width

    def read(new, cache):
        """Logits at the last place, and the cache, grown by the new tokens."""
        past = 0 if cache is None else cache[0][0].size(2)
        seq = new.size(1)
        places = torch.arange(past, past + seq, device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        grown = []
        for i, block in enumerate(model.blocks):
            attention, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
                       for W in (attention.W_q, attention.W_k, attention.W_v))
            if cache is not None:
                k = torch.cat([cache[i][0], k], dim=2)
                v = torch.cat([cache[i][1], v], dim=2)
            grown.append((k, v))
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
            mask = torch.ones(seq, past + seq, dtype=torch.bool, device=new.device).tril(past)
            weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
            x = x + attention.W_o((weights @ v).transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1])), grown

    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            logits, cache = read(ids if cache is None else ids[:, -1:], cache)
        else:
            logits = model(ids[:, -width:])[:, -1]
        token = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, token[:, None]], dim=1)
    return ids

# %% wrong: read_anew_where_it_just_fits (2) => a text of exactly max_len tokens still fits: one token at a time goes through the blocks
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    cache = None

    def read(new, cache):
        """Logits at the last place, and the cache, grown by the new tokens."""
        past = 0 if cache is None else cache[0][0].size(2)
        seq = new.size(1)
        places = torch.arange(past, past + seq, device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        grown = []
        for i, block in enumerate(model.blocks):
            attention, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
                       for W in (attention.W_q, attention.W_k, attention.W_v))
            if cache is not None:
                k = torch.cat([cache[i][0], k], dim=2)
                v = torch.cat([cache[i][1], v], dim=2)
            grown.append((k, v))
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
            mask = torch.ones(seq, past + seq, dtype=torch.bool, device=new.device).tril(past)
            weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
            x = x + attention.W_o((weights @ v).transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1])), grown

    for _ in range(n):
        if use_cache and ids.size(1) < width:
            logits, cache = read(ids if cache is None else ids[:, -1:], cache)
        else:
            logits = model(ids[:, -width:])[:, -1]
        token = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, token[:, None]], dim=1)
    return ids

# %% wrong: inputs_kept_in_place_of_keys (2) => old tokens go through W_k and W_v at each step: keep keys and values, not what they are made of
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    cache = None

    def read(new, cache):
        """Logits at the last place, and the cache, grown by the new tokens."""
        past = 0 if cache is None else cache[0].size(1)
        seq = new.size(1)
        places = torch.arange(past, past + seq, device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        grown = []
        for i, block in enumerate(model.blocks):
            attention, h = block.attention, block.norm1(x)
            seen = h if cache is None else torch.cat([cache[i], h], dim=1)
            q, k, v = (W(t).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
                       for W, t in ((attention.W_q, h), (attention.W_k, seen), (attention.W_v, seen)))
            grown.append(seen)
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
            mask = torch.ones(seq, past + seq, dtype=torch.bool, device=new.device).tril(past)
            weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
            x = x + attention.W_o((weights @ v).transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1])), grown

    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            logits, cache = read(ids if cache is None else ids[:, -1:], cache)
        else:
            logits = model(ids[:, -width:])[:, -1]
        token = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, token[:, None]], dim=1)
    return ids

# %% wrong: cache_kept_for_the_same_text (2) => something is left of the cache of an earlier call: each text begins with an empty one
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    width = model.position_embedding.num_embeddings
    kept = getattr(model, "kept", None)
    cache = None

    def read(new, cache):
        """Logits at the last place, and the cache, grown by the new tokens."""
        past = 0 if cache is None else cache[0][0].size(2)
        seq = new.size(1)
        places = torch.arange(past, past + seq, device=new.device)
        x = model.token_embedding(new) + model.position_embedding(places)
        grown = []
        for i, block in enumerate(model.blocks):
            attention, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
                       for W in (attention.W_q, attention.W_k, attention.W_v))
            if cache is not None:
                k = torch.cat([cache[i][0], k], dim=2)
                v = torch.cat([cache[i][1], v], dim=2)
            grown.append((k, v))
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
            mask = torch.ones(seq, past + seq, dtype=torch.bool, device=new.device).tril(past)
            weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
            x = x + attention.W_o((weights @ v).transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1])), grown

    for _ in range(n):
        if use_cache and ids.size(1) <= width:
            if cache is None and kept is not None and torch.equal(kept[0], ids):
                logits, cache = kept[1:]
            elif cache is None:
                logits, cache = read(ids, None)
                model.kept = ids, logits, cache
            else:
                logits, cache = read(ids[:, -1:], cache)
        else:
            logits = model(ids[:, -width:])[:, -1]
        token = sample(logits, temperature, top_k, top_p, generator)
        ids = torch.cat([ids, token[:, None]], dim=1)
    return ids

# %% wrong: no_window_with_the_cache (3) => a text longer than max_len was read with the cache: from there on the last max_len tokens are read anew
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    max_len = model.position_embedding.num_embeddings
    cache = None
    for _ in range(n):
        T = ids.size(1)
        if use_cache:
            if cache is None:
                cache = [None] * len(model.blocks)
                new, start = ids, 0
            else:
                new, start = ids[:, -1:], T - 1
            places = torch.arange(start, T, device=ids.device)
            x = model.token_embedding(new) + model.position_embedding(places)
            for i, block in enumerate(model.blocks):
                a = block.attention
                h = block.norm1(x)
                B, S, D = h.shape
                q, k, v = (W(h).view(B, S, a.num_heads, D // a.num_heads).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
                if cache[i] is not None:
                    k = torch.cat([cache[i][0], k], dim=2)
                    v = torch.cat([cache[i][1], v], dim=2)
                cache[i] = (k, v)
                scores = q @ k.transpose(-2, -1) / (D // a.num_heads) ** 0.5
                visible = torch.arange(T, device=ids.device) <= places[:, None]
                weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
                x = x + a.W_o((weights @ v).transpose(1, 2).reshape(B, S, D))
                x = x + block.feed_forward(block.norm2(x))
            logits = model.head(model.norm(x))[:, -1]
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        token = sample(logits, temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids
