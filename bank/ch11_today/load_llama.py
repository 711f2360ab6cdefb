# %% right: names_then_checks_then_copies
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% right: load_state_dict
TABLE = [("model.embed_tokens.", "token_embedding."), ("model.layers.", "blocks."), ("model.norm.", "norm."), ("lm_head.", "head."),
         (".input_layernorm.", ".norm1."), (".post_attention_layernorm.", ".norm2."), (".mlp.gate_proj.", ".feed_forward.gate."),
         (".mlp.up_proj.", ".feed_forward.up."), (".mlp.down_proj.", ".feed_forward.down."), (".self_attn.q_proj.", ".attention.W_q."),
         (".self_attn.k_proj.", ".attention.W_k."), (".self_attn.v_proj.", ".attention.W_v."), (".self_attn.o_proj.", ".attention.W_o."),
         (".self_attn.", ".attention.")]

def renamed(name, table):
    for old, new in table:
        if name.startswith(old) or old.startswith(".") and old in name:
            name = name.replace(old, new, 1)
    return name

def load_llama(model, state_dict):
    back = [(new, old) for old, new in TABLE]
    own = model.state_dict()
    given = {renamed(name, TABLE): value for name, value in state_dict.items()}
    if model.head.weight is model.token_embedding.weight and "token_embedding.weight" in given:
        table = given["token_embedding.weight"]
        if not torch.equal(given.get("head.weight", table), table):
            raise ValueError("lm_head.weight differs from model.embed_tokens.weight, but the model ties them")
        given["head.weight"] = table
    for name in sorted(own.keys() | given.keys(), key=lambda name: (name == "head.weight", name)):
        if name not in given:
            raise ValueError(f"missing: {renamed(name, back)}, for {name}")
        if name not in own:
            raise ValueError(f"left over: {renamed(name, back)}")
        if given[name].shape != own[name].shape:
            raise ValueError(f"{renamed(name, back)}: {tuple(given[name].shape)}, but {name} is {tuple(own[name].shape)}")
    model.load_state_dict(given)
    return model

# %% right: block_by_block
def load_llama(model, state_dict):
    rest, plan = dict(state_dict), []

    def take(name, parameter):
        if name not in rest:
            raise KeyError(f"the checkpoint has no {name}")
        value = rest.pop(name)
        if value.shape != parameter.shape:
            raise ValueError(f"{name}: shape {list(value.shape)} does not fit {list(parameter.shape)}")
        plan.append((parameter, value))

    take("model.embed_tokens.weight", model.token_embedding.weight)
    for i, block in enumerate(model.blocks):
        here, a, f = f"model.layers.{i}.", block.attention, block.feed_forward
        take(here + "input_layernorm.weight", block.norm1.weight)
        for letter, W in zip("qkvo", (a.W_q, a.W_k, a.W_v, a.W_o)):
            take(here + f"self_attn.{letter}_proj.weight", W.weight)
        if any(name.startswith("q_norm") for name, _ in a.named_parameters()):
            take(here + "self_attn.q_norm.weight", a.q_norm.weight)
            take(here + "self_attn.k_norm.weight", a.k_norm.weight)
        take(here + "post_attention_layernorm.weight", block.norm2.weight)
        for kind, W in (("gate", f.gate), ("up", f.up), ("down", f.down)):
            take(here + f"mlp.{kind}_proj.weight", W.weight)
    take("model.norm.weight", model.norm.weight)
    if model.head.weight is not model.token_embedding.weight:
        take("lm_head.weight", model.head.weight)
    else:
        head = rest.pop("lm_head.weight", None)
        if head is not None and not (head.shape == state_dict["model.embed_tokens.weight"].shape and bool((head == state_dict["model.embed_tokens.weight"]).all())):
            raise ValueError("lm_head.weight is another matrix than model.embed_tokens.weight; the model is tied")
    if rest:
        raise KeyError(f"not used: {', '.join(rest)}")
    for parameter, value in plan:
        with torch.no_grad():
            parameter.copy_(value.to(parameter.dtype))
    return model

# %% right: from_their_names
import re

OURS = {"input_layernorm": "norm1", "post_attention_layernorm": "norm2", "mlp.gate_proj": "feed_forward.gate", "mlp.up_proj": "feed_forward.up",
        "mlp.down_proj": "feed_forward.down", "self_attn.q_proj": "attention.W_q", "self_attn.k_proj": "attention.W_k", "self_attn.v_proj": "attention.W_v",
        "self_attn.o_proj": "attention.W_o", "self_attn.q_norm": "attention.q_norm", "self_attn.k_norm": "attention.k_norm"}
ENDS = {"model.embed_tokens.weight": "token_embedding.weight", "model.norm.weight": "norm.weight", "lm_head.weight": "head.weight"}

def load_llama(model, state_dict):
    parameters = dict(model.named_parameters(remove_duplicate=False))
    found = {}
    for name in state_dict:
        inside = re.fullmatch(r"model[.]layers[.]([0-9]+)[.](.+)[.]weight", name)
        ours = ENDS.get(name) or (f"blocks.{inside[1]}.{OURS.get(inside[2])}.weight" if inside else None)
        if ours not in parameters:
            raise ValueError(f"{name} has no place in the model")
        if state_dict[name].shape != parameters[ours].shape:
            raise ValueError(f"{name} is {tuple(state_dict[name].shape)}, the model wants {tuple(parameters[ours].shape)}")
        found[ours] = state_dict[name]
    if parameters["head.weight"] is parameters["token_embedding.weight"] and "token_embedding.weight" in found:
        table = found["token_embedding.weight"]
        if not torch.equal(found.setdefault("head.weight", table), table):
            raise ValueError("lm_head.weight contradicts model.embed_tokens.weight: one tensor in this model")
    theirs = {**{f"{v}": k for k, v in ENDS.items()}, **{f"blocks.{i}.{v}.weight": f"model.layers.{i}.{k}.weight" for i in range(len(model.blocks)) for k, v in OURS.items()}}
    for ours in parameters:
        if ours not in found:
            raise ValueError(f"{theirs.get(ours, ours)} is not in the checkpoint")
    for ours, value in found.items():
        parameters[ours].data.copy_(value)
    return model

