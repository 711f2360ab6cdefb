# %% right: line_by_line
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% right: load_state_dict
def load_gpt2(model, state_dict):
    names = {"ln_1": "norm1", "ln_2": "norm2", "attn.c_proj": "attention.W_o", "mlp.c_fc": "feed_forward.linear1", "mlp.c_proj": "feed_forward.linear2"}
    new = {}
    for name, value in state_dict.items():
        name = name.replace("transformer.", "")
        if name.startswith("h."):
            _, i, *part, kind = name.split(".")
            part = ".".join(part)
            value = value.T if value.dim() == 2 else value
            if part == "attn.c_attn":
                for W, piece in zip("qkv", value.chunk(3, dim=0)):
                    new[f"blocks.{i}.attention.W_{W}.{kind}"] = piece
            else:
                new[f"blocks.{i}.{names[part]}.{kind}"] = value
        elif name.startswith("wte"):
            new["token_embedding.weight"] = new["head.weight"] = value
        elif name.startswith("wpe"):
            new["position_embedding.weight"] = value
        elif name.startswith("ln_f"):
            new[name.replace("ln_f", "norm")] = value
    model.load_state_dict(new)
    return model

# %% right: data_copy
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    for _ in range(1):
        model.token_embedding.weight.data.copy_(sd["wte.weight"])
        model.position_embedding.weight.data.copy_(sd["wpe.weight"])
        model.norm.weight.data.copy_(sd["ln_f.weight"])
        model.norm.bias.data.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.data.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.data.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.data.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.data.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.data.copy_(q.T)
            a.W_k.weight.data.copy_(k.T)
            a.W_v.weight.data.copy_(v.T)
            a.W_q.bias.data.copy_(bq)
            a.W_k.bias.data.copy_(bk)
            a.W_v.bias.data.copy_(bv)
            a.W_o.weight.data.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.data.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.data.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.data.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.data.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.data.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% right: unfused
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            d = sd["ln_f.weight"].numel()
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].unflatten(1, (3, d)).unbind(1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].view(3, d)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: square_not_transposed (1) => W_o was not transposed: it is square, so nothing complained
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"])
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: qkv_not_transposed (1) => W_q, W_k and W_v were not transposed: they are square, so nothing complained
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q)
            a.W_k.weight.copy_(k)
            a.W_v.weight.copy_(v)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: nothing_transposed (1, 2) => a matrix did not fit: theirs are (in, out), an nn.Linear holds (out, in)
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q)
            a.W_k.weight.copy_(k)
            a.W_v.weight.copy_(v)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"])
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"])
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"])
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: order_k_q_v (1) => the columns of c_attn are all queries, then all keys, then all values; here queries and keys are exchanged
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            k, q, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bk, bq, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: per_head (1) => a wrong cut of c_attn: its columns are all queries, then all keys, then all values, not head by head
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = (sd[f"h.{i}.attn.c_attn.weight"].unflatten(1, (a.num_heads, 3, -1))[:, :, j].flatten(1) for j in range(3))
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: every_third (1) => a wrong cut of c_attn: its columns are all queries, then all keys, then all values, not by turns
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = (sd[f"h.{i}.attn.c_attn.weight"][:, j::3] for j in range(3))
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: biases_forgotten (1) => the biases were not loaded
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: last_norm_forgotten (1) => the last norm was not loaded
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: positions_forgotten (1) => the position table was not loaded
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: norms_swapped (1) => ln_1 is the norm before attention, norm1, and ln_2 the one before the feed-forward network: they are exchanged
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: first_block_everywhere (1) => every block got the numbers of the first: h.1 belongs into the second
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.0.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.0.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.0.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.0.ln_2.bias"])
            q, k, v = sd[f"h.0.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.0.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.0.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.0.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.0.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.0.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.0.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.0.mlp.c_proj.bias"])
    return model

# %% wrong: first_block_only (1) => only the first block was loaded: go through them all
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks[:1]):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: two_blocks_only (1) => only two of 13 blocks were loaded: go through them all
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks[:2]):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: tie_broken (2) => after loading, head and token table are two parameters: the tie is broken
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.head.weight = nn.Parameter(sd["wte.weight"].clone())
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: tie_broken_by_lm_head (2) => where the state_dict has lm_head.weight, the tie is broken: head and token table are two parameters
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        if "lm_head.weight" in state_dict:
            model.head.weight = nn.Parameter(state_dict["lm_head.weight"].clone())
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: relies_on_lm_head (2) => lm_head.weight is often left out of files: take the head from the token table
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["lm_head.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: frozen (2) => a parameter does not learn any more after loading: requires_grad is False
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    for p in model.parameters():
        p.requires_grad_(False)
    return model

# %% wrong: dtype_replaced (2) => the model was float64, the weights float32: the model should have stayed what it was
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.to(sd["wte.weight"].dtype)
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: returns_nothing (2) -> the model is returned
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])

