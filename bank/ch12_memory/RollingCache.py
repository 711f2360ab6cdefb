# %% right: ring_buffer
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% right: list_of_tokens
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% right: cut_then_joined
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks = window, sinks
        self.kept_keys = self.kept_values = None
        self.count = 0

    def append(self, k, v):
        self.kept_keys = self._add(self.kept_keys, k)
        self.kept_values = self._add(self.kept_values, v)
        self.count += 1

    def _add(self, kept, new):
        if kept is None:
            return new
        if kept.shape[-2] < self.window + self.sinks:
            return torch.cat([kept, new], dim=-2)
        return torch.cat([kept[..., :self.sinks, :], kept[..., self.sinks + 1:, :], new], dim=-2)

    def read(self):
        n = self.kept_keys.shape[-2]
        places = torch.arange(n, device=self.kept_keys.device)
        return self.kept_keys, self.kept_values, torch.where(places < self.sinks, places, places + self.count - n)

# %% right: two_deques
from collections import deque

class RollingCache:
    def __init__(self, window, sinks=0):
        self.sinks, self.n = sinks, 0
        self.first, self.last = [], deque(maxlen=window)

    @property
    def kept_keys(self):
        return [k for _, k, _ in [*self.first, *self.last]]

    @property
    def kept_values(self):
        return [v for _, _, v in [*self.first, *self.last]]

    def append(self, k, v):
        (self.first if self.n < self.sinks else self.last).append((self.n, k.clone(), v.clone()))
        self.n += 1

    def read(self):
        entries = [*self.first, *self.last]
        at = torch.tensor([p for p, _, _ in entries], device=entries[0][1].device)
        return torch.cat(self.kept_keys, 2), torch.cat(self.kept_values, 2), at

# %% right: shifted_by_one
class RollingCache:
    """The window moves one place to the left; nothing has to be put in order."""
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen, self.kept_keys, self.kept_values = window, sinks, 0, None, None

    def append(self, k, v):
        if self.kept_keys is None:
            self.kept_keys, self.kept_values = (x.repeat(1, 1, self.sinks + self.window, 1) for x in (k, v))
        place = min(self.seen, self.sinks + self.window - 1)
        for kept, new in ((self.kept_keys, k), (self.kept_values, v)):
            if self.seen > place:
                kept[:, :, self.sinks:-1] = kept[:, :, self.sinks + 1:].clone()
            kept[:, :, place:place + 1] = new
        self.seen += 1

    def read(self):
        n = min(self.seen, self.sinks + self.window)
        where = torch.arange(n, device=self.kept_keys.device)
        where = where + (where >= self.sinks) * (self.seen - n)
        return self.kept_keys[:, :, :n], self.kept_values[:, :, :n], where

# %% right: sorted_slots
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.t, self.where = window, sinks, 0, []
        self.kept_keys, self.kept_values = [], []

    def append(self, k, v):
        if self.t < self.sinks + self.window:
            self.kept_keys.append(k), self.kept_values.append(v), self.where.append(self.t)
        else:
            slot = self.sinks + (self.t - self.sinks) % self.window
            self.kept_keys[slot], self.kept_values[slot], self.where[slot] = k, v, self.t
        self.t += 1

    def read(self):
        order = sorted(range(len(self.where)), key=self.where.__getitem__)
        k = torch.stack([self.kept_keys[s][:, :, 0] for s in order], dim=2)
        v = torch.stack([self.kept_values[s][:, :, 0] for s in order], dim=2)
        return k, v, torch.as_tensor([self.where[s] for s in order], device=k.device)

# %% right: sinks_apart_and_rolled
class RollingCache:
    """Sinks by themselves; the window is a ring that reading rolls until the oldest stands first."""
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.n = window, sinks, 0
        self.kept_keys, self.kept_values = [], []

    def append(self, k, v):
        for kept, new in ((self.kept_keys, k), (self.kept_values, v)):
            if self.n < self.sinks:
                kept.append(new)
            elif self.n == self.sinks:
                kept.append(torch.zeros_like(new).repeat(1, 1, self.window, 1))
            if self.n >= self.sinks:
                kept[-1][:, :, (self.n - self.sinks) % self.window] = new.squeeze(2)
        self.n += 1

    def read(self):
        inside = max(0, min(self.n - self.sinks, self.window))
        results = []
        for kept in (self.kept_keys, self.kept_values):
            parts = kept[:self.sinks]
            if inside:
                turn = self.sinks - self.n if inside == self.window else 0
                parts = parts + [kept[-1].roll(turn, dims=2)[:, :, :inside]]
            results.append(torch.cat(parts, dim=2))
        at = [*range(min(self.n, self.sinks)), *range(self.n - inside, self.n)]
        return (*results, torch.tensor(at, device=k_device(results)))