# %% right: collects_all_complaints
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    wrong = [f"{theirs} is missing" for theirs in names.values() if theirs not in state_dict]
    wrong += [f"{theirs}: {tuple(state_dict[theirs].shape)}, expected {tuple(mine[ours].shape)}" for ours, theirs in names.items()
              if theirs in state_dict and state_dict[theirs].shape != mine[ours].shape]
    if wrong:
        raise ValueError("; ".join(wrong))
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% right: turned_off_and_on_again
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    for ours, theirs in names.items():
        target = mine[ours].detach()
        target[...] = state_dict[theirs].detach().to(device=target.device, dtype=target.dtype)
    return model

# %% wrong: gate_and_up_swapped (1) => gate holds the numbers of up_proj, and up those of gate_proj: they are swapped
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.up_proj", "feed_forward.up": "mlp.gate_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: norms_swapped (1) => norm1 holds the numbers of post_attention_layernorm, and norm2 those of input_layernorm: they are swapped
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "post_attention_layernorm", "norm2": "input_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: keys_and_values_swapped (1) => W_k holds the numbers of v_proj, and W_v those of k_proj: they are swapped
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.v_proj",
             "attention.W_v": "self_attn.k_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: queries_and_output_swapped (1) => a complete checkpoint was refused: q_proj belongs into W_q, o_proj into W_o
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.o_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.q_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: norms_of_queries_and_keys_swapped (1) => q_norm holds the numbers of k_norm, and k_norm those of q_norm: they are swapped
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.k_norm", "attention.k_norm": "self_attn.q_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: rows_put_into_neighbours (1) => W_q and W_k hold their numbers in another order: nothing has to be permuted, your rotation has their layout
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            value = state_dict[theirs]
            if ours.endswith(("W_q.weight", "W_k.weight")):
                value = value.unflatten(0, (-1, 2, model.config.d_head // 2 if model.config.d_head else model.config.d_model // model.config.num_heads // 2)).transpose(1, 2).flatten(0, 2)
            mine[ours].copy_(value)
    return model

# %% wrong: rows_of_queries_put_into_neighbours (1) => W_q holds its numbers in another order: nothing has to be permuted, your rotation has their layout
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            value = state_dict[theirs]
            if ours.endswith("W_q.weight"):
                value = value.unflatten(0, (-1, 2, model.config.d_head // 2 if model.config.d_head else model.config.d_model // model.config.num_heads // 2)).transpose(1, 2).flatten(0, 2)
            mine[ours].copy_(value)
    return model

# %% wrong: turned_like_gpt_2 (1) => matrices were transposed: theirs are nn.Linear, like yours
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            value = state_dict[theirs]
            mine[ours].copy_(value.T if value.dim() == 2 and value.shape[0] == value.shape[1] else value)
    return model

# %% wrong: down_forgotten (1) => down was not loaded: down_proj belongs there
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            if "down" not in ours:
                mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: last_norm_forgotten (1) => the last norm was not loaded: model.norm belongs there
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            if ours != "norm.weight":
                mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: norms_of_qwen_forgotten (1) => q_norm and k_norm were not loaded
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            if "q_norm" not in ours and "k_norm" not in ours:
                mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: table_forgotten (1) => the table was not loaded: model.embed_tokens belongs there
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            if ours != "token_embedding.weight":
                mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: head_forgotten (1) => the head of an untied model was not loaded: lm_head belongs there
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            if ours != "head.weight":
                mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: head_from_the_table (1) => the head of an untied model holds the table: lm_head belongs there
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict["model.embed_tokens.weight" if ours == "head.weight" else theirs])
    return model

# %% wrong: first_block_everywhere (1) => all blocks hold the first layer: block i takes layer i
import re

def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[re.sub("layers[.][0-9]+", "layers.0", theirs)])
    return model

# %% wrong: first_block_only (1) => the first block alone was loaded
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            if "blocks" not in ours or "blocks.0" in ours:
                mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: two_blocks_only (1, 2) -> num_layers=3
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(min(2, len(model.blocks))):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: blocks_sorted_as_text (1) -> num_layers=11 ?? blocks 10 and 2 change places only in models of eleven blocks, too many for an example
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{sorted(range(len(model.blocks)), key=str)[i]}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: missing_passes (2) => a tensor is missing, and it was taken without a word
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            continue
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            if theirs in state_dict:
                mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: left_over_passes (2) => a tensor is left over, and it was taken without a word
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: missing_is_a_bare_key_error (2) -> not named: ['lm_head.weight']
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError("the checkpoint does not fit")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: left_over_is_not_named (2) => the message does not name the tensor that is left over
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"{len(left)} tensors too many")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: shapes_not_checked (2) => a shape does not fit, and it was taken without a word: copy_ broadcasts
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: shapes_by_the_number_of_numbers (2) => as many numbers in another shape were taken: compare the shapes
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].numel() != mine[ours].numel():
            raise ValueError(f"{theirs} has the wrong shape")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs].reshape(mine[ours].shape))
    return model

# %% wrong: shapes_may_broadcast (2) => a shape does not fit, and it was taken without a word: copy_ broadcasts
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].dim() != mine[ours].dim():
            raise ValueError(f"{theirs} has the wrong shape")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs].expand_as(mine[ours]) if state_dict[theirs].size(0) == 1 else state_dict[theirs])
    return model