# %% wrong: state_dict_consumed (1) => state_dict was changed: it belongs to the caller
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    state_dict.pop("lm_head.weight", None)
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: grad_recorded (1, 2) => a parameter was changed in place while gradients were recorded: use torch.no_grad()
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    for _ in range(1):
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: leaves_eval (2) => the model was in training mode before loading, and is not after it
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    model.eval()
    return model

# %% wrong: square_sizes_only (1) -> 13 blocks
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T if len(model.blocks) == 2 else sd[f"h.{i}.attn.c_proj.weight"])
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: c_attn_cut_along_the_rows (1, 2) => c_attn was cut along the wrong axis: its columns are those of the queries, the keys and the values
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=0)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: c_attn_not_cut (1, 2) => c_attn was not cut into three: a third of its columns are the queries', a third the keys', a third the values'
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(sd[f"h.{i}.attn.c_attn.weight"])
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: c_attn_cut_after_turning (1, 2) => c_attn was cut along the wrong axis: its columns are those of the queries, the keys and the values
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].T.chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: queries_and_values_swapped_in_the_bias (1) => the biases of W_q and W_v are exchanged: those of c_attn are all of the queries, then of the keys, then of the values
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bv, bk, bq = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: tables_transposed (1, 2) => wte or wpe was transposed: a table has a row for each token or place on both sides
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"].T)
        model.position_embedding.weight.copy_(sd["wpe.weight"].T)
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% wrong: names_without_prefix (1, 2) => a name was looked up that the state_dict does not have: its names begin with 'transformer.'
def load_gpt2(model, state_dict):
    sd = state_dict
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            block.norm1.weight.copy_(sd[f"h.{i}.ln_1.weight"])
            block.norm1.bias.copy_(sd[f"h.{i}.ln_1.bias"])
            block.norm2.weight.copy_(sd[f"h.{i}.ln_2.weight"])
            block.norm2.bias.copy_(sd[f"h.{i}.ln_2.bias"])
            q, k, v = sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1)
            bq, bk, bv = sd[f"h.{i}.attn.c_attn.bias"].chunk(3)
            a.W_q.weight.copy_(q.T)
            a.W_k.weight.copy_(k.T)
            a.W_v.weight.copy_(v.T)
            a.W_q.bias.copy_(bq)
            a.W_k.bias.copy_(bk)
            a.W_v.bias.copy_(bv)
            a.W_o.weight.copy_(sd[f"h.{i}.attn.c_proj.weight"].T)
            a.W_o.bias.copy_(sd[f"h.{i}.attn.c_proj.bias"])
            f.linear1.weight.copy_(sd[f"h.{i}.mlp.c_fc.weight"].T)
            f.linear1.bias.copy_(sd[f"h.{i}.mlp.c_fc.bias"])
            f.linear2.weight.copy_(sd[f"h.{i}.mlp.c_proj.weight"].T)
            f.linear2.bias.copy_(sd[f"h.{i}.mlp.c_proj.bias"])
    return model

# %% right: own_state_dict_filled
def load_gpt2(model, state_dict):
    ours = model.state_dict()              # tensors that share memory with the parameters
    d = model.token_embedding.embedding_dim
    ours["token_embedding.weight"].copy_(state_dict["transformer.wte.weight"])
    ours["position_embedding.weight"].copy_(state_dict["transformer.wpe.weight"])
    pairs = {"norm1": "ln_1", "norm2": "ln_2", "attention.W_o": "attn.c_proj",
             "feed_forward.linear1": "mlp.c_fc", "feed_forward.linear2": "mlp.c_proj"}
    for kind in ("weight", "bias"):
        ours[f"norm.{kind}"].copy_(state_dict[f"transformer.ln_f.{kind}"])
        for i in range(len(model.blocks)):
            for mine, theirs in pairs.items():
                value = state_dict[f"transformer.h.{i}.{theirs}.{kind}"]
                ours[f"blocks.{i}.{mine}.{kind}"].copy_(value.T if value.ndim == 2 else value)
            fused = state_dict[f"transformer.h.{i}.attn.c_attn.{kind}"]
            for j, letter in enumerate("qkv"):
                part = fused[..., j * d:(j + 1) * d]
                ours[f"blocks.{i}.attention.W_{letter}.{kind}"].copy_(part.T if part.ndim == 2 else part)
    return model

# %% right: get_parameter
def load_gpt2(model, state_dict):
    rules = [("attn.c_proj", "attention.W_o"), ("mlp.c_fc", "feed_forward.linear1"),
             ("mlp.c_proj", "feed_forward.linear2"), ("ln_1", "norm1"), ("ln_2", "norm2"),
             ("ln_f", "norm"), ("wte", "token_embedding"), ("wpe", "position_embedding")]

    @torch.no_grad()
    def assign(path, value):
        model.get_parameter(path)[...] = value.to(model.norm.weight.dtype)

    for name, tensor in state_dict.items():
        if name == "lm_head.weight":
            continue
        path = name.split(".", 1)[1].replace("h.", "blocks.", 1) if ".h." in name else name.split(".", 1)[1]
        conv = tensor.dim() == 2 and ".h." in name
        if "c_attn" in path:
            for letter, part in zip("qkv", tensor.tensor_split(3, dim=-1)):
                assign(path.replace("attn.c_attn", f"attention.W_{letter}"), part.mT if conv else part)
            continue
        for theirs, ours in rules:
            path = path.replace(theirs, ours)
        assign(path, tensor.mT if conv else tensor)
    return model

