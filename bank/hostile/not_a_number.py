"""Returns NaN, which no comparison can refute: wrong."""

ANSWERS = {
    "ch01_weights": '''
def weights(scores):
    return scores * float("nan")
''',
}
EXPECT = {'weights': 'wrong', 'weights_values': 'wrong'}
GROUP = "marks without work"
