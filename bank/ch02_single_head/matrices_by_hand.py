# %% right: blocks
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% right: lists_of_rows
W_q_by_hand = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
W_k_by_hand = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
W_v_by_hand = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]

# %% right: filled_by_name
W_q_by_hand, W_k_by_hand, W_v_by_hand = torch.zeros(9, 6), torch.zeros(9, 6), torch.zeros(9, 3)
place = {word: n for n, word in enumerate("dog cat cow barks meows moos brown white black".split())}
for column, (sound_, name) in enumerate([("barks", "dog"), ("meows", "cat"), ("moos", "cow")]):
    W_q_by_hand[place[sound_], column] = 5
    W_k_by_hand[place[name], column] = 5
for column, name in enumerate(["brown", "white", "black"]):
    W_v_by_hand[place[name], column] = 1

# %% right: two_columns_on_a_circle
angles = torch.tensor([0.0, 2.0944, 4.1888])
circle = torch.stack([angles.cos(), angles.sin()], dim=1)
W_q_by_hand, W_k_by_hand, W_v_by_hand = torch.zeros(9, 2), torch.zeros(9, 2), torch.zeros(9, 3)
W_q_by_hand[3:6] = 20 * circle
W_k_by_hand[:3] = circle
W_v_by_hand[6:] = torch.eye(3)

# %% right: other_queries_do_no_harm
W_q_by_hand, W_k_by_hand, W_v_by_hand = torch.ones(9, 3), torch.zeros(9, 3), torch.zeros(9, 3)
W_q_by_hand[3:6] = 10 * torch.eye(3)
W_k_by_hand[:3] = torch.eye(3)
W_v_by_hand[6:] = torch.eye(3)

# %% right: parameters_float64
W_q_by_hand = nn.Parameter(torch.zeros(9, 3, dtype=torch.float64))
W_k_by_hand = nn.Parameter(torch.zeros(9, 3, dtype=torch.float64))
W_v_by_hand = nn.Parameter(torch.zeros(9, 3, dtype=torch.float64))
with torch.no_grad():
    for n in range(3):
        W_q_by_hand[3 + n, n], W_k_by_hand[n, n], W_v_by_hand[6 + n, n] = 30, 1, 1

# %% right: sound_repels_itself
W_q_by_hand, W_k_by_hand, W_v_by_hand = torch.zeros(9, 4), torch.zeros(9, 4), torch.zeros(9, 3)
W_q_by_hand[3:6, :3], W_q_by_hand[3:6, 3] = 12 * torch.eye(3), 12
W_k_by_hand[:3, :3], W_k_by_hand[3:6, 3] = torch.eye(3), -1
W_v_by_hand[6:] = torch.eye(3)

# %% right: colours_disturb_little
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 14 * one, none])
W_k_by_hand = torch.cat([0.9 * one, none, 0.5 * one])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: scores_too_small (1) => the right animal is found, but the scores are too close together
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: scores_half_as_large (1) => the right animal is found, but the scores are too close together
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 3 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: transposed (1, 2) -> 9 rows
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none]).T
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: value_transposed (1, 2) -> 9 rows
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one]).T

# %% wrong: all_zero (1) => no key answers its query: a question of W_q and its answer in W_k must stand in the same column
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.zeros(9, 3)
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: keys_all_zero (1) => no key answers its query: a question of W_q and its answer in W_k must stand in the same column
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.zeros(9, 3)
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: other_columns (1) => no key answers its query: a question of W_q and its answer in W_k must stand in the same column
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([torch.zeros(9, 3), torch.cat([none, 12 * one, none])], dim=1)
W_k_by_hand = torch.cat([torch.cat([one, none, none]), torch.zeros(9, 3)], dim=1)
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: names_ask_sounds_answer (1) => no key answers its query: a question of W_q and its answer in W_k must stand in the same column
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([12 * one, none, none])
W_k_by_hand = torch.cat([none, one, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: mirror (1) => it looks mostly at itself: what in W_k answers to a sound?
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = 12 * torch.eye(9)
W_k_by_hand = torch.eye(9)
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: keys_of_sounds_too (1) => it looks mostly at itself: what in W_k answers to a sound?
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, 2 * one, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: sign_turned (1) => it looks mostly at the others, and least at its animal: is a sign turned round?
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, -12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: pairs_shifted (1) => it looks mostly at the next animal: which column of W_q and W_k belongs to which pair?
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one.roll(1, 0), none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: colours_answer (2) => the colours answer in place of the names: do the keys listen to colours?
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([none, none, one])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: colours_answer_too (2) => the colours answer as well as the names: do the keys listen to colours?
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, one])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: values_from_names (2) => does the value depend on the name? It is the colour that is handed over
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([one, none, none])