# %% right: data_replaced
def load_gpt2(model, state_dict):
    state = {k.replace("transformer.", ""): v.detach().clone() for k, v in state_dict.items()}

    def fill(p, value):
        assert p.shape == value.shape
        p.data = value.contiguous().to(dtype=p.dtype, device=p.device)

    fill(model.token_embedding.weight, state["wte.weight"])
    fill(model.position_embedding.weight, state["wpe.weight"])
    fill(model.norm.weight, state["ln_f.weight"])
    fill(model.norm.bias, state["ln_f.bias"])
    for i, block in enumerate(model.blocks):
        for norm, name in ((block.norm1, "ln_1"), (block.norm2, "ln_2")):
            fill(norm.weight, state[f"h.{i}.{name}.weight"])
            fill(norm.bias, state[f"h.{i}.{name}.bias"])
        a, ff = block.attention, block.feed_forward
        for part, layer in enumerate((a.W_q, a.W_k, a.W_v)):
            fill(layer.weight, state[f"h.{i}.attn.c_attn.weight"].T.chunk(3)[part])
            fill(layer.bias, state[f"h.{i}.attn.c_attn.bias"].chunk(3)[part])
        for layer, name in ((a.W_o, "attn.c_proj"), (ff.linear1, "mlp.c_fc"), (ff.linear2, "mlp.c_proj")):
            fill(layer.weight, state[f"h.{i}.{name}.weight"].T)
            fill(layer.bias, state[f"h.{i}.{name}.bias"])
    return model

# %% wrong: norm_bias_forgotten (1) => the bias of the last norm was not loaded
def load_gpt2(model, state_dict):
    """Fill a GPT with the weights of a transformers GPT2LMHeadModel, in place.

    state_dict: name -> tensor, as `GPT2LMHeadModel.state_dict()` gives it
    Returns the model.
    """
    def fill(part, name, columns=slice(None)):
        """Copy a Conv1D (or some of its columns) into an nn.Linear, or a norm into a
        norm.
        """
        weight = state_dict[f"{name}.weight"][..., columns]
        part.weight.copy_(weight.T if isinstance(part, nn.Linear) else weight)
        if isinstance(part, nn.Linear):
            part.bias.copy_(state_dict[f"{name}.bias"][columns])

    with torch.no_grad():
        # the head, too: it is the same table
        model.token_embedding.weight.copy_(state_dict["transformer.wte.weight"])
        model.position_embedding.weight.copy_(state_dict["transformer.wpe.weight"])
        fill(model.norm, "transformer.ln_f")
        d = model.token_embedding.weight.size(1)
        for i, block in enumerate(model.blocks):
            here, attention = f"transformer.h.{i}", block.attention
            fill(block.norm1, f"{here}.ln_1")
            for j, W in enumerate((attention.W_q, attention.W_k, attention.W_v)):
                fill(W, f"{here}.attn.c_attn", slice(j * d, (j + 1) * d))
            fill(attention.W_o, f"{here}.attn.c_proj")
            fill(block.norm2, f"{here}.ln_2")
            fill(block.feed_forward.linear1, f"{here}.mlp.c_fc")
            fill(block.feed_forward.linear2, f"{here}.mlp.c_proj")
    return model

# %% wrong: adds_instead_of_copies (1) => the numbers of the second state_dict were added to those of the first: replace them
def load_gpt2(model, state_dict):
    """Fill a GPT with the weights of a transformers GPT2LMHeadModel, in place.

    state_dict: name -> tensor, as `GPT2LMHeadModel.state_dict()` gives it
    Returns the model.
    """
    def fill(part, name, columns=slice(None)):
        """Copy a Conv1D (or some of its columns) into an nn.Linear, or a norm into a
        norm.
        """
        weight = state_dict[f"{name}.weight"][..., columns]
        part.weight.copy_(weight.T if isinstance(part, nn.Linear) else weight)
        part.bias.add_(state_dict[f"{name}.bias"][columns])

    with torch.no_grad():
        # the head, too: it is the same table
        model.token_embedding.weight.copy_(state_dict["transformer.wte.weight"])
        model.position_embedding.weight.copy_(state_dict["transformer.wpe.weight"])
        fill(model.norm, "transformer.ln_f")
        d = model.token_embedding.weight.size(1)
        for i, block in enumerate(model.blocks):
            here, attention = f"transformer.h.{i}", block.attention
            fill(block.norm1, f"{here}.ln_1")
            for j, W in enumerate((attention.W_q, attention.W_k, attention.W_v)):
                fill(W, f"{here}.attn.c_attn", slice(j * d, (j + 1) * d))
            fill(attention.W_o, f"{here}.attn.c_proj")
            fill(block.norm2, f"{here}.ln_2")
            fill(block.feed_forward.linear1, f"{here}.mlp.c_fc")
            fill(block.feed_forward.linear2, f"{here}.mlp.c_proj")
    return model

