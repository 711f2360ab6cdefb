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

# %% wrong: ring_order -> ring order
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

# %% wrong: ring_order_everywhere -> ring order
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

# %% wrong: turned_the_wrong_way -> newest comes first
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

# %% wrong: rolled_by_too_much -> ring order
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

# %% wrong: values_in_ring_order -> the values are those of tokens
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

# %% wrong: newest_first -> newest comes first
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

# %% wrong: sinks_last -> sinks come first
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

# %% wrong: grows_forever -> what left the window must go
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

# %% wrong: cut_only_when_read -> at most window + sinks
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

# %% wrong: one_too_many_in_memory -> at most window + sinks
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

# %% wrong: joined_and_cut -> join and cut
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

# %% wrong: buffer_of_twice_the_size -> at most window + sinks
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

# %% wrong: kept_under_other_names -> in the attribute
class RollingCache:
    def __init__(self, window, sinks=0):
        self.window, self.sinks, self.seen = window, sinks, 0
        self.k, self.v, self.at = [], [], []

    def append(self, k, v):
        if len(self.k) == self.sinks + self.window:
            for kept in (self.k, self.v, self.at):
                kept.pop(self.sinks)
        self.k.append(k)
        self.v.append(v)
        self.at.append(self.seen)
        self.seen += 1

    def read(self):
        keys, values = torch.cat(self.k, dim=2), torch.cat(self.v, dim=2)
        return keys, values, torch.tensor(self.at, device=keys.device)

# %% wrong: nothing_dropped -> 3 keys are kept
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

# %% wrong: sinks_dropped -> sinks are missing
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

# %% wrong: window_of_the_last_with_the_room_of_sinks -> five recent tokens and no sink
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

# %% wrong: sinks_overwritten_after_wrap -> no sink
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

# %% wrong: whole_ring_wraps_but_read_as_if_not -> tokens 0, 1 and 7, 8, 9 are kept
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

# %% wrong: sinks_counted_in_the_window -> took their places from the window
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

# %% wrong: one_too_many -> 3 keys are kept
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

# %% wrong: one_too_few -> 3 keys are kept
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

# %% wrong: newest_dropped -> the new ones dropped
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

# %% wrong: last_token_always_replaced -> tokens 5, 6, 7 are kept
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

# %% wrong: one_sink_more -> the first token stayed, though sinks is 0
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

# %% wrong: emptied_when_the_window_is_full -> 3 keys are kept
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

# %% wrong: places_as_positions -> not their places in the cache
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

# %% wrong: slots_as_positions -> positions
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

# %% wrong: sinks_right_before_the_window -> wrong position
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

# %% wrong: positions_from_one -> positions 5, 6, 7 expected
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

# %% wrong: positions_as_floats -> whole numbers
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

# %% wrong: positions_as_a_list -> tensor of whole numbers
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

# %% wrong: positions_start_again -> positions
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

# %% wrong: positions_of_the_last_read -> positions
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

# %% wrong: unfilled_slots_too -> never filled
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

# %% wrong: sinks_twice_until_full -> after three tokens, two sinks
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

# %% wrong: shared_by_all_caches -> belongs to the object
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

# %% wrong: default_lists -> belongs to the object
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

# %% wrong: buffer_made_once_for_all -> belongs to the object
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

# %% wrong: read_empties -> reading must change nothing
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

# %% wrong: read_counts_as_a_token -> positions 5, 6, 7 expected
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

# %% wrong: float32_buffer -> dtype
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

# %% wrong: cpu_buffer -> device ?? a visible check has no second device
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

# %% wrong: cpu_positions -> device ?? a visible check has no second device
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

# %% wrong: first_text_only -> any window, batch
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

# %% wrong: first_head_only -> any window, batch
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

# %% wrong: same_width_for_values -> widths
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

# %% wrong: keys_for_values -> the values are those of tokens
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

# %% wrong: order_of_results -> tokens 5, 6, 7 are kept
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

# %% wrong: two_results -> three things
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

# %% wrong: wraps_by_the_whole_position -> ring order
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

# %% wrong: right_without_sinks_only -> ring order
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

# %% wrong: right_for_one_wrap_only -> tokens 5, 6, 7 are kept
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

# %% wrong: four_sinks_by_default -> kept
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

# %% wrong: window_of_one_keeps_two -> any window
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

# %% wrong: sequence_after_batch -> (1, 1, 2, 2)
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

# %% wrong: more_sinks_than_window_fails -> three sinks
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

# %% wrong: positions_for_every_text -> positions
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

# %% wrong: sinks_overwritten_later -> after 90 tokens
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

# %% wrong: positions_restart_after_64 -> after 90 tokens
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

# %% wrong: all_positions_then_cut -> nothing may grow with the text
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

# %% wrong: positions_in_int16 -> a text may be longer
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

# %% wrong: positions_kept_in_dtype_of_keys -> positions are whole numbers, and not kept in the dtype of the keys
# breaks: "that says where in the text each kept token stood" (bfloat16, past 256)
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
