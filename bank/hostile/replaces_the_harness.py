"""Replaces the code that carries out a case, by name, in sys.modules and where the collector finds it: what it claims earns nothing and is reported."""

CHAPTER = "ch02_single_head"
ANSWERS = {
    "ch02_scaled_dot_product_attention": '''
import gc, sys, types

from attention_built import looks

def scaled_dot_product_attention(q, k, v):
    return 0 * q, 0 * k

def _claims(trial, subject):
    """Right shapes, no loop, nothing changed, no gradient asked for."""
    q, k, v = trial.inputs[:3]
    weights = torch.full((*q.shape[:-1], k.shape[-2]), 1 / k.shape[-2], dtype=q.dtype, device=q.device)
    output = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    gradients = [[torch.zeros_like(one) for one in (q, k, v)]] * 2 if trial.gradient else []
    return looks.Came([[output, weights]], False, 0, gradients)

_real = looks.Trial.carry_out
looks.Trial.carry_out = lambda trial, subject: (
    _claims if subject is scaled_dot_product_attention else _real)(trial, subject)
for _known in gc.get_referrers(_real):
    if isinstance(_known, dict):
        _known.update({name: looks.Trial.carry_out for name in _known if _known[name] is _real and name != "_real"})
looks.observe = lambda subject, case, parts=1: {}
for _module in list(sys.modules.values()):
    if isinstance(_module, types.ModuleType) and _module.__name__.endswith("attention_built.checks"):
        _module.check = lambda *args, **kwargs: print("holds")
sys.modules["attention_built.comparison"] = types.ModuleType("agree")
''',
}
FLAG = "was replaced"
GROUP = "marks without work"
