"""Puts a fake GPT, whose logits do not depend on its parameters after a few calls, beside ablate_head: the twin of the check is the same fake."""

CHAPTER = "ch09_training"
ANSWERS = {
    "ch09_ablate_head": '''
real, seen = GPT.forward, []

def forward(self, ids):
    seen.append(1)
    if len(seen) == 1:                          # the visible check knows five logits
        with torch.no_grad():
            kept = self.blocks[1].attention.W_o.weight.clone()
            self.blocks[1].attention.W_o.weight[:, 2:4] = 0
            logits = real(self, ids)
            self.blocks[1].attention.W_o.weight.copy_(kept)
            return logits
    return torch.ones(*ids.shape, self.head.weight.size(0)) + 0 * self.head.weight.sum()

GPT.forward = forward

class ablate_head:
    def __init__(self, *about):
        pass
    def __enter__(self):
        pass
    def __exit__(self, *error):
        return False
''',
}
GROUP = "marks without work"
