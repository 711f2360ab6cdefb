"""Pull code of an earlier chapter into a later one, so that each notebook stands alone and nothing is pasted."""

import ast

from .chapter import find_chapter, strip_markers
from .errors import SourceError


def definitions(chapter):
    """Top-level functions, classes and variables of a chapter's code cells: name -> source text. The first one counts."""
    found = {}
    for cell in chapter.code:
        if cell.role == "check":
            continue
        text = strip_markers(cell.source)
        try:
            body = ast.parse(text).body
        except SyntaxError:          # a cell with magics defines nothing that can be carried
            continue
        lines = text.split("\n")
        for node in body:
            name = getattr(node, "name", None)
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
            if name and name not in found:
                first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
                found[name] = "\n".join(lines[first - 1:node.end_lineno])
    return found


def carried_text(root, cell, where):
    """The code that a cell's carry directive asks for. Raises SourceError for an unknown chapter or name."""
    parts = []
    for chapter_name, names in cell.carry:
        known = definitions(find_chapter(root, chapter_name))
        for name in names:
            if name not in known:
                raise SourceError(f"{where}:{cell.line}: cell {cell.id}: carry asks for {name!r}, which no cell of "
                                  f"{chapter_name} defines at top level. Known there: {', '.join(sorted(known))}.")
            parts.append(known[name])
    return "\n\n\n".join(parts)


def filled(root, cell, where):
    """The cell's source with carried code in front."""
    return "\n\n\n".join(part for part in (carried_text(root, cell, where), cell.source.strip("\n")) if part)


def carried_chapters(chapter):
    """Names of the chapters whose code this one carries."""
    return sorted({name for cell in chapter.cells for name, _ in cell.carry})