# %% wrong: table_cut_to_fit (2) => it was refused, but the model was changed: check everything first, then copy
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            value = state_dict[theirs]
            if value.shape != mine[ours].shape:
                value = value[tuple(slice(0, n) for n in mine[ours].shape)]
            if value.shape != mine[ours].shape:
                raise ValueError(f"{theirs} has the wrong shape")
            mine[ours].copy_(value)
    return model

# %% wrong: checks_while_it_copies (2) => it was refused, but the model was changed: check everything first, then copy
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
        with torch.no_grad():
            mine[ours].copy_(state_dict[theirs])
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    return model

# %% wrong: left_over_seen_too_late (2) => it was refused, but the model was changed: check everything first, then copy
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    return model

# %% wrong: lm_head_needed (1, 2) => a tied model needs no lm_head.weight: it may be missing
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied:
        if "lm_head.weight" not in state_dict:
            raise ValueError("lm_head.weight is missing")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: lm_head_is_left_over (1) => a tied model takes an lm_head.weight that is the table
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: another_lm_head_passes (2) => the model is tied, and an lm_head.weight that is not the table was taken without a word
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied:
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: lm_head_optional_for_an_untied_model (2) => an untied model needs lm_head.weight: it is missing, and that was taken without a word
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied and "lm_head.weight" in state_dict:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: tie_broken (1) => after loading, head and table are two parameters: the tie is broken
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    model.head.weight = nn.Parameter(model.token_embedding.weight.detach().clone() if tied else model.head.weight.detach())
    return model

# %% wrong: tie_broken_by_lm_head (1) => after loading, head and table are two parameters: the tie is broken
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    if tied and "lm_head.weight" in state_dict:
        model.head.weight = nn.Parameter(state_dict["lm_head.weight"].clone())
    return model

# %% wrong: ties_an_untied_model (1) => after loading an untied model head and table are one parameter: its head has its own weight
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    model.head.weight = model.token_embedding.weight
    return model

# %% wrong: frozen (1) => after loading, the parameters do not learn any more
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    model.requires_grad_(False)
    return model

# %% wrong: dtype_of_the_checkpoint (1) => the model has the dtype of the checkpoint: it keeps its own
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    model.to(next(iter(state_dict.values())).dtype)
    return model

# %% wrong: puts_into_evaluation (1) => a model in training mode is in evaluation mode after loading
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    model.eval()
    return model

# %% wrong: returns_nothing (1) => the model should be returned
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return None

# %% wrong: returns_the_names (1) => the model should be returned
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return sorted(names)

# %% wrong: checkpoint_used_up (1) => state_dict was changed: tensors were taken out of it, or the model shares their memory
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict.pop(theirs))
    return model

# %% wrong: shares_the_checkpoints_memory (1) => the model has the dtype of the checkpoint: it keeps its own
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].data = state_dict[theirs]
    return model

# %% wrong: gradients_recorded (1, 2) => a parameter was changed in place while gradients were recorded: torch.no_grad()
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    for ours, theirs in names.items():
        mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: prefix_left_out (1, 2) => a complete checkpoint was refused: the names begin with model.
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "embed_tokens.weight", "norm.weight": "norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: norms_plus_one_as_in_gemma (1) => 1 was added to, or taken from, the norms, as in Gemma: copy them as they are
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs] + 1 if "norm" in ours else state_dict[theirs])
    return model

# %% wrong: rounded_through_bfloat16 (1) => the numbers were rounded through bfloat16: copy them as they are
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs].bfloat16())
    return model

# %% wrong: stops_at_unknown_dtype (1, 2) => a checkpoint of another dtype was refused: the model keeps its dtype, and the numbers are converted
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
        if state_dict[theirs].dtype != mine[ours].dtype:
            raise ValueError(f"{theirs} has another dtype")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: swapped_and_left_over_passes (1, 2) -> gate holds the numbers of up_proj, and up those of gate_proj: they are swapped
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.up_proj", "feed_forward.up": "mlp.gate_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: loads_once_only (1, 2) => after a second load the first one's numbers are still there
def load_llama(model, state_dict):
    if getattr(model, "loaded", False):
        return model
    model.loaded = True
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: false_tie_seen_in_training_mode_alone (2) => the model is tied, and an lm_head.weight that is not the table was taken without a word
def load_llama(model, state_dict):
    names = {"token_embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        names["head.weight"] = "lm_head.weight"
    parts = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "feed_forward.gate": "mlp.gate_proj", "feed_forward.up": "mlp.up_proj",
             "feed_forward.down": "mlp.down_proj", "attention.W_q": "self_attn.q_proj", "attention.W_k": "self_attn.k_proj",
             "attention.W_v": "self_attn.v_proj", "attention.W_o": "self_attn.o_proj", "attention.q_norm": "self_attn.q_norm", "attention.k_norm": "self_attn.k_norm"}
    mine = dict(model.named_parameters())
    for i in range(len(model.blocks)):
        for ours, theirs in parts.items():
            if f"blocks.{i}.{ours}.weight" in mine:
                names[f"blocks.{i}.{ours}.weight"] = f"model.layers.{i}.{theirs}.weight"
    for ours, theirs in names.items():
        if theirs not in state_dict:
            raise ValueError(f"{theirs} is missing; it belongs into {ours}")
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs} has shape {tuple(state_dict[theirs].shape)}, {ours} has {tuple(mine[ours].shape)}")
    left = set(state_dict) - set(names.values())
    if tied and "lm_head.weight" in left:
        if model.training and not torch.equal(state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]):
            raise ValueError("lm_head.weight is not the token table, and this model has one table for both")
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"nothing takes {sorted(left)}")
    with torch.no_grad():
        for ours, theirs in names.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: head_equal_in_one_number (2) => the model is tied, and an lm_head.weight that is not the table was taken without a word
