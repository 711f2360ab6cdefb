"""Gives objects of a class that it named tensor, for every exercise: shapes, dtype and values that nobody could read."""

CHAPTER = "ch02_single_head"
ANSWERS = {
    "ch02_by_hand": '''
class tensor: pass
scores_by_hand = weights_by_hand = output_by_hand = tensor()
''',
    "ch02_project_qkv": '''
class tensor: pass
def project_qkv(x, W_q, W_k, W_v):
    return tensor(), tensor(), tensor()
''',
    "ch02_scaled_dot_product_attention": '''
class tensor: pass
def scaled_dot_product_attention(q, k, v):
    return tensor(), tensor()
''',
    "ch02_score_std": '''
class number: pass
def score_std(d_k, n=20000, scaled=False, generator=None):
    return number()
''',
    "ch02_self_attention": '''
class tensor: pass
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
    def forward(self, x):
        return tensor(), tensor()
''',
    "ch02_matrices_by_hand": '''
class tensor: pass
W_q_by_hand = W_k_by_hand = W_v_by_hand = tensor()
''',
}
GROUP = "marks without work"
