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

# %% wrong: scores_too_small -> too close together
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: scores_half_as_large -> too close together
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 3 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: transposed -> is transposed
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none]).T
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: value_transposed -> is transposed
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one]).T

# %% wrong: all_zero -> no key answers
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.zeros(9, 3)
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: keys_all_zero -> no key answers
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.zeros(9, 3)
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: other_columns -> no key answers
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([torch.zeros(9, 3), torch.cat([none, 12 * one, none])], dim=1)
W_k_by_hand = torch.cat([torch.cat([one, none, none]), torch.zeros(9, 3)], dim=1)
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: names_ask_sounds_answer -> no key answers
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([12 * one, none, none])
W_k_by_hand = torch.cat([none, one, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: mirror -> looks mostly at itself
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = 12 * torch.eye(9)
W_k_by_hand = torch.eye(9)
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: keys_of_sounds_too -> looks mostly at itself
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, 2 * one, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: sign_turned -> looks mostly at
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, -12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: pairs_shifted -> looks mostly at the
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one.roll(1, 0), none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: colours_answer -> do the keys listen to colours
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([none, none, one])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: colours_answer_too -> do the keys listen to colours
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, one])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: values_from_names -> value depend on the name
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([one, none, none])

# %% wrong: values_of_names_too -> not the colour alone
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([one, none, one])

# %% wrong: colours_in_another_order -> three numbers are brown, white, black
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one.flip(1)])

# %% wrong: amounts_too_large -> within 0.1
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, 5 * one])

# %% wrong: value_of_all_features -> needs 3 columns
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.eye(9)

# %% wrong: d_k_differs -> meets a key number by number
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])[:, :2]
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: rows_missing -> one row for each of the 9 features
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = 12 * one
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: barks_alone -> no key answers
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])
W_q_by_hand[4:] = 0

# %% wrong: one_question_for_all -> looks mostly at
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([torch.zeros(3, 1), torch.full((3, 1), 12.0), torch.zeros(3, 1)])
W_k_by_hand = torch.tensor([[1.0], [0.5], [0.5], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0]])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: infinite -> NaN or infinite
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, one])
W_q_by_hand[3, 0] = float('inf')

# %% wrong: not_rows -> list of 9 rows
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = 'brown'

# %% wrong: names_hand_over_their_first_colour -> value depend on the name
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([one, none, none])[[0, 1, 2, 3, 4, 5, 6, 7, 8]]

# %% wrong: white_shows_as_brown_too -> three numbers
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 12 * one, none])
W_k_by_hand = torch.cat([one, none, none])
W_v_by_hand = torch.cat([none, none, torch.tensor([[1.0, 0, 0], [0.9, 0.4, 0], [0, 0, 1.0]])])

# %% wrong: nothing_filled_in -> 9 rows
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = None
W_k_by_hand = None
W_v_by_hand = None

# %% wrong: colour_helps_too_much -> do the keys listen to colours
one, none = torch.eye(3), torch.zeros(3, 3)
W_q_by_hand = torch.cat([none, 14 * one, none])
W_k_by_hand = torch.cat([0.9 * one, none, 0.85 * one])
W_v_by_hand = torch.cat([none, none, one])

# %% wrong: learns_no_colour_for_black -> for "black"
def table(columns, entries):
    W = torch.zeros(9, columns)
    for word, column, number in entries:
        W[features.index(word), column] = number
    return W
names, sounds_, hues = features[:3], features[3:6], features[6:]

W_q_by_hand = table(3, [(s, n, 6.0) for n, s in enumerate(sounds_)])
W_k_by_hand = table(3, [(s, n, 2.0) for n, s in enumerate(names)])
W_v_by_hand = table(3, [("brown", 0, 1.0), ("white", 1, 1.0)])

# %% wrong: negative_pairs -> less than nothing
def table(columns, entries):
    W = torch.zeros(9, columns)
    for word, column, number in entries:
        W[features.index(word), column] = number
    return W
names, sounds_, hues = features[:3], features[3:6], features[6:]

W_q_by_hand = table(3, [(s, n, -6.0) for n, s in enumerate(sounds_)])
W_k_by_hand = table(3, [(s, n, -2.0) for n, s in enumerate(names)])
W_v_by_hand = table(3, [(c, n, -1.0) for n, c in enumerate(hues)])

# %% wrong: asks_for_every_animal -> another animal the same weight
def table(columns, entries):
    W = torch.zeros(9, columns)
    for word, column, number in entries:
        W[features.index(word), column] = number
    return W
names, sounds_, hues = features[:3], features[3:6], features[6:]

W_q_by_hand = table(3, [(s, n, 6.0) for n in range(3) for s in sounds_])
W_k_by_hand = table(3, [(s, n, 2.0) for n, s in enumerate(names)])
W_v_by_hand = table(3, [(c, n, 1.0) for n, c in enumerate(hues)])

# %% wrong: one_row_per_token -> each of the 9 features
def table(columns, entries):
    W = torch.zeros(9, columns)
    for word, column, number in entries:
        W[features.index(word), column] = number
    return W
names, sounds_, hues = features[:3], features[3:6], features[6:]

W_q_by_hand = torch.eye(4); W_k_by_hand = torch.eye(4); W_v_by_hand = torch.eye(4)[:, :3]

# %% wrong: values_take_the_others_away -> brown dog, brown cat
W_q_by_hand = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [5, 0, 0], [0, 5, 0], [0, 0, 5], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
W_k_by_hand = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
W_v_by_hand = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [1.2, -0.1, -0.1], [-0.1, 1.2, -0.1], [-0.1, -0.1, 1.2]]
