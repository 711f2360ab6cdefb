"""Requests to one Canvas that carry the token there and nowhere else, and wait where it asks to.

Redirects are followed here: a request to another host, scheme or port carries no token.
"""

import re
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from requests.auth import AuthBase

from autograder.course.errors import AutograderError

TOKEN = "AUTOGRADER_CANVAS_TOKEN"
ON_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
TRIES = 5
REDIRECTS = 5
TIMEOUT = (10, 120)  # seconds to connect, and between two pieces of an answer
LONGEST_WAIT = 300  # seconds


class Bearer(AuthBase):
    """Puts the token on a request; without one, keeps requests from taking one out of ~/.netrc."""

    def __init__(self, token: str = "") -> None:
        self.token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self.token:
            request.headers["Authorization"] = f"Bearer {self.token}"
        return request

    def __repr__(self) -> str:
        return "Bearer(…)"


class Connection:
    """A session with one Canvas.

    Raises AutograderError, one line, for every answer that is not what was asked for. wait: called
    with seconds where Canvas asks to wait; notice: called with a line to show.
    """

    def __init__(
        self,
        url: str,
        token: str,
        wait: Callable[[float], None] = time.sleep,
        notice: Callable[[str], None] = lambda text: None,
    ) -> None:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        if parts.scheme != "https" and parts.hostname not in ON_THIS_MACHINE:
            raise AutograderError(
                f"canvas_url {url!r}: expected https, so that nobody on the way reads the token."
            )
        self.base = f"{parts.scheme}://{parts.netloc}/"
        self._wait, self._notice = wait, notice
        self._bearer = Bearer(token)
        self._session = requests.Session()
        self._session.headers["Accept"] = "application/json"

    def send(
        self,
        method: str,
        url: str,
        *,
        bearer: Bearer | None = None,
        follow: bool = True,
        **more: Any,
    ) -> requests.Response:
        """The answer to a request, waited for where Canvas asks to. A GET is sent again where no
        answer came.
        """
        for step in range(TRIES):
            last = step == TRIES - 1
            try:
                answer = self._follow(method, url, bearer, follow, more)
            except requests.RequestException as error:
                if last or method != "GET" or isinstance(error, ValueError):  # no web address
                    raise AutograderError(
                        f"{_short(url)}: no answer from {urlsplit(url).hostname} "
                        f"({type(error).__name__}). Check canvas_url and the network."
                    ) from None
                self._pause(2**step, f"no answer from {urlsplit(url).hostname}")
                continue
            broken = method == "GET" and answer.status_code in (500, 502, 503, 504)
            if last or not (broken or _throttled(answer)):
                return self._checked(answer, url)
            self._pause(_asked_to_wait(answer, 2**step), "Canvas asks to wait")
        raise AssertionError("the last try returns or raises")

    def _follow(
        self, method: str, url: str, bearer: Bearer | None, follow: bool, more: dict[str, Any]
    ) -> requests.Response:
        for _ in range(REDIRECTS + 1):
            auth = bearer or (self._bearer if self.is_ours(url) else Bearer())
            answer = self._session.request(
                method, url, auth=auth, allow_redirects=False, timeout=TIMEOUT, **more
            )
            if not (follow and method == "GET" and answer.is_redirect):
                return answer
            url = urljoin(url, answer.headers["Location"])
            more = {**more, "params": {}}
            answer.close()
        raise requests.TooManyRedirects()

    def _checked(self, answer: requests.Response, url: str) -> requests.Response:
        """The answer, where it is none that says no."""
        code, place = answer.status_code, _short(url)
        if code < 400:
            return answer
        if code == 401 and "WWW-Authenticate" in answer.headers:
            raise AutograderError(
                f"Canvas does not accept the token in {TOKEN}: it is wrong, has expired or was "
                "deleted. Make a new one in Canvas under Account → Settings → New Access Token."
            )
        if _throttled(answer):
            raise AutograderError(f"{place}: Canvas still asks to wait; try again later.")
        if code in (401, 403):
            raise AutograderError(
                f"{place}: Canvas refuses it to the owner of the token in {TOKEN}; expected a "
                "teacher of the course who may grade."
            )
        if code == 404:
            raise AutograderError(
                f"{place}: Canvas knows no such thing; check canvas_url, canvas_course and "
                "canvas_assignments in pyproject.toml."
            )
        said = _reason(answer).replace(self._bearer.token, "…")
        raise AutograderError(f"{place}: Canvas answered {code}{said}.")

    def _pause(self, seconds: float, why: str) -> None:
        if seconds > LONGEST_WAIT:
            raise AutograderError(f"{why} for {seconds:.0f} s; try again then.")
        self._notice(f"{why}: going on in {seconds:.0f} s")
        self._wait(seconds)

    def is_ours(self, url: str) -> bool:
        """Whether an address is at this Canvas."""
        ours, other = urlsplit(self.base), urlsplit(url)
        return (ours.scheme, ours.netloc) == (other.scheme, other.netloc)


def _throttled(answer: requests.Response) -> bool:
    """Whether Canvas asks to slow down (doc/api/throttling.md: 403; 429 on newer ones)."""
    if answer.status_code == 429:
        return True
    return answer.status_code == 403 and "rate limit exceeded" in answer.text[:500].lower()


def _asked_to_wait(answer: requests.Response, otherwise: float) -> float:
    """The seconds of Retry-After, a number or a date; otherwise where there is none."""
    text = answer.headers.get("Retry-After", "")
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return otherwise


def _short(url: str) -> str:
    """The path of an address: what follows it may be a secret."""
    return urlsplit(url).path


def _reason(answer: requests.Response) -> str:
    """What Canvas says beside a code, in at most 200 characters."""
    try:
        said = answer.json()
        errors = said.get("errors") or said.get("message") or said
    except (ValueError, AttributeError):
        return ""
    found = re.findall(r"'message': '([^']*)'", str(errors)) or [str(errors)]
    return f": {'; '.join(found)[:200]}"
