"""What a student answered to each exercise, whatever an editor did to the cell that holds it.

An answer may stand in its own cell, in several cells one below the other, in a new cell somewhere
below, under the text of a check, or in the cell that it was merged into.
"""

from autograder.course.model import Chapter
from autograder.course.regions import STUB
from autograder.grading.loose import TOP_LEVEL, LooseCell, defined, parses


class Answers:
    """The answers of one file. texts: {exercise: the student's text or None}; own: indices of cells
    that are part of no answer.
    """

    def __init__(
        self,
        chapter: Chapter,
        released: dict[str, str],
        submitted: list[LooseCell],
        match: dict[str, list[int]],
        report: list[str],
    ) -> None:
        self.chapter, self.released, self.submitted = chapter, released, submitted
        self.match, self.report = match, report
        matched = {index for places in match.values() for index in places}
        self.own = [i for i, c in enumerate(submitted) if i not in matched and c.kind == "code"]
        self.texts = {exercise.id: self._own_cell(exercise) for exercise in chapter.exercises}
        self._join_split_cells()
        adopted = set()
        for exercise in chapter.exercises:
            if self.texts[exercise.id] is None:
                self.texts[exercise.id] = self._in_a_nearby_cell(exercise)
            if not self._worked_on(exercise) or STUB[1] in self.texts[exercise.id]:
                adopted |= self._adopt(exercise)
        self.own = [index for index in self.own if index not in adopted]

    def _worked_on(self, exercise):
        text = self.texts[exercise.id]
        return text is not None and text.strip() != self.released[exercise.id]

    def _own_cell(self, exercise):
        """The text of the cells that claim to be the answer to an exercise, or None."""
        cells = [self.submitted[i] for i in self.match.get(exercise.id, ())]
        texts = list(dict.fromkeys(cell.text for cell in cells if cell.text.strip()))
        edited = [text for text in texts if text.strip() != self.released[exercise.id]]
        if not edited:
            return texts[0] if texts else None
        if len(texts) > 1:
            joined = _joined(edited, exercise)
            if joined is not None:
                self.report.append(
                    f"cell {exercise.id} was split into {len(edited)}; the parts are joined again"
                )
                return joined
            self.report.append(
                f"cell {exercise.id} stands {len(texts)} times; the last one that was worked on"
                " counts"
            )
        return edited[-1]

    def _join_split_cells(self):
        """The rest of a split cell is a cell of the student's own: it belongs to the exercise that
        stands above it.
        """
        exercise_at = {i: e for e in self.chapter.exercises for i in self.match.get(e.id, ())}
        for index in list(self.own):
            above = max((i for i in exercise_at if i < index), default=None)
            if above is None or not self._worked_on(exercise_at[above]):
                continue
            exercise, text = exercise_at[above], self.submitted[index].text
            answer = self.texts[exercise.id]
            torn = text[:1] in (" ", "\t") or not parses(answer)
            if torn and parses(f"{answer}\n{text}"):
                self.report.append(f"cell {exercise.id} was split; the parts are joined again")
                self.texts[exercise.id] = f"{answer}\n{text}"
                self.own.remove(index)

    def _adopt(self, exercise):
        """Take an answer from a cell of the student's own, or from below a check; returns the
        indices of what was taken.

        One new cell may hold the answers to several exercises: it counts for each of them.
        """
        for index in reversed(self.own):
            text = self.submitted[index].text
            if defined(text) & set(exercise.names) and STUB[1] not in text:
                self._take(exercise, text)
                return {index}
        for check in exercise.checks:
            for index in self.match.get(check.id, ()):
                text = _below_a_check(self.submitted[index].text, exercise)
                if text and not defined(self.released[check.id]) & set(exercise.names):
                    self._take(exercise, text)
        return set()

    def _take(self, exercise, text):
        self.texts[exercise.id] = text
        self.report.append(
            f"the answer to {exercise.id} stood in another cell; it was put in its place"
        )

    def _in_a_nearby_cell(self, exercise):
        """The text of an edited cell that holds the answer to an exercise whose own cell is gone:
        it was merged into a neighbour.
        """
        for cell in reversed(self.submitted):
            if (
                cell.kind == "code"
                and set(exercise.names) <= defined(cell.text)
                and cell.text.strip() not in self.released.values()
            ):
                self.report.append(
                    f"cell {exercise.id} was merged with its neighbour; that cell counts as the"
                    " answer"
                )
                return cell.text
        return None


def _joined(texts, exercise):
    """The parts of a split cell as one text, or None when they are whole answers each."""
    if len(texts) < 2:
        return None
    whole = [text for text in texts if set(exercise.names) <= defined(text)]
    if whole and all(parses(text) for text in whole) and len(whole) == len(texts):
        return None
    for separator in ("\n", "\n\n"):
        text = separator.join(texts)
        if parses(text) and set(exercise.names) <= defined(text) and len(whole) <= 1:
            return text
    return None


def _below_a_check(text, exercise):
    """What stands in a check's cell from the first definition of one of an exercise's names on."""
    starts = [
        match.start()
        for match in TOP_LEVEL.finditer(text)
        if set(exercise.names) & set(match.groups())
    ]
    return text[starts[0] :] if starts else ""
