"""The parts of Canvas's REST API that the course uses.

The token is read from the environment, and stands in no file, message or setting.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from autograder.classroom.canvas.connection import TOKEN, Bearer, Connection
from autograder.course.errors import AutograderError
from autograder.course.files import LARGEST_SUBMISSION
from autograder.course.settings import Settings

PER_PAGE = 100
CHUNK = 1 << 16


class Canvas:
    """The API of one Canvas. Paths begin behind ``/api/v1/``; AutograderError where an answer is
    not what was asked for.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, path: str) -> dict[str, Any]:
        """One object."""
        return self._json(self._connection.send("GET", self._url(path)), path, dict)

    def pages(
        self, path: str, parameters: Mapping[str, object] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Every object of a list, page after page, by the Link header of each answer."""
        url, asked = self._url(path), {**(parameters or {}), "per_page": PER_PAGE}
        seen = set()
        while url and url not in seen:
            seen.add(url)
            answer = self._connection.send("GET", url, params=asked)
            yield from self._json(answer, path, list)
            url, asked = answer.links.get("next", {}).get("url", ""), {}
            if url and not self._connection.is_ours(url):
                raise AutograderError(
                    f"Canvas says that {path} goes on at {urlsplit(url).hostname}; it is not asked."
                )

    def put(self, path: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Change something. Not sent again where it may have arrived: a comment would stand twice.

        fields: {name of the form's field: value, or list of values}.
        """
        return self._json(self._connection.send("PUT", self._url(path), data=fields), path, dict)

    def download(self, url: str) -> bytes:
        """The bytes of a file. Raises AutograderError for more than LARGEST_SUBMISSION."""
        content = bytearray()
        answer = self._connection.send("GET", urljoin(self._connection.base, url), stream=True)
        try:
            for piece in answer.iter_content(CHUNK):
                content += piece
                if len(content) > LARGEST_SUBMISSION:
                    most = LARGEST_SUBMISSION >> 20
                    raise AutograderError(f"more than {most} MB; at most {most} MB are read")
        except requests.RequestException as error:
            raise AutograderError(f"the download broke off ({type(error).__name__})") from None
        finally:
            answer.close()
        return bytes(content)

    def upload(self, path: str, name: str, content: bytes, kind: str) -> str:
        """Upload a file in Canvas's three steps (doc/api/file_uploads.md). Returns its id."""
        fields = {"name": name, "size": len(content), "content_type": kind}
        asked = self._connection.send("POST", self._url(path), data=fields)
        place = self._json(asked, path, dict)
        where = urljoin(self._connection.base, str(place.get("upload_url", "")))
        # the file must be the last field, and the token is not sent with it
        parts = [(key, (None, str(value))) for key, value in _fields(place.get("upload_params"))]
        answer = self._connection.send(
            "POST", where, bearer=Bearer(), follow=False, files=[*parts, ("file", (name, content))]
        )
        if answer.headers.get("Location"):
            answer = self._connection.send("GET", urljoin(where, answer.headers["Location"]))
        file = self._json(answer, path, dict)
        if not file.get("id"):
            raise AutograderError(f"Canvas did not say under which number it keeps {name}.")
        return str(file["id"])

    def _json(self, answer: requests.Response, path: str, kind: type) -> Any:
        try:
            value = answer.json()
        except ValueError:
            value = None
        if not isinstance(value, kind):
            raise AutograderError(
                f"{path}: expected a JSON {'list' if kind is list else 'object'} from Canvas, got "
                f"{answer.headers.get('Content-Type', 'something else')}; is canvas_url right?"
            )
        return value

    def _url(self, path: str) -> str:
        return urljoin(self._connection.base, f"api/v1/{path}")


def open_canvas(settings: Settings, notice: Callable[[str], None]) -> Canvas:
    """The Canvas of the settings. Raises AutograderError where it is not set up."""
    if not settings.canvas_url or not settings.canvas_course:
        raise AutograderError(
            "Canvas's API is off: set canvas_url, canvas_course and canvas_assignments under "
            "[tool.autograder] in pyproject.toml (docs/instructors.md says how)."
        )
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise AutograderError(
            f"expected an access token of Canvas in the environment variable {TOKEN}; it is not "
            "set. Canvas makes one under Account → Settings → New Access Token."
        )
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise AutograderError(f"{TOKEN} holds characters that no token of Canvas has.")
    return Canvas(Connection(settings.canvas_url, token, notice=notice))


def assignment_path(settings: Settings, chapter: str) -> str:
    """The path of a chapter's assignment. Raises AutograderError where the settings name none."""
    pairs = [pair.partition("=") for pair in settings.canvas_assignments.replace(",", " ").split()]
    numbers = {name: number for name, _, number in pairs}
    number = numbers.get(chapter) or numbers.get(chapter.partition("_")[0], "")
    if not number.isdigit():
        raise AutograderError(
            f"canvas_assignments in pyproject.toml names no assignment for {chapter}; expected "
            f"'{chapter.partition('_')[0]}=NUMBER', the number at the end of its address; got "
            f"{settings.canvas_assignments!r}."
        )
    return f"courses/{settings.canvas_course}/assignments/{number}"


def _fields(parameters: object) -> Iterable[tuple[str, object]]:
    if not isinstance(parameters, dict):
        raise AutograderError("Canvas did not say with which fields it takes the file.")
    return parameters.items()
