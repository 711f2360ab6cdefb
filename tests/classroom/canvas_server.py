"""A Canvas of our own on 127.0.0.1 that answers as the REST API is documented to.

developerdocs.instructure.com/services/canvas: resources/submissions (Submission: user_id,
anonymous_id, submitted_at, late, seconds_late, late_policy_status, excused, attachments, group;
"List assignment submissions", "Grade or comment on a submission", "… by anonymous id", "Upload a
file"), resources/assignments (Assignment, AssignmentOverride: student_ids, group_id or
course_section_id; due_at only where it is overridden), resources/users, resources/sections;
basics/file.pagination (Link), basics/file.throttling (403 "Rate Limit Exceeded"),
basics/file.file_uploads (three steps, the file last, no token on the second),
oauth2/file.oauth (401 with WWW-Authenticate). ``entered_score`` and ``points_deducted`` are as
lib/api/v1/submission.rb (SUBMISSION_JSON_METHODS) gives them.
"""

import json
import re
import threading
from contextlib import contextmanager
from datetime import datetime
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

TOKEN = "7~aTokenThatNobodyMayRead0123456789"
ASSIGNMENT = "/api/v1/courses/42/assignments/7"
PAGE = 2  # objects on a page, however many are asked for
FOLDERS = {"/overrides": "overrides", "/sections": "sections", "/users": "users"}


