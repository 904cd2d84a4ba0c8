import { beforeEach, expect, test, vi } from "vitest";
import { dropPage, peekPage, prefetchPage, readOrTake } from "../../src/record/prefetch.ts";
import { takePrefetched } from "../../src/api/prefetch.ts";

const query = { offset: 0, limit: 100 };
const page = { records: [{ id: "rec_1", fields: {} }], total: 1, offset: 0, limit: 100, hasMore: false };
const requested: string[] = [];

beforeEach(() => {
  requested.length = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    requested.push(request.url);
    return new Response(JSON.stringify(page));
  });
});

test("a prefetched page is shown once", async () => {
  await prefetchPage("tbl_1", query);
  expect(peekPage("tbl_2", query)).toBeUndefined();
  expect(peekPage("tbl_1", query)?.total).toBe(1);
  dropPage();
  expect(peekPage("tbl_1", query)).toBeUndefined();
  await readOrTake("tbl_1", query);
  expect(requested).toHaveLength(2);
});

test("a page whose request is pending is not requested again", async () => {
  void prefetchPage("tbl_1", query);
  expect(peekPage("tbl_1", query)).toBeUndefined();
  expect((await readOrTake("tbl_1", query)).total).toBe(1);
  expect(requested).toHaveLength(1);
});

test("a response of the prefetch script is used once, and never after a while", () => {
  const begun = Promise.resolve(new Response("{}"));
  Object.assign(window, { rowhousePrefetched: { "/api/v1/me": begun, "/api/v1/orgs": begun } });
  const clock = vi.spyOn(performance, "now").mockReturnValue(100);
  expect(takePrefetched("/api/v1/bases")).toBeUndefined();
  expect(takePrefetched("/api/v1/me")).toBe(begun);
  expect(takePrefetched("/api/v1/me")).toBeUndefined();
  clock.mockReturnValue(60_000);
  expect(takePrefetched("/api/v1/orgs")).toBeUndefined();
});