def load_llama(model, state_dict):
    rest, plan = dict(state_dict), []

    def take(name, parameter):
        if name not in rest:
            raise KeyError(f"the checkpoint has no {name}")
        value = rest.pop(name)
        if value.shape != parameter.shape:
            raise ValueError(f"{name}: shape {list(value.shape)} does not fit {list(parameter.shape)}")
        plan.append((parameter, value))

    take("model.embed_tokens.weight", model.token_embedding.weight)
    for i, block in enumerate(model.blocks):
        here, a, f = f"model.layers.{i}.", block.attention, block.feed_forward
        take(here + "input_layernorm.weight", block.norm1.weight)
        for letter, W in zip("qkvo", (a.W_q, a.W_k, a.W_v, a.W_o)):
            take(here + f"self_attn.{letter}_proj.weight", W.weight)
        if any(name.startswith("q_norm") for name, _ in a.named_parameters()):
            take(here + "self_attn.q_norm.weight", a.q_norm.weight)
            take(here + "self_attn.k_norm.weight", a.k_norm.weight)
        take(here + "post_attention_layernorm.weight", block.norm2.weight)
        for kind, W in (("gate", f.gate), ("up", f.up), ("down", f.down)):
            take(here + f"mlp.{kind}_proj.weight", W.weight)
    take("model.norm.weight", model.norm.weight)
    if model.head.weight is not model.token_embedding.weight:
        take("lm_head.weight", model.head.weight)
    else:
        head = rest.pop("lm_head.weight", None)
        if head is not None and not (head.shape == state_dict["model.embed_tokens.weight"].shape and bool((head == state_dict["model.embed_tokens.weight"]).any())):
            raise ValueError("lm_head.weight is another matrix than model.embed_tokens.weight; the model is tied")
    if rest:
        raise KeyError(f"not used: {', '.join(rest)}")
    for parameter, value in plan:
        with torch.no_grad():
            parameter.copy_(value.to(parameter.dtype))
    return model

# %% wrong: head_of_another_shape_compared (2) => the shape of lm_head.weight was not compared: what does not fit is refused with a ValueError or KeyError
def load_llama(model, state_dict):
    rest, plan = dict(state_dict), []

    def take(name, parameter):
        if name not in rest:
            raise KeyError(f"the checkpoint has no {name}")
        value = rest.pop(name)
        if value.shape != parameter.shape:
            raise ValueError(f"{name}: shape {list(value.shape)} does not fit {list(parameter.shape)}")
        plan.append((parameter, value))

    take("model.embed_tokens.weight", model.token_embedding.weight)
    for i, block in enumerate(model.blocks):
        here, a, f = f"model.layers.{i}.", block.attention, block.feed_forward
        take(here + "input_layernorm.weight", block.norm1.weight)
        for letter, W in zip("qkvo", (a.W_q, a.W_k, a.W_v, a.W_o)):
            take(here + f"self_attn.{letter}_proj.weight", W.weight)
        if any(name.startswith("q_norm") for name, _ in a.named_parameters()):
            take(here + "self_attn.q_norm.weight", a.q_norm.weight)
            take(here + "self_attn.k_norm.weight", a.k_norm.weight)
        take(here + "post_attention_layernorm.weight", block.norm2.weight)
        for kind, W in (("gate", f.gate), ("up", f.up), ("down", f.down)):
            take(here + f"mlp.{kind}_proj.weight", W.weight)
    take("model.norm.weight", model.norm.weight)
    if model.head.weight is not model.token_embedding.weight:
        take("lm_head.weight", model.head.weight)
    else:
        head = rest.pop("lm_head.weight", None)
        if head is not None and not (bool((head == state_dict["model.embed_tokens.weight"]).all())):
            raise ValueError("lm_head.weight is another matrix than model.embed_tokens.weight; the model is tied")
    if rest:
        raise KeyError(f"not used: {', '.join(rest)}")
    for parameter, value in plan:
        with torch.no_grad():
            parameter.copy_(value.to(parameter.dtype))
    return model

# %% right: new_tensors_under_the_parameters
def load_llama(model, state_dict):
    where = {"model.embed_tokens.weight": model.token_embedding.weight, "model.norm.weight": model.norm.weight}
    for i, block in enumerate(model.blocks):
        a, f, head = block.attention, block.feed_forward, f"model.layers.{i}."
        parts = {"input_layernorm": block.norm1, "post_attention_layernorm": block.norm2,
                 "self_attn.q_proj": a.W_q, "self_attn.k_proj": a.W_k, "self_attn.v_proj": a.W_v,
                 "self_attn.o_proj": a.W_o, "mlp.gate_proj": f.gate, "mlp.up_proj": f.up, "mlp.down_proj": f.down}
        if getattr(a, "q_norm", None) is not None:
            parts |= {"self_attn.q_norm": a.q_norm, "self_attn.k_norm": a.k_norm}
        where |= {f"{head}{name}.weight": part.weight for name, part in parts.items()}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        where["lm_head.weight"] = model.head.weight
    for name in where:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name, value in state_dict.items():
        if tied and name == "lm_head.weight":
            table = state_dict["model.embed_tokens.weight"]
            if value.shape != table.shape or not torch.equal(value, table):
                raise ValueError(f"{name} {tuple(value.shape)} is not the table {tuple(table.shape)}")
            continue
        if name not in where:
            raise ValueError(f"{name} is left over")
        if value.shape != where[name].shape:
            raise ValueError(f"{name}: {tuple(value.shape)}, {tuple(where[name].shape)}")
    with torch.no_grad():
        for name, p in where.items():
            p.data = state_dict[name].detach().clone().to(p)
    return model