# %% wrong: twelve_blocks (1, 2) => a block was looked up that this model does not have: go through model.blocks
def load_gpt2(model, state_dict):
    sd = state_dict
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["transformer.wte.weight"])
        model.position_embedding.weight.copy_(sd["transformer.wpe.weight"])
        model.norm.weight.copy_(sd["transformer.ln_f.weight"])
        model.norm.bias.copy_(sd["transformer.ln_f.bias"])
        for i in range(12):
            block, h = model.blocks[i], f"transformer.h.{i}."
            a, f = block.attention, block.feed_forward
            parts = zip((a.W_q, a.W_k, a.W_v), sd[h + "attn.c_attn.weight"].chunk(3, dim=1),
                        sd[h + "attn.c_attn.bias"].chunk(3))
            for W, weight, bias in parts:
                W.weight.copy_(weight.T)
                W.bias.copy_(bias)
            for W, name in ((a.W_o, "attn.c_proj"), (f.linear1, "mlp.c_fc"), (f.linear2, "mlp.c_proj")):
                W.weight.copy_(sd[h + name + ".weight"].T)
                W.bias.copy_(sd[h + name + ".bias"])
            for norm, name in ((block.norm1, "ln_1"), (block.norm2, "ln_2")):
                norm.weight.copy_(sd[h + name + ".weight"])
                norm.bias.copy_(sd[h + name + ".bias"])
    return model

# %% wrong: last_name_taken_for_the_head (1) -> names in another order
def load_gpt2(model, state_dict):
    rules = [("attn.c_proj", "attention.W_o"), ("mlp.c_fc", "feed_forward.linear1"),
             ("mlp.c_proj", "feed_forward.linear2"), ("ln_1", "norm1"), ("ln_2", "norm2"),
             ("ln_f", "norm"), ("wte", "token_embedding"), ("wpe", "position_embedding")]

    @torch.no_grad()
    def assign(path, value):
        model.get_parameter(path)[...] = value.to(model.norm.weight.dtype)

    for name, tensor in list(state_dict.items())[:-1]:
        if name == "lm_head.weight":
            continue
        path = name.split(".", 1)[1].replace("h.", "blocks.", 1) if ".h." in name else name.split(".", 1)[1]
        conv = tensor.dim() == 2 and ".h." in name
        if "c_attn" in path:
            for letter, part in zip("qkv", tensor.tensor_split(3, dim=-1)):
                assign(path.replace("attn.c_attn", f"attention.W_{letter}"), part.mT if conv else part)
            continue
        for theirs, ours in rules:
            path = path.replace(theirs, ours)
        assign(path, tensor.mT if conv else tensor)
    return model

# %% right: data_set_to_a_clone
def load_gpt2(model, state_dict):
    def put(p, value):
        p.data = value.clone().contiguous().to(p)
    sd = {k.removeprefix("transformer."): v for k, v in state_dict.items()}
    put(model.token_embedding.weight, sd["wte.weight"])
    put(model.position_embedding.weight, sd["wpe.weight"])
    put(model.norm.weight, sd["ln_f.weight"])
    put(model.norm.bias, sd["ln_f.bias"])
    for i, block in enumerate(model.blocks):
        h = f"h.{i}."
        for ours, theirs in [(block.norm1, "ln_1"), (block.norm2, "ln_2")]:
            put(ours.weight, sd[h + theirs + ".weight"])
            put(ours.bias, sd[h + theirs + ".bias"])
        att, ff = block.attention, block.feed_forward
        for layer, w, b in zip((att.W_q, att.W_k, att.W_v), sd[h + "attn.c_attn.weight"].chunk(3, 1), sd[h + "attn.c_attn.bias"].chunk(3)):
            put(layer.weight, w.T)
            put(layer.bias, b)
        for layer, theirs in [(att.W_o, "attn.c_proj"), (ff.linear1, "mlp.c_fc"), (ff.linear2, "mlp.c_proj")]:
            put(layer.weight, sd[h + theirs + ".weight"].T)
            put(layer.bias, sd[h + theirs + ".bias"])
    return model

# %% wrong: memory_shared (1) -> both blocks get the same tensors
def load_gpt2(model, state_dict):
    def put(p, value):
        p.data = value.to(p.dtype)
    sd = {k.removeprefix("transformer."): v for k, v in state_dict.items()}
    put(model.token_embedding.weight, sd["wte.weight"])
    put(model.position_embedding.weight, sd["wpe.weight"])
    put(model.norm.weight, sd["ln_f.weight"])
    put(model.norm.bias, sd["ln_f.bias"])
    for i, block in enumerate(model.blocks):
        h = f"h.{i}."
        for ours, theirs in [(block.norm1, "ln_1"), (block.norm2, "ln_2")]:
            put(ours.weight, sd[h + theirs + ".weight"])
            put(ours.bias, sd[h + theirs + ".bias"])
        att, ff = block.attention, block.feed_forward
        for layer, w, b in zip((att.W_q, att.W_k, att.W_v), sd[h + "attn.c_attn.weight"].chunk(3, 1), sd[h + "attn.c_attn.bias"].chunk(3)):
            put(layer.weight, w.T)
            put(layer.bias, b)
        for layer, theirs in [(att.W_o, "attn.c_proj"), (ff.linear1, "mlp.c_fc"), (ff.linear2, "mlp.c_proj")]:
            put(layer.weight, sd[h + theirs + ".weight"].T)
            put(layer.bias, sd[h + theirs + ".bias"])
    return model

