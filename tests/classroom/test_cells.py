"""What goes into a spreadsheet, and what an instructor wrote and must get back."""

import csv
import io
import re
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.classroom.collect.collecting import collected_csv
from autograder.classroom.collect.placing import Row
from autograder.classroom.marks import Mark
from autograder.classroom.results.export import export
from autograder.classroom.tables import FORMULA_STARTS, Cell, csv_text, read_sheet

WRITTEN = st.text(st.sampled_from("ab\"'-=,;\t \r\n@é\x1b["), max_size=12)


@given(st.lists(st.lists(st.text(max_size=20) | st.floats(0, 100), min_size=1), max_size=5))
def test_no_cell_that_we_write_is_a_formula(rows):
    written = csv_text(["student"], rows)
    read = list(csv.reader(io.StringIO(written, newline="")))
    assert len(read) == len(rows) + 1
    for before, after in zip(rows, read[1:], strict=True):
        assert not any(cell.startswith(FORMULA_STARTS) for cell in after)
        for one, other in zip(before, after, strict=True):
            if isinstance(one, str):
                one = re.sub("\r\n?", "\n", one)
                assert other in (one, f"'{one}")


@given(st.lists(st.lists(WRITTEN, min_size=1, max_size=4), min_size=1), st.booleans(), st.data())
@settings(max_examples=300)
def test_a_sheet_that_nobody_changed_comes_back_byte_for_byte(tmp_path_factory, rows, marked, data):
    end, delimiter = data.draw(st.sampled_from(["\n", "\r\n"])), data.draw(st.sampled_from(",;\t"))
    out = io.StringIO(newline="")
    quoting = data.draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]))
    table = [["Identifier", "Name", "Grade", "Note"], *rows]
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(table)
    text = out.getvalue()[: -len(end) if data.draw(st.booleans()) else None]
    path = tmp_path_factory.mktemp("sheet") / "sheet.csv"
    path.write_bytes(("\ufeff" * marked + text).encode())
    sheet = read_sheet(path)
    assert sheet.as_bytes() == path.read_bytes()
    assert sheet.rows == list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


@given(st.text(st.sampled_from('ab",\r\n'), max_size=30))
@settings(max_examples=300)
def test_any_text_is_split_as_pythons_reader_splits_it(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("sheet") / "sheet.csv"
    path.write_bytes(("a,b\n" + text).encode())
    rows = list(csv.reader(io.StringIO("a,b\n" + text, newline="")))
    assert read_sheet(path).rows == rows


@given(WRITTEN, WRITTEN, st.sampled_from(["-", "", '"-"']))
def test_moodle_gets_back_what_the_instructor_wrote(tmp_path_factory, name, comment, held):
    folder = tmp_path_factory.mktemp("moodle")
    quoted = ['"' + text.replace('"', '""') + '"' for text in (name, comment)]
    head = '\ufeffIdentifier,"Full name",Grade,"Maximum Grade",Feedback\r\n'
    rows = [f"Participant {n},{quoted[0]},{held},10.00,{quoted[1]}\r\n" for n in (101, 102)]
    (folder / "in.csv").write_bytes((head + "".join(rows)).encode())
    mark = Mark("101", 7.5, 7.5, 10.0, 0.0, ())
    chapter = SimpleNamespace(points=10.0)
    export(chapter, "moodle", [mark], folder / "out.csv", folder / "in.csv").write()
    graded = rows[0].replace(f",{held},10.00,", ",7.50,10.00,")
    assert (folder / "out.csv").read_bytes() == (head + graded + rows[1]).encode()


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_table_of_what_was_collected_holds_no_formula(student, reason):
    made = collected_csv([Row("file", student, "ch01", "skipped", reason)])
    for row in csv.reader(io.StringIO(made, newline="")):
        assert not any(cell.startswith(FORMULA_STARTS) for cell in row)


def test_a_cell_knows_how_the_file_has_it():
    cell = Cell('"a ""b"""', ",")
    assert cell == 'a "b"' and cell.raw == '"a ""b"""'
