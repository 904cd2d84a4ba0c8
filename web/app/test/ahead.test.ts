import { beforeEach, expect, test, vi } from "vitest";
import { forgetAhead, lookAhead, readAhead, readOrTake } from "../src/grid/ahead.ts";
import { takeAhead } from "../src/api/ahead.ts";

const query = { offset: 0, limit: 100 };
const page = { records: [{ id: "rec_1", fields: {} }], total: 1, offset: 0, limit: 100, hasMore: false };
const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    return new Response(JSON.stringify(page));
  });
});

test("a page that was read ahead is shown, and is gone once it was", async () => {
  await readAhead("tbl_1", query);
  expect(lookAhead("tbl_2", query)).toBeUndefined();
  expect(lookAhead("tbl_1", query)?.total).toBe(1);
  forgetAhead();
  expect(lookAhead("tbl_1", query)).toBeUndefined();
  await readOrTake("tbl_1", query);
  expect(asked).toHaveLength(2);
});

test("a page that is still on its way is taken and not asked for again", async () => {
  void readAhead("tbl_1", query);
  expect(lookAhead("tbl_1", query)).toBeUndefined();
  expect((await readOrTake("tbl_1", query)).total).toBe(1);
  expect(asked).toHaveLength(1);
});

test("what the page's first script asked for is given out once, and to nobody when the page is old", () => {
  const begun = Promise.resolve(new Response("{}"));
  Object.assign(window, { rowhouseAhead: { "/api/v1/me": begun, "/api/v1/orgs": begun } });
  const clock = vi.spyOn(performance, "now").mockReturnValue(100);
  expect(takeAhead("/api/v1/bases")).toBeUndefined();
  expect(takeAhead("/api/v1/me")).toBe(begun);
  expect(takeAhead("/api/v1/me")).toBeUndefined();
  clock.mockReturnValue(60_000);
  expect(takeAhead("/api/v1/orgs")).toBeUndefined();
});
