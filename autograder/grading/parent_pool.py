"""Several submissions at a time in one process: every thread has an engine, and all of them share what was imported and run once."""

import threading

from autograder.grading.engine import Engine
from autograder.grading.host.parents import Broken


class Lender(Engine):
    """An engine that grades nothing itself; its neighbours take forks of its parents."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._lock = threading.Lock()

    def lend(self, find):
        """A fork of the parent that ``find(self)`` gives, of a new one where that one is gone."""
        with self._lock:
            try:
                return find(self).branch()
            except Broken:
                self.restart()
                return find(self).branch()

    def prepare(self, name):
        with self._lock:
            try:
                super().prepare(name)
            except Broken:
                self.restart()
                raise


class Neighbour(Engine):
    """An engine for one thread, with parents forked from a Lender's."""

    def __init__(self, lender):
        self._lender = lender
        super().__init__(lender.root, lender.sealed, lender.limits)

    def chapter(self, name):
        return self._lender.chapter(name)

    def prepare(self, name):
        self._lender.prepare(name)
        super().prepare(name)

    def reference(self, name):
        if name not in self._references:
            self._references[name] = self._lender.lend(lambda lender: lender.reference(name))
        return self._references[name]

    def keeper(self):
        if self._keeper is None:
            self._keeper = self._lender.lend(lambda lender: lender.keeper())
        return self._keeper

    def opened(self, name):
        if name not in self._opened:
            self._opened[name] = self._lender.lend(lambda lender: lender.opened(name))
        return self._opened[name]

    def _start(self):
        """Nothing: the lender starts the parents."""
