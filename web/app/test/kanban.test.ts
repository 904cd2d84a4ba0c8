import { expect, test } from "vitest";
import type { Field } from "../src/api/type.ts";
import { type Column, columnIdsOf, movedValue } from "../src/view/kanban.tsx";

const people = (multiple: boolean): Field => ({
  id: "fld_1",
  name: "Who",
  type: "user",
  isPrimary: false,
  order: 1,
  config: { multiple },
});
const to = (id: string, value: unknown): Column => ({ id, label: id, tone: "gray", value });

test("a card of several people stands in the column of each, and moving it replaces only the person of the column it came from", () => {
  const several = people(true);
  expect(columnIdsOf(several, ["usr_a", "usr_b"])).toEqual(["usr_a", "usr_b"]);
  expect(columnIdsOf(several, null)).toEqual([""]);
  expect(movedValue(several, ["usr_a", "usr_b"], "usr_a", to("usr_c", ["usr_c"]))).toEqual(["usr_c", "usr_b"]);
  expect(movedValue(several, ["usr_a", "usr_b"], "usr_b", to("usr_a", ["usr_a"]))).toEqual(["usr_a"]);
  expect(movedValue(several, ["usr_a", "usr_b"], "usr_a", to("", null))).toEqual(["usr_b"]);
  expect(movedValue(several, ["usr_a"], "usr_a", to("", null))).toBeNull();
  expect(movedValue(several, null, "", to("usr_a", ["usr_a"]))).toEqual(["usr_a"]);
  expect(movedValue(people(false), "usr_a", "usr_a", to("usr_b", "usr_b"))).toBe("usr_b");
});