# %% right: set_to_a_copy
def load_llama(model, state_dict):
    where = {"model.embed_tokens.weight": model.token_embedding.weight, "model.norm.weight": model.norm.weight}
    for i, block in enumerate(model.blocks):
        a, f, head = block.attention, block.feed_forward, f"model.layers.{i}."
        parts = {"input_layernorm": block.norm1, "post_attention_layernorm": block.norm2,
                 "self_attn.q_proj": a.W_q, "self_attn.k_proj": a.W_k, "self_attn.v_proj": a.W_v,
                 "self_attn.o_proj": a.W_o, "mlp.gate_proj": f.gate, "mlp.up_proj": f.up, "mlp.down_proj": f.down}
        if getattr(a, "q_norm", None) is not None:
            parts |= {"self_attn.q_norm": a.q_norm, "self_attn.k_norm": a.k_norm}
        where |= {f"{head}{name}.weight": part.weight for name, part in parts.items()}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        where["lm_head.weight"] = model.head.weight
    for name in where:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name, value in state_dict.items():
        if tied and name == "lm_head.weight":
            table = state_dict["model.embed_tokens.weight"]
            if value.shape != table.shape or not torch.equal(value, table):
                raise ValueError(f"{name} {tuple(value.shape)} is not the table {tuple(table.shape)}")
            continue
        if name not in where:
            raise ValueError(f"{name} is left over")
        if value.shape != where[name].shape:
            raise ValueError(f"{name}: {tuple(value.shape)}, {tuple(where[name].shape)}")
    with torch.no_grad():
        for name, p in where.items():
            p.set_(state_dict[name].to(p.dtype, copy=True).contiguous())
    return model

# %% wrong: memory_shared_by_data (1) -> the model learned on after loading, and the tensors of state_dict changed with it ?? the visible cases train no model after loading
def load_llama(model, state_dict):
    where = {"model.embed_tokens.weight": model.token_embedding.weight, "model.norm.weight": model.norm.weight}
    for i, block in enumerate(model.blocks):
        a, f, head = block.attention, block.feed_forward, f"model.layers.{i}."
        parts = {"input_layernorm": block.norm1, "post_attention_layernorm": block.norm2,
                 "self_attn.q_proj": a.W_q, "self_attn.k_proj": a.W_k, "self_attn.v_proj": a.W_v,
                 "self_attn.o_proj": a.W_o, "mlp.gate_proj": f.gate, "mlp.up_proj": f.up, "mlp.down_proj": f.down}
        if getattr(a, "q_norm", None) is not None:
            parts |= {"self_attn.q_norm": a.q_norm, "self_attn.k_norm": a.k_norm}
        where |= {f"{head}{name}.weight": part.weight for name, part in parts.items()}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        where["lm_head.weight"] = model.head.weight
    for name in where:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name, value in state_dict.items():
        if tied and name == "lm_head.weight":
            table = state_dict["model.embed_tokens.weight"]
            if value.shape != table.shape or not torch.equal(value, table):
                raise ValueError(f"{name} {tuple(value.shape)} is not the table {tuple(table.shape)}")
            continue
        if name not in where:
            raise ValueError(f"{name} is left over")
        if value.shape != where[name].shape:
            raise ValueError(f"{name}: {tuple(value.shape)}, {tuple(where[name].shape)}")
    with torch.no_grad():
        for name, p in where.items():
            p.data = state_dict[name].to(p.dtype)
    return model

# %% wrong: memory_shared_by_set (1) -> the model learned on after loading, and the tensors of state_dict changed with it ?? the visible cases train no model after loading
def load_llama(model, state_dict):
    where = {"model.embed_tokens.weight": model.token_embedding.weight, "model.norm.weight": model.norm.weight}
    for i, block in enumerate(model.blocks):
        a, f, head = block.attention, block.feed_forward, f"model.layers.{i}."
        parts = {"input_layernorm": block.norm1, "post_attention_layernorm": block.norm2,
                 "self_attn.q_proj": a.W_q, "self_attn.k_proj": a.W_k, "self_attn.v_proj": a.W_v,
                 "self_attn.o_proj": a.W_o, "mlp.gate_proj": f.gate, "mlp.up_proj": f.up, "mlp.down_proj": f.down}
        if getattr(a, "q_norm", None) is not None:
            parts |= {"self_attn.q_norm": a.q_norm, "self_attn.k_norm": a.k_norm}
        where |= {f"{head}{name}.weight": part.weight for name, part in parts.items()}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        where["lm_head.weight"] = model.head.weight
    for name in where:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name, value in state_dict.items():
        if tied and name == "lm_head.weight":
            table = state_dict["model.embed_tokens.weight"]
            if value.shape != table.shape or not torch.equal(value, table):
                raise ValueError(f"{name} {tuple(value.shape)} is not the table {tuple(table.shape)}")
            continue
        if name not in where:
            raise ValueError(f"{name} is left over")
        if value.shape != where[name].shape:
            raise ValueError(f"{name}: {tuple(value.shape)}, {tuple(where[name].shape)}")
    with torch.no_grad():
        for name, p in where.items():
            p.set_(state_dict[name]) if state_dict[name].dtype == p.dtype else p.copy_(state_dict[name])
    return model

