import { expect, test } from "vitest";
import type { Field } from "../../src/api/type.ts";
import type { StackColumn } from "../../src/field/kind.ts";
import { kindOf } from "../../src/field/kind/index.ts";

const people = (multiple: boolean): Field => ({
  id: "fld_1",
  name: "Who",
  type: "user",
  isPrimary: false,
  order: 1,
  config: { multiple },
});
const { idsOf, move } = kindOf("user").stack!;
const to = (id: string, value: unknown): StackColumn => ({ id, label: id, tone: "gray", value });

test("a card of several people is in the column of each, and a move replaces only that person", () => {
  const several = people(true);
  expect(idsOf(["usr_a", "usr_b"])).toEqual(["usr_a", "usr_b"]);
  expect(idsOf(null)).toEqual([""]);
  expect(move!(several, ["usr_a", "usr_b"], "usr_a", to("usr_c", ["usr_c"]))).toEqual(["usr_c", "usr_b"]);
  expect(move!(several, ["usr_a", "usr_b"], "usr_b", to("usr_a", ["usr_a"]))).toEqual(["usr_a"]);
  expect(move!(several, ["usr_a", "usr_b"], "usr_a", to("", null))).toEqual(["usr_b"]);
  expect(move!(several, ["usr_a"], "usr_a", to("", null))).toBeNull();
  expect(move!(several, null, "", to("usr_a", ["usr_a"]))).toEqual(["usr_a"]);
  expect(move!(people(false), "usr_a", "usr_a", to("usr_b", "usr_b"))).toBe("usr_b");
});
