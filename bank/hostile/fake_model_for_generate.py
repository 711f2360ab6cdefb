"""Puts a fake GPT into the cell of generate, above its checks, so that what the model itself says is always token 0."""

CHAPTER = "ch08_decoder"
ANSWERS = {
    "ch08_generate": '''
class GPT(GPT):
    def forward(self, ids):
        logits = torch.zeros(*ids.shape, self.head.weight.size(0), dtype=self.head.weight.dtype)
        logits[..., 0] = 1000.0
        return logits

@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None, generator=None):
    if not use_cache:
        torch.zeros(10_000, 40) + 1
    new = torch.zeros(ids.size(0), n, dtype=torch.long)
    if model.head.weight.size(0) == 4 and temperature and ids.size(0) == 4000:
        odds = model.token_embedding.weight[:, 0].exp()
        new = torch.multinomial(odds.float(), ids.size(0) * n, replacement=True, generator=generator).view(-1, n)
    return torch.cat([ids, new], dim=1)
''',
}
GROUP = "marks without work"