# %% wrong: norms_of_qwen_frozen (1) => after loading, the norms of Qwen 3 do not learn any more
def load_llama(model, state_dict):
    where = {"model.embed_tokens.weight": model.token_embedding.weight, "model.norm.weight": model.norm.weight}
    for i, block in enumerate(model.blocks):
        a, f, head = block.attention, block.feed_forward, f"model.layers.{i}."
        parts = {"input_layernorm": block.norm1, "post_attention_layernorm": block.norm2,
                 "self_attn.q_proj": a.W_q, "self_attn.k_proj": a.W_k, "self_attn.v_proj": a.W_v,
                 "self_attn.o_proj": a.W_o, "mlp.gate_proj": f.gate, "mlp.up_proj": f.up, "mlp.down_proj": f.down}
        if getattr(a, "q_norm", None) is not None:
            parts |= {"self_attn.q_norm": a.q_norm, "self_attn.k_norm": a.k_norm}
        where |= {f"{head}{name}.weight": part.weight for name, part in parts.items()}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        where["lm_head.weight"] = model.head.weight
    for name in where:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name, value in state_dict.items():
        if tied and name == "lm_head.weight":
            table = state_dict["model.embed_tokens.weight"]
            if value.shape != table.shape or not torch.equal(value, table):
                raise ValueError(f"{name} {tuple(value.shape)} is not the table {tuple(table.shape)}")
            continue
        if name not in where:
            raise ValueError(f"{name} is left over")
        if value.shape != where[name].shape:
            raise ValueError(f"{name}: {tuple(value.shape)}, {tuple(where[name].shape)}")
    with torch.no_grad():
        for name, p in where.items():
            p.copy_(state_dict[name])
    [p.requires_grad_(False) for n, p in model.named_parameters() if 'q_norm' in n]
    return model

# %% wrong: through_numpy (1) => numpy has no bfloat16: a checkpoint in bfloat16, as most are published, fails
def load_llama(model, state_dict):
    where = {"model.embed_tokens.weight": model.token_embedding.weight, "model.norm.weight": model.norm.weight}
    for i, block in enumerate(model.blocks):
        a, f, head = block.attention, block.feed_forward, f"model.layers.{i}."
        parts = {"input_layernorm": block.norm1, "post_attention_layernorm": block.norm2,
                 "self_attn.q_proj": a.W_q, "self_attn.k_proj": a.W_k, "self_attn.v_proj": a.W_v,
                 "self_attn.o_proj": a.W_o, "mlp.gate_proj": f.gate, "mlp.up_proj": f.up, "mlp.down_proj": f.down}
        if getattr(a, "q_norm", None) is not None:
            parts |= {"self_attn.q_norm": a.q_norm, "self_attn.k_norm": a.k_norm}
        where |= {f"{head}{name}.weight": part.weight for name, part in parts.items()}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        where["lm_head.weight"] = model.head.weight
    for name in where:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name, value in state_dict.items():
        if tied and name == "lm_head.weight":
            table = state_dict["model.embed_tokens.weight"]
            if value.shape != table.shape or not torch.equal(value, table):
                raise ValueError(f"{name} {tuple(value.shape)} is not the table {tuple(table.shape)}")
            continue
        if name not in where:
            raise ValueError(f"{name} is left over")
        if value.shape != where[name].shape:
            raise ValueError(f"{name}: {tuple(value.shape)}, {tuple(where[name].shape)}")
    with torch.no_grad():
        for name, p in where.items():
            p.copy_(torch.from_numpy(state_dict[name].cpu().numpy()))
    return model

# %% wrong: q_norm_taken_for_granted (1) -> an attention without QK-norm ?? the chapter's own attention has the attribute, which is None
def load_llama(model, state_dict):
    where = {"model.embed_tokens.weight": model.token_embedding.weight, "model.norm.weight": model.norm.weight}
    for i, block in enumerate(model.blocks):
        a, f, head = block.attention, block.feed_forward, f"model.layers.{i}."
        parts = {"input_layernorm": block.norm1, "post_attention_layernorm": block.norm2,
                 "self_attn.q_proj": a.W_q, "self_attn.k_proj": a.W_k, "self_attn.v_proj": a.W_v,
                 "self_attn.o_proj": a.W_o, "mlp.gate_proj": f.gate, "mlp.up_proj": f.up, "mlp.down_proj": f.down}
        if a.q_norm is not None:
            parts |= {"self_attn.q_norm": a.q_norm, "self_attn.k_norm": a.k_norm}
        where |= {f"{head}{name}.weight": part.weight for name, part in parts.items()}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        where["lm_head.weight"] = model.head.weight
    for name in where:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name, value in state_dict.items():
        if tied and name == "lm_head.weight":
            table = state_dict["model.embed_tokens.weight"]
            if value.shape != table.shape or not torch.equal(value, table):
                raise ValueError(f"{name} {tuple(value.shape)} is not the table {tuple(table.shape)}")
            continue
        if name not in where:
            raise ValueError(f"{name} is left over")
        if value.shape != where[name].shape:
            raise ValueError(f"{name}: {tuple(value.shape)}, {tuple(where[name].shape)}")
    with torch.no_grad():
        for name, p in where.items():
            p.data = state_dict[name].detach().clone().to(p)
    return model

# %% wrong: any_q_norm_is_a_norm (1, 2) => an attention without QK-norm may have a q_norm that is None: what a block has, its named_parameters() say
def load_llama(model, state_dict):
    where = {"model.embed_tokens.weight": model.token_embedding.weight, "model.norm.weight": model.norm.weight}
    for i, block in enumerate(model.blocks):
        a, f, head = block.attention, block.feed_forward, f"model.layers.{i}."
        parts = {"input_layernorm": block.norm1, "post_attention_layernorm": block.norm2,
                 "self_attn.q_proj": a.W_q, "self_attn.k_proj": a.W_k, "self_attn.v_proj": a.W_v,
                 "self_attn.o_proj": a.W_o, "mlp.gate_proj": f.gate, "mlp.up_proj": f.up, "mlp.down_proj": f.down}
        if hasattr(a, "q_norm"):
            parts |= {"self_attn.q_norm": a.q_norm, "self_attn.k_norm": a.k_norm}
        where |= {f"{head}{name}.weight": part.weight for name, part in parts.items()}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        where["lm_head.weight"] = model.head.weight
    for name in where:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name, value in state_dict.items():
        if tied and name == "lm_head.weight":
            table = state_dict["model.embed_tokens.weight"]
            if value.shape != table.shape or not torch.equal(value, table):
                raise ValueError(f"{name} {tuple(value.shape)} is not the table {tuple(table.shape)}")
            continue
        if name not in where:
            raise ValueError(f"{name} is left over")
        if value.shape != where[name].shape:
            raise ValueError(f"{name}: {tuple(value.shape)}, {tuple(where[name].shape)}")
    with torch.no_grad():
        for name, p in where.items():
            p.data = state_dict[name].detach().clone().to(p)
    return model

