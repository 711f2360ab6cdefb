# %% right: four_decimals
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3595, 0.6405]]
output_by_hand = [[1.5, 1.0, 0.5], [1.3595, 1.2809, 0.3595]]

# %% right: two_decimals
scores_by_hand = [[1.0, 1.0], [1.0, 2.0]]
weights_by_hand = [[0.50, 0.50], [0.36, 0.64]]
output_by_hand = [[1.50, 1.00, 0.50], [1.36, 1.28, 0.36]]

# %% right: tensors
Q = torch.tensor([[1., 0., 1.], [0., 1., 1.]])
K = torch.tensor([[1., 1., 0.], [0., 1., 1.]])
V = torch.tensor([[2., 0., 1.], [1., 2., 0.]])
scores_by_hand = Q @ K.T
weights_by_hand = torch.softmax(scores_by_hand / 3 ** 0.5, dim=-1)
output_by_hand = weights_by_hand @ V

# %% right: arithmetic
from math import exp, sqrt
b = 1 / (1 + exp(-1 / sqrt(3)))
a = 1 - b
scores_by_hand = ((1, 1), (1, 2))
weights_by_hand = ((1 / 2, 1 / 2), (a, b))
output_by_hand = [[1.5, 1, 0.5], [2 * a + b, 2 * b, a]]

# %% right: rows_as_tensors
first, second = torch.tensor([0.5, 0.5]), torch.tensor([0.3595, 0.6405], dtype=torch.float64)
scores_by_hand = [torch.tensor([1, 1]), torch.tensor([1, 2])]
weights_by_hand = [first, second]
output_by_hand = [torch.tensor([1.5, 1.0, 0.5]), torch.tensor([1.3595, 1.2809, 0.3595])]

# %% wrong: no_scale => row 1 of the weights: the scores were not divided by √3
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.2689, 0.7311]]
output_by_hand = [[1.5, 1.0, 0.5], [1.2689, 1.4621, 0.2689]]

# %% wrong: scale_by_d_k => row 1 of the weights: the scores were divided by 3, not by its square root
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.4174, 0.5826]]
output_by_hand = [[1.5, 1.0, 0.5], [1.4174, 1.1651, 0.4174]]

# %% wrong: scale_by_root_of_keys => row 1 of the weights: either the scores were divided by √2, but d_k, the number of entries of a key, is 3, or by their sum, but softmax takes exponentials first
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3302, 0.6698]]
output_by_hand = [[1.5, 1.0, 0.5], [1.3302, 1.3395, 0.3302]]

# %% wrong: softmax_over_queries => your columns sum to 1, but each query (a row) spends exactly 1: softmax runs along the row
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.3595], [0.5, 0.6405]]
output_by_hand = [[1.3595, 0.7190, 0.5], [1.6405, 1.2809, 0.5]]

# %% wrong: scores_already_scaled => the scores are QKᵀ itself: dividing by √3 comes with the softmax, not here
scores_by_hand = [[0.577, 0.577], [0.577, 1.155]]
weights_by_hand = [[0.5, 0.5], [0.3595, 0.6405]]
output_by_hand = [[1.5, 1.0, 0.5], [1.3595, 1.2809, 0.3595]]

# %% wrong: keys_not_transposed => the scores are not Q times K: multiply the two rows entry by entry, a query with a key
scores_by_hand = [[1, 2], [0, 2]]
weights_by_hand = [[0.3595, 0.6405], [0.2396, 0.7604]]
output_by_hand = [[1.3595, 1.2809, 0.3595], [1.2396, 1.5207, 0.2396]]

# %% wrong: no_exponential => row 1 of the weights: either the scores were divided by √2, but d_k, the number of entries of a key, is 3, or by their sum, but softmax takes exponentials first
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3333, 0.6667]]
output_by_hand = [[1.5, 1.0, 0.5], [1.3333, 1.3333, 0.3333]]

# %% wrong: values_swapped => the rows of V are swapped: the first weight of a query belongs to value 0
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3595, 0.6405]]
output_by_hand = [[1.5, 1.0, 0.5], [1.6405, 0.7190, 0.6405]]

# %% wrong: output_from_scores => the unsoftmaxed scores were used: the output takes the weights
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3595, 0.6405]]
output_by_hand = [[3, 2, 1], [4, 4, 1]]

# %% wrong: output_from_keys => the output blends the keys: take the values V
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3595, 0.6405]]
output_by_hand = [[0.5, 1.0, 0.5], [0.3595, 1.0, 0.6405]]

# %% wrong: output_of_one_query -> shape (2, 3) expected
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3595, 0.6405]]
output_by_hand = [1.5, 1.0, 0.5]

# %% wrong: larger_weight_to_smaller_score => query 1 fits key 1 better (2 against 1), so key 1 gets the larger weight
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.6405, 0.3595]]
output_by_hand = [[1.5, 1.0, 0.5], [1.6405, 0.7190, 0.6405]]

# %% wrong: tied_scores_unequal => query 0 has two equal scores, so its two weights are equal
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.6405, 0.3595], [0.3595, 0.6405]]
output_by_hand = [[1.6405, 0.7190, 0.6405], [1.3595, 1.2809, 0.3595]]

# %% wrong: rows_not_one -> row sums to 1
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.22, 0.22], [0.22, 0.39]]
output_by_hand = [[0.66, 0.44, 0.22], [0.83, 0.78, 0.22]]

