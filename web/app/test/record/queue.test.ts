import { beforeEach, expect, test, vi } from "vitest";
import { Problem } from "../../src/api/problem.ts";
import type { Field, Row, Values } from "../../src/api/type.ts";
import type { Command, Refused } from "../../src/record/command.ts";
import type { RecordService } from "../../src/record/service.ts";
import { RowSource } from "../../src/record/source.ts";
import { Writer } from "../../src/record/writer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

const offline = new Problem(0, "offline", "No connection", "");
const field = (id: string, name: string): Field =>
  ({ id, name, type: "text", isPrimary: false, order: 0 }) as unknown as Field;
const fields = [field("f_name", "Name"), field("f_note", "Note")];

type Stored = { version: number; fields: Values };

/** Refuses requests with bad names. */
const check = (records: { fields: Values }[]) => {
  const items = records.flatMap(({ fields: values }, index) =>
    values.Name === "bad" ? [{ path: `records[${index}].fields.Name`, message: "is bad" }] : [],
  );
  if (items.length > 0) throw new Problem(400, "invalid", "", "no", items);
};

/**
 * A service that stores records, refuses "bad" names, knows idempotency keys, and loses answers or
 * is away on request.
 */
function setup(start: Record<string, string> = {}) {
  const stored = new Map<string, Stored>();
  for (const [id, name] of Object.entries(start)) stored.set(id, { version: 1, fields: { Name: name, Note: null } });
  const answers = new Map<string, { body: string; rows: Row[] }>();
  const requests: string[] = [];
  const state = { online: true, losing: 0, made: 0, status: 0 };
  const rowOf = (id: string): Row => ({ id, ...(stored.get(id) as Stored) });
  const write = (id: string, values: Values) => {
    const known = stored.get(id);
    stored.set(id, { version: (known?.version ?? 0) + 1, fields: { ...known?.fields, ...values } });
    return rowOf(id);
  };
  const arrive = (what: string) => {
    if (!state.online) throw offline;
    requests.push(what);
    if (state.status > 0) throw new Problem(state.status, "fault", "", "");
  };
  const answer = <Result>(result: Result): Result => {
    if (state.losing-- > 0) throw offline;
    return result;
  };
  const service: RecordService = {
    update: async (_table, records) => {
      arrive(`update ${records.map(({ id }) => id).join()}`);
      check(records);
      for (const { id, version } of records) {
        const known = stored.get(id);
        if (!known) throw new Problem(404, "not_found", "", "It was deleted.");
        if (version !== undefined && version !== known.version)
          throw new Problem(412, "version_changed", "", "", [], undefined, undefined, rowOf(id));
      }
      return answer(records.map(({ id, fields: values }) => write(id, values)));
    },
    create: async (_table, records, _set, key = "") => {
      arrive(`create ${records.length}`);
      check(records);
      const body = JSON.stringify(records);
      const known = answers.get(key);
      if (known && known.body !== body) throw new Problem(422, "idempotency_key_reused", "", "");
      const rows = known?.rows ?? records.map(({ fields: values }) => write(`rec_made_${++state.made}`, values));
      answers.set(key, { body, rows });
      return answer(rows);
    },
    remove: async (_table, ids) => {
      arrive(`remove ${ids.join()}`);
      if (ids.some((id) => !stored.has(id))) throw new Problem(404, "not_found", "", "");
      for (const id of ids) stored.delete(id);
      answer(undefined);
    },
    removeVersion: async (id, version) => {
      arrive(`remove ${id} at ${version}`);
      const known = stored.get(id);
      if (!known) throw new Problem(404, "not_found", "", "");
      if (known.version !== version)
        throw new Problem(412, "version_changed", "", "", [], undefined, undefined, rowOf(id));
      stored.delete(id);
    },
    restore: async (_base, ids) => {
      arrive(`restore ${ids.join()}`);
      for (const id of ids) write(id, { Name: "back" });
    },
  };
  const kept = new Map<number, { command: Command; refused?: Refused }>();
  const page = () => {
    const writer = new Writer("tbl_1", service, {
      keep: (command, refused) => void kept.set(command.seq, structuredClone({ command, refused })),
      drop: (seq) => void kept.delete(seq),
    });
    writer.know(fields);
    return writer;
  };
  const writer = page();
  const source = new RowSource("tbl_1", {}, writer, async () => {
    const records = [...stored.keys()].map(rowOf);
    return { records, total: records.length, offset: 0, limit: 100, hasMore: false };
  });
  source.hold();
  const names = () => [...stored.values()].map((one) => one.fields.Name);
  const edit = (id: string, name: string, version?: number, overwrite?: boolean) => {
    const before = { f_name: stored.get(id)?.fields.Name ?? null };
    return [{ id, version, overwrite, before, after: { f_name: name } }];
  };
  return { writer, source, state, stored, requests, names, edit, kept, page, write };
}

