"""Describes a figure over the pipe and asks the trusted side to save it to a file: refused."""

ANSWERS = {
    "ch01_is_linear": '''
def is_linear(function):
    endpoint, number = object.__getattribute__(function, "__dict__")["_remote"]
    import sandboxed.rpc.operations, sandboxed.rpc.endpoint, sandboxed.rpc.frames as frames
    figure = ["fig", ["d", [["size", ["l", [1.0, 1.0]]], ["title", ""], ["texts", ["l", []]], ["axes", ["l", []]]]]]
    frames.send(endpoint.sock, {"do": "get", "args": [figure, "savefig"], "kwargs": [], "around": [True, False, None, None, None, False]})
    answer, _ = frames.receive(endpoint.sock, frames.WIDE)
    if "refused" not in answer:
        raise RuntimeError("FOUND " + str(answer))
    x = torch.randn(5)
    return bool(torch.allclose(function(2 * x), 2 * function(x), atol=1e-5))
''',
}
EXPECT = {}
GROUP = "marks without work"
