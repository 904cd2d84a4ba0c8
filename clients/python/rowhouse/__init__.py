"""The client of a Rowhouse service, on the standard library alone.

Requests that failed on their way are sent again, with one Idempotency-Key; pages are an iterator; refusals are a
Problem with a code; the changes of a base are an iterator that resumes. An operation without a method here is one
call of Client.send. The types in rowhouse.schema come from the service's OpenAPI document.
"""

from __future__ import annotations

import contextlib
import copy
import http.client
import json
import random
import secrets
import time
import urllib.parse
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, NotRequired, Optional, TypedDict, TypeVar, Union, overload

from . import schema
from .schema import ProblemCode

__all__ = [
    "EARLIEST", "Client", "JobError", "NoResponse", "Problem", "ProblemCode", "Record", "Table", "WrittenRecords",
    "schema",
]  # fmt: skip

EARLIEST: Final = "earliest"
"""The cursor of the start of the history that is kept."""

_FIRST_WAIT = 0.2
_LONGEST_WAIT = 30.0
_LARGEST_PAGE = 100
_JOB_WAIT = 25  # seconds that one request waits for the end of a job
_LONGEST_IDLE = 20.0  # seconds after which an unused connection may have been closed by the service

F = TypeVar("F", bound=Mapping[str, Any])
"""The fields of a record: a TypedDict such as `rowhouse types --lang python` writes, or dict[str, Any]."""


class Record(TypedDict, Generic[F]):
    """A record, with its fields by their names."""

    id: str
    fields: F
    version: NotRequired[int]
    createdTime: NotRequired[str]


class WrittenRecords(TypedDict, Generic[F]):
    """What a write did. created and updated have ids, and are there after an upsert."""

    records: list[Record[F]]
    created: NotRequired[list[str]]
    updated: NotRequired[list[str]]
    changeSet: str


class Problem(Exception):
    """A request that the service refused. code says why; errors has each wrong place of the input."""

    def __init__(self, document: schema.ProblemDocument, retry_after: float = 0) -> None:
        super().__init__(document["detail"])
        self.document = document
        self.retry_after = retry_after

    @property
    def code(self) -> str:
        """One of ProblemCode, or a code that is newer than this library; "" if a proxy refused the request."""
        return self.document["code"]

    @property
    def status(self) -> int:
        return self.document["status"]

    @property
    def errors(self) -> list[schema.ProblemItem]:
        return self.document.get("errors", [])

    @property
    def current(self) -> dict[str, Any]:
        """With the code version_changed, the record as it is now."""
        return self.document.get("current", {})

    def has(self, *codes: ProblemCode) -> bool:
        """Whether the code is one of those. A type checker knows them."""
        return self.code in codes


class NoResponse(ConnectionError):
    """A request without a response, or without all of it."""


class JobError(Exception):
    """A job that failed or was cancelled."""

    def __init__(self, job: schema.Job) -> None:
        problem = job.get("report", {}).get("problem", "")
        super().__init__(f"the job {job['state']}" + (f": {problem}" if problem else ""))
        self.job = job


class _Connections:
    """The connections to a service that are open and not in use."""

    def __init__(self, kind: type[http.client.HTTPConnection], host: str, port: Optional[int], timeout: float) -> None:
        self._kind, self._host, self._port, self._timeout = kind, host, port, timeout
        self._idle: deque[tuple[float, http.client.HTTPConnection]] = deque()

    def take(self, fresh: bool) -> http.client.HTTPConnection:
        while self._idle and not fresh:
            try:
                since, connection = self._idle.pop()
            except IndexError:  # another thread took it
                break
            if time.monotonic() - since < _LONGEST_IDLE:
                return connection
            connection.close()
        return self._kind(self._host, self._port, timeout=self._timeout)

    def put(self, connection: http.client.HTTPConnection) -> None:
        self._idle.append((time.monotonic(), connection))

    def close(self) -> None:
        while self._idle:
            with contextlib.suppress(IndexError):
                self._idle.pop()[1].close()

    def __del__(self) -> None:
        self.close()


