"""Do the marks depend on luck? Run every check against the reference again and again, each time with other seeds.

``python -m autograder.stability ch02 --times 200`` moves every seed of the hidden tests, and the state in which a check begins,
by another amount each time, with 1 and with 2 threads.
"""

import argparse

STEP = 7919           # apart from one time to the next; a prime larger than the seeds that checks use


def unstable(root, name, times, threads=(1, 2), only="", on_failure=lambda line: None):
    """Lines that say which exercise failed with which seeds. Needs a process of its own."""
    from .rehearsal import Rehearsal
    rehearsal, lines = Rehearsal(root, name), []
    for turn in range(1, times + 1):
        for exercise in rehearsal.chapter.exercises:
            for count in threads if only in exercise.id else ():
                outcome = rehearsal.reseeded(exercise, turn * STEP, count)
                if outcome.refused:
                    lines.append(f"{exercise.id}: seeds + {turn * STEP}, {count} thread(s): {outcome.message}")
                    on_failure(lines[-1])
    return lines


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="autograder.stability", description=__doc__.split("\n")[0])
    parser.add_argument("chapter", help="as ch02")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", default="", help="exercises whose id contains this")
    chosen = parser.parse_args(arguments)
    from .settings import load_settings
    lines = unstable(load_settings().root, chosen.chapter, chosen.times, chosen.threads, chosen.only, lambda line: print(line, flush=True))
    print(f"{chosen.chapter}: {chosen.times} times with {' and '.join(map(str, chosen.threads))} thread(s): {len(lines)} failures")
    return 1 if lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