const reasons = (writer: Writer) => writer.refused.map(({ command, reason }) => [command.after, reason.message]);
const fill = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`rec_${n}`, `old ${n}`]));

// Three ways in which work was lost.

test("a refused cell takes back its neighbours: it does not", async () => {
  const { writer, names } = setup();
  const list = Array.from({ length: 250 }, (_, n) => ({ f_name: n === 120 ? "bad" : `new ${n}` }));
  const made = writer.create(list).then((rows) => rows.length);
  await vi.runAllTimersAsync();
  expect(await made).toBe(249);
  expect(names()).toEqual(list.map((one) => one.f_name).filter((name) => name !== "bad"));
  expect(reasons(writer)).toEqual([[{ f_name: "bad" }, "is bad"]]);
});

test("a failed page drops rows from a paste: it does not", async () => {
  const { writer, state, names } = setup();
  const list = Array.from({ length: 300 }, (_, n) => ({ f_name: `new ${n}` }));
  const made = writer.create(list).then((rows) => rows.length);
  await vi.advanceTimersByTimeAsync(0);
  state.losing = 1; // the answer to the next page of the paste
  await vi.advanceTimersByTimeAsync(1);
  state.status = 502; // and then the service is away for a while
  await vi.advanceTimersByTimeAsync(2000);
  state.status = 0;
  await vi.runAllTimersAsync();
  expect(await made).toBe(300);
  expect(names()).toEqual(list.map((one) => one.f_name));
  expect(writer.refused).toEqual([]);
});

test("fifty edits of an hour without connection all arrive, or are told with the reason", async () => {
  const { writer, state, edit, stored } = setup(fill(50));
  state.online = false;
  for (let n = 0; n < 50; n++) {
    await vi.advanceTimersByTimeAsync(72_000);
    const name = n === 7 ? "bad" : `mine ${n}`;
    if (n === 9) stored.delete("rec_9");
    writer.edit(edit(`rec_${n}`, name, 1));
  }
  expect(writer.status).toEqual({ state: "waiting", count: 50 });
  state.online = true;
  writer.resume();
  await vi.runAllTimersAsync();
  expect(writer.status.state).toBe("idle");
  const arrived = [...stored.values()].filter((one) => String(one.fields.Name).startsWith("mine"));
  expect(arrived).toHaveLength(48);
  expect(reasons(writer)).toEqual([
    [{ f_name: "bad" }, "is bad"],
    [{ f_name: "mine 9" }, "The record was deleted, or you cannot see it any more."],
  ]);
});