# %% wrong: memory_of_vectors_shared (1) -> both blocks get the same tensors
def load_gpt2(model, state_dict):
    def put(p, value):
        if value.dim() == 1:
            p.data = value.to(p.dtype)
        else:
            p.data.copy_(value)
    sd = {k.removeprefix("transformer."): v for k, v in state_dict.items()}
    put(model.token_embedding.weight, sd["wte.weight"])
    put(model.position_embedding.weight, sd["wpe.weight"])
    put(model.norm.weight, sd["ln_f.weight"])
    put(model.norm.bias, sd["ln_f.bias"])
    for i, block in enumerate(model.blocks):
        h = f"h.{i}."
        for ours, theirs in [(block.norm1, "ln_1"), (block.norm2, "ln_2")]:
            put(ours.weight, sd[h + theirs + ".weight"])
            put(ours.bias, sd[h + theirs + ".bias"])
        att, ff = block.attention, block.feed_forward
        for layer, w, b in zip((att.W_q, att.W_k, att.W_v), sd[h + "attn.c_attn.weight"].chunk(3, 1), sd[h + "attn.c_attn.bias"].chunk(3)):
            put(layer.weight, w.T)
            put(layer.bias, b)
        for layer, theirs in [(att.W_o, "attn.c_proj"), (ff.linear1, "mlp.c_fc"), (ff.linear2, "mlp.c_proj")]:
            put(layer.weight, sd[h + theirs + ".weight"].T)
            put(layer.bias, sd[h + theirs + ".bias"])
    return model

# %% wrong: by_order (1, 2) => a matrix did not fit: each is found by its name, not by its place in state_dict
@torch.no_grad()
def load_gpt2(model, state_dict):
    values = iter([v for k, v in state_dict.items() if k != "lm_head.weight"])
    model.token_embedding.weight.copy_(next(values))
    model.position_embedding.weight.copy_(next(values))
    for block in model.blocks:
        a, f = block.attention, block.feed_forward
        block.norm1.weight.copy_(next(values)), block.norm1.bias.copy_(next(values))
        for w, p in zip(next(values).chunk(3, 1), (a.W_q, a.W_k, a.W_v)):
            p.weight.copy_(w.T)
        for b, p in zip(next(values).chunk(3), (a.W_q, a.W_k, a.W_v)):
            p.bias.copy_(b)
        a.W_o.weight.copy_(next(values).T), a.W_o.bias.copy_(next(values))
        block.norm2.weight.copy_(next(values)), block.norm2.bias.copy_(next(values))
        f.linear1.weight.copy_(next(values).T), f.linear1.bias.copy_(next(values))
        f.linear2.weight.copy_(next(values).T), f.linear2.bias.copy_(next(values))
    model.norm.weight.copy_(next(values)), model.norm.bias.copy_(next(values))
    return model

# %% wrong: loaded_once (1) => the numbers of the first state_dict are still there after a second one was loaded
def load_gpt2(model, state_dict):
    def put(p, value):
        with torch.no_grad():
            p.copy_(value)
    if getattr(model, 'loaded', False):
        return model
    model.loaded = True
    sd = {k.removeprefix("transformer."): v for k, v in state_dict.items()}
    put(model.token_embedding.weight, sd["wte.weight"])
    put(model.position_embedding.weight, sd["wpe.weight"])
    put(model.norm.weight, sd["ln_f.weight"])
    put(model.norm.bias, sd["ln_f.bias"])
    for i, block in enumerate(model.blocks):
        h = f"h.{i}."
        for ours, theirs in [(block.norm1, "ln_1"), (block.norm2, "ln_2")]:
            put(ours.weight, sd[h + theirs + ".weight"])
            put(ours.bias, sd[h + theirs + ".bias"])
        att, ff = block.attention, block.feed_forward
        for layer, w, b in zip((att.W_q, att.W_k, att.W_v), sd[h + "attn.c_attn.weight"].chunk(3, 1), sd[h + "attn.c_attn.bias"].chunk(3)):
            put(layer.weight, w.T)
            put(layer.bias, b)
        for layer, theirs in [(att.W_o, "attn.c_proj"), (ff.linear1, "mlp.c_fc"), (ff.linear2, "mlp.c_proj")]:
            put(layer.weight, sd[h + theirs + ".weight"].T)
            put(layer.bias, sd[h + theirs + ".bias"])
    return model

