import { beforeEach, expect, test, vi } from "vitest";
import { cache } from "../../src/api/cache.ts";
import { createRecords, deleteTable, setPublicShare, updateView } from "../../src/api/change.ts";
import { onRefusal } from "../../src/api/client.ts";
import { Batch, onInvalidate, outdated } from "../../src/api/invalidation.ts";
import { key } from "../../src/api/key.ts";
import { baseQuery, readPage } from "../../src/api/query.ts";
import { getMe, queryRecords } from "../../src/api/read.ts";

const requests: { method: string; address: string; body: string; headers: Headers }[] = [];
let respond: () => Response | Promise<Response>;

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });

beforeEach(() => {
  requests.length = 0;
  cache.clear();
  respond = () => json(200, {});
  vi.stubGlobal("fetch", async (request: Request) => {
    const { method, url, headers } = request;
    requests.push({ method, address: url.slice(location.origin.length), body: await request.text(), headers });
    return respond();
  });
});

const stale = (id: string) => cache.getQueryState(baseQuery(id).queryKey)?.isInvalidated;

const base = (id: string, viewId: string) => ({
  id,
  name: id,
  tables: [{ id: `tbl_${id}`, fields: [], views: [{ id: viewId }] }],
});

test("an operation is sent to its path, with its query, body and idempotency key", async () => {
  await readPage("tbl/1", {
    filters: [{ fieldId: "a b", op: "eq", value: "ü&" }],
    sorts: undefined,
    limit: 5,
    offset: 0,
  });
  const url = new URL(requests[0]!.address, location.origin);
  expect(url.pathname).toBe("/api/v1/tables/tbl%2F1/records");
  expect([...url.searchParams.keys()]).toEqual(["filters", "offset", "limit"]);
  expect(JSON.parse(url.searchParams.get("filters") ?? "")).toEqual([{ fieldId: "a b", op: "eq", value: "ü&" }]);
  expect(requests[0]).toMatchObject({ method: "GET", body: "" });
  expect(requests[0]!.headers.get("Content-Type")).toBeNull();

  respond = () => json(200, { records: [] });
  await createRecords({ tableId: "tbl_1", body: { fields: { A: 1 } } }, { idempotencyKey: "k1" });
  expect(requests[1]).toMatchObject({
    method: "POST",
    address: "/api/v1/tables/tbl_1/records",
    body: '{"fields":{"A":1}}',
  });
  expect(requests[1]!.headers.get("Idempotency-Key")).toBe("k1");
  expect(requests[1]!.headers.get("Content-Type")).toBe("application/json");
});

test("a problem document is thrown with its code, items, request id and retry delay", async () => {
  const errors = [{ path: "records[0].fields.A", message: "must be a number" }];
  respond = () =>
    json(
      429,
      { title: "T", detail: "Too many.", code: "rate_limited", errors },
      { "Retry-After": "7", "X-Request-Id": "req_1" },
    );
  await expect(queryRecords({ tableId: "tbl_1" })).rejects.toMatchObject({
    status: 429,
    code: "rate_limited",
    message: "Too many.",
    items: errors,
    requestId: "req_1",
    retryAfter: 7,
    temporary: true,
  });
});

test("any other error response is a failure too, and an abort stays an abort", async () => {
  respond = () => new Response("<html>", { status: 502, headers: { "X-Request-Id": "req_2" } });
  await expect(getMe()).rejects.toMatchObject({ status: 502, code: "502", requestId: "req_2" });
  respond = () => new Response("not JSON", { status: 200 });
  await expect(getMe()).rejects.toMatchObject({ code: "unreadable" });
  respond = () => Promise.reject(new TypeError("Failed to fetch"));
  await expect(getMe()).rejects.toMatchObject({ status: 0, temporary: true });
  respond = () => Promise.reject(new DOMException("aborted", "AbortError"));
  await expect(getMe()).rejects.toMatchObject({ name: "AbortError" });
  respond = () => new Response(null, { status: 204 });
  expect(await setPublicShare({ baseId: "bas_1" })).toBeUndefined();
});

test("a forbidden request is reported to subscribers", async () => {
  const refused = vi.fn();
  const stop = onRefusal(refused);
  respond = () => json(403, { code: "forbidden" });
  await expect(updateView({ viewId: "viw_1", body: {} })).rejects.toMatchObject({ status: 403 });
  stop();
  expect(refused).toHaveBeenCalledOnce();
});

test("a change invalidates only its own base, and does so before its promise resolves", async () => {
  for (const [id, view] of [
    ["bas_1", "viw_1"],
    ["bas_2", "viw_2"],
  ] as const)
    cache.setQueryData(baseQuery(id).queryKey, base(id, view) as never);
  const order: string[] = [];
  await updateView(
    { viewId: "viw_2", body: { name: "N" } },
    { beforeRefresh: () => order.push(`left, stale: ${stale("bas_2")}`) },
  );
  order.push(`done, stale: ${stale("bas_2")}`);
  expect(order).toEqual(["left, stale: false", "done, stale: true"]);
  expect(stale("bas_1")).toBe(false);
});

test("a change of a missing object invalidates what the page shows", async () => {
  cache.setQueryData(baseQuery("bas_1").queryKey, base("bas_1", "viw_1") as never);
  respond = () => json(404, { code: "not_found" });
  await expect(deleteTable({ tableId: "tbl_bas_1" })).rejects.toMatchObject({ status: 404 });
  expect(cache.getQueryState(baseQuery("bas_1").queryKey)?.isInvalidated).toBe(true);
});

test("a batch collects the invalidations of several changes and applies them once", async () => {
  const invalidated = vi.fn();
  const stop = onInvalidate(invalidated);
  const batch = new Batch();
  for (let n = 0; n < 3; n++) await createRecords({ tableId: "tbl_1", body: { records: [] } }, { batch });
  expect(invalidated).not.toHaveBeenCalled();
  await batch.refresh();
  await batch.refresh();
  stop();
  expect(invalidated.mock.calls).toEqual([[[key.records("tbl_1")]]]);
});

test("a new type of a field invalidates records", () => {
  expect(outdated.update_field({ fieldId: "fld_1", body: { name: "N" } })).toEqual([]);
  expect(outdated.update_field({ fieldId: "fld_1", body: { type: "number" } })).toEqual([key.record()]);
});
