"""What hidden tests of every chapter ask in the same way, written once.

A check cell names the functions that it calls in its metadata,
``checks=["keeps_dtype"]``; the build puts them at the top of the cell's hidden tests.
Each needs torch and nothing else of this file.

call: the student's function, module or any callable; inputs: tensors, or anything that
holds some (lists, tuples, dictionaries), as ``call`` takes them.
"""

import torch


def keeps_dtype(call, *inputs, dtypes=(torch.float64, torch.float32, torch.bfloat16)):
    """The result has the dtype of the inputs. Raises AssertionError with both dtypes.
    """
    from torch.utils._pytree import tree_leaves, tree_map

    def cast(value, dtype):
        floating = isinstance(value, torch.Tensor) and value.is_floating_point()
        return value.to(dtype) if floating else value

    for dtype in dtypes:
        result = call(*tree_map(lambda value, dtype=dtype: cast(value, dtype), inputs))
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor) and leaf.is_floating_point():
                assert leaf.dtype == dtype, (
                    f"{dtype} in, {leaf.dtype} out: keep the dtype of the input")


def stays_on_device(call, *inputs, needs_numbers=False):
    """The result lives where the inputs live, and a GPU could do all that is done on
    the way.

    Tried with inputs on the device "meta", which holds shapes without numbers. A call
    that needs the numbers is tried the other way round: inputs on the CPU, and whatever
    is made without a device goes to "meta" and meets them there. A module in ``call``
    is on the device of its input, or on "meta" where all inputs are.

    needs_numbers: try it the other way round at once. Returns the result of that way,
    None where it was not needed or could not be finished.

    What a GPU takes is right: a tensor that is made on the CPU and moved, a single
    number of the CPU, indices of the CPU. What it refuses is wrong, also where "meta"
    is silent, as in a matrix product.
    """
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves, tree_map
    from torch.utils.weak import WeakTensorKeyDictionary

    class Tables(TorchDispatchMode):
        met = None  # the shape of the first table of the CPU that met one of "meta"
        twins = None  # {tensor on "meta": the same with numbers}, on the way round

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            name = func._schema.name.removeprefix("aten::").strip("_")
            indexes = name in ("index", "index_put", "index_put_impl")
            args, kwargs = self.taken_by_a_gpu(indexes, args, kwargs or {})
            given = [leaf for leaf in tree_leaves((args, kwargs))
                     if isinstance(leaf, torch.Tensor)]
            there = any(tensor.device.type == "meta" for tensor in given)
            if indexes:
                given = [args[0], *args[2:]]  # without the indices
            if name in ("copy", "to_copy"):
                given = []
            for tensor in given:
                if (isinstance(tensor, torch.Tensor) and there and tensor.dim()
                        and tensor.device.type == "cpu"):
                    self.met = self.met or tuple(tensor.shape)
            if self.twins is None:
                return func(*args, **kwargs)
            return self.beside_numbers(func, name, args, kwargs)

        def taken_by_a_gpu(self, indexes, args, kwargs):
            """Indices and single numbers of "meta", on the way round with numbers."""
            def twin(value):
                tensor = isinstance(value, torch.Tensor)
                return self.twins.get(value, value) if tensor else value

            if self.twins is None:
                return args, kwargs
            if indexes and args[0].device.type == "cpu":
                args = (args[0], tree_map(twin, args[1]), *args[2:])
            given = [leaf for leaf in tree_leaves((args, kwargs))
                     if isinstance(leaf, torch.Tensor)]
            away = [leaf for leaf in given if leaf.device.type == "meta"]
            alone = len(away) == len(given) or any(leaf.dim() for leaf in away)
            return (args, kwargs) if alone else tree_map(twin, (args, kwargs))

        def beside_numbers(self, func, name, args, kwargs):
            """Work on "meta", and on the twins: what leaves "meta" takes their numbers.
            """
            def twin(value):
                if isinstance(value, torch.Tensor) and value.device.type == "meta":
                    return self.twins[value]
                meta = isinstance(value, torch.device) and value.type == "meta"
                return torch.device("cpu") if meta else value

            try:
                plain = tree_map(twin, (args, kwargs))
            except KeyError:
                return func(*args, **kwargs)
            numbers = func(*plain[0], **plain[1])
            leaves = name == "to_copy" and str(kwargs.get("device")) == "cpu"
            if leaves or name == "local_scalar_dense":
                return numbers
            result = func(*args, **kwargs)
            for one, other in zip(
                    tree_leaves(result), tree_leaves(numbers), strict=True):
                if isinstance(one, torch.Tensor) and one.device.type == "meta":
                    self.twins[one] = other
            return result

    class Numbers(TorchFunctionMode):
        """Knows the numbers of what is made of a list, or moved to "cpu" by that name.
        """

        def __torch_function__(self, func, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            if (func in (torch.tensor, torch.as_tensor, torch.asarray)
                    and kwargs.get("device") is None):
                data = args[0] if args else kwargs.get("data")
                if isinstance(data, torch.Tensor):
                    return func(*args, **{**kwargs, "device": data.device})
                made = func(*args, **kwargs)
                tables.twins[made] = func(*args, **{**kwargs, "device": "cpu"})
                return made
            leaves = func is torch.Tensor.cpu or func is torch.Tensor.to and "cpu" in [
                value for value in (*args[1:], kwargs.get("device"))
                if isinstance(value, str)]
            if leaves and args[0].device.type == "cpu":  # the GPU, on the way round
                numbers = func(*args, **kwargs)
                made = numbers.to("meta")
                tables.twins[made] = numbers
                return made
            if (func in (torch.Tensor.tolist, torch.Tensor.numpy,
                         torch.Tensor.__array__) and args[0] in tables.twins):
                return func(tables.twins[args[0]], *args[1:], **kwargs)
            return func(*args, **kwargs)

    def elsewhere(result, home):
        tensors = [
            leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        return [leaf.device.type for leaf in tensors if leaf.device.type != home]

    def to_meta(value):
        return value.to("meta") if isinstance(value, torch.Tensor) else value

    given = {leaf.device.type for leaf in tree_leaves(inputs)
             if isinstance(leaf, torch.Tensor)}
    message = "a tensor was made on the CPU, not on the device " + (
        "of the input: use the input's device" if given else "asked for")
    there, tables, result = tree_map(to_meta, inputs), Tables(), None
    try:
        if needs_numbers:
            raise RuntimeError("the numbers are needed")
        with tables:
            away = elsewhere(call(*there), "meta")
    except TypeError as error:  # .numpy() of a tensor that is elsewhere, as on a GPU
        assert "meta" not in str(error), f"{message} ({error})"
        raise
    except (RuntimeError, NotImplementedError) as error:
        met = tables.met or any(
            words in str(error) for words in ("the same device", "expected device"))
        assert not met, f"{message} ({error})"
        numbers_here = needs_numbers or "cpu" in given
        if "Expected `value`" in str(error) and not numbers_here:
            return None  # masked_fill with a number on the CPU: "meta" alone refuses it
        try:
            if not numbers_here:
                raise error
            tables.twins = WeakTensorKeyDictionary()
            with torch.device("meta"), Numbers(), tables:
                result = call(*inputs)
            away = elsewhere(result, "cpu")
        except (RuntimeError, NotImplementedError) as error:
            if "cannot be called on meta" in str(error) and not tables.met:
                return None  # a number was asked for, as by all(): a GPU knows it
            raise AssertionError(f"{message} ({error})") from error
    assert not away, message
    assert not tables.met, f"{message} (a tensor of shape {tables.met})"
    return result


def leaves_inputs_alone(call, *inputs):
    """No input is changed in place. Raises AssertionError with the number of the input.
    """
    from torch.utils._pytree import tree_leaves

    tensors = [leaf for leaf in tree_leaves(inputs) if isinstance(leaf, torch.Tensor)]
    copies = [tensor.clone() for tensor in tensors]
    call(*inputs)
    for number, (tensor, copy) in enumerate(zip(tensors, copies, strict=True), 1):
        same = torch.equal(tensor.nan_to_num(), copy.nan_to_num())
        assert same, f"input {number} was changed in place: work on a copy"


def gpt_numbers(vocab, max_len, d_model, num_layers, seed, dtype=torch.float64):
    """{name: random numbers} for all parameters of a GPT of chapter 8, the shared table
    once.

    They are so large that the next token depends on every token before. What is
    expected of a model that holds them is computed from them (``gpt_logits``), not by
    the model: its class is a student's.
    """
    generator = torch.Generator().manual_seed(seed)
    shapes = {
        "token_embedding": [vocab, d_model], "position_embedding": [max_len, d_model],
        "norm": [d_model]}
    for i in range(num_layers):
        shapes |= {f"blocks.{i}.{norm}": [d_model] for norm in ("norm1", "norm2")}
        shapes |= {
            f"blocks.{i}.attention.W_{name}": [d_model, d_model] for name in "qkvo"}
        shapes |= {f"blocks.{i}.feed_forward.linear1": [4 * d_model, d_model],
                   f"blocks.{i}.feed_forward.linear2": [d_model, 4 * d_model]}
    numbers = {}
    for name, shape in shapes.items():
        scale = (6 if name.endswith(("W_o", "linear2")) else 1.5) / shape[-1] ** 0.5
        scale = 0.2 if len(shape) == 1 else scale
        random = scale * torch.randn(shape, generator=generator, dtype=torch.float64)
        numbers[f"{name}.weight"] = (random + (len(shape) == 1)).to(dtype)
        if "embedding" not in name:
            bias = 0.2 * torch.randn(shape[0], generator=generator, dtype=torch.float64)
            numbers[f"{name}.bias"] = bias.to(dtype)
    return numbers


def gpt_logits(numbers, ids, num_heads):
    """Logits (batch, seq, vocab) for ids (batch, seq), from a GPT's numbers alone
    (``gpt_numbers``).
    """
    from torch.nn import functional as F

    def linear(part, x):
        return F.linear(x, numbers[f"{part}.weight"], numbers[f"{part}.bias"])

    def norm(part, x):
        return F.layer_norm(
            x, x.shape[-1:], numbers[f"{part}.weight"], numbers[f"{part}.bias"])

    table = numbers["token_embedding.weight"]
    x = table[ids] + numbers["position_embedding.weight"][: ids.size(1)]
    hidden = torch.ones(ids.size(1), ids.size(1)).triu(1).bool()
    for i in range(sum(name.endswith("W_q.weight") for name in numbers)):
        block = f"blocks.{i}"
        h = norm(f"{block}.norm1", x)
        q, k, v = (
            linear(f"{block}.attention.W_{name}",
                   h).unflatten(-1, (num_heads, -1)).transpose(1, 2) for name in "qkv")
        scores = (
            q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).masked_fill(hidden, -torch.inf)
        x = x + linear(f"{block}.attention.W_o",
                       (scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
        h = F.gelu(linear(f"{block}.feed_forward.linear1", norm(f"{block}.norm2", x)),
                   approximate="tanh")
        x = x + linear(f"{block}.feed_forward.linear2", h)
    return F.linear(norm("norm", x), table)