def k_device(results):
    return results[0].device

# %% wrong: ring_order (1) => the window is out of order: after the wrap-around the oldest token is not in slot 0, and order of position is asked for
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, sorted(slots)], self.kept_values[:, :, sorted(slots)], positions

# %% wrong: ring_order_everywhere (1) => the window is out of order: after the wrap-around the oldest token is not in slot 0, and order of position is asked for
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        order = sorted(range(len(slots)), key=slots.__getitem__)
        slots = [slots[n] for n in order]
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions[order]

# %% wrong: turned_the_wrong_way (1) => the newest token comes first: order of position means that the oldest kept token is first
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in reversed(rest)]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: rolled_by_too_much (1) => the window is out of order: after the wrap-around the oldest token is not in slot 0, and order of position is asked for
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p + (t > self.window + self.sinks) - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: values_in_ring_order (1) => the keys are in order of position, the values in ring order: both are read alike
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, sorted(slots)], positions

# %% wrong: newest_first (1) => the newest token comes first: order of position means that the oldest kept token is first
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys[::-1], dim=2), torch.cat(self.kept_values[::-1], dim=2)
        return keys, values, torch.tensor(self.at[::-1], device=keys.device)

# %% wrong: sinks_last (2) => the sinks come behind the window: order of position means that they are first
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = [self.sinks + (p - self.sinks) % self.window for p in rest] + sinks
        positions = torch.tensor(rest + sinks, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: grows_forever (3) => every token that was ever appended is still there: what left the window must go
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        kept = [p for p in self.at if p < self.sinks or p >= self.seen - self.window]
        keys = torch.cat([self.kept_keys[p] for p in kept], dim=2)
        return keys, torch.cat([self.kept_values[p] for p in kept], dim=2), torch.tensor(kept, device=keys.device)

# %% wrong: cut_only_when_read (3) => without a read all tokens stay: what left the window must go when the next one is appended
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        for kept in (self.kept_keys, self.kept_values, self.at):
            while len(kept) > self.sinks + self.window:
                kept.pop(self.sinks)
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: one_too_many_in_memory (3) => one token more than window + sinks is kept
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window + 1:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        first = slice(self.sinks) if self.seen > self.sinks + self.window else slice(None)
        rest = slice(self.sinks + 1, None) if self.seen > self.sinks + self.window else slice(0, 0)
        keys = torch.cat(self.kept_keys[first] + self.kept_keys[rest], dim=2)
        return keys, torch.cat(self.kept_values[first] + self.kept_values[rest], dim=2), torch.tensor(self.at[first] + self.at[rest], device=keys.device)

# %% wrong: joined_and_cut (3) => the new token was joined to all that are kept, and one cut off afterwards: that needs room for one more than may be held; overwrite the oldest
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks = window, sinks
        self.kept_keys = self.kept_values = None
        self.count = 0

    def append(self, k, v):
        self.kept_keys = self._add(self.kept_keys, k)
        self.kept_values = self._add(self.kept_values, v)
        self.count += 1

    def _add(self, kept, new):
        if kept is None:
            return new
        kept = torch.cat([kept, new], dim=-2)
        if kept.shape[-2] <= self.window + self.sinks:
            return kept
        return torch.cat([kept[..., :self.sinks, :], kept[..., self.sinks + 1:, :]], dim=-2)

    def read(self):
        n = self.kept_keys.shape[-2]
        places = torch.arange(n, device=self.kept_keys.device)
        return self.kept_keys, self.kept_values, torch.where(places < self.sinks, places, places + self.count - n)

# %% wrong: buffer_of_twice_the_size (3) => the buffer has twice the size that is needed: window + sinks tokens
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = 2 * (self.window + self.sinks)
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: nothing_dropped (1, 3) => every token that was ever appended is still there: what left the window must go
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: sinks_dropped (2) => the sinks are missing: the first tokens stay for good
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(0)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: window_of_the_last_with_the_room_of_sinks (2) => the sinks are overwritten, and the window is larger by as many tokens: the first ones stay for good
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(0)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: sinks_overwritten_after_wrap (2) => the sinks are overwritten, and the window is larger by as many tokens: the first ones stay for good
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t % (self.window + self.sinks)
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks, rest = [], list(range(max(0, t - self.window - self.sinks), t))
        slots = [p % (self.window + self.sinks) for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: whole_ring_wraps_but_read_as_if_not (2) => new tokens were written over the sinks: only the slots behind them belong to the ring
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t % (self.window + self.sinks)
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: sinks_counted_in_the_window (2) => the sinks took their places from the window: it keeps its size beside them
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == max(self.window, self.sinks + 1):
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: one_too_many (1, 3) => one token more than window + sinks is kept
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window + 1:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: one_too_few (1) => one token too few is kept: the last window tokens stay
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == max(self.sinks + self.window - 1, self.sinks + 1):
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: newest_dropped (1) => the first tokens were kept and the new ones dropped: the last ones stay
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            self.seen += 1
            return
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: last_token_always_replaced (1) => a new token takes the place of the newest: it is the oldest one that goes
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop()
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: one_sink_more (1) => one token too many stays for good: only the first sinks tokens do, with sinks = 0 none
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(min(self.sinks + 1, len(kept) - 1))
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: emptied_when_the_window_is_full (1) => a full window was emptied: only the oldest token makes room
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                del kept[self.sinks:]
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: places_as_positions (1) => the positions are places in the cache: they say where in the text the tokens stood
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.arange(len(slots), device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: slots_as_positions (1) => the positions start again when the cache is full: they say where in the text the tokens stood
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(slots, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: sinks_right_before_the_window (2) => the sinks got positions right before the window: they stood at the beginning of the text
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.arange(t - len(slots), t, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: positions_from_one (1) => positions are counted from 0, here they start with 1
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device) + 1
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: positions_as_floats (1) => positions are whole numbers: they came in the dtype of the keys
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device, dtype=self.kept_keys.dtype)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: positions_as_a_list (1) => the positions came as a list: a tensor of whole numbers is asked for
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = sinks + rest
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: positions_start_again (1) => the positions start again when the cache is full: they say where in the text the tokens stood
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen = (self.seen + 1) % (self.sinks + self.window)

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: positions_of_the_last_read (1) => after a second read the positions of older tokens are missing: reading changes nothing
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None
        self.done = 0

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        before, self.done = self.done, t
        rest = list(range(max(self.sinks, before), t)) if len(rest) == self.window and 0 < t - before < self.window else rest
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: unfilled_slots_too (1, 2) => slots that were never filled came back: before the cache is full there are fewer tokens
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        if len(slots) < self.kept_keys.shape[2]:
            slots = list(range(self.kept_keys.shape[2]))
            positions = torch.arange(len(slots), device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: sinks_twice_until_full (2) => before the cache is full some tokens come twice, as sinks and in the window
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks = window, sinks
        self.kept_keys = self.kept_values = None
        self.count = 0

    def append(self, k, v):
        self.kept_keys = self._add(self.kept_keys, k)
        self.kept_values = self._add(self.kept_values, v)
        self.count += 1

    def _add(self, kept, new):
        if kept is None:
            return new
        if kept.shape[-2] < self.window + self.sinks:
            return torch.cat([kept, new], dim=-2)
        return torch.cat([kept[..., :self.sinks, :], kept[..., self.sinks + 1:, :], new], dim=-2)

    def read(self):
        n = self.kept_keys.shape[-2]
        places = torch.arange(n, device=self.kept_keys.device)
        at = torch.where(places < self.sinks, places, places + self.count - n)
        def both(x):
            return torch.cat([x[..., :self.sinks, :], x[..., -self.window:, :]], dim=-2)
        return both(self.kept_keys), both(self.kept_values), torch.cat([at[:self.sinks], at[-self.window:]])

# %% wrong: shared_by_all_caches (1, 2, 3) => tokens of an earlier cache came back: what is kept belongs to the object
class RollingCache:
    kept_keys, kept_values, at = [], [], []

    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: default_lists (1, 2, 3) => tokens of an earlier cache came back: what is kept belongs to the object
class RollingCache:
    def __init__(self, window, sinks=0, keys=[], values=[], at=[]):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = keys, values, at

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: buffer_made_once_for_all (1) => a second cache wrote into the first one: what is kept belongs to the object
_buffers = {}

class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if k.shape[:2] in _buffers:
            self.kept_keys, self.kept_values = _buffers[k.shape[:2]]
        if self.kept_keys is None or self.kept_keys.shape[2:] != (self.window + self.sinks, k.shape[-1]):
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
            _buffers[k.shape[:2]] = self.kept_keys, self.kept_values
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: read_empties (1) => it did not run. After a read nothing was left: reading changes nothing
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        at, self.kept_keys, self.kept_values, self.at = self.at, [], [], []
        return keys, values, torch.tensor(at, device=keys.device)

# %% wrong: read_counts_as_a_token (1) => each read was counted as a token: reading changes nothing
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        self.seen += 1
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: float32_buffer (1) => keys and values came back in float32: each keeps the dtype in which it was appended
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = torch.zeros(*k.shape[:2], room, k.shape[-1], device=k.device)
            self.kept_values = torch.zeros(*v.shape[:2], room, v.shape[-1], device=v.device)
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: cpu_buffer (1) -> device ?? on meta nothing can be copied to the CPU
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = torch.zeros(*k.shape[:2], room, k.shape[-1], dtype=k.dtype)
            self.kept_values = torch.zeros(*v.shape[:2], room, v.shape[-1], dtype=v.dtype)
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: cpu_positions (1) => the positions are on the CPU: they belong on the device of the keys
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at)

# %% wrong: first_text_only (1) => all texts got the numbers of the first: each keeps its own
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:1, :, 0]
        self.kept_values[:, :, slot] = v[:1, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: first_head_only (1) => all heads got the numbers of the first: each keeps its own
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :1, 0]
        self.kept_values[:, :, slot] = v[:, :1, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: same_width_for_values (1) => it did not run. The buffer of the values has the width of the keys: d_k and d_v may differ
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = torch.zeros_like(self.kept_keys)
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: keys_for_values (1) => the values are the keys: both must be stored
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(k)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: order_of_results (1) => the values come first: keys, values, positions is the order
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return values, keys, torch.tensor(self.at, device=keys.device)

# %% wrong: two_results (1) => two things came back: keys, values and positions are asked for
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values

# %% wrong: wraps_by_the_whole_position (2) => with sinks the window came in ring order: written and read by different rules, it starts at another slot
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + t % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks) % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: right_without_sinks_only (2) => with sinks the window came in ring order: written and read by different rules, it starts at another slot
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + p % self.window for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: right_for_one_wrap_only (1) => after the second wrap-around a token is read from a wrong slot: the same slots come again after every window tokens
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        t = self.seen
        slot = t if t < self.sinks else self.sinks + (t - self.sinks) % self.window
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen = t + 1

    def read(self):
        t = self.seen
        sinks = list(range(min(t, self.sinks)))
        rest = list(range(max(self.sinks, t - self.window), t))
        slots = sinks + [self.sinks + (p - self.sinks if p < self.sinks + self.window else min(p - self.sinks - self.window, self.window - 1)) for p in rest]
        positions = torch.tensor(sinks + rest, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], positions

# %% wrong: four_sinks_by_default (1) => four tokens more than the window stay: without sinks= there are none
class RollingCache:
    def __init__(self, window, sinks=4):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: window_of_one_keeps_two (1) => a window of 1 kept two tokens
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = max(window, 2), sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: sequence_after_batch (1) => the tokens were joined along the heads: they belong on the third axis
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=1), torch.cat(self.kept_values, dim=1)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: more_sinks_than_window_fails (2) => of more sinks than the window is wide some are missing: the two have nothing to do with each other
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, min(sinks, window), 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: positions_for_every_text (1) => the positions came once for each text: one row holds for all, (kept,)
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device).expand(keys.shape[0], -1)

