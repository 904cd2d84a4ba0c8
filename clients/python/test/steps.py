"""What cmd/rowhouse/e2e asks of every client library.

A line of the standard input names a step and its arguments; lines of the standard output say how far it is, and at
last what came of it, which the test judges.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypedDict

import rowhouse

Given = dict[str, Any]
Progress = Callable[[int], None]


class Ship(TypedDict, total=False):
    Name: str


def list_(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    records = client.table(given["table"], Ship).records(
        sorts=[{"fieldId": "Name", "dir": "asc"}], fields=["Name"], limit=given.get("limit") or None
    )
    return {"names": [record["fields"].get("Name") for record in records]}


def problem(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    try:
        client.table(given["table"]).create([{"Nmae": "Aase"}])
    except rowhouse.Problem as error:
        if error.has("busy") or not error.has("invalid"):
            raise
        return {"code": error.code, "status": error.status, "paths": [one["path"] for one in error.errors]}
    return {}


def proxy(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    try:
        client.me()
    except rowhouse.Problem as error:
        return {"code": error.code, "status": error.status, "message": str(error)}
    return {}


def version(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    ships = client.table(given["table"], Ship)
    record = ships.create([{"Name": "Versioned"}])["records"][0]
    before = record.get("version")
    ships.update(record["id"], {"Name": "First"}, version=before)
    try:
        ships.update(record["id"], {"Name": "Second"}, version=before)
    except rowhouse.Problem as error:
        return {"code": error.code, "before": before, "now": error.current.get("version"), "id": record["id"]}
    return {}


def condition(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    try:
        client.table("tbl_1").update("rec_1", {}, version=7)
    except rowhouse.NoResponse:
        return {"lost": True}
    return {}


def repeat(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    written = client.table("tbl_1", Ship).create([{"Name": "Aase"}])
    return {"id": written["records"][0]["id"], "changeSet": written["changeSet"]}


def change_set(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    ships = client.with_change_set("spring").table(given["table"], Ship)
    first = ships.create([{"Name": "In spring"}])
    second = ships.create([{"Name": "In spring too"}])
    third = client.table(given["table"], Ship).create([{"Name": "In summer"}])
    return {"sets": [one["changeSet"] for one in (first, second, third)]}


def job(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    begun = client.send("POST", f"/tables/{given['table']}/exports", body={"format": "csv"})
    ended = client.wait_for_job(begun["id"])
    return {"state": ended["state"], "url": ended["file"]["url"] if "file" in ended else None}


def watch(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    names: list[Any] = []
    for change in client.watch(given["base"], given["cursor"], tables=[given["table"]], kinds=["created"]):
        names.append((change["after"] or {}).get("Name"))
        progress(len(names))
        if len(names) == given["of"]:
            break
    return {"names": names}


def kills(client: rowhouse.Client, given: Given, progress: Progress) -> Any:
    size, of = 100, given["of"]
    patient = rowhouse.Client(given["url"], given["token"], attempts=30)
    numbers, done, lock = itertools.count(), itertools.count(size, size), threading.Lock()
    table = patient.table(given["table"], Ship)

    def work() -> None:
        while True:
            with lock:
                batch = next(numbers)
            if batch >= of // size:
                return
            table.create([{"Name": f"Ship {batch * size + i}"} for i in range(size)], upsert_on=["Name"])
            with lock:
                progress(next(done))

    def look() -> tuple[int, set[str]]:
        changes, seen = 0, set[str]()
        for change in patient.watch(
            given["base"], rowhouse.EARLIEST, tables=[given["table"]], kinds=["created", "updated"]
        ):
            changes += 1
            seen.add(f"{change['kind']} {change.get('record')}")
            if len(seen) == of:
                break
        return changes, seen

    pool = ThreadPoolExecutor()
    watching = pool.submit(look)
    for worker in [pool.submit(work) for _ in range(4)]:
        worker.result()
    changes, seen = watching.result()
    return {"changes": changes, "seen": len(seen)}


STEPS = {
    "list": list_, "problem": problem, "proxy": proxy, "version": version, "condition": condition, "repeat": repeat,
    "changeSet": change_set, "job": job, "watch": watch, "kills": kills,
}  # fmt: skip


def say(line: Any) -> None:
    print(json.dumps(line), flush=True)


def main() -> None:
    for line in sys.stdin:
        given = json.loads(line)
        try:
            client = rowhouse.Client(given["url"], given["token"])
            say({"result": STEPS[given["step"]](client, given, lambda progress: say({"progress": progress}))})
        except Exception:
            say({"error": traceback.format_exc()})
            os._exit(1)  # a thread may wait for what does not come any more


if __name__ == "__main__":
    main()
