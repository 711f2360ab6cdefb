# %% right: pool_and_counts
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% right: blocks_as_lists
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.empty = num_blocks, block_size, torch.zeros(heads, 0, d_head)
        self.sequences = {}
        self.made = 0

    def new(self):
        self.made += 1
        self.sequences[self.made] = []
        return self.made

    def fork(self, id):
        blocks = self.sequences[id]
        other = self.new()
        self.sequences[other] = list(blocks)
        return other

    def _readers(self, block):
        return sum(block is b for blocks in self.sequences.values() for b in blocks)

    def blocks_in_use(self):
        different = []
        for blocks in self.sequences.values():
            different += [b for b in blocks if not any(b is d for d in different)]
        return len(different)

    def append(self, id, k, v):
        blocks, n = self.sequences[id], k.shape[1]
        inside = len(blocks[-1]) if blocks else self.block_size
        shared = n > 0 and inside < self.block_size and self._readers(blocks[-1]) > 1
        needed = -(-max(0, n - (self.block_size - inside)) // self.block_size) + shared
        if needed > self.num_blocks - self.blocks_in_use():
            raise MemoryError("all blocks are in use")
        if shared:
            blocks[-1] = list(blocks[-1])
        for t in range(n):
            if not blocks or len(blocks[-1]) == self.block_size:
                blocks.append([])
            blocks[-1].append((k[:, t], v[:, t]))

    def read(self, id):
        tokens = [token for block in self.sequences[id] for token in block]
        if not tokens:
            return self.empty, self.empty
        return torch.stack([k for k, _ in tokens], dim=1), torch.stack([v for _, v in tokens], dim=1)

    def free(self, id):
        del self.sequences[id]

# %% right: block_objects
class Block:
    def __init__(self):
        self.keys, self.values, self.owners = [], [], 1

class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.room, self.block_size, self.ids, self.tables = num_blocks, block_size, 0, {}
        self.nothing = (heads, 0, d_head)

    def new(self):
        self.ids += 1
        self.tables[f"text {self.ids}"] = []
        return f"text {self.ids}"

    def fork(self, id):
        blocks = self.tables[id]
        for block in blocks:
            block.owners += 1
        copy = self.new()
        self.tables[copy] = blocks[:]
        return copy

    def append(self, id, k, v):
        table = self.tables[id]
        plan, last = [], table[-1] if table else None
        left = k.shape[1]
        if last is not None and len(last.keys) < self.block_size and left:
            if last.owners > 1:
                plan.append("copy")
            left -= self.block_size - len(last.keys)
        while left > 0:
            plan.append("new")
            left -= self.block_size
        if len(plan) > self.room:
            raise MemoryError(f"{len(plan)} blocks needed, {self.room} free")
        self.room -= len(plan)
        if "copy" in plan:
            last.owners -= 1
            table[-1] = Block()
            table[-1].keys, table[-1].values = last.keys[:], last.values[:]
        for key, value in zip(k.unbind(1), v.unbind(1)):
            if not table or len(table[-1].keys) == self.block_size:
                table.append(Block())
            table[-1].keys.append(key.clone())
            table[-1].values.append(value.clone())

    def read(self, id):
        keys = [k for block in self.tables[id] for k in block.keys]
        values = [v for block in self.tables[id] for v in block.values]
        if not keys:
            return torch.empty(self.nothing), torch.empty(self.nothing)
        return torch.stack(keys).movedim(0, 1), torch.stack(values).movedim(0, 1)

    def free(self, id):
        for block in self.tables.pop(id):
            block.owners -= 1
            self.room += block.owners == 0

    def blocks_in_use(self):
        return len({b for table in self.tables.values() for b in table})

# %% right: slots_in_one_tensor
import heapq

class PagedCache:
    """All tokens in one tensor; token t of a sequence lies in slot block * size + t % size."""
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.n, self.size, self.heads, self.d = num_blocks, block_size, heads, d_head
        self.heap = list(range(num_blocks))
        self.count = dict.fromkeys(range(num_blocks), 0)
        self.seqs, self.latest, self.memory = {}, -1, None

    def new(self):
        self.latest += 1
        self.seqs[self.latest] = ([], 0)
        return self.latest

    def fork(self, id):
        blocks, length = self.seqs[id]
        for block in blocks:
            self.count[block] += 1
        self.latest += 1
        self.seqs[self.latest] = (blocks[:], length)
        return self.latest

    def append(self, id, k, v):
        if self.memory is None:
            self.memory = torch.zeros(2, self.heads, self.n * self.size, self.d, dtype=k.dtype, device=k.device)
        blocks, length = self.seqs[id]
        end, at = length + k.shape[1], length % self.size
        copies = int(end > length and at > 0 and self.count[blocks[-1]] > 1)
        fresh = (end + self.size - 1) // self.size - len(blocks)
        if copies + fresh > len(self.heap):
            raise MemoryError(f"all {self.n} blocks are in use")
        mine = [heapq.heappop(self.heap) for _ in range(copies + fresh)]
        for block in mine:
            self.count[block] = 1
        table = blocks[:]
        if copies:
            self.count[blocks[-1]] -= 1
            old, table[-1] = table[-1], mine.pop()
            piece = self.memory[:, :, old * self.size:old * self.size + at]
            self.memory[:, :, table[-1] * self.size:table[-1] * self.size + at] = piece
        table += mine
        slots = [table[t // self.size] * self.size + t % self.size for t in range(length, end)]
        self.memory[0][:, slots], self.memory[1][:, slots] = k, v
        self.seqs[id] = (table, end)

    def read(self, id):
        blocks, length = self.seqs[id]
        if self.memory is None:
            return (torch.zeros(self.heads, 0, self.d),) * 2
        slots = torch.tensor([blocks[t // self.size] * self.size + t % self.size for t in range(length)], dtype=torch.long)
        slots = slots.to(self.memory.device)
        return self.memory[0].index_select(1, slots), self.memory[1].index_select(1, slots)

    def free(self, id):
        for block in self.seqs.pop(id)[0]:
            self.count[block] -= 1
            if not self.count[block]:
                heapq.heappush(self.heap, block)

    def blocks_in_use(self):
        return self.n - len(self.heap)

# %% right: counts_by_looking
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.blocks = {number: None for number in range(num_blocks)}
        self.block_size, self.heads, self.d_head = block_size, heads, d_head
        self.tables, self.lengths, self.names = {}, {}, iter(range(10**9))

    def new(self):
        name = next(self.names)
        self.tables[name], self.lengths[name] = [], 0
        return name

    def fork(self, id):
        table, length, name = [*self.tables[id]], self.lengths[id], self.new()
        self.tables[name], self.lengths[name] = table, length
        return name

    def _used(self):
        return [block for table in self.tables.values() for block in table]

    def append(self, id, k, v):
        before = list(self.tables[id]), self.lengths[id]
        kept = {number: self.blocks[number] for number in self.tables[id]}
        try:
            for t in range(k.shape[1]):
                self._one(id, k[:, t], v[:, t])
        except MemoryError:
            self.tables[id], self.lengths[id] = before
            self.blocks.update(kept)
            raise

    def _one(self, id, k, v):
        used, at = self._used(), self.lengths[id] % self.block_size
        last = self.tables[id][-1] if self.tables[id] else None
        if at == 0 or used.count(last) > 1:
            free = [number for number in self.blocks if number not in used]
            if not free:
                raise MemoryError("no free block")
            if at == 0:
                self.blocks[free[0]] = torch.stack([k, v])[:, :, None].repeat(1, 1, self.block_size, 1)
                self.tables[id].append(free[0])
            else:
                self.blocks[free[0]] = self.blocks[last].clone()
                self.tables[id][-1] = free[0]
        block = self.blocks[self.tables[id][-1]].clone()
        block[0, :, at], block[1, :, at] = k, v
        self.blocks[self.tables[id][-1]] = block
        self.lengths[id] += 1

    def read(self, id):
        length = self.lengths[id]
        if length == 0:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k, v = torch.cat([self.blocks[number] for number in self.tables[id]], dim=2)[:, :, :length]
        return k, v

    def free(self, id):
        del self.tables[id], self.lengths[id]

    def blocks_in_use(self):
        return len(set(self._used()))

# %% right: tuples_never_changed
class PagedCache:
    """A block is a tuple of tokens that is never changed; a table is a tuple of block numbers."""
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.store, self.tables = [()] * num_blocks, {}
        self.block_size, self.counter, self.shape = block_size, 0, (heads, 0, d_head)

    def new(self):
        self.counter += 1
        self.tables[self.counter] = ()
        return self.counter

    def fork(self, id):
        table = self.tables[id]
        self.tables[self.new()] = table
        return self.counter

    def _held(self, besides=None):
        return {b for id, table in self.tables.items() if id != besides for b in table}

    def append(self, id, k, v):
        store, table = list(self.store), self.tables[id]
        elsewhere = self._held(besides=id)
        for token in torch.stack([k, v]).unbind(2):
            full = not table or len(store[table[-1]]) == self.block_size
            before = () if full else store[table[-1]]
            kept = table if full else table[:-1]
            if not full and table[-1] not in elsewhere:
                target = table[-1]
            else:
                free = sorted(set(range(len(store))) - elsewhere - set(table))
                if not free:
                    raise MemoryError("every block is taken")
                target = free[-1]
            store[target], table = (*before, token), (*kept, target)
        self.store, self.tables[id] = store, table

    def read(self, id):
        tokens = [token for b in self.tables[id] for token in self.store[b]]
        if not tokens:
            return torch.zeros(self.shape), torch.zeros(self.shape)
        both = torch.stack(tokens, dim=2)
        return both[0], both[1]

    def free(self, id):
        del self.tables[id]

    def blocks_in_use(self):
        return len(self._held())

# %% wrong: shared_after_a_write (2) => a block that others use as well was written without a copy, so they read what was written there; copy it first
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = False
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: only_the_first_sequence_copies (2) => a fork wrote into a block that others use: whoever writes there copies it first, the first sequence and its forks alike
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0
        self.forks = set()

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.forks.add(name)
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1 and id not in self.forks
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: copied_at_the_fork (2) => all blocks were copied at the fork: a fork takes no block, both tables name the same ones until somebody writes
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.length[name] = self.length[id]
        for source in old:
            block = self._take()
            self.k[block], self.v[block] = self.k[source], self.v[source]
            self.table[name].append(block)
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: last_block_copied_at_the_fork (2) => the last block was copied at the fork: a fork takes no block, and the copy is made when somebody writes
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        if self.length[name] % self.block_size:
            block = self._take()
            self.k[block], self.v[block] = self.k[old[-1]], self.v[old[-1]]
            self.readers[old[-1]] -= 1
            self.table[name][-1] = block
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: all_blocks_copied_at_the_first_write (2) => all shared blocks were copied before a write: a full block is never written again, so only the last one is copied
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            for number, old in enumerate(table):
                if self.readers[old] > 1:
                    block = self._take()
                    self.k[block], self.v[block] = self.k[old], self.v[old]
                    self.readers[old] -= 1
                    table[number] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: full_block_copied_before_the_next (2) => a full block was copied before the next token: that token goes into a new block, and the full one stays shared
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: copy_is_empty (2) => the copied block is empty: the tokens that stood in the shared block belong to the copy as well
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: values_not_copied (2) => only the keys of the shared block were copied: a copied block has keys and values
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: one_token_too_few_copied (2) => the copy of the shared block lacks its last token
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            place = length % self.block_size - 1
            self.k[block, :place] = self.k[table[-1], :place]
            self.v[block, :place] = self.v[table[-1], :place]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: old_block_still_counted (2) => a sequence that made a copy still counts as a user of the old block, so the last user copies it for nothing: count it down
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: copy_counted_twice (2) => the copy is counted as shared and copied again at the next token: it has one user
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
            self.readers[block] += 1
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: table_shared_with_the_fork (2) => a sequence and its fork have one and the same block table: the fork needs a list of its own
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = old, self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: fork_counts_last_block_only (3) => full blocks were free again although the fork still uses them: a fork is one more user of every block of its table
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old[-1:]:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: fork_counts_full_blocks_only (2) => the last block of the fork is not counted as shared: a fork is one more user of every block of its table, the one that is not full too
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old[:self.length[id] // self.block_size]:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: shared_flag_never_cleared (3) => a block is taken for shared after the others made their copies: its last user writes without a copy and needs no free block
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0
        self.forks = set()

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
            self.forks.add(block)
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        self.forks.discard(block)
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and table[-1] in self.forks
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            self.unused += [table[-1]] if not self.readers[table[-1]] else []
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: two_readers_at_most (2) => three sequences shared a block, and it was counted as used by two: each fork adds one user
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] = 2
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: fork_forgets_the_length (2) => the length of the fork was counted in blocks: its last block may not be full, and the fork is as long as what it was made from
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), len(old) * self.block_size
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: fork_of_full_blocks_only (2) => the fork has the full blocks alone: the tokens of the last one belong to it as well
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id][:self.length[id] // self.block_size]
        name = self.new()
        self.table[name], self.length[name] = list(old), len(old) * self.block_size
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: free_keeps_the_blocks (3) => a sequence was freed, and its blocks were not: those that nobody else uses serve again
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: free_gives_shared_blocks_back (3) => a sequence was freed, and blocks that its fork still uses with it: a shared block is free when its last user is gone
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] = 0
            if block not in self.unused:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: free_forgets_the_last_block (3) => a sequence was freed but for its last block, the one that is not full: it is free as well
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id)[:self.length[id] // self.block_size]:
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: free_at_one_reader (3) => blocks were free although one sequence still uses them: a shared block is free when its last user is gone, at 0 users
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] <= 1 and block not in self.unused:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: freed_sequence_is_empty_and_lives (3) => a sequence that was freed is read as an empty one: its id is unknown afterwards, a KeyError
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table[id]:
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        self.table[id], self.length[id] = [], 0

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: unknown_ids_are_made (3) => append to an unknown id made a new sequence: a KeyError is expected
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table.setdefault(id, []), self.length.setdefault(id, 0), k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: a_block_at_birth (1) => a new sequence took a block before it has a token: the first token takes the first block
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [self._take()], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0 and t:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: next_block_taken_early (1) => a block was taken as soon as the one before was full: the next token takes it
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0 and len(table) * self.block_size == t:
                table.append(self._take())
            self.k[table[t // self.block_size], t % self.block_size] = k[:, t - length]
            self.v[table[t // self.block_size], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n
        if self.length[id] % self.block_size == 0 and self.unused:
            table.append(self._take())

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: block_for_every_call (1) => every append began a new block: go on in the last one while it has room
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0 or t == length:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: block_holds_one_less (1) => a block holds one token less than block_size
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.room, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.block_size = max(block_size - 1, 1)
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: block_holds_one_more (1) => a block holds one token more than block_size
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.room, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.block_size = block_size + 1
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: whole_blocks_read (1) => whole blocks were read: the unused rest of the last block does not belong to the sequence
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1).transpose(0, 1)
        v = self.v[table].flatten(0, 1).transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: full_blocks_read_only (1) => only full blocks were read: the tokens in the last one belong to the sequence as well
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        n = n // self.block_size * self.block_size
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: blocks_in_order_of_number (1) => blocks were read in the order of their numbers: the block table says in which order they belong together
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[sorted(table)].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[sorted(table)].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: first_blocks_of_the_pool (1) => the first blocks of the pool were read, whatever the table says: each sequence has its own blocks
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop(0)
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[:len(table)].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[:len(table)].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: viewed_not_transposed (1) => heads and tokens were mixed: move the axis of the heads to the front before the blocks are joined
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].reshape(self.heads, n, self.d_head)
        v = self.v[table].flatten(0, 1)[:n].reshape(self.heads, n, self.d_head)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: tokens_first (1) => the tokens stand before the heads: read gives (heads, length, d_head)
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n]
        v = self.v[table].flatten(0, 1)[:n]
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: keys_and_values_exchanged (1) => keys and values were exchanged: read returns (k, v)
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return v, k

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: last_token_of_a_piece_only (1) => one token of each piece was kept: append takes n tokens at once
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        k, v = k[:, -1:], v[:, -1:]
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        n = min(n, 1)
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: index_error (3) => an IndexError where no block is free: a MemoryError is expected, before anything is changed
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: runtime_error (3) => a RuntimeError where no block is free: a MemoryError is expected
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise RuntimeError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: nothing_said_when_full (3) => nothing was said where no block is free: a MemoryError is expected
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            return
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: grows_when_full (3) => the pool grew where no block is free: it has room for num_blocks, then a MemoryError is expected
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            self.unused += range(self.num_blocks, 2 * self.num_blocks)
            self.readers += [0] * self.num_blocks
            self.k, self.v = self.k.repeat(2, 1, 1, 1), self.v.repeat(2, 1, 1, 1)
            self.num_blocks *= 2
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: oldest_sequence_evicted (3) => another sequence was given up to make room: a MemoryError is expected, and all sequences stay
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            self.free(min(name for name in self.table if name != id))
            return self.append(id, k, v)
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: written_as_far_as_there_is_room (3) => tokens were written until no block was left: all or nothing, count the blocks first
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if copy:
            if not self.unused:
                raise MemoryError("no block is left")
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                if not self.unused:
                    raise MemoryError("no block is left")
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
            self.length[id] = t + 1
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: blocks_taken_before_the_error (3) => blocks were taken before the MemoryError: count first, then take
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if copy:
            if not self.unused:
                raise MemoryError("no block is left")
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                if not self.unused:
                    raise MemoryError("no block is left")
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: length_counted_before_the_error (3) => the length grew before the MemoryError: all or nothing, count the blocks first
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        self.length[id] = length + n
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: copy_not_counted (3) => the copy of a shared block was not counted among the blocks that are needed: a MemoryError is expected where no block is left for it
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: all_freed_at_the_error (3) => the other sequences were freed at the MemoryError: all of them stay as they were
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            for name in list(self.table):
                if name != id:
                    self.free(name)
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: full_when_one_is_left (3) => a MemoryError although the last free block is enough !! out of memory
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy >= max(len(self.unused), 1):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: error_though_there_is_room (3) => a MemoryError although the last block of the sequence has room: no new block is needed
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if not self.unused or more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: in_use_counts_readers (2) => a block that two sequences share was counted twice: it is one block in use
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return sum(map(len, self.table.values()))

# %% wrong: in_use_is_the_most_ever (3) => blocks_in_use counts blocks that are free again: it is the number that are taken now, not the most ever
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.most = 0
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        self.most = max(self.most, self.num_blocks - len(self.unused))
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.most

# %% wrong: in_use_counts_tokens (1) => the tokens of all sequences were put together and counted in blocks: each begins a block of its own
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return -(-sum(self.length.values()) // self.block_size)

# %% wrong: ids_used_again_too_soon (3) => a new sequence got the id of one that is still there
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name = len(self.table)
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: tables_shared_by_all_caches (1) => two caches mixed their sequences: what is kept belongs to the object, not to the class
class PagedCache:
    table, length = {}, {}

    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.next_id = 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: float32_pool (1) => the pool is float32 whatever comes: it has the dtype of the first key
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = torch.zeros(shape), torch.zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: through_float32 (1) => keys and values went through float32: the pool has the dtype of the first key, and what is read is what was written, to the last digit
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v, self.dtype = torch.zeros(shape), torch.zeros(shape), k.dtype
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k.to(self.dtype), v.to(self.dtype)

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: new_text_reads_the_old (1) => a new sequence is empty, whatever stood in the blocks before, and where nothing was written yet
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            table, n = self.unused[-1:], self.block_size
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: gathered_at_the_fork (2) => fork made a tensor as large as a block: it copies the table alone
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size, self.heads, self.d_head = num_blocks, block_size, heads, d_head
        self.k = self.v = None
        self.unused = list(range(num_blocks))
        self.readers = [0] * num_blocks
        self.table, self.length, self.next_id = {}, {}, 0

    def new(self):
        name, self.next_id = self.next_id, self.next_id + 1
        self.table[name], self.length[name] = [], 0
        return name

    def fork(self, id):
        old = self.table[id]
        tokens = self.read(id)[0].clone()
        name = self.new()
        self.table[name], self.length[name] = list(old), self.length[id]
        for block in old:
            self.readers[block] += 1
        return name

    def _take(self):
        block = self.unused.pop()
        self.readers[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.table[id], self.length[id], k.shape[1]
        if self.k is None:
            shape = (self.num_blocks, self.block_size, self.heads, self.d_head)
            self.k, self.v = k.new_zeros(shape), v.new_zeros(shape)
        copy = n > 0 and length % self.block_size > 0 and self.readers[table[-1]] > 1
        more = -(-(length + n) // self.block_size) - len(table)
        if more + copy > len(self.unused):
            raise MemoryError("not enough blocks are left")
        if copy:
            block = self._take()
            self.k[block] = self.k[table[-1]]
            self.v[block] = self.v[table[-1]]
            self.readers[table[-1]] -= 1
            table[-1] = block
        for t in range(length, length + n):
            if t % self.block_size == 0:
                table.append(self._take())
            self.k[table[-1], t % self.block_size] = k[:, t - length]
            self.v[table[-1], t % self.block_size] = v[:, t - length]
        self.length[id] = length + n

    def read(self, id):
        table, n = self.table[id], self.length[id]
        if not n:
            return torch.zeros(self.heads, 0, self.d_head), torch.zeros(self.heads, 0, self.d_head)
        k = self.k[table].flatten(0, 1)[:n].transpose(0, 1)
        v = self.v[table].flatten(0, 1)[:n].transpose(0, 1)
        return k, v

    def free(self, id):
        for block in self.table.pop(id):
            self.readers[block] -= 1
            if self.readers[block] == 0:
                self.unused.append(block)
        del self.length[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)

# %% wrong: fork_forgets_the_first_block (2) => a fork does not count as a user of its first block: it uses every block of its table
class Block:
    def __init__(self):
        self.keys, self.values, self.owners = [], [], 1

class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.room, self.block_size, self.ids, self.tables = num_blocks, block_size, 0, {}
        self.nothing = (heads, 0, d_head)

    def new(self):
        self.ids += 1
        self.tables[f"text {self.ids}"] = []
        return f"text {self.ids}"

    def fork(self, id):
        blocks = self.tables[id]
        for block in blocks[1:]:
            block.owners += 1
        copy = self.new()
        self.tables[copy] = blocks[:]
        return copy

    def append(self, id, k, v):
        table = self.tables[id]
        plan, last = [], table[-1] if table else None
        left = k.shape[1]
        if last is not None and len(last.keys) < self.block_size and left:
            if last.owners > 1:
                plan.append("copy")
            left -= self.block_size - len(last.keys)
        while left > 0:
            plan.append("new")
            left -= self.block_size
        if len(plan) > self.room:
            raise MemoryError(f"{len(plan)} blocks needed, {self.room} free")
        self.room -= len(plan)
        if "copy" in plan:
            last.owners -= 1
            table[-1] = Block()
            table[-1].keys, table[-1].values = last.keys[:], last.values[:]
        for key, value in zip(k.unbind(1), v.unbind(1)):
            if not table or len(table[-1].keys) == self.block_size:
                table.append(Block())
            table[-1].keys.append(key.clone())
            table[-1].values.append(value.clone())

    def read(self, id):
        keys = [k for block in self.tables[id] for k in block.keys]
        values = [v for block in self.tables[id] for v in block.values]
        if not keys:
            return torch.empty(self.nothing), torch.empty(self.nothing)
        return torch.stack(keys).movedim(0, 1), torch.stack(values).movedim(0, 1)

    def free(self, id):
        for block in self.tables.pop(id):
            block.owners -= 1
            self.room += block.owners == 0

    def blocks_in_use(self):
        return len({b for table in self.tables.values() for b in table})

# %% wrong: room_left_taken_for_tokens_held (3) => a MemoryError although the blocks suffice: what is left in the last block is its size less the tokens in it
class Block:
    def __init__(self):
        self.keys, self.values, self.owners = [], [], 1

class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.room, self.block_size, self.ids, self.tables = num_blocks, block_size, 0, {}
        self.nothing = (heads, 0, d_head)

    def new(self):
        self.ids += 1
        self.tables[f"text {self.ids}"] = []
        return f"text {self.ids}"

    def fork(self, id):
        blocks = self.tables[id]
        for block in blocks:
            block.owners += 1
        copy = self.new()
        self.tables[copy] = blocks[:]
        return copy

    def append(self, id, k, v):
        table = self.tables[id]
        plan, last = [], table[-1] if table else None
        left = k.shape[1]
        if last is not None and len(last.keys) < self.block_size and left:
            if last.owners > 1:
                plan.append("copy")
            left -= len(last.keys)
        while left > 0:
            plan.append("new")
            left -= self.block_size
        if len(plan) > self.room:
            raise MemoryError(f"{len(plan)} blocks needed, {self.room} free")
        self.room -= len(plan)
        if "copy" in plan:
            last.owners -= 1
            table[-1] = Block()
            table[-1].keys, table[-1].values = last.keys[:], last.values[:]
        for key, value in zip(k.unbind(1), v.unbind(1)):
            if not table or len(table[-1].keys) == self.block_size:
                table.append(Block())
            table[-1].keys.append(key.clone())
            table[-1].values.append(value.clone())

    def read(self, id):
        keys = [k for block in self.tables[id] for k in block.keys]
        values = [v for block in self.tables[id] for v in block.values]
        if not keys:
            return torch.empty(self.nothing), torch.empty(self.nothing)
        return torch.stack(keys).movedim(0, 1), torch.stack(values).movedim(0, 1)

    def free(self, id):
        for block in self.tables.pop(id):
            block.owners -= 1
            self.room += block.owners == 0

    def blocks_in_use(self):
        return len({b for table in self.tables.values() for b in table})

# %% wrong: full_block_copied_for_a_long_piece (2) => a full block was copied before a piece longer than a block: full blocks are never copied
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size = num_blocks, block_size
        self.heads, self.d_head = heads, d_head
        self.keys = self.values = None
        self.users = [0] * num_blocks
        self.tables, self.lengths, self.next = {}, {}, 0

    def new(self):
        self.next += 1
        self.tables[self.next], self.lengths[self.next] = [], 0
        return self.next

    def fork(self, id):
        table = self.tables[id]
        other = self.new()
        self.tables[other], self.lengths[other] = list(table), self.lengths[id]
        for block in table:
            self.users[block] += 1
        return other

    def append(self, id, k, v):
        table, length, n = self.tables[id], self.lengths[id], k.shape[1]
        if self.keys is None:
            shape = self.num_blocks, self.heads, self.block_size, self.d_head
            self.keys, self.values = k.new_zeros(shape), v.new_zeros(shape)
        copy = length > 0 and (length % self.block_size != 0 or n > self.block_size) and self.users[table[-1]] > 1
        need = -(-(length + n) // self.block_size) - len(table) + copy
        free = [b for b, users in enumerate(self.users) if users == 0]
        if need > len(free):
            raise MemoryError(f"{need} blocks needed, {len(free)} free")
        if copy:
            old, new = table[-1], free.pop()
            self.keys[new], self.values[new] = self.keys[old], self.values[old]
            self.users[old] -= 1
            self.users[new], table[-1] = 1, new
        for i in range(n):
            place = (length + i) % self.block_size
            if place == 0:
                table.append(free.pop())
                self.users[table[-1]] = 1
            self.keys[table[-1], :, place] = k[:, i]
            self.values[table[-1], :, place] = v[:, i]
        self.lengths[id] = length + n

    def read(self, id):
        table, length = self.tables[id], self.lengths[id]
        if not table:
            empty = torch.zeros(self.heads, 0, self.d_head)
            return empty, empty.clone()
        return tuple(torch.cat([pool[b] for b in table], dim=1)[:, :length] for pool in (self.keys, self.values))

    def free(self, id):
        for block in self.tables.pop(id):
            self.users[block] -= 1
        del self.lengths[id]

    def blocks_in_use(self):
        return sum(users > 0 for users in self.users)

# %% wrong: long_piece_counted_from_a_fresh_block (3) => a MemoryError although the blocks suffice: a long piece fills the begun block first
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size = num_blocks, block_size
        self.heads, self.d_head = heads, d_head
        self.keys = self.values = None
        self.users = [0] * num_blocks
        self.tables, self.lengths, self.next = {}, {}, 0

    def new(self):
        self.next += 1
        self.tables[self.next], self.lengths[self.next] = [], 0
        return self.next

    def fork(self, id):
        table = self.tables[id]
        other = self.new()
        self.tables[other], self.lengths[other] = list(table), self.lengths[id]
        for block in table:
            self.users[block] += 1
        return other

    def append(self, id, k, v):
        table, length, n = self.tables[id], self.lengths[id], k.shape[1]
        if self.keys is None:
            shape = self.num_blocks, self.heads, self.block_size, self.d_head
            self.keys, self.values = k.new_zeros(shape), v.new_zeros(shape)
        copy = length % self.block_size != 0 and self.users[table[-1]] > 1
        need = -(-n // self.block_size) + copy if n > self.block_size else -(-(length + n) // self.block_size) - len(table) + copy
        free = [b for b, users in enumerate(self.users) if users == 0]
        if need > len(free):
            raise MemoryError(f"{need} blocks needed, {len(free)} free")
        if copy:
            old, new = table[-1], free.pop()
            self.keys[new], self.values[new] = self.keys[old], self.values[old]
            self.users[old] -= 1
            self.users[new], table[-1] = 1, new
        for i in range(n):
            place = (length + i) % self.block_size
            if place == 0:
                table.append(free.pop())
                self.users[table[-1]] = 1
            self.keys[table[-1], :, place] = k[:, i]
            self.values[table[-1], :, place] = v[:, i]
        self.lengths[id] = length + n

    def read(self, id):
        table, length = self.tables[id], self.lengths[id]
        if not table:
            empty = torch.zeros(self.heads, 0, self.d_head)
            return empty, empty.clone()
        return tuple(torch.cat([pool[b] for b in table], dim=1)[:, :length] for pool in (self.keys, self.values))

    def free(self, id):
        for block in self.tables.pop(id):
            self.users[block] -= 1
        del self.lengths[id]

    def blocks_in_use(self):
        return sum(users > 0 for users in self.users)

# %% wrong: shared_mark_outlives_free (3) => a block is taken for shared after the other sequence was freed: its last user writes without a copy and needs no free block
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size = num_blocks, block_size
        self.heads, self.d_head = heads, d_head
        self.keys = self.values = None
        self.spare = list(range(num_blocks))
        self.users = [0] * num_blocks
        self.shared = set()
        self.tables, self.lengths, self.next_id = {}, {}, 0

    def new(self):
        self.next_id += 1
        self.tables[self.next_id], self.lengths[self.next_id] = [], 0
        return self.next_id

    def fork(self, id):
        table = list(self.tables[id])
        other = self.new()
        for block in table:
            self.users[block] += 1
            self.shared.add(block)
        self.tables[other], self.lengths[other] = table, self.lengths[id]
        return other

    def take(self):
        block = self.spare.pop()
        self.users[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n, size = self.tables[id], self.lengths[id], k.shape[1], self.block_size
        copy = length % size > 0 and table[-1] in self.shared
        more = -(-(length + n) // size) - len(table)
        need = more + copy
        if need > len(self.spare):
            raise MemoryError(f"{need} blocks are needed, {len(self.spare)} are free")
        if self.keys is None:
            shape = (self.num_blocks, self.heads, size, self.d_head)
            self.keys, self.values = k.new_zeros(shape), k.new_zeros(shape)
        if copy:
            old, mine = table[-1], self.take()
            self.keys[mine], self.values[mine] = self.keys[old], self.values[old]
            self.users[old] -= 1
            if self.users[old] == 1:
                self.shared.discard(old)
            if self.users[old] == 0:
                self.shared.discard(old)
                self.spare.append(old)
            table[-1] = mine
        for t in range(n):
            if length % size == 0:
                table.append(self.take())
            self.keys[table[-1], :, length % size] = k[:, t]
            self.values[table[-1], :, length % size] = v[:, t]
            length += 1
        self.lengths[id] = length

    def read(self, id):
        table, length = self.tables[id], self.lengths[id]
        if not table:
            empty = torch.zeros(self.heads, 0, self.d_head)
            return empty, empty.clone()
        return tuple(pool[table].transpose(0, 1).flatten(1, 2)[:, :length] for pool in (self.keys, self.values))

    def free(self, id):
        for block in self.tables.pop(id):
            self.users[block] -= 1
            if self.users[block] == 0:
                self.spare.append(block)
                self.shared.discard(block)
        del self.lengths[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.spare)

# %% right: small_objects_and_freed_ids_come_again
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size = num_blocks, block_size
        self.heads, self.d_head = heads, d_head
        self.sequences, self.kind = {}, None

    def new(self):
        id = next(n for n in range(len(self.sequences) + 1) if f"s{n}" not in self.sequences)
        self.sequences[f"s{id}"] = []
        return f"s{id}"

    def fork(self, id):
        blocks = list(self.sequences[id])
        other = self.new()
        self.sequences[other] = blocks
        return other

    def users(self, block):
        return sum(b is block for blocks in self.sequences.values() for b in blocks)

    def append(self, id, k, v):
        blocks, n = self.sequences[id], k.shape[1]
        last = blocks[-1] if blocks else None
        room = self.block_size - last["used"] if last else 0
        copy = room > 0 and self.users(last) > 1
        need = max(0, -(-(n - room) // self.block_size)) + copy
        if need > self.num_blocks - self.blocks_in_use():
            raise MemoryError("no block is free")
        self.kind = self.kind or k.dtype
        if copy:
            blocks[-1] = {"k": last["k"].clone(), "v": last["v"].clone(), "used": last["used"]}
        done = 0
        while done < n:
            if not blocks or blocks[-1]["used"] == self.block_size:
                k_, v_ = (t.new_zeros((self.heads, self.block_size, self.d_head), dtype=self.kind) for t in (k, v))
                blocks.append({"k": k_, "v": v_, "used": 0})
            block = blocks[-1]
            step = min(n - done, self.block_size - block["used"])
            place = slice(block["used"], block["used"] + step)
            block["k"][:, place] = k[:, done:done + step]
            block["v"][:, place] = v[:, done:done + step]
            block["used"] += step
            done += step

    def read(self, id):
        blocks = self.sequences[id]
        nothing = torch.zeros(self.heads, 0, self.d_head, dtype=self.kind)
        if not blocks:
            return nothing, nothing
        return tuple(torch.cat([b[name][:, :b["used"]] for b in blocks], dim=1) for name in "kv")

    def free(self, id):
        del self.sequences[id]

    def blocks_in_use(self):
        return len({id(b) for blocks in self.sequences.values() for b in blocks})

# %% wrong: fork_of_an_empty_sequence_fails (2) => an empty sequence may be forked, too: it has no block, and its fork is empty
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size = num_blocks, block_size
        self.heads, self.d_head = heads, d_head
        self.keys = self.values = None
        self.users = [0] * num_blocks
        self.tables, self.lengths, self.next = {}, {}, 0

    def new(self):
        self.next += 1
        self.tables[self.next], self.lengths[self.next] = [], 0
        return self.next

    def fork(self, id):
        table, length = self.tables[id], self.lengths[id]
        other = self.new()
        self.tables[other], self.lengths[other] = list(table), length
        for block in table[:-1] + [table[-1]]:
            self.users[block] += 1
        return other

    def take(self):
        block = self.users.index(0)
        self.users[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.tables[id], self.lengths[id], k.shape[1]
        shared = length % self.block_size != 0 and self.users[table[-1]] > 1
        copies = 1 if shared else 0
        need = -(-(length + n) // self.block_size) - len(table) + copies
        if need > self.users.count(0):
            raise MemoryError(f"{need} blocks are needed")
        if self.keys is None:
            shape = (self.num_blocks, self.heads, self.block_size, self.d_head)
            self.keys = torch.zeros(shape, dtype=k.dtype, device=k.device)
            self.values = torch.zeros(shape, dtype=k.dtype, device=k.device)
        if shared:
            old, table[-1] = table[-1], self.take()
            self.keys[table[-1]] = self.keys[old]
            self.values[table[-1]] = self.values[old]
            self.users[old] -= 1
        for t in range(n):
            if (length + t) % self.block_size == 0:
                table.append(self.take())
            self.keys[table[-1], :, (length + t) % self.block_size] = k[:, t]
            self.values[table[-1], :, (length + t) % self.block_size] = v[:, t]
        self.lengths[id] = length + n

    def read(self, id):
        table, length = self.tables[id], self.lengths[id]
        if not table:
            empty = torch.zeros(self.heads, 0, self.d_head, dtype=None if self.keys is None else self.keys.dtype)
            return empty, empty.clone()
        return tuple(torch.cat([pool[b] for b in table], 1)[:, :length] for pool in (self.keys, self.values))

    def free(self, id):
        for block in self.tables.pop(id):
            self.users[block] -= 1
        del self.lengths[id]

    def blocks_in_use(self):
        return self.num_blocks - self.users.count(0)

# %% right: view_of_the_pool_where_blocks_lie_in_order
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size = num_blocks, block_size
        self.heads, self.d_head = heads, d_head
        self.keys = self.values = None
        self.users = [0] * num_blocks
        self.tables, self.lengths, self.next = {}, {}, 0

    def new(self):
        self.next += 1
        self.tables[self.next], self.lengths[self.next] = [], 0
        return self.next

    def fork(self, id):
        table, length = self.tables[id], self.lengths[id]
        other = self.new()
        self.tables[other], self.lengths[other] = list(table), length
        for block in table:
            self.users[block] += 1
        return other

    def take(self):
        block = self.users.index(0)
        self.users[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.tables[id], self.lengths[id], k.shape[1]
        shared = length % self.block_size != 0 and self.users[table[-1]] > 1
        copies = 1 if shared else 0
        need = -(-(length + n) // self.block_size) - len(table) + copies
        if need > self.users.count(0):
            raise MemoryError(f"{need} blocks are needed")
        if self.keys is None:
            shape = (self.num_blocks, self.heads, self.block_size, self.d_head)
            self.keys = torch.zeros(shape, dtype=k.dtype, device=k.device)
            self.values = torch.zeros(shape, dtype=k.dtype, device=k.device)
        if shared:
            old, table[-1] = table[-1], self.take()
            self.keys[table[-1]] = self.keys[old]
            self.values[table[-1]] = self.values[old]
            self.users[old] -= 1
        for t in range(n):
            if (length + t) % self.block_size == 0:
                table.append(self.take())
            self.keys[table[-1], :, (length + t) % self.block_size] = k[:, t]
            self.values[table[-1], :, (length + t) % self.block_size] = v[:, t]
        self.lengths[id] = length + n

    def read(self, id):
        table, length = self.tables[id], self.lengths[id]
        if not table:
            empty = torch.zeros(self.heads, 0, self.d_head, dtype=None if self.keys is None else self.keys.dtype)
            return empty, empty.clone()
        if len(table) == 1:
            return self.keys[table[0], :, :length], self.values[table[0], :, :length]
        return tuple(torch.cat([pool[b] for b in table], 1)[:, :length] for pool in (self.keys, self.values))

    def free(self, id):
        for block in self.tables.pop(id):
            self.users[block] -= 1
        del self.lengths[id]

    def blocks_in_use(self):
        return self.num_blocks - self.users.count(0)

# %% wrong: values_of_one_block_whole (1) => the values of a sequence in one block were read whole: the unused rest of the block does not belong to it
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size = num_blocks, block_size
        self.heads, self.d_head = heads, d_head
        self.keys = self.values = None
        self.users = [0] * num_blocks
        self.tables, self.lengths, self.next = {}, {}, 0

    def new(self):
        self.next += 1
        self.tables[self.next], self.lengths[self.next] = [], 0
        return self.next

    def fork(self, id):
        table, length = self.tables[id], self.lengths[id]
        other = self.new()
        self.tables[other], self.lengths[other] = list(table), length
        for block in table:
            self.users[block] += 1
        return other

    def take(self):
        block = self.users.index(0)
        self.users[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.tables[id], self.lengths[id], k.shape[1]
        shared = length % self.block_size != 0 and self.users[table[-1]] > 1
        copies = 1 if shared else 0
        need = -(-(length + n) // self.block_size) - len(table) + copies
        if need > self.users.count(0):
            raise MemoryError(f"{need} blocks are needed")
        if self.keys is None:
            shape = (self.num_blocks, self.heads, self.block_size, self.d_head)
            self.keys = torch.zeros(shape, dtype=k.dtype, device=k.device)
            self.values = torch.zeros(shape, dtype=k.dtype, device=k.device)
        if shared:
            old, table[-1] = table[-1], self.take()
            self.keys[table[-1]] = self.keys[old]
            self.values[table[-1]] = self.values[old]
            self.users[old] -= 1
        for t in range(n):
            if (length + t) % self.block_size == 0:
                table.append(self.take())
            self.keys[table[-1], :, (length + t) % self.block_size] = k[:, t]
            self.values[table[-1], :, (length + t) % self.block_size] = v[:, t]
        self.lengths[id] = length + n

    def read(self, id):
        table, length = self.tables[id], self.lengths[id]
        if not table:
            empty = torch.zeros(self.heads, 0, self.d_head, dtype=None if self.keys is None else self.keys.dtype)
            return empty, empty.clone()
        if len(table) == 1:
            return self.keys[table[0], :, :length], self.values[table[0]]
        return tuple(torch.cat([pool[b] for b in table], 1)[:, :length] for pool in (self.keys, self.values))

    def free(self, id):
        for block in self.tables.pop(id):
            self.users[block] -= 1
        del self.lengths[id]

    def blocks_in_use(self):
        return self.num_blocks - self.users.count(0)

# %% wrong: copy_counted_for_full_block (3) => a copy of a full block was counted among the blocks that are needed: a full block is not copied
# breaks: "An append that would need more blocks than are free": a full shared block counts as a copy, MemoryError too early
class PagedCache:
    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size = num_blocks, block_size
        self.heads, self.d_head = heads, d_head
        self.keys = self.values = None
        self.unused = list(range(num_blocks))
        self.users = [0] * num_blocks
        self.tables, self.lengths, self.next = {}, {}, 0

    def new(self):
        self.next += 1
        self.tables[self.next], self.lengths[self.next] = [], 0
        return self.next

    def fork(self, id):
        table, length = self.tables[id], self.lengths[id]
        for block in table:
            self.users[block] += 1
        other = self.new()
        self.tables[other], self.lengths[other] = list(table), length
        return other

    def take(self):
        block = self.unused.pop()
        self.users[block] = 1
        return block

    def append(self, id, k, v):
        table, length, n = self.tables[id], self.lengths[id], k.size(1)
        copy = length % self.block_size != 0 and self.users[table[-1]] > 1
        need = -(-(length + n) // self.block_size) - len(table) + bool(table and self.users[table[-1]] > 1)
        if need > len(self.unused):
            raise MemoryError(f"{need} blocks needed, {len(self.unused)} free")
        if self.keys is None:
            shape = (self.num_blocks, self.heads, self.block_size, self.d_head)
            self.keys, self.values = k.new_zeros(shape), k.new_zeros(shape)
        if copy:
            old, table[-1] = table[-1], self.take()
            self.users[old] -= 1
            self.keys[table[-1]] = self.keys[old]
            self.values[table[-1]] = self.values[old]
        for i in range(n):
            block, slot = divmod(length + i, self.block_size)
            if block == len(table):
                table.append(self.take())
            self.keys[table[block], :, slot] = k[:, i]
            self.values[table[block], :, slot] = v[:, i]
        self.lengths[id] = length + n

    def read(self, id):
        table, length = self.tables[id], self.lengths[id]
        if not table:
            empty = torch.zeros(self.heads, 0, self.d_head) if self.keys is None else self.keys[0][:, :0]
            return empty, empty.clone()
        return tuple(pool[table].transpose(0, 1).flatten(1, 2)[:, :length] for pool in (self.keys, self.values))

    def free(self, id):
        for block in self.tables.pop(id):
            self.users[block] -= 1
            if self.users[block] == 0:
                self.unused.append(block)
        del self.lengths[id]

    def blocks_in_use(self):
        return self.num_blocks - len(self.unused)
