import { expect, test } from "vitest";
import { isLost } from "../src/api/lost.ts";
import { Problem } from "../src/api/problem.ts";

const failed = (status: number, data?: object) => ({
  isError: true,
  data,
  error: new Problem(status, "code", "title", "detail"),
});

test("a page stays through a failure that passes, and what is gone is said", () => {
  expect(isLost({ isError: false, data: undefined, error: null })).toBe(false);
  for (const status of [401, 503]) {
    expect(isLost(failed(status, {}))).toBe(false);
    expect(isLost(failed(status))).toBe(true);
  }
  for (const status of [403, 404]) expect(isLost(failed(status, {}))).toBe(true);
});