test("what outlived the page is sent by the next one", async () => {
  const { writer, state, edit, names, kept, page } = setup({ rec_0: "old", rec_1: "old" });
  state.online = false;
  writer.edit(edit("rec_0", "mine", 1));
  void writer.create([{ f_name: "new" }]);
  void writer.remove(["rec_1"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(kept.size).toBe(3);
  writer.resume = () => undefined; // the page is gone
  const next = page();
  state.online = true;
  next.adopt([...kept.values()]);
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["mine", "new"]);
  expect(kept.size).toBe(0);
  expect(next.dirty).toBe(false);
});

test("a refused edit outlives the page, and can be tried again or discarded", async () => {
  const { writer, edit, names, kept, page, state } = setup({ rec_0: "old" });
  writer.edit(edit("rec_0", "bad", 1));
  await vi.runAllTimersAsync();
  expect(writer.overlay({ id: "rec_0", fields: { Name: "old" } }).fields.Name).toBe("old");
  expect(writer.mark("rec_0", "f_name")).toBe("refused");
  const next = page();
  next.adopt([...kept.values()]);
  expect(reasons(next)).toEqual([[{ f_name: "bad" }, "is bad"]]);
  next.retry(next.refused);
  await vi.runAllTimersAsync();
  expect(next.refused).toHaveLength(1);
  expect(state.online).toBe(true);
  next.discardRefused(next.refused);
  expect(next.refused).toEqual([]);
  expect(kept.size).toBe(0);
  expect(names()).toEqual(["old"]);
});

test("a creation whose answer was lost is done once", async () => {
  const { writer, state, names, requests } = setup();
  state.losing = 1;
  const made = writer.create([{ f_name: "once" }]);
  await vi.runAllTimersAsync();
  expect((await made).map((row) => row.fields.Name)).toEqual(["once"]);
  expect(names()).toEqual(["once"]);
  expect(requests).toEqual(["create 1", "create 1"]);
});

test.each([
  ["renamed", [field("f_name", "Title"), field("f_note", "Note")]],
  ["deleted", [field("f_note", "Note")]],
])("a creation whose answer was lost is not done twice when its field was %s", async (_what, later) => {
  const { writer, state, names, requests, kept } = setup();
  const renewed = vi.fn();
  writer.on({ renewed });
  state.losing = 1;
  void writer.create([{ f_name: "once", f_note: "mine" }]);
  await vi.advanceTimersByTimeAsync(0);
  writer.know(later);
  await vi.runAllTimersAsync();
  expect(requests).toEqual(["create 1", "create 1"]);
  expect(names()).toEqual(["once"]);
  expect(writer.refused.map(({ command }) => command.after)).toEqual([{ f_name: "once", f_note: "mine" }]);
  expect(writer.refused[0]?.reason.message).toContain("may have been saved already");
  expect(renewed).toHaveBeenCalledOnce();
  expect(kept.size).toBe(1);
});

test("a record is made without the value of a field that was deleted, and the value is kept", async () => {
  const { writer, state, stored } = setup();
  state.online = false;
  void writer.create([{}]); // is in the way
  const made = writer.create([{ f_name: "new", f_note: "typed" }, { f_name: "other" }]);
  await vi.advanceTimersByTimeAsync(0);
  writer.know([field("f_name", "Name")]);
  state.online = true;
  await vi.runAllTimersAsync();
  expect((await made).map(({ id }) => id)).toEqual(["rec_made_2", "rec_made_3"]);
  expect([...stored.values()].map(({ fields: values }) => values)).toEqual([{}, { Name: "new" }, { Name: "other" }]);
  expect(reasons(writer)).toEqual([[{ f_note: "typed" }, "Its field was deleted."]]);
  writer.retry(writer.refused);
  await vi.runAllTimersAsync();
  expect(writer.refused.map(({ command }) => command.id)).toEqual(["rec_made_2"]);
  expect(stored.size).toBe(3);
});

test("a creation whose key has expired is not sent again", async () => {
  const { writer, state, names, requests } = setup();
  state.losing = 1;
  void writer.create([{ f_name: "once" }]);
  await vi.advanceTimersByTimeAsync(0);
  state.online = false;
  await vi.advanceTimersByTimeAsync(24 * 3600_000);
  state.online = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toHaveLength(1);
  expect(names()).toEqual(["once"]);
  expect(reasons(writer)[0]?.[1]).toContain("may have been saved already");
});

test("a record shows before it is made, takes edits, and keeps its place", async () => {
  const { writer, source, state, names, edit } = setup({ rec_0: "old" });
  await source.range(0, 0);
  state.online = false;
  const id = source.begin({});
  expect(source.total).toBe(2);
  expect(source.at(1)?.id).toBe(id);
  writer.edit(edit(id, "typed"));
  expect(source.at(1)?.fields.Name).toBe("typed");
  await vi.advanceTimersByTimeAsync(1);
  expect(writer.mark(id, "f_name")).toBe("pending");
  state.online = true;
  writer.resume();
  writer.edit(edit(id, "typed while it is made"));
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["old", "typed while it is made"]);
  expect(source.total).toBe(2);
  expect(source.indexOf(id)).toBe(1);
  expect(source.at(1)).toMatchObject({ id: "rec_made_1", fields: { Name: "typed while it is made" } });
});

test("a new record that is deleted is not made, or is deleted once it was made", async () => {
  const { writer, source, state, stored, requests } = setup();
  await source.range(0, 0);
  state.online = false;
  const [sent, unsent] = [source.begin({}), source.begin({})];
  await vi.advanceTimersByTimeAsync(0); // the first is on its way
  void source.delete([sent, unsent]);
  expect(source.total).toBe(1);
  state.online = true;
  await vi.runAllTimersAsync();
  expect(requests.filter((one) => one.startsWith("create"))).toHaveLength(1);
  expect(stored.size).toBe(0);
  expect(source.total).toBe(0);
  expect(writer.dirty).toBe(false);
});

