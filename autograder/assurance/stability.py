"""Do the marks depend on luck? Run every check against the reference again and again, each time with other seeds.

``python -m autograder stability ch02 --times 200`` moves every seed of the hidden tests, and the state in which a check begins,
by another amount each time, with 1 and with 2 threads. Number types are not moved: the hidden tests themselves try float32 and
float64 wherever an exercise computes with either.
"""

STEP = 7919  # apart from one time to the next; a prime larger than the seeds that checks use


def unstable(root, name, times, threads=(1, 2), only="", on_failure=lambda line: None):
    """Lines that say which exercise failed with which seeds. Needs a process of its own."""
    from autograder.assurance.in_process import Rehearsal

    rehearsal, lines = Rehearsal(root, name), []
    for turn in range(1, times + 1):
        for exercise in rehearsal.chapter.exercises:
            for count in threads if only in exercise.id else ():
                outcome = rehearsal.reseeded(exercise, turn * STEP, count)
                if outcome.refused:
                    lines.append(
                        f"{exercise.id}: seeds + {turn * STEP}, {count} thread(s): {outcome.message}"
                    )
                    on_failure(lines[-1])
    return lines