class FakeCanvas:
    """What the server knows, and what it was asked."""

    def __init__(self):
        self.assignment = {
            "id": 7,
            "due_at": "2026-11-20T23:00:00Z",
            "points_possible": 6.0,
            "grading_type": "points",
            "group_category_id": None,
        }
        self.overrides, self.sections, self.users = [], [], []
        self.submissions = {}  # {user id or anonymous id: Submission}
        self.files = {}  # {attachment id: bytes}
        self.uploads = {}  # {file id: bytes}
        self.comments = []  # (student, text, [file id])
        self.asked = []  # (host of the server: "canvas" or "files", method, path, Authorization)
        self.answers = []  # what to answer next, whatever is asked: (status, headers, body)

    def student(self, number, name, section=1):
        """Enrol a user."""
        login = name.split(",")[0].lower()
        self.users.append(
            {
                "id": number,
                "name": " ".join(reversed(name.split(", "))),
                "sortable_name": name,
                "login_id": login,
                "sis_user_id": None,
                "enrollments": [{"course_section_id": section, "type": "StudentEnrollment"}],
            }
        )

    def hand_in(self, number, content, at, attachment, **more):
        """Make a user's Submission, late by the dates that hold for everybody."""
        late = max(0.0, (_time(at) - _time(self.assignment["due_at"])).total_seconds())
        self.files[attachment] = content
        self.submissions[number] = {
            "user_id": number,
            "submitted_at": at,
            "submission_type": "online_upload",
            "workflow_state": "submitted",
            "late": late > 0,
            "seconds_late": late,
            "late_policy_status": None,
            "excused": False,
            "score": None,
            "entered_score": None,
            "points_deducted": None,
            "attachments": [
                {
                    "id": attachment,
                    "display_name": "ch01_small.ipynb",
                    "size": len(content),
                    "url": f"{self.address}/files/{attachment}/download?verifier=secret",
                }
            ],
            **more,
        }

    def paths(self, method, where="canvas"):
        """What was asked with a method, in order."""
        return [path for host, verb, path, _ in self.asked if (host, verb) == (where, method)]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer("GET")

    def do_POST(self):
        self.answer("POST")

    def do_PUT(self):
        self.answer("PUT")

    def log_message(self, *_):
        pass

    def answer(self, method):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fake, parts = self.server.fake, urlsplit(self.path)
        said = self.headers.get("Authorization")
        fake.asked.append((self.server.kind, method, parts.path, said))
        if self.server.kind == "files":
            self.store(method, parts, body)
        elif fake.answers:
            self.give(*fake.answers.pop(0))
        elif said != f"Bearer {TOKEN}":
            errors = {"errors": [{"message": "Invalid access token."}]}
            self.give(401, {"WWW-Authenticate": 'Bearer realm="canvas-lms"'}, errors)
        else:
            self.canvas(method, parts, body)

    def canvas(self, method, parts, body):
        fake, path = self.server.fake, parts.path
        if method == "GET" and path == ASSIGNMENT:
            self.give(200, {}, fake.assignment)
        elif method == "GET" and path == f"{ASSIGNMENT}/submissions":
            users = {one["id"]: one for one in fake.users}
            self.page(
                parts,
                [
                    {**one, "user": users.get(one.get("user_id"))}
                    for one in fake.submissions.values()
                ],
            )
        elif method == "GET" and re.fullmatch(r".*/(overrides|sections|users)", path):
            self.page(parts, getattr(fake, path.rpartition("/")[2]))
        elif method == "GET" and (found := re.fullmatch(r"/files/(\w+)/download", path)):
            self.give(302, {"Location": f"{fake.elsewhere}/stored/{found[1]}?signed=1"})
        elif method == "POST" and path.endswith("/comments/files"):
            self.server.fake.size = int(parse_qs(body.decode())["size"][0])
            params = {"key": "k", "signature": "s"}
            place = {"upload_url": f"{fake.elsewhere}/upload", "upload_params": params}
            self.give(200, {}, place)
        elif method == "GET" and (
            found := re.fullmatch(r"/api/v1/files/(\w+)/create_success", path)
        ):
            self.give(200, {}, {"id": int(found[1]), "size": fake.size})
        elif method == "PUT" and (
            found := re.fullmatch(rf"{ASSIGNMENT}/(anonymous_)?submissions/(\w+)", path)
        ):
            self.change(int(found[2]) if found[2].isdigit() else found[2], parse_qs(body.decode()))
        else:
            self.give(404, {}, {"errors": [{"message": "The specified resource does not exist."}]})

    def change(self, number, fields):
        fake, held = self.server.fake, self.server.fake.submissions[number]
        if "submission[posted_grade]" in fields:
            held["score"] = held["entered_score"] = float(fields["submission[posted_grade]"][0])
            held["workflow_state"], held["excused"] = "graded", False
        if "submission[excuse]" in fields:
            held["excused"], held["score"], held["entered_score"] = True, None, None
        files = [int(one) for one in fields.get("comment[file_ids][]", [])]
        if "comment[text_comment]" in fields:
            fake.comments.append((number, fields["comment[text_comment]"][0], files))
        self.give(200, {}, held)

    def store(self, method, parts, body):
        """The other host: where attachments lie, and where uploads go."""
        fake = self.server.fake
        if method == "GET" and (found := re.fullmatch(r"/stored/(\w+)", parts.path)):
            self.give(200, {"Content-Type": "application/octet-stream"}, fake.files[int(found[1])])
            return
        header = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        form = BytesParser().parsebytes(header + body).get_payload()
        fields = [one.get_param("name", header="Content-Disposition") for one in form]
        if fields != ["key", "signature", "file"]:
            self.give(400, {}, {"message": "the fields are not those that were signed"})
            return
        number = 900 + len(fake.uploads)
        fake.uploads[number] = form[-1].get_payload(decode=True)
        self.give(301, {"Location": f"{fake.address}/api/v1/files/{number}/create_success?uuid=A"})

    def page(self, parts, objects):
        """A page of a list, and the Link header that says where it goes on."""
        asked = parse_qs(parts.query)
        at = int(asked.get("page", ["1"])[0])
        here = f"{self.server.fake.address}{parts.path}?{parts.query}".replace(f"&page={at}", "")
        links = [f'<{here}&page={at}>; rel="current"', f'<{here}&page=1>; rel="first"']
        if at * PAGE < len(objects):
            links.append(f'<{here}&page={at + 1}>; rel="next"')
        self.give(200, {"Link": ",".join(links)}, objects[(at - 1) * PAGE : at * PAGE])

    def give(self, status, headers, body=b""):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        kind = {} if isinstance(body, bytes) else {"Content-Type": "application/json"}
        for name, value in {**kind, "Content-Length": len(content), **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving():
    """A FakeCanvas that is served at ``address``, and its file store at ``elsewhere``."""
    fake = FakeCanvas()
    servers = []
    for kind, name in (("canvas", "address"), ("files", "elsewhere")):
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.kind, server.fake, server.daemon_threads = kind, fake, True
        setattr(fake, name, f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
    try:
        yield fake
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


def _time(text):
    return datetime.fromisoformat(text)