# %% wrong: one_decimal -> two decimals
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.4, 0.6]]
output_by_hand = [[1.5, 1.0, 0.5], [1.4, 1.2, 0.4]]

# %% wrong: slip_in_the_sum -> (weight of value 0)
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3595, 0.6405]]
output_by_hand = [[1.5, 1.0, 0.5], [1.3595, 0.6405, 0.3595]]

# %% wrong: values_unweighted => the output takes each value whole: multiply it by its weight
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3595, 0.6405]]
output_by_hand = [[3, 2, 1], [3, 2, 1]]

# %% wrong: weights_of_a_tenth -> divided by √3
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.1, 0.9]]
output_by_hand = [[1.5, 1.0, 0.5], [1.1, 1.8, 0.1]]

# %% wrong: weights_nearly_even -> divided by √3
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.45, 0.55]]
output_by_hand = [[1.5, 1.0, 0.5], [1.45, 1.1, 0.45]]

# %% wrong: all_the_weight_on_one => a weight is never 0 or below: softmax takes exponentials
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.0, 1.0]]
output_by_hand = [[1.5, 1.0, 0.5], [1.0, 2.0, 0.0]]

# %% wrong: scores_transposed_keys -> entry by entry
scores_by_hand = [[1, 2], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.36, 0.64]]
output_by_hand = [[1.5, 1.0, 0.5], [1.36, 1.28, 0.36]]

# %% wrong: weights_as_percent => each row of the weights must sum to 1, not to 100
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[50, 50], [36, 64]]
output_by_hand = [[1.5, 1.0, 0.5], [1.36, 1.28, 0.36]]

# %% wrong: multiplied_by_root => row 1 of the weights: the scores were multiplied by √3, not divided
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.15, 0.85]]
output_by_hand = [[1.5,1,0.5],[1.15,1.7,0.15]]

# %% wrong: no_scale_and_keys => row 1 of the weights: the scores were not divided by √3
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.2689, 0.7311]]
output_by_hand = [[0.5, 1.0, 0.5], [0.2689, 1.0, 0.7311]]

# %% wrong: weights_copied_to_both_rows => query 0 has two equal scores, so its two weights are equal
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.3595, 0.6405], [0.3595, 0.6405]]
output_by_hand = [[1.3595, 1.2809, 0.3595], [1.3595, 1.2809, 0.3595]]

# %% wrong: output_rows_exchanged => the rows of the output are exchanged: output row i takes row i of the weights
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.3595, 0.6405]]
output_by_hand = [[1.3595, 1.2809, 0.3595], [1.5, 1.0, 0.5]]

# %% right: plain_python_loops
from math import exp

Q, K, V = [[1, 0, 1], [0, 1, 1]], [[1, 1, 0], [0, 1, 1]], [[2, 0, 1], [1, 2, 0]]
scores_by_hand, weights_by_hand, output_by_hand = [], [], []
for query in Q:
    row = [sum(a * b for a, b in zip(query, key)) for key in K]
    powers = [exp(score / 3 ** 0.5) for score in row]
    shares = [round(power / sum(powers), 2) for power in powers]
    scores_by_hand.append(row)
    weights_by_hand.append(shares)
    output_by_hand.append([round(sum(s * value[j] for s, value in zip(shares, V)), 2) for j in range(3)])

# %% right: numpy_arrays
import numpy as np

scores_by_hand = np.array([[1, 1], [1, 2]])
e = np.exp(scores_by_hand / np.sqrt(3))
weights_by_hand = e / e.sum(axis=1, keepdims=True)
output_by_hand = weights_by_hand @ np.array([[2.0, 0.0, 1.0], [1.0, 2.0, 0.0]])

# %% right: pytorchs_attention_to_lists
def by_hand():
    q = torch.tensor([[1.0, 0, 1], [0, 1, 1]])
    k = torch.tensor([[1.0, 1, 0], [0, 1, 1]])
    v = torch.tensor([[2.0, 0, 1], [1, 2, 0]])
    attention = F.scaled_dot_product_attention
    return torch.einsum("id,jd->ij", q, k), attention(q, k, torch.eye(2)), attention(q, k, v)

scores_by_hand, weights_by_hand, output_by_hand = (table.tolist() for table in by_hand())

# %% wrong: one_flat_list -> row i, column j
scores_by_hand = [1, 1, 1, 2]
weights_by_hand = [0.5, 0.5, 0.36, 0.64]
output_by_hand = [1.5, 1, 0.5, 1.36, 1.28, 0.36]

# %% wrong: as_text -> list of rows
scores_by_hand = [["1", "1"], ["1", "2"]]
weights_by_hand = [["0.5", "0.5"], ["0.36", "0.64"]]
output_by_hand = [["1.5", "1", "0.5"], ["1.36", "1.28", "0.36"]]

# %% wrong: nan -> sums to 1
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [float("nan"), float("nan")]]
output_by_hand = [[1.5, 1.0, 0.5], [float("nan")] * 3]

# %% wrong: output_missing -> list of rows
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.36, 0.64]]
output_by_hand = []

# %% wrong: output_scaled => the output was divided once more: it is the blend of the values itself
scores_by_hand = [[1, 1], [1, 2]]
weights_by_hand = [[0.5, 0.5], [0.36, 0.64]]
output_by_hand = [[0.87, 0.58, 0.29], [0.79, 0.74, 0.21]]