test("a deletion waits marked, and one of a record that others changed since asks", async () => {
  const { writer, source, state, stored, write, requests } = setup({ rec_0: "old", rec_1: "old" });
  await source.range(0, 0);
  state.online = false;
  const deleted = source.delete(["rec_0", "rec_1"]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(writer.mark("rec_1", "f_name")).toBe("deleting");
  write("rec_1", { Note: "by others" });
  state.online = true;
  await vi.runAllTimersAsync();
  expect(await deleted).toBe(1);
  expect([...stored.keys()]).toEqual(["rec_1"]);
  expect(requests).toContain("remove rec_1 at 1");
  expect(reasons(writer)[0]?.[1]).toContain("Others have changed");
  expect(writer.mark("rec_1", "f_name")).toBe("refused");
  writer.retry(writer.refused);
  await vi.runAllTimersAsync();
  expect(stored.size).toBe(0);
});

test("a deleted record comes back, or is not deleted if that was not sent yet", async () => {
  const { writer, state, names, requests } = setup({ rec_0: "old", rec_1: "old" });
  await Promise.all([writer.remove(["rec_0"]), vi.runAllTimersAsync()]);
  await Promise.all([writer.restore(["rec_0"]), vi.runAllTimersAsync()]);
  expect(requests).toEqual(["remove rec_0", "restore rec_0"]);
  expect(names()).toEqual(["old", "back"]);
  state.online = false;
  void writer.create([{}]); // is in the way
  void writer.remove(["rec_1"]);
  expect(await writer.restore(["rec_1"])).toBe(1);
  expect(writer.mark("rec_1", "f_name")).toBeUndefined();
  expect(writer.status.count).toBe(1);
});

test("a paste writes over others at once, and asks when it had to wait", async () => {
  const { writer, state, edit, write, names } = setup({ rec_0: "old", rec_1: "old" });
  const paste = (name: string) => writer.edit([...edit("rec_0", name, 1, true), ...edit("rec_1", name, 1, true)]);
  write("rec_0", { Name: "theirs" });
  paste("mine");
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["mine", "mine"]);
  state.online = false;
  const [first, second] = [edit("rec_0", "later", 3, true), edit("rec_1", "later", 2, true)];
  writer.edit([...first, ...second]);
  await vi.advanceTimersByTimeAsync(1000);
  write("rec_0", { Name: "newer" });
  state.online = true;
  await vi.runAllTimersAsync();
  expect(names()).toEqual(["newer", "later"]);
  expect(writer.conflict).toMatchObject({ theirs: { f_name: "newer" }, mine: { f_name: "later" } });
});

test("a conflict that nobody has decided outlives the page", async () => {
  const { writer, edit, write, kept, page, names } = setup({ rec_0: "old" });
  const mine = edit("rec_0", "mine", 1);
  write("rec_0", { Name: "theirs" });
  writer.edit(mine);
  await vi.runAllTimersAsync();
  expect(writer.conflict).toBeDefined();
  expect(kept.size).toBe(1);
  const next = page();
  next.adopt([...kept.values()]);
  await vi.runAllTimersAsync();
  expect(next.conflict).toMatchObject({ theirs: { f_name: "theirs" }, mine: { f_name: "mine" } });
  next.resolveAll("mine");
  await vi.runAllTimersAsync();
  expect(names()).toEqual(["mine"]);
  expect(kept.size).toBe(0);
});

test("a fault of the service is tried again some times, and then told", async () => {
  const { writer, state, edit, names } = setup({ rec_0: "old" });
  state.status = 500;
  writer.edit(edit("rec_0", "mine", 1));
  await vi.runAllTimersAsync();
  expect(writer.refused).toHaveLength(1);
  state.status = 0;
  writer.retry(writer.refused);
  await vi.runAllTimersAsync();
  expect(names()).toEqual(["mine"]);
});

test("a creation that is refused keeps what was typed into it, and can be discarded", async () => {
  const { writer, state, edit, names } = setup();
  state.online = false;
  void writer.create([{ f_name: "bad" }]);
  await vi.advanceTimersByTimeAsync(0); // on its way, so that edits follow it
  const [id = ""] = writer.creations;
  writer.edit([{ id, before: {}, after: { f_note: "typed" } }]);
  state.online = true;
  await vi.runAllTimersAsync();
  expect(reasons(writer)).toEqual([[{ f_name: "bad", f_note: "typed" }, "is bad"]]);
  expect(writer.creations).toEqual([]);
  expect(edit("rec_0", "x")).toHaveLength(1);
  expect(names()).toEqual([]);
});