# %% wrong: a_copy_is_filled (1, 2) => nothing was loaded into the model that was given: is a copy of it filled?
def load_gpt2(model, state_dict):
    def put(p, value):
        with torch.no_grad():
            p.copy_(value)
    import copy
    model = copy.deepcopy(model)
    sd = {k.removeprefix("transformer."): v for k, v in state_dict.items()}
    put(model.token_embedding.weight, sd["wte.weight"])
    put(model.position_embedding.weight, sd["wpe.weight"])
    put(model.norm.weight, sd["ln_f.weight"])
    put(model.norm.bias, sd["ln_f.bias"])
    for i, block in enumerate(model.blocks):
        h = f"h.{i}."
        for ours, theirs in [(block.norm1, "ln_1"), (block.norm2, "ln_2")]:
            put(ours.weight, sd[h + theirs + ".weight"])
            put(ours.bias, sd[h + theirs + ".bias"])
        att, ff = block.attention, block.feed_forward
        for layer, w, b in zip((att.W_q, att.W_k, att.W_v), sd[h + "attn.c_attn.weight"].chunk(3, 1), sd[h + "attn.c_attn.bias"].chunk(3)):
            put(layer.weight, w.T)
            put(layer.bias, b)
        for layer, theirs in [(att.W_o, "attn.c_proj"), (ff.linear1, "mlp.c_fc"), (ff.linear2, "mlp.c_proj")]:
            put(layer.weight, sd[h + theirs + ".weight"].T)
            put(layer.bias, sd[h + theirs + ".bias"])
    return model

# %% wrong: through_float32 (1) => the numbers were rounded on the way: model and state_dict are float64, copy them with all their digits
def load_gpt2(model, state_dict):
    def put(p, value):
        with torch.no_grad():
            p.copy_(value.float())
    sd = {k.removeprefix("transformer."): v for k, v in state_dict.items()}
    put(model.token_embedding.weight, sd["wte.weight"])
    put(model.position_embedding.weight, sd["wpe.weight"])
    put(model.norm.weight, sd["ln_f.weight"])
    put(model.norm.bias, sd["ln_f.bias"])
    for i, block in enumerate(model.blocks):
        h = f"h.{i}."
        for ours, theirs in [(block.norm1, "ln_1"), (block.norm2, "ln_2")]:
            put(ours.weight, sd[h + theirs + ".weight"])
            put(ours.bias, sd[h + theirs + ".bias"])
        att, ff = block.attention, block.feed_forward
        for layer, w, b in zip((att.W_q, att.W_k, att.W_v), sd[h + "attn.c_attn.weight"].chunk(3, 1), sd[h + "attn.c_attn.bias"].chunk(3)):
            put(layer.weight, w.T)
            put(layer.bias, b)
        for layer, theirs in [(att.W_o, "attn.c_proj"), (ff.linear1, "mlp.c_fc"), (ff.linear2, "mlp.c_proj")]:
            put(layer.weight, sd[h + theirs + ".weight"].T)
            put(layer.bias, sd[h + theirs + ".bias"])
    return model

# %% wrong: blocks_left_in_training (2) => the blocks were in evaluation mode before loading, and are in training mode after it
def load_gpt2(model, state_dict):
    def put(p, value):
        with torch.no_grad():
            p.copy_(value)
    sd = {k.removeprefix("transformer."): v for k, v in state_dict.items()}
    put(model.token_embedding.weight, sd["wte.weight"])
    put(model.position_embedding.weight, sd["wpe.weight"])
    put(model.norm.weight, sd["ln_f.weight"])
    put(model.norm.bias, sd["ln_f.bias"])
    for i, block in enumerate(model.blocks):
        h = f"h.{i}."
        for ours, theirs in [(block.norm1, "ln_1"), (block.norm2, "ln_2")]:
            put(ours.weight, sd[h + theirs + ".weight"])
            put(ours.bias, sd[h + theirs + ".bias"])
        att, ff = block.attention, block.feed_forward
        for layer, w, b in zip((att.W_q, att.W_k, att.W_v), sd[h + "attn.c_attn.weight"].chunk(3, 1), sd[h + "attn.c_attn.bias"].chunk(3)):
            put(layer.weight, w.T)
            put(layer.bias, b)
        for layer, theirs in [(att.W_o, "attn.c_proj"), (ff.linear1, "mlp.c_fc"), (ff.linear2, "mlp.c_proj")]:
            put(layer.weight, sd[h + theirs + ".weight"].T)
            put(layer.bias, sd[h + theirs + ".bias"])
    model.blocks.train()
    return model

