"""What a type checker must and must not accept. Nothing runs it. An ignored line without a mistake is a mistake."""

from __future__ import annotations

from typing import Literal, Optional, TypedDict

import rowhouse

# As `rowhouse types --lang python` writes it.
Ship = TypedDict(
    "Ship",
    {
        "Name": Optional[str],
        "Kind": Optional[Literal["Ferry", "Tug"]],
        "Laid up": bool,
    },
    total=False,
)


def typed(client: rowhouse.Client, problem: rowhouse.Problem) -> Optional[str]:
    ships = client.table("tbl_1", Ship)
    ships.create([{"Name": "Aase", "Kind": "Tug"}, {"Laid up": True}], upsert_on=["Name"])
    ships.update("rec_1", {"Kind": None})
    client.table("tbl_1").create([{"Anything": 1}])

    ships.create([{"Kind": "Barge"}])  # pyright: ignore[reportArgumentType] no such option
    ships.update("rec_1", {"Knd": "Tug"})  # pyright: ignore[reportArgumentType] no such field
    problem.has("version_change")  # pyright: ignore[reportArgumentType] no such code
    wrong: Optional[int] = ships.get("rec_1")["fields"].get("Name")  # pyright: ignore[reportAssignmentType] its type
    return ships.get("rec_1")["fields"].get("Name") or str(wrong)
