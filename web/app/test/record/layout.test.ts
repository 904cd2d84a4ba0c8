import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { updateView } from "../../src/api/change.ts";
import { layoutsSaved, saveLayout } from "../../src/record/layout.ts";

vi.mock("../../src/api/change.ts", () => ({ updateView: vi.fn() }));

const sent = () => vi.mocked(updateView).mock.calls.map(([{ viewId, body }]) => [viewId, body?.config]);
const ignore = () => undefined;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.mocked(updateView).mockReset();
});

test("changes of a layout that follow each other soon are saved together, for each view", async () => {
  const saved = vi.fn();
  saveLayout("viw_1", { rowHeight: "tall" }, ignore);
  saveLayout("viw_1", { frozenColumns: 2 }, saved);
  await vi.advanceTimersByTimeAsync(500);
  expect(sent()).toEqual([]);
  saveLayout("viw_2", { rowHeight: "short" }, ignore);
  await vi.advanceTimersByTimeAsync(700);
  expect(sent()).toEqual([
    ["viw_1", { rowHeight: "tall", frozenColumns: 2 }],
    ["viw_2", { rowHeight: "short" }],
  ]);
  expect(saved).toHaveBeenCalledWith({ rowHeight: "tall", frozenColumns: 2 });
});

test("what waits is saved at once for what comes after it, behind what is under way", async () => {
  let answer: () => void = ignore;
  vi.mocked(updateView).mockImplementationOnce(() => new Promise((resolve) => (answer = () => resolve({} as never))));
  saveLayout("viw_1", { rowHeight: "tall" }, ignore);
  void layoutsSaved();
  await vi.advanceTimersByTimeAsync(0);
  saveLayout("viw_1", { rowHeight: "short" }, ignore);
  const done = vi.fn();
  void layoutsSaved().then(done);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toHaveLength(1);
  expect(done).not.toHaveBeenCalled();
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual([
    ["viw_1", { rowHeight: "tall" }],
    ["viw_1", { rowHeight: "short" }],
  ]);
  expect(done).toHaveBeenCalled();
});

test("a layout that is refused keeps nothing else from being saved", async () => {
  vi.mocked(updateView).mockRejectedValueOnce(new Error("refused"));
  const saved = vi.fn();
  saveLayout("viw_1", { rowHeight: "tall" }, saved);
  await layoutsSaved();
  expect(saved).not.toHaveBeenCalled();
  saveLayout("viw_1", { rowHeight: "short" }, saved);
  await layoutsSaved();
  expect(saved).toHaveBeenCalledWith({ rowHeight: "short" });
});
