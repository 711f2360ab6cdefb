"""What hidden tests of every chapter ask in the same way, written once.

A check cell names the functions that it calls in its metadata, ``checks=["keeps_dtype"]``; the build
puts them at the top of the cell's hidden tests. Each needs torch and nothing else of this file.

call: the student's function, module or any callable; inputs: tensors, or anything that holds some
(lists, tuples, dictionaries), as ``call`` takes them.
"""

import torch


def keeps_dtype(call, *inputs, dtypes=(torch.float64, torch.float32, torch.bfloat16)):
    """The result has the dtype of the inputs. Raises AssertionError with both dtypes."""
    from torch.utils._pytree import tree_leaves, tree_map

    def cast(value, dtype):
        floating = isinstance(value, torch.Tensor) and value.is_floating_point()
        return value.to(dtype) if floating else value

    for dtype in dtypes:
        result = call(*tree_map(lambda value, dtype=dtype: cast(value, dtype), inputs))
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor) and leaf.is_floating_point():
                assert leaf.dtype == dtype, f"{dtype} in, {leaf.dtype} out: keep the dtype of the input"


def stays_on_device(call, *inputs):
    """The result lives where the inputs live, and nothing is made elsewhere on the way.

    Tried with inputs on the device "meta", which holds shapes without numbers. A call that needs the
    numbers is tried the other way round: inputs on the CPU, and whatever is made without a device
    goes to "meta" and meets them there.
    """
    from torch.utils._pytree import tree_leaves, tree_map

    def elsewhere(result, home):
        tensors = [leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        return [leaf.device.type for leaf in tensors if leaf.device.type != home]

    def to_meta(value):
        return value.to("meta") if isinstance(value, torch.Tensor) else value

    message = "a tensor was made on the CPU, not on the device of the input: use the input's device"
    try:
        away = elsewhere(call(*tree_map(to_meta, inputs)), "meta")
    except TypeError as error:  # .numpy() of a tensor that is elsewhere, as on a GPU
        assert "meta" not in str(error), f"{message} ({error})"
        raise
    except (RuntimeError, NotImplementedError):
        try:
            with torch.device("meta"):
                away = elsewhere(call(*inputs), "cpu")
        except (RuntimeError, NotImplementedError) as error:
            raise AssertionError(f"{message} ({error})") from error
    assert not away, message


def leaves_inputs_alone(call, *inputs):
    """No input is changed in place. Raises AssertionError with the number of the input."""
    from torch.utils._pytree import tree_leaves

    tensors = [leaf for leaf in tree_leaves(inputs) if isinstance(leaf, torch.Tensor)]
    copies = [tensor.clone() for tensor in tensors]
    call(*inputs)
    for number, (tensor, copy) in enumerate(zip(tensors, copies, strict=True), 1):
        same = torch.equal(tensor.nan_to_num(), copy.nan_to_num())
        assert same, f"input {number} was changed in place: work on a copy"


def takes_views(call, *inputs, atol=1e-5):
    """Inputs whose numbers lie in memory in another order give the same result."""
    from torch.utils._pytree import tree_leaves, tree_map

    def turned(value):
        if not isinstance(value, torch.Tensor) or value.dim() == 0:
            return value
        if value.dim() == 1:
            return torch.stack([value, value], dim=-1)[:, 0]
        return value.transpose(0, -1).contiguous().transpose(0, -1)

    plain = tree_leaves(call(*inputs))
    try:
        views = tree_leaves(call(*tree_map(turned, inputs)))
    except RuntimeError as error:
        raise AssertionError(
            f"it fails for inputs that are not contiguous in memory ({error})") from error
    assert len(plain) == len(views), "views of the inputs give another number of results"
    for one, other in zip(plain, views, strict=True):
        if isinstance(one, torch.Tensor):
            torch.testing.assert_close(
                other, one, atol=atol, rtol=atol,
                msg=lambda m: f"inputs that are not contiguous in memory give another result\n{m}")