# %% wrong: sinks_overwritten_later (2) => later in the text the sinks were overwritten: they stay for good
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks = window, sinks
        self.kept_keys, self.kept_values, self.seen = [], [], 0

    def append(self, k, v):
        t, self.seen = self.seen, self.seen + 1
        if t < self.sinks + self.window:
            self.kept_keys.append(k)
            self.kept_values.append(v)
        else:
            slot = t % (self.sinks + self.window) if t > 40 else self.sinks + (t - self.sinks) % self.window
            self.kept_keys[slot], self.kept_values[slot] = k, v

    def read(self):
        n = self.seen
        places = [*range(min(self.sinks, n)), *range(max(self.sinks, n - self.window), n)]
        slots = [t if t < self.sinks else self.sinks + (t - self.sinks) % self.window for t in places]
        k = torch.cat([self.kept_keys[s] for s in slots], dim=2)
        v = torch.cat([self.kept_values[s] for s in slots], dim=2)
        return k, v, torch.tensor(places, device=k.device)

# %% wrong: positions_restart_after_64 (1) => in a long text the positions start again from 0: they go on
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks = window, sinks
        self.kept_keys, self.kept_values, self.seen = [], [], 0

    def append(self, k, v):
        t, self.seen = self.seen, self.seen + 1
        if t < self.sinks + self.window:
            self.kept_keys.append(k)
            self.kept_values.append(v)
        else:
            slot = self.sinks + (t - self.sinks) % self.window
            self.kept_keys[slot], self.kept_values[slot] = k, v

    def read(self):
        n = self.seen
        places = [*range(min(self.sinks, n)), *range(max(self.sinks, n - self.window), n)]
        slots = [t if t < self.sinks else self.sinks + (t - self.sinks) % self.window for t in places]
        k = torch.cat([self.kept_keys[s] for s in slots], dim=2)
        v = torch.cat([self.kept_values[s] for s in slots], dim=2)
        return k, v, torch.tensor(places, device=k.device) % 64