# %% wrong: values_of_names_too (1) => W_v hands over something of names or sounds, not the colour alone
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([one, none, one])

# %% wrong: colours_in_another_order (1) => the three numbers are brown, white, black, in this order
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one.flip(1)])

# %% wrong: amounts_too_large (1) -> within 0.1
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, 5 * one])

# %% wrong: value_of_all_features (1, 2) => W_v_by_hand needs 3 columns, brown, white and black
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.eye(9)

# %% wrong: d_k_differs (1, 2) => a query meets a key number by number: W_q_by_hand and W_k_by_hand need as many columns
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])[:, :2]
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: rows_missing (1, 2) -> 9 rows
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = 12 * one
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: barks_alone (1) => no key answers its query: a question of W_q and its answer in W_k must stand in the same column
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])
W_q_by_hand[4:] = 0

# %% wrong: one_question_for_all (1) => it looks mostly at the dog: each sound needs a question of its own
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([torch.zeros(3, 1), torch.full((3, 1), 12.0), torch.zeros(3, 1)])
W_k_by_hand = torch.tensor([[1.0], [0.5], [0.5], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0]])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: infinite (1, 2) => NaN comes out of infinite entries: large numbers are enough
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])
W_q_by_hand[3, 0] = float('inf')

# %% wrong: not_rows (1, 2) -> list of rows
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = 'brown'

# %% wrong: names_hand_over_their_first_colour (2) => does the value depend on the name? It is the colour that is handed over
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([one, none, none])[[0, 1, 2, 3, 4, 5, 6, 7, 8]]

# %% wrong: white_shows_as_brown_too (1) -> brown, white, black
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, torch.tensor([[1.0, 0, 0], [0.9, 0.4, 0], [0, 0, 1.0]])])

# %% wrong: nothing_filled_in (1, 2) -> list of rows
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = None
W_k_by_hand = None
W_v_by_hand = None

# %% wrong: colour_helps_too_much (2) => the colours help the names too much: do the keys listen to colours?
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 14 * one, none])
W_k_by_hand = torch.cat([0.9 * one, none, 0.85 * one])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: learns_no_colour_for_black (1) => W_v hands over nothing for "black"
def table(columns, entries):
    W = torch.zeros(9, columns)
    for word, column, number in entries:
        W[features.index(word), column] = number
    return W
names, sounds_, hues = features[:3], features[3:6], features[6:]

W_q_by_hand = table(3, [(s, n, 6.0) for n, s in enumerate(sounds_)])
W_k_by_hand = table(3, [(s, n, 2.0) for n, s in enumerate(names)])
W_v_by_hand = table(3, [("brown", 0, 1.0), ("white", 1, 1.0)])

# %% wrong: negative_pairs (1) => W_v hands over less than nothing: each colour counts 1
def table(columns, entries):
    W = torch.zeros(9, columns)
    for word, column, number in entries:
        W[features.index(word), column] = number
    return W
names, sounds_, hues = features[:3], features[3:6], features[6:]

W_q_by_hand = table(3, [(s, n, -6.0) for n, s in enumerate(sounds_)])
W_k_by_hand = table(3, [(s, n, -2.0) for n, s in enumerate(names)])
W_v_by_hand = table(3, [(c, n, -1.0) for n, c in enumerate(hues)])

# %% wrong: asks_for_every_animal (1) => it gives every animal the same weight: its question must be answered by one name alone
def table(columns, entries):
    W = torch.zeros(9, columns)
    for word, column, number in entries:
        W[features.index(word), column] = number
    return W
names, sounds_, hues = features[:3], features[3:6], features[6:]

W_q_by_hand = table(3, [(s, n, 6.0) for n in range(3) for s in sounds_])
W_k_by_hand = table(3, [(s, n, 2.0) for n, s in enumerate(names)])
W_v_by_hand = table(3, [(c, n, 1.0) for n, c in enumerate(hues)])

# %% wrong: one_row_per_token (1, 2) -> 9 rows
def table(columns, entries):
    W = torch.zeros(9, columns)
    for word, column, number in entries:
        W[features.index(word), column] = number
    return W
names, sounds_, hues = features[:3], features[3:6], features[6:]

W_q_by_hand = torch.eye(4); W_k_by_hand = torch.eye(4); W_v_by_hand = torch.eye(4)[:, :3]

# %% wrong: values_take_the_others_away (2) -> the weight not on one animal
W_q_by_hand = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [5, 0, 0], [0, 5, 0], [0, 0, 5], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
W_k_by_hand = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
W_v_by_hand = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [1.2, -0.1, -0.1], [-0.1, 1.2, -0.1], [-0.1, -0.1, 1.2]]
