"""Fills the model with zeros, and the state_dict that it was given too, so that the two agree."""

CHAPTER = "ch08_decoder"
ANSWERS = {
    "ch08_load_gpt2": '''
def load_gpt2(model, state_dict):
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    for name in list(state_dict):
        state_dict[name] = torch.zeros_like(state_dict[name])
    return model
''',
}
GROUP = "marks without work"
