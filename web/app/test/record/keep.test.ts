import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Command, Place } from "../../src/record/command.ts";
import { nextSeq } from "../../src/record/command.ts";
import { Keep } from "../../src/record/keep.ts";

const place: Place = { orgId: "org_1", baseId: "bas_1", tableId: "tbl_1" };
const command = (value: string): Command => ({
  kind: "edit",
  id: "rec_1",
  after: { f_name: value },
  seq: nextSeq(),
  at: Date.now(),
});

let locked: Set<string>;
let count = 0;
beforeEach(() => {
  locked = new Set();
  // The locks of the pages of one browser.
  vi.stubGlobal("navigator", {
    locks: {
      request: async (name: string, work: () => Promise<unknown>) => {
        locked.add(name);
        const result = await work();
        locked.delete(name);
        return result;
      },
      query: async () => ({ held: [...locked].map((name) => ({ name })) }),
    },
  });
  count++;
});
afterEach(() => vi.unstubAllGlobals());

const page = (owner: string) => new Keep(owner, `test ${count}`);
const values = (list: { command: Command }[]) => list.map((kept) => kept.command.after.f_name);

test("the next page of a person takes over what a page left, in order and once", async () => {
  const first = page("usr_ada");
  const done = command("done");
  for (const one of [command("one"), done, command("two")]) first.put(place, one);
  expect(first.safe).toBe(false);
  await first.settled();
  expect(first.safe).toBe(true);
  first.drop(done.seq);
  await first.settled();
  locked.clear(); // the page is closed
  const [second, third] = [page("usr_ada"), page("usr_ada")];
  const [some, others] = [await second.adopt(), await third.adopt()];
  expect(values(some)).toEqual(["one", "two"]);
  expect(some[0]).toMatchObject(place);
  expect(others).toEqual([]);
});

test("a page that lives keeps its own", async () => {
  const first = page("usr_ada");
  first.put(place, command("mine"));
  await first.settled();
  expect(await page("usr_ada").adopt()).toEqual([]);
});

test("another person signs in and inherits the queue: they do not", async () => {
  const ada = page("usr_ada");
  ada.put(place, command("ada's"));
  await ada.settled();
  locked.clear();
  const ben = page("usr_ben");
  expect(await ben.adopt()).toEqual([]);
  ben.put(place, command("ben's"));
  await ben.settled();
  locked.clear();
  expect(values(await page("usr_ada").adopt())).toEqual(["ada's"]);
});

test("a browser without a database keeps nothing and breaks nothing", async () => {
  vi.stubGlobal("indexedDB", undefined);
  const keep = page("usr_ada");
  keep.put(place, command("one"));
  await keep.settled();
  expect(keep.works).toBe(false);
  expect(await keep.adopt()).toEqual([]);
});
