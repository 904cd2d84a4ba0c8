import clamp from "lodash/clamp.js";
import range from "lodash/range.js";
import { expect, test, vi } from "vitest";
import ownClamp from "../../shim/lodash/clamp.ts";
import debounce from "../../shim/lodash/debounce.ts";
import ownRange from "../../shim/lodash/range.ts";
import throttle from "../../shim/lodash/throttle.ts";

test("what the grid takes from lodash does what lodash does", () => {
  const ranges: [number, number?, number?][] = [[0], [3], [1, 4], [4, 1], [2, 2], [5, 1, -1], [1, 5, -1]];
  for (const [start, end, step] of ranges) expect(ownRange(start, end, step)).toEqual(range(start, end, step));
  for (const [value, lower, upper] of [[1, 0, 2], [-1, 0, 2], [3, 0, 2], [1, 2, 0]] as [number, number, number][])
    expect(ownClamp(value, lower, upper)).toBe(clamp(value, lower, upper));
});

test("the last call counts where calls are many", () => {
  vi.useFakeTimers();
  const late = vi.fn();
  const debounced = debounce(late, 5);
  const often = vi.fn();
  const throttled = throttle(often, 20);
  for (const value of [1, 2, 3]) {
    debounced(value);
    throttled(value);
  }
  expect(often.mock.calls).toEqual([[1]]);
  vi.advanceTimersByTime(30);
  expect(late.mock.calls).toEqual([[3]]);
  expect(often.mock.calls).toEqual([[1], [3]]);
  throttled(4);
  expect(often).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(20);
  expect(often.mock.calls).toEqual([[1], [3], [4]]);
  vi.useRealTimers();
});