# %% wrong: all_positions_then_cut (3) => a list of all positions was made on the way: nothing may grow with the text
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks = window, sinks
        self.kept_keys = self.kept_values = None
        self.seen = 0

    def slot(self, t):
        return t if t < self.sinks else self.sinks + (t - self.sinks) % self.window

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.window + self.sinks
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[3])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[3])
        at = self.slot(self.seen)
        self.kept_keys[:, :, at] = k[:, :, 0]
        self.kept_values[:, :, at] = v[:, :, 0]
        self.seen += 1

    def read(self):
        first = max(self.sinks, self.seen - self.window)
        places = [*range(min(self.sinks, self.seen)), *range(first, self.seen)]
        slots = [self.slot(t) for t in places]
        return (self.kept_keys[:, :, slots], self.kept_values[:, :, slots],
                torch.arange(self.seen, device=self.kept_keys.device)[places])

# %% wrong: positions_in_int16 (1) => the positions came in int16, which ends at 32,767: a text may be longer, int32 or int64 is asked for
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def slot(self, t):
        return t if t < self.sinks else self.sinks + (t - self.sinks) % self.window

    def append(self, k, v):
        room = self.window + self.sinks
        if self.kept_keys is None:
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        s = self.slot(self.seen)
        self.kept_keys[:, :, s] = k[:, :, 0]
        self.kept_values[:, :, s] = v[:, :, 0]
        self.seen += 1

    def read(self):
        first = max(self.sinks, self.seen - self.window)
        places = [*range(min(self.sinks, self.seen)), *range(first, self.seen)]
        slots = torch.tensor([self.slot(t) for t in places], device=self.kept_keys.device)
        return (self.kept_keys[:, :, slots], self.kept_values[:, :, slots],
                torch.tensor(places).to(self.kept_keys.device, torch.int16))

