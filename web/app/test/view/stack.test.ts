import { expect, test } from "vitest";
import type { Field } from "../../src/api/type.ts";
import { limited, readLimit, stackLimit } from "../../src/view/stacklimit.ts";
import { join } from "../../src/view/stacktotal.ts";

const state = { id: "fld_state", name: "State", type: "single_select" } as Field;
const column = (id: string, value: unknown = id || null) => ({ id, label: id, tone: "gray" as const, value });

test("a column has the limit of its value, and another replaces it", () => {
  const config = { stackLimits: limited({}, state, column("Doing"), 3) };
  expect(stackLimit(config, state, column("Doing"))).toBe(3);
  expect(stackLimit(config, state, column("Done"))).toBeUndefined();
  expect(stackLimit(config, { ...state, id: "fld_other" }, column("Doing"))).toBeUndefined();
  const next = { stackLimits: limited(config, state, column(""), 5) };
  expect(next.stackLimits).toContainEqual({ fieldId: "fld_state", value: null, limit: 5 });
  expect(limited(next, state, column("Doing"), 4)).toHaveLength(2);
  expect(limited(next, state, column("Doing"), undefined)).toEqual([{ fieldId: "fld_state", value: null, limit: 5 }]);
  // A checkbox has a column for each of its values, and people one for their ids.
  expect(limited({}, state, column("", false), 1)[0]?.value).toBe(false);
  expect(limited({}, state, column("usr_1", ["usr_1"]), 1)[0]?.value).toBe("usr_1");
});

test("a limit is a whole number, or nothing", () => {
  expect(["3", " 100000 ", "", "  "].map(readLimit)).toEqual([3, 100_000, undefined, undefined]);
  expect(["0", "-1", "1.5", "100001", "many", "1e3"].map(readLimit)).toEqual(Array(6).fill(null));
});

test("results of groups that share a column are put together, where that is possible", () => {
  const one = { count: 2, "sum(Hours)": 5, "min(Hours)": 1, "max(Hours)": 4, "avg(Hours)": 2.5, "sum(Cost)": null };
  const other = { count: 1, "sum(Hours)": 7, "min(Hours)": 7, "max(Hours)": 7, "avg(Hours)": 7, "sum(Cost)": 3 };
  expect(join(undefined, one)).toBe(one);
  expect(join(one, other)).toEqual({
    count: 3,
    "sum(Hours)": 12,
    "min(Hours)": 1,
    "max(Hours)": 7,
    "avg(Hours)": undefined,
    "sum(Cost)": 3,
  });
});
