import { beforeEach, expect, test, vi } from "vitest";
import { cache } from "../../src/api/cache.ts";
import { baseQuery } from "../../src/api/query.ts";
import type { Base, RevertPlan } from "../../src/api/type.ts";
import { onTablesRemoved, revert } from "../../src/change/revert.ts";

const nothing: RevertPlan = { records: 0, conflictCount: 0, conflicts: [] };
const removal = { ...nothing, schema: [{ object: "table", id: "tbl_2", name: "Stones", does: "removed" }] };
const { queryKey } = baseQuery("bas_1");
const tables = () => cache.getQueryData(queryKey)?.tables.map(({ id }) => id);
const invalidated = () => cache.getQueryState(queryKey)?.isInvalidated;

beforeEach(() => {
  cache.clear();
  cache.setQueryData(queryKey, { id: "bas_1", tables: [{ id: "tbl_1" }, { id: "tbl_2" }] } as unknown as Base);
});
const answer = (plan: RevertPlan) => vi.stubGlobal("fetch", async () => Response.json(plan));

test("a table that a revert removed is left before anything is read anew", async () => {
  answer(removal);
  const left = vi.fn(async () => expect([tables(), invalidated()]).toEqual([["tbl_1"], false]));
  const stop = onTablesRemoved(left);
  expect(await revert("bas_1", { changeSets: ["chs_1"] })).toEqual(removal);
  expect(left).toHaveBeenCalledExactlyOnceWith(["tbl_2"]);
  expect(invalidated()).toBe(true);
  stop();
});

test("a plan alone removes nothing", async () => {
  answer(removal);
  await revert("bas_1", { changeSets: ["chs_1"], dryRun: true });
  expect([tables(), invalidated()]).toEqual([["tbl_1", "tbl_2"], false]);
});

test("after a revert that failed because of newer changes the base is read anew", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ code: "revert_conflict" }, { status: 409 }));
  await expect(revert("bas_1", { changeSets: ["chs_1"] })).rejects.toMatchObject({ status: 409 });
  expect(invalidated()).toBe(true);
});