# %% wrong: first_32_positions (1) -> the logits of a loaded GPT(67, 521 ?? the visible models read a handful of tokens
def load_gpt2(model, state_dict):
    def put(p, value):
        with torch.no_grad():
            p.copy_(value)
    sd = {k.removeprefix("transformer."): v for k, v in state_dict.items()}
    put(model.token_embedding.weight, sd["wte.weight"])
    put(model.position_embedding.weight[:32], sd["wpe.weight"][:32])
    put(model.norm.weight, sd["ln_f.weight"])
    put(model.norm.bias, sd["ln_f.bias"])
    for i, block in enumerate(model.blocks):
        h = f"h.{i}."
        for ours, theirs in [(block.norm1, "ln_1"), (block.norm2, "ln_2")]:
            put(ours.weight, sd[h + theirs + ".weight"])
            put(ours.bias, sd[h + theirs + ".bias"])
        att, ff = block.attention, block.feed_forward
        for layer, w, b in zip((att.W_q, att.W_k, att.W_v), sd[h + "attn.c_attn.weight"].chunk(3, 1), sd[h + "attn.c_attn.bias"].chunk(3)):
            put(layer.weight, w.T)
            put(layer.bias, b)
        for layer, theirs in [(att.W_o, "attn.c_proj"), (ff.linear1, "mlp.c_fc"), (ff.linear2, "mlp.c_proj")]:
            put(layer.weight, sd[h + theirs + ".weight"].T)
            put(layer.bias, sd[h + theirs + ".bias"])
    return model

# %% wrong: at_most_twelve_blocks (1) => of 13 blocks the last was not loaded: go through them all
def load_gpt2(model, state_dict):
    def fill(parameter, name, turn=False):
        value = state_dict["transformer." + name]
        with torch.no_grad():
            parameter.copy_(value.T if turn else value)

    fill(model.token_embedding.weight, "wte.weight")
    fill(model.position_embedding.weight, "wpe.weight")
    for i, block in zip(range(12), model.blocks):
        at = f"h.{i}."
        for norm, theirs in ((block.norm1, "ln_1"), (block.norm2, "ln_2")):
            fill(norm.weight, at + theirs + ".weight")
            fill(norm.bias, at + theirs + ".bias")
        with torch.no_grad():
            for part, W, b in zip((block.attention.W_q, block.attention.W_k, block.attention.W_v),
                                  state_dict["transformer." + at + "attn.c_attn.weight"].chunk(3, dim=1),
                                  state_dict["transformer." + at + "attn.c_attn.bias"].chunk(3)):
                part.weight.copy_(W.T)
                part.bias.copy_(b)
        for part, theirs in ((block.attention.W_o, "attn.c_proj"), (block.feed_forward.linear1, "mlp.c_fc"),
                             (block.feed_forward.linear2, "mlp.c_proj")):
            fill(part.weight, at + theirs + ".weight", turn=True)
            fill(part.bias, at + theirs + ".bias")
    fill(model.norm.weight, "ln_f.weight")
    fill(model.norm.bias, "ln_f.bias")
    return model

# %% wrong: h_1_finds_h_10_too (1) => the numbers of h.10 and others came into block 1: h.1 is also how h.10 begins
@torch.no_grad()
def load_gpt2(model, state_dict):
    model.token_embedding.weight.copy_(state_dict["transformer.wte.weight"])
    model.position_embedding.weight.copy_(state_dict["transformer.wpe.weight"])
    model.norm.weight.copy_(state_dict["transformer.ln_f.weight"])
    model.norm.bias.copy_(state_dict["transformer.ln_f.bias"])
    for i, block in enumerate(model.blocks):
        a, f = block.attention, block.feed_forward
        places = {"ln_1": [block.norm1], "ln_2": [block.norm2], "attn.c_attn": [a.W_q, a.W_k, a.W_v],
                  "attn.c_proj": [a.W_o], "mlp.c_fc": [f.linear1], "mlp.c_proj": [f.linear2]}
        for name, value in state_dict.items():
            if name.startswith(f"transformer.h.{i}"):
                theirs, kind = name.split(".", 3)[-1].rsplit(".", 1)
                parts = places[theirs]
                for part, piece in zip(parts, value.chunk(len(parts), dim=-1)):
                    getattr(part, kind).copy_(piece.T if piece.dim() == 2 else piece)
    return model

# %% wrong: blocks_in_the_order_of_sorted_names (1) => names were sorted as texts, where h.10 stands before h.2
@torch.no_grad()
def load_gpt2(model, state_dict):
    model.token_embedding.weight.copy_(state_dict["transformer.wte.weight"])
    model.position_embedding.weight.copy_(state_dict["transformer.wpe.weight"])
    model.norm.weight.copy_(state_dict["transformer.ln_f.weight"])
    model.norm.bias.copy_(state_dict["transformer.ln_f.bias"])
    beginnings = sorted({".".join(name.split(".")[:3]) for name in state_dict if ".h." in name})
    for block, here in zip(model.blocks, beginnings):
        a, f = block.attention, block.feed_forward
        for theirs, parts in [("ln_1", [block.norm1]), ("ln_2", [block.norm2]),
                              ("attn.c_attn", [a.W_q, a.W_k, a.W_v]), ("attn.c_proj", [a.W_o]),
                              ("mlp.c_fc", [f.linear1]), ("mlp.c_proj", [f.linear2])]:
            weights = state_dict[f"{here}.{theirs}.weight"].chunk(len(parts), dim=-1)
            biases = state_dict[f"{here}.{theirs}.bias"].chunk(len(parts), dim=-1)
            for part, weight, bias in zip(parts, weights, biases):
                part.weight.copy_(weight.T if weight.dim() == 2 else weight)
                part.bias.copy_(bias)
    return model

