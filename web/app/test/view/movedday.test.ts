import { expect, test } from "vitest";
import type { Field } from "../../src/api/type.ts";
import type { Context } from "../../src/field/context.ts";
import { english } from "../../src/locale/locale.ts";
import { movedDays } from "../../src/view/movedday.ts";

const fieldOf = (type: string, config = {}) =>
  ({ id: "fld_1", name: type, type, isPrimary: false, order: 0, config }) as unknown as Field;

const days = (from: string, to: string) => ({ from, to });
const inUtc: Context = { locale: english, people: [] };

test.each<[of: string, config: object, context: Context]>([
  ["the field", { timeZone: "Europe/Berlin" }, inUtc],
  ["the base", {}, { ...inUtc, timeZone: "Europe/Berlin" }],
])("a moment keeps its time of the day where the clock of %s is set forward", (_of, config, context) => {
  const berlin = fieldOf("datetime", config);
  const moved = movedDays("2026-03-28T08:00:00Z", berlin, context, days("2026-03-28", "2026-03-30"));
  expect(moved).toBe("2026-03-30T07:00:00Z");
  expect(movedDays(null, berlin, context, days("2026-03-28", "2026-03-30"))).toBeUndefined();
});

test("a date is moved by days", () => {
  expect(movedDays("2026-02-27", fieldOf("date"), inUtc, days("2026-02-27", "2026-03-02"))).toBe("2026-03-02");
});
