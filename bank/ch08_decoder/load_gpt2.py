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

# %% wrong: square_not_transposed -> square, so nothing complained
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

# %% wrong: qkv_not_transposed -> not transposed
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

# %% wrong: nothing_transposed -> (in, out)
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

# %% wrong: order_k_q_v -> holds what belongs into
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

# %% wrong: per_head -> wrong cut of c_attn
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

# %% wrong: every_third -> wrong cut of c_attn
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

# %% wrong: biases_forgotten -> was not loaded
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

# %% wrong: last_norm_forgotten -> norm.weight was not loaded
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

# %% wrong: positions_forgotten -> position_embedding.weight was not loaded
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

# %% wrong: norms_swapped -> holds what belongs into
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

# %% wrong: first_block_everywhere -> holds what belongs into
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

# %% wrong: first_block_only -> was not loaded
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

# %% wrong: two_blocks_only -> go through them all
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

# %% wrong: tie_broken -> the tie is broken
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

# %% wrong: tie_broken_by_lm_head -> tie is broken
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

# %% wrong: relies_on_lm_head -> often left out
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

# %% wrong: frozen -> does not learn
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

# %% wrong: dtype_replaced -> should have stayed
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

# %% wrong: returns_nothing -> should be returned
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

# %% wrong: state_dict_consumed -> state_dict was changed
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

# %% wrong: grad_recorded -> torch.no_grad()
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

# %% wrong: leaves_eval -> training was
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

# %% wrong: square_sizes_only -> at other sizes ?? the visible check loads a model of one depth, a second one would double its time
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

# %% wrong: c_attn_cut_along_the_rows -> along the wrong axis
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

# %% wrong: c_attn_not_cut -> not cut into three
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

# %% wrong: c_attn_cut_after_turning -> along the wrong axis
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

# %% wrong: queries_and_values_swapped_in_the_bias -> holds what belongs into
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

# %% wrong: tables_transposed -> was transposed
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

# %% wrong: names_without_prefix -> was looked up
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
