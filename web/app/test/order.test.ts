import { expect, test } from "vitest";
import { arranged } from "../src/view/order.ts";

test("rows are shown at their new place at once", () => {
  const shown = ["a", "b", undefined, "c", "d"];
  expect(arranged(shown, ["d"], "a", false)).toEqual(["d", "a", "b", undefined, "c"]);
  expect(arranged(shown, ["a", "b"], "c", true)).toEqual([undefined, "c", "a", "b", "d"]);
  expect(arranged(shown, ["x", "d"], "a", true)).toEqual(["a", "d", "b", undefined, "c"]);
  expect(arranged(shown, ["a"], "x", true)).toEqual(shown);
});