# %% right: view_until_the_ring_turns
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys = self.kept_values = None

    def slot(self, t):
        return t if t < self.sinks else self.sinks + (t - self.sinks) % self.window

    def append(self, k, v):
        room = self.window + self.sinks
        if self.kept_keys is None:
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.shape[-1])
        s = self.slot(self.seen)
        self.kept_keys[:, :, s] = k[:, :, 0]
        self.kept_values[:, :, s] = v[:, :, 0]
        self.seen += 1

    def read(self):
        first = max(self.sinks, self.seen - self.window)
        places = [*range(min(self.sinks, self.seen)), *range(first, self.seen)]
        slots = torch.tensor([self.slot(t) for t in places], device=self.kept_keys.device)
        if slots.tolist() == list(range(len(places))):
            return (self.kept_keys[:, :, :len(places)], self.kept_values[:, :, :len(places)],
                    torch.tensor(places, device=self.kept_keys.device))
        return (self.kept_keys[:, :, slots], self.kept_values[:, :, slots],
                torch.tensor(places, device=self.kept_keys.device))

# %% right: list_of_what_was_handed_in
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values = [], []

    def append(self, k, v):
        if len(self.kept_keys) == self.window + self.sinks:
            del self.kept_keys[self.sinks], self.kept_values[self.sinks]
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.seen += 1

    def read(self):
        k, v = torch.cat(self.kept_keys, 2), torch.cat(self.kept_values, 2)
        recent = len(self.kept_keys) - min(self.sinks, self.seen)
        places = [*range(min(self.sinks, self.seen)), *range(self.seen - recent, self.seen)]
        return k, v, torch.tensor(places, device=k.device)