class Client:
    """Sends the requests of one credential. Threads may share it."""

    def __init__(
        self,
        base_url: str,
        token: Union[str, Callable[[], str], None] = None,
        *,
        attempts: int = 6,
        timeout: float = 60,
        user_agent: str = "rowhouse-python",
    ) -> None:
        """Of the service at base_url, such as https://rowhouse.example.com.

        token is an API key or an access token, or a function that is asked for it before each request. A request
        is sent at most `attempts` times, within about ten seconds for six. timeout is how many seconds the
        service may say nothing.
        """
        address = urllib.parse.urlsplit(base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"{base_url!r} is not the address of a service")
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        self._connections = _Connections(kind, address.hostname, address.port, timeout)
        self._prefix = address.path.rstrip("/") + "/api/v1"
        self._token = token
        self._attempts = max(attempts, 1)
        self._user_agent = user_agent
        self._change_set: Optional[str] = None

    def close(self) -> None:
        """Closes the connections that are not in use. The client can be used afterwards."""
        self._connections.close()

    def with_change_set(self, name: str) -> Client:
        """A client whose writes join one change set: a name, or the id of one that the credential began."""
        other = copy.copy(self)
        other._change_set = name
        return other

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        version: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        idempotent: bool = False,
        once: bool = False,
    ) -> Any:
        """Sends a request and returns the JSON of the response. path is below /api/v1, such as /me.

        It sends the request again after a lost connection, 502, 503, 504 and 429, and after conflicts with other
        writes: as long as the Retry-After says or a growing while, and never if a repetition could do something
        twice. A POST has an Idempotency-Key for that, a new one for each call unless one is given; idempotent says
        that it needs none, as an upsert does. version is that which the record must still have (If-Match). once
        sends the request a single time. Raises Problem and NoResponse.
        """
        encoded = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        headers = self._headers(method, encoded is not None, version)
        if method == "POST" and not idempotent:
            headers["Idempotency-Key"] = idempotency_key or secrets.token_hex(16)
        wait = _FIRST_WAIT
        attempt = 1
        while True:
            try:
                text = self._read(method, path, query, encoded, headers, fresh=once or version is not None)
                return json.loads(text) if text else None
            except (Problem, NoResponse) as error:
                after = _retry_after(error, wait)
                # A second request under a condition would fail where the first one succeeded.
                lost = version is not None and isinstance(error, NoResponse)
                if after is None or once or lost or attempt >= self._attempts:
                    raise
            time.sleep(after)
            wait = min(2 * wait, _LONGEST_WAIT)
            attempt += 1

    def me(self) -> schema.Me:
        """Says who the credential belongs to, and what it reaches."""
        out: schema.Me = self.send("GET", "/me")
        return out

    def bases(self) -> list[schema.BaseSummary]:
        """Lists the bases that the credential reaches."""
        out: schema.BaseList = self.send("GET", "/bases")
        return out["bases"]

    def base(self, base_id: str) -> schema.Base:
        """Reads a base with its tables, fields and views."""
        out: schema.Base = self.send("GET", _path("bases", base_id))
        return out

    @overload
    def table(self, table_id: str) -> Table[dict[str, Any]]: ...

    @overload
    def table(self, table_id: str, of: type[F]) -> Table[F]: ...

    def table(self, table_id: str, of: Any = None) -> Any:
        """The records of a table, with fields of the type `of`. Sends nothing."""
        table: Table[Any] = Table(self, table_id)
        return table

    def job(self, job_id: str) -> schema.Job:
        """Reads an import or an export."""
        out: schema.Job = self.send("GET", _path("jobs", job_id))
        return out

    def wait_for_job(self, job_id: str) -> schema.Job:
        """Waits until a job has ended, and returns it. Raises JobError if it failed or was cancelled."""
        while True:
            job: schema.Job = self.send("GET", _path("jobs", job_id), query={"wait": _JOB_WAIT})
            if job["endedAt"] is not None:
                if job["state"] != "done":
                    raise JobError(job)
                return job

    def changes(
        self,
        base_id: str,
        cursor: Optional[str] = None,
        *,
        tables: Sequence[str] = (),
        kinds: Sequence[str] = (),
    ) -> Iterator[schema.Change]:
        """Reads the changes since a cursor up to now, in the order of commit. Each has a cursor to go on from.

        Without a cursor there are none; EARLIEST is the start. tables has ids.
        """
        for page in self._change_pages(base_id, cursor, tables, kinds):
            yield from page["changes"]

    def watch(
        self,
        base_id: str,
        cursor: Optional[str] = None,
        *,
        tables: Sequence[str] = (),
        kinds: Sequence[str] = (),
    ) -> Iterator[schema.Change]:
        """Reads the changes of a base as they are committed, from a cursor or from now on.

        It connects again after a lost connection and goes on where it was, so that no change is missing and none
        comes twice. Raises what connecting again would not help, such as a Problem with the code cursor_expired.
        """
        if cursor == EARLIEST:  # which the stream does not know
            for page in self._change_pages(base_id, cursor, tables, kinds):
                yield from page["changes"]
                cursor = page["cursor"]
        wait = _FIRST_WAIT
        while True:
            before = cursor
            after: Optional[float] = None
            try:
                with contextlib.closing(self._events(_path("bases", base_id) + "/live", cursor)) as events:
                    for name, data in events:
                        if name == "ready":
                            cursor = data["cursor"]
                        elif name == "change":
                            cursor = data.get("cursor") or cursor
                            if (not tables or data["table"] in tables) and (not kinds or data["kind"] in kinds):
                                yield data
                after = wait
            except (Problem, NoResponse) as error:
                after = _retry_after(error, wait)
                if after is None:
                    raise
            if cursor != before:
                after = wait = _FIRST_WAIT
            time.sleep(after)
            wait = min(2 * wait, _LONGEST_WAIT)

    def _change_pages(
        self, base_id: str, cursor: Optional[str], tables: Sequence[str], kinds: Sequence[str]
    ) -> Iterator[dict[str, Any]]:
        query = {"limit": 100, "tables": list(tables) or None, "kinds": list(kinds) or None}
        more = True
        while more:
            page = self.send("GET", _path("bases", base_id) + "/changes", query={**query, "cursor": cursor})
            yield page
            cursor, more = page["cursor"], page["hasMore"]

    def _events(self, path: str, cursor: Optional[str]) -> Generator[tuple[str, Any], None, None]:
        """The events of one connection: names, and data as JSON. An event that is not complete is skipped."""
        headers = {**self._headers("GET", False, None), "Accept": "text/event-stream"}
        connection, response = self._open("GET", path, {"cursor": cursor}, None, headers, fresh=True)
        try:
            name, data = "", ""
            while line := _lost_as_no_response(response.readline):
                text = line.decode().rstrip("\r\n")
                member, _, value = text.partition(":")
                value = value.removeprefix(" ")
                if member == "event":
                    name = value
                elif member == "data":
                    data += value
                elif text == "" and data:
                    yield name, json.loads(data)
                    name, data = "", ""
        finally:
            connection.close()

    def _headers(self, method: str, has_body: bool, version: Optional[int]) -> dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": self._user_agent}
        if has_body:
            headers["Content-Type"] = "application/json"
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        if self._change_set is not None and method != "GET":
            headers["Change-Set"] = self._change_set
        return headers

    def _read(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, Any]],
        body: Optional[bytes],
        headers: dict[str, str],
        fresh: bool,
    ) -> bytes:
        connection, response = self._open(method, path, query, body, headers, fresh)
        try:
            text = _lost_as_no_response(response.read)
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._connections.put(connection)
        return text

    def _open(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, Any]],
        body: Optional[bytes],
        headers: dict[str, str],
        fresh: bool,
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Sends a request once, on an idle connection unless it has to be a fresh one."""
        if self._token is not None:
            token = self._token if isinstance(self._token, str) else self._token()
            headers = {**headers, "Authorization": "Bearer " + token}
        target = self._prefix + path + _encode(query)
        connection = self._connections.take(fresh)
        try:
            _lost_as_no_response(lambda: connection.request(method, target, body, headers))
            response = _lost_as_no_response(connection.getresponse)
            if response.status >= 300:
                raise _problem(response)
        except BaseException:
            connection.close()
            raise
        return connection, response


class Table(Generic[F]):
    """The records of one table."""

    def __init__(self, client: Client, table_id: str) -> None:
        self.id = table_id
        self._client = client
        self._path = _path("tables", table_id) + "/records"

    def records(
        self,
        *,
        filters: Optional[schema.Filters] = None,
        sorts: Optional[schema.Sorts] = None,
        search: Optional[str] = None,
        view: Optional[str] = None,
        fields: Sequence[str] = (),
        as_of: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Record[F]]:
        """Reads records page by page, all of them without a limit.

        fields are names or ids; all if there are none. view is an id, as_of a moment (RFC 3339) or the id of a
        change set.
        """
        query = {
            "filters": filters, "sorts": sorts, "search": search, "view": view, "fields": list(fields) or None,
            "asOf": as_of,
        }  # fmt: skip
        cursor = None
        left = limit
        while left is None or left > 0:
            size = _LARGEST_PAGE if left is None else min(left, _LARGEST_PAGE)
            page = self._client.send("GET", self._path, query={**query, "limit": size, "cursor": cursor})
            yield from page["records"]
            if not page["hasMore"]:
                return
            cursor = page["cursor"]
            left = None if left is None else left - size

    def get(self, record_id: str) -> Record[F]:
        """Reads one record."""
        out: Record[F] = self._client.send("GET", _path("records", record_id))
        return out

    def create(
        self, records: Sequence[F], *, upsert_on: Sequence[str] = (), typecast: bool = False
    ) -> WrittenRecords[F]:
        """Writes up to 100 records, all or none.

        upsert_on are the names of 1 to 3 fields; a record with the same values is updated. An upsert that is
        repeated after a lost response may count as updated what the lost attempt has created. typecast converts
        values of other types, and adds options of selects.
        """
        body: dict[str, Any] = {"records": [{"fields": fields} for fields in records]}
        if upsert_on:
            body["upsertOn"] = list(upsert_on)
        if typecast:
            body["typecast"] = True
        out: WrittenRecords[F] = self._client.send("POST", self._path, body=body, idempotent=bool(upsert_on))
        return out

    def update(self, record_id: str, fields: F, *, version: Optional[int] = None) -> Record[F]:
        """Merges values into a record; None clears a field.

        With a version, raises a Problem with the code version_changed if the record has another one by now.
        """
        out: Record[F] = self._client.send(
            "PATCH", _path("records", record_id), body={"fields": fields}, version=version
        )
        return out

    def delete(self, record_id: str, *, version: Optional[int] = None) -> None:
        """Moves a record to the trash."""
        self._client.send("DELETE", _path("records", record_id), version=version)


def _path(kind: str, name: str) -> str:
    return f"/{kind}/{urllib.parse.quote(name, safe='')}"


def _encode(query: Optional[Mapping[str, Any]]) -> str:
    """A query string. A list, such as filters, is JSON; None is left out."""
    values = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in (query or {}).items()
        if value is not None
    }
    return "?" + urllib.parse.urlencode(values) if values else ""


_T = TypeVar("_T")


def _lost_as_no_response(do: Callable[[], _T]) -> _T:
    """What `do` returns. Raises NoResponse for what the connection raises."""
    try:
        return do()
    except (OSError, http.client.HTTPException) as error:
        raise NoResponse(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__) from error


def _problem(response: http.client.HTTPResponse) -> Problem:
    """The error of a response. One that is no problem document came from something before the service."""
    seconds = response.headers.get("Retry-After", "")
    retry_after = float(seconds) if seconds.isdecimal() else 0.0
    try:
        text = response.read(1 << 20).decode(errors="replace").strip()
    except (OSError, http.client.HTTPException):
        text = ""
    try:
        document = json.loads(text)
        if document["status"] and isinstance(document["code"], str) and isinstance(document["detail"], str):
            return Problem(document, retry_after)
    except (ValueError, TypeError, KeyError):
        pass
    detail = f"{response.status} {response.reason}"
    if text and len(text) <= 200 and not text.startswith("<"):
        detail += ": " + text
    return Problem(
        {"type": "about:blank", "title": response.reason, "status": response.status, "code": "", "detail": detail,
         "requestId": ""},
        retry_after,
    )  # fmt: skip


def _retry_after(error: Union[Problem, NoResponse], usual: float) -> Optional[float]:
    """How many seconds to wait before another attempt, or None if that is of no use."""
    wait = usual / 2 + random.random() * usual / 2
    if isinstance(error, NoResponse) or error.status in (502, 504):
        return wait
    if error.status in (429, 503) and error.retry_after <= _LONGEST_WAIT:
        return max(error.retry_after, wait)
    if error.has("write_conflict", "idempotency_in_progress"):
        return wait
    return None