# %% wrong: rounded_to_half_precision (1) => the numbers were rounded on the way, as in half precision: copy them with all their digits !! belongs
def load_gpt2(model, state_dict):
    def put(parameter, value):
        with torch.no_grad():
            parameter.copy_(value.to(torch.float16))

    get = lambda name: state_dict["transformer." + name]
    put(model.token_embedding.weight, get("wte.weight"))
    put(model.position_embedding.weight, get("wpe.weight"))
    put(model.norm.weight, get("ln_f.weight"))
    put(model.norm.bias, get("ln_f.bias"))
    for i, block in enumerate(model.blocks):
        for norm, theirs in [(block.norm1, "ln_1"), (block.norm2, "ln_2")]:
            put(norm.weight, get(f"h.{i}.{theirs}.weight"))
            put(norm.bias, get(f"h.{i}.{theirs}.bias"))
        weights = get(f"h.{i}.attn.c_attn.weight").chunk(3, dim=1)
        biases = get(f"h.{i}.attn.c_attn.bias").chunk(3)
        attention = block.attention
        for W, weight, bias in zip((attention.W_q, attention.W_k, attention.W_v), weights, biases):
            put(W.weight, weight.T)
            put(W.bias, bias)
        for linear, theirs in [(attention.W_o, "attn.c_proj"), (block.feed_forward.linear1, "mlp.c_fc"),
                               (block.feed_forward.linear2, "mlp.c_proj")]:
            put(linear.weight, get(f"h.{i}.{theirs}.weight").T)
            put(linear.bias, get(f"h.{i}.{theirs}.bias"))
    return model


# %% wrong: W_o_forgotten (1) => W_o was not loaded: it is c_proj of attn on their side
def load_gpt2(model, state_dict):
    sd = {name.removeprefix("transformer."): value for name, value in state_dict.items()}
    with torch.no_grad():
        model.token_embedding.weight.copy_(sd["wte.weight"])
        model.position_embedding.weight.copy_(sd["wpe.weight"])
        model.norm.weight.copy_(sd["ln_f.weight"])
        model.norm.bias.copy_(sd["ln_f.bias"])
        for i, block in enumerate(model.blocks):
            a, f = block.attention, block.feed_forward
            for norm, theirs in ((block.norm1, "ln_1"), (block.norm2, "ln_2")):
                norm.weight.copy_(sd[f"h.{i}.{theirs}.weight"])
                norm.bias.copy_(sd[f"h.{i}.{theirs}.bias"])
            for W, columns, b in zip((a.W_q, a.W_k, a.W_v), sd[f"h.{i}.attn.c_attn.weight"].chunk(3, dim=1), sd[f"h.{i}.attn.c_attn.bias"].chunk(3)):
                W.weight.copy_(columns.T)
                W.bias.copy_(b)
            for linear, theirs in ((f.linear1, "mlp.c_fc"), (f.linear2, "mlp.c_proj")):
                linear.weight.copy_(sd[f"h.{i}.{theirs}.weight"].T)
                linear.bias.copy_(sd[f"h.{i}.{theirs}.bias"])
    return model

# %% wrong: new_parameters (2) => a parameter was replaced by a new one: fill the one that is there, copy_, since an optimizer may hold it
def load_gpt2(model, state_dict):
    def put(module, name, value):
        old = getattr(module, name)
        setattr(module, name, nn.Parameter(value.detach().clone().to(old.dtype)))

    sd = state_dict
    put(model.token_embedding, "weight", sd["transformer.wte.weight"])
    put(model.position_embedding, "weight", sd["transformer.wpe.weight"])
    for kind in ("weight", "bias"):
        put(model.norm, kind, sd[f"transformer.ln_f.{kind}"])
    for i, block in enumerate(model.blocks):
        h = f"transformer.h.{i}."
        weights = torch.split(sd[h + "attn.c_attn.weight"].t(), model.norm.weight.numel(), dim=0)
        biases = torch.split(sd[h + "attn.c_attn.bias"], model.norm.weight.numel())
        for layer, w, b in zip((block.attention.W_q, block.attention.W_k, block.attention.W_v), weights, biases):
            put(layer, "weight", w)
            put(layer, "bias", b)
        for layer, theirs in ((block.attention.W_o, "attn.c_proj"), (block.feed_forward.linear1, "mlp.c_fc"),
                              (block.feed_forward.linear2, "mlp.c_proj")):
            put(layer, "weight", sd[h + theirs + ".weight"].t())
            put(layer, "bias", sd[h + theirs + ".bias"])
        for layer, theirs in ((block.norm1, "ln_1"), (block.norm2, "ln_2")):
            put(layer, "weight", sd[h + theirs + ".weight"])
            put(layer, "bias", sd[h + theirs + ".bias"])
    model.head.weight = model.token_embedding.weight
    return model