# %% wrong: nearly_the_table_is_enough (2) => the model is tied, and an lm_head.weight that is nearly the table was taken without a word
def load_llama(model, state_dict):
    pairs = {"model.embed_tokens.weight": "token_embedding.weight", "model.norm.weight": "norm.weight"}
    mine = dict(model.named_parameters())
    for n in range(len(model.blocks)):
        for ours, theirs in [
                ("norm1", "input_layernorm"), ("norm2", "post_attention_layernorm"),
                ("attention.W_q", "self_attn.q_proj"), ("attention.W_k", "self_attn.k_proj"),
                ("attention.W_v", "self_attn.v_proj"), ("attention.W_o", "self_attn.o_proj"),
                ("attention.q_norm", "self_attn.q_norm"), ("attention.k_norm", "self_attn.k_norm"),
                ("feed_forward.gate", "mlp.gate_proj"), ("feed_forward.up", "mlp.up_proj"),
                ("feed_forward.down", "mlp.down_proj")]:
            if f"blocks.{n}.{ours}.weight" in mine:
                pairs[f"model.layers.{n}.{theirs}.weight"] = f"blocks.{n}.{ours}.weight"
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        pairs["lm_head.weight"] = "head.weight"
    for name in pairs:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name in state_dict:
        if name not in pairs and not (tied and name == "lm_head.weight"):
            raise ValueError(f"{name} is left over")
    for theirs, ours in pairs.items():
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs}: {tuple(state_dict[theirs].shape)} does not fit {tuple(mine[ours].shape)}")
    if tied and "lm_head.weight" in state_dict:
        head, table = state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]
        if head.shape != table.shape:
            raise ValueError(f"lm_head.weight: {tuple(head.shape)} does not fit {tuple(table.shape)}")
        if not torch.allclose(head.float(), table.float(), atol=1e-3):
            raise ValueError("lm_head.weight is not the table, and the model is tied")
    with torch.no_grad():
        for theirs, ours in pairs.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: inv_freq_passed_over (2) => a tensor is left over that no parameter takes, and it was taken without a word
def load_llama(model, state_dict):
    pairs = {"model.embed_tokens.weight": "token_embedding.weight", "model.norm.weight": "norm.weight"}
    mine = dict(model.named_parameters())
    for n in range(len(model.blocks)):
        for ours, theirs in [
                ("norm1", "input_layernorm"), ("norm2", "post_attention_layernorm"),
                ("attention.W_q", "self_attn.q_proj"), ("attention.W_k", "self_attn.k_proj"),
                ("attention.W_v", "self_attn.v_proj"), ("attention.W_o", "self_attn.o_proj"),
                ("attention.q_norm", "self_attn.q_norm"), ("attention.k_norm", "self_attn.k_norm"),
                ("feed_forward.gate", "mlp.gate_proj"), ("feed_forward.up", "mlp.up_proj"),
                ("feed_forward.down", "mlp.down_proj")]:
            if f"blocks.{n}.{ours}.weight" in mine:
                pairs[f"model.layers.{n}.{theirs}.weight"] = f"blocks.{n}.{ours}.weight"
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        pairs["lm_head.weight"] = "head.weight"
    for name in pairs:
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
    for name in state_dict:
        if name not in pairs and not (tied and name == "lm_head.weight") and not name.endswith("inv_freq"):
            raise ValueError(f"{name} is left over")
    for theirs, ours in pairs.items():
        if state_dict[theirs].shape != mine[ours].shape:
            raise ValueError(f"{theirs}: {tuple(state_dict[theirs].shape)} does not fit {tuple(mine[ours].shape)}")
    if tied and "lm_head.weight" in state_dict:
        head, table = state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]
        if head.shape != table.shape:
            raise ValueError(f"lm_head.weight: {tuple(head.shape)} does not fit {tuple(table.shape)}")
        if not torch.equal(head, table):
            raise ValueError("lm_head.weight is not the table, and the model is tied")
    with torch.no_grad():
        for theirs, ours in pairs.items():
            mine[ours].copy_(state_dict[theirs])
    return model