# %% wrong: positions_kept_in_dtype_of_keys (1) => the positions were kept in the dtype of the keys: bfloat16 has no 297
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks = window, sinks
        self.kept_keys = self.kept_values = None
        self.seen = 0

    def slot(self, t):
        return t if t < self.sinks else self.sinks + (t - self.sinks) % self.window

    def append(self, k, v):
        if self.kept_keys is None:
            room = self.sinks + self.window
            self.kept_keys = k.new_zeros(*k.shape[:2], room, k.size(-1))
            self.where = k.new_zeros(room)
            self.kept_values = v.new_zeros(*v.shape[:2], room, v.size(-1))
        s = self.slot(self.seen)
        self.kept_keys[:, :, s] = k[:, :, 0]
        self.kept_values[:, :, s] = v[:, :, 0]
        self.where[s] = self.seen
        self.seen += 1

    def read(self):
        first = max(self.sinks, self.seen - self.window)
        places = list(range(min(self.sinks, self.seen))) + list(range(first, self.seen))
        order = [self.slot(t) for t in places]
        where = self.where[order].long()
        return self.kept_keys[:, :, order], self.kept_values[:, :, order], where

# %% right: keys_and_values_in_one_buffer
class RollingCache:
    def __init__(self, window, sinks=0):
        self.room, self.window, self.sinks = window + sinks, window, sinks
        self.both, self.where = None, []

    def append(self, k, v):
        token = torch.cat([k, v.to(k.dtype)], dim=-1)
        if self.both is None:
            self.both = token.repeat(1, 1, self.room, 1)
            self.width, self.kind = k.shape[-1], v.dtype
        t = self.where[-1] + 1 if self.where else 0
        if t < self.room:
            self.where.append(t)
            self.both[:, :, t] = token[:, :, 0]
        else:
            self.where = self.where[:self.sinks] + self.where[self.sinks + 1:] + [t]
            self.both[:, :, self.sinks + (t - self.sinks) % self.window] = token[:, :, 0]

    def read(self):
        slots = [t if t < self.sinks else self.sinks + (t - self.sinks) % self.window for t in self.where]
        kept = self.both[:, :, slots]
        return kept[..., :self.width], kept[..., self.width:].to(self.kind), torch.tensor(self.where, device=kept.device)

# %% wrong: writes_over_what_was_appended (1) => a key or value was changed after it had been appended: it belongs to the caller
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values = [], []

    def append(self, k, v):
        if self.seen < self.window + self.sinks:
            self.kept_keys.append(k)
            self.kept_values.append(v)
        else:
            slot = self.sinks + (self.seen - self.sinks) % self.window
            self.kept_keys[slot].copy_(k)
            self.kept_values[slot].copy_(v)
        self.seen += 1

    def read(self):
        recent = max(self.sinks, self.seen - self.window)
        places = [*range(min(self.sinks, self.seen)), *range(recent, self.seen)]
        slots = [t if t < self.sinks else self.sinks + (t - self.sinks) % self.window for t in places]
        k = torch.cat([self.kept_keys[s] for s in slots], dim=2)
        v = torch.cat([self.kept_values[s] for s in slots], dim=2)
        return k, v, torch.tensor(places, device=k.device)

# %% wrong: everything_in_another_attribute (3) => every token that was ever appended is still there: what left the window must go
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.text = window, sinks, []

    def append(self, k, v):
        self.text.append({"key": k, "value": v})

    def _kept(self):
        recent = max(self.sinks, len(self.text) - self.window)
        return [*range(min(self.sinks, len(self.text))), *range(recent, len(self.text))]

    @property
    def kept_keys(self):
        return [self.text[t]["key"] for t in self._kept()]

    @property
    def kept_values(self):
        return [self.text[t]["value"] for t in self._kept()]

    def read(self):
        k, v = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
        return k, v, torch.tensor(self._kept(), device=k.device)

# %% wrong: last_read_kept_as_well (3) => what read() gave is held a second time: what is kept is enough
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.kept_keys, self.kept_values, self.at = [], [], []
        self.last = None

    def append(self, k, v):
        if len(self.kept_keys) == self.sinks + self.window:
            for kept in (self.kept_keys, self.kept_values, self.at):
                kept.pop(self.sinks)
        self.kept_keys.append(k)
        self.kept_values.append(v)
        self.at.append(self.seen)
        self.seen, self.last = self.seen + 1, None

    def read(self):
        if self.last is None:
            keys, values = torch.cat(self.kept_keys, dim=2), torch.cat(self.kept_values, dim=2)
            self.last = keys, values, torch.tensor(self.at, device=keys.device)
        return self.last