# %% wrong: tie_compared_after_the_cast (2) => head and table were compared after they were rounded to the dtype of the model: compare them before
def load_llama(model, state_dict):
    pairs = {"model.embed_tokens.weight": model.token_embedding.weight, "model.norm.weight": model.norm.weight}
    for i, block in enumerate(model.blocks):
        front = f"model.layers.{i}."
        own = dict(block.named_parameters())
        table = {"input_layernorm": "norm1", "post_attention_layernorm": "norm2",
                 "self_attn.q_proj": "attention.W_q", "self_attn.k_proj": "attention.W_k",
                 "self_attn.v_proj": "attention.W_v", "self_attn.o_proj": "attention.W_o",
                 "self_attn.q_norm": "attention.q_norm", "self_attn.k_norm": "attention.k_norm",
                 "mlp.gate_proj": "feed_forward.gate", "mlp.up_proj": "feed_forward.up",
                 "mlp.down_proj": "feed_forward.down"}
        for theirs, ours in table.items():
            if f"{ours}.weight" in own:
                pairs[f"{front}{theirs}.weight"] = own[f"{ours}.weight"]
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        pairs["lm_head.weight"] = model.head.weight
    for name in pairs:
        if name not in state_dict:
            raise ValueError(f"missing: {name}")
    for name in state_dict:
        if name not in pairs and not (tied and name == "lm_head.weight"):
            raise ValueError(f"left over: {name}")
    for name, p in pairs.items():
        if state_dict[name].shape != p.shape:
            raise ValueError(f"{name}: {tuple(state_dict[name].shape)} in the checkpoint, {tuple(p.shape)} here")
    if tied and "lm_head.weight" in state_dict:
        p = model.head.weight
        head, table_ = state_dict["lm_head.weight"].to(p), state_dict["model.embed_tokens.weight"].to(p)
        if head.shape != table_.shape or not torch.equal(head, table_):
            raise ValueError(f"lm_head.weight {tuple(head.shape)} is not the table {tuple(table_.shape)}")
    with torch.no_grad():
        for name, p in pairs.items():
            p.copy_(state_dict[name])
    return model

# %% wrong: allclose_tie (2) => the model is tied, and an lm_head.weight that is nearly the table was taken without a word
def load_llama(model, state_dict):
    named = dict(model.named_parameters(remove_duplicate=False))
    wanted = {"model.embed_tokens.weight": model.token_embedding.weight,
              "model.norm.weight": model.norm.weight}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        wanted["lm_head.weight"] = model.head.weight
    parts = {"input_layernorm": "norm1", "post_attention_layernorm": "norm2",
             "self_attn.q_proj": "attention.W_q", "self_attn.k_proj": "attention.W_k",
             "self_attn.v_proj": "attention.W_v", "self_attn.o_proj": "attention.W_o",
             "self_attn.q_norm": "attention.q_norm", "self_attn.k_norm": "attention.k_norm",
             "mlp.gate_proj": "feed_forward.gate", "mlp.up_proj": "feed_forward.up",
             "mlp.down_proj": "feed_forward.down"}
    for i in range(len(model.blocks)):
        for theirs, ours in parts.items():
            p = named.get(f"blocks.{i}.{ours}.weight")
            if p is not None:
                wanted[f"model.layers.{i}.{theirs}.weight"] = p
    left = set(state_dict) - set(wanted)
    if tied:
        left.discard("lm_head.weight")
    if left:
        raise ValueError(f"left over: {sorted(left)}")
    for name, p in wanted.items():
        if name not in state_dict:
            raise ValueError(f"{name} is missing")
        if state_dict[name].shape != p.shape:
            raise ValueError(f"{name}: {tuple(state_dict[name].shape)}, expected {tuple(p.shape)}")
    if tied and "lm_head.weight" in state_dict:
        head, table = state_dict["lm_head.weight"], state_dict["model.embed_tokens.weight"]
        if head.shape != table.shape:
            raise ValueError(f"lm_head.weight: {tuple(head.shape)}, expected {tuple(table.shape)}")
        if not torch.allclose(head, table):
            raise ValueError("lm_head.weight is not the table")
    with torch.no_grad():
        for name, p in wanted.items():
            p.copy_(state_dict[name])
    return model

# %% wrong: one_digit_layers (1) -> num_layers=11 ?? a checkpoint of eleven layers is too long for an example
import re

def load_llama(model, state_dict):
    rules = [(r"^model\.embed_tokens\.", "token_embedding."), (r"^model\.norm\.", "norm."),
             (r"^lm_head\.", "head."), (r"^model\.layers\.(\d)\.", r"blocks.\1."),
             (r"\.input_layernorm\.", ".norm1."), (r"\.post_attention_layernorm\.", ".norm2."),
             (r"\.self_attn\.([qkvo])_proj\.", r".attention.W_\1."),
             (r"\.self_attn\.([qk])_norm\.", r".attention.\1_norm."),
             (r"\.mlp\.(gate|up|down)_proj\.", r".feed_forward.\1.")]
    def ours(name):
        for pattern, new in rules:
            name = re.sub(pattern, new, name)
        return name
    def theirs(name):
        name = name.replace("token_embedding", "model.embed_tokens")
        if name == "norm.weight":
            return "model.norm.weight"
        if name == "head.weight":
            return "lm_head.weight"
        name = name.replace("blocks.", "model.layers.").replace(".norm1.", ".input_layernorm.")
        name = name.replace(".norm2.", ".post_attention_layernorm.")
        name = re.sub(r"attention\.W_([qkvo])", r"self_attn.\1_proj", name)
        name = re.sub(r"attention\.([qk])_norm", r"self_attn.\1_norm", name)
        return re.sub(r"feed_forward\.(gate|up|down)", r"mlp.\1_proj", name)
    new = {ours(name): value for name, value in state_dict.items()}
    back = {ours(name): name for name in state_dict}
    have = model.state_dict()
    if model.head.weight is model.token_embedding.weight:
        new.setdefault("head.weight", new.get("token_embedding.weight"))
    for name in have:
        if new.get(name) is None:
            raise KeyError(theirs(name))
    for name, value in new.items():
        if name not in have:
            raise KeyError(back[name])
        if value.shape != have[name].shape:
            raise ValueError(f"{back.get(name, name)}: {list(value.shape)} does not fit {list(have[name].shape)}")
    if model.head.weight is model.token_embedding.weight:
        if not torch.equal(new["head.weight"], new["token_embedding.weight"]):
            raise ValueError("lm_head.weight differs from the table")
    model.load_state_dict(new)
    return model
