import { beforeEach, expect, test, vi } from "vitest";
import type { ChangeSet, RevertBody, RevertPlan } from "../../src/api/type.ts";
import { Problem } from "../../src/api/problem.ts";
import { Undo, type UndoService } from "../../src/change/undo.ts";
import { deliverTo, type Message } from "../../src/ui/toast.ts";

type Made = Partial<Pick<ChangeSet, "reverts" | "credential" | "schema" | "tables">>;
const session = { id: "ses_1", kind: "session" };

const deletions = (list: readonly string[]) => list.filter((one) => one.startsWith("-")).length;

/**
 * A service with a text that people append letters to. A change set adds a letter, and its revert
 * takes the letter away.
 */
function setup() {
  const sets: ChangeSet[] = [];
  const letters = new Map<string, string[]>(); // those that a set adds, or with "-" takes away
  const conflicts = new Set<string>();
  const order: string[] = [];
  let state: string[] = [];
  let count = 0;
  const record = (list: string[], made: Made = {}): ChangeSet => {
    const [deleted, created] = [deletions(list), list.length - deletions(list)];
    const set: ChangeSet = {
      id: `chs_${++count}`,
      name: null,
      firstTime: "",
      lastTime: "",
      person: { id: "usr_1", name: "Ada" },
      credential: session,
      reverts: [],
      revertedBy: [],
      schema: [],
      schemaCount: 0,
      tables: [{ id: "tbl_1", name: "Letters", created, updated: 0, deleted, restored: 0, linked: 0 }],
      ...made,
    };
    sets.unshift(set);
    letters.set(set.id, list);
    for (const one of list) state = one.startsWith("-") ? state.filter((x) => `-${x}` !== one) : [...state, one];
    return set;
  };
  const service: UndoService = {
    settle: async () => void order.push("settle"),
    // Small pages, so that the line goes over several of them.
    list: async (_base, cursor) => {
      const start = Number(cursor ?? 0);
      return { sets: sets.slice(start, start + 2), next: start + 2 < sets.length ? String(start + 2) : undefined };
    },
    revert: vi.fn(async (_base: string, body: RevertBody): Promise<RevertPlan> => {
      const [id = ""] = body.changeSets ?? [];
      const plan = { records: 0, conflictCount: conflicts.has(id) ? 1 : 0, conflicts: [] };
      if (body.dryRun) return plan;
      order.push(`revert ${id} ${body.onConflict}`);
      if (conflicts.has(id) && body.onConflict === "fail") throw new Problem(409, "revert_conflict", "", "");
      const back = (letters.get(id) ?? []).map((one) => (one.startsWith("-") ? one.slice(1) : `-${one}`)).toReversed();
      record(back, { reverts: [id] });
      return { ...plan, records: back.length };
    }),
  };
  return { undo: new Undo("bas_1", service), service, record, conflicts, order, state: () => state.join("") };
}

let messages: Message[] = [];
beforeEach(() => {
  messages = [];
  deliverTo((message) => void messages.push(message));
});
const last = () => messages.at(-1)?.title;

test("undo takes back the last change, then the one before it, and redo does them again", async () => {
  const { undo, record, state } = setup();
  for (const letter of ["a", "b", "c"]) record([letter]);
  await undo.undo();
  expect(state()).toBe("ab");
  expect(last()).toBe("Undid: 1 record added to Letters");
  await undo.undo();
  expect(state()).toBe("a");
  await undo.redo();
  expect(state()).toBe("ab");
  expect(last()).toBe("Redid: 1 record added to Letters");
  await undo.redo();
  expect(state()).toBe("abc");
  await undo.redo();
  expect(last()).toBe("Nothing to redo");
  for (const left of ["ab", "a", ""]) {
    await undo.undo();
    expect(state()).toBe(left);
  }
  await undo.undo();
  expect(last()).toBe("Nothing to undo");
});

test("random undos, redos and changes do what an editor with two stacks does", async () => {
  const { undo, record, state } = setup();
  let seed = 7;
  const below = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
  let [done, undone]: string[][] = [[], []];
  for (let step = 0; step < 300; step++) {
    const action = below(5);
    if (action < 2) {
      const letter = String.fromCharCode(97 + (step % 26)) + step;
      record([letter]);
      [done, undone] = [[...done!, letter], []];
    } else if (action < 4) {
      await undo.undo();
      const letter = done!.pop();
      if (letter !== undefined) undone!.push(letter);
    } else {
      await undo.redo();
      const letter = undone!.pop();
      if (letter !== undefined) done!.push(letter);
    }
    expect([...state()].toSorted().join("")).toBe([...done!.join("")].toSorted().join(""));
  }
});

test("a change after an undo leaves nothing to redo", async () => {
  const { undo, record, state } = setup();
  record(["a"]);
  await undo.undo();
  record(["b"]);
  await undo.redo();
  expect([state(), last()]).toEqual(["b", "Nothing to redo"]);
});

test("another page of the same person knows what was undone", async () => {
  const { undo, service, record, state } = setup();
  record(["a"]);
  record(["b"]);
  await undo.undo();
  await new Undo("bas_1", service).redo();
  expect(state()).toBe("ab");
  const other = new Undo("bas_1", service);
  await other.undo();
  await other.undo();
  expect(state()).toBe("");
});

test("a revert of somebody else's changes is undone like a change", async () => {
  const { undo, record, state } = setup();
  record(["a"]);
  record(["b"], { reverts: ["chs_of_ben"] });
  await undo.undo();
  expect(state()).toBe("a");
  await undo.redo();
  expect(state()).toBe("ab");
});

test("what a key did in the person's name is not undone by a press of a key", async () => {
  const { undo, record, state } = setup();
  record(["a"]);
  for (const letter of ["x", "y", "z"]) record([letter], { credential: { id: "key_1", kind: "api_key" } });
  await undo.undo();
  expect(state()).toBe("xyz");
});

test("two presses undo two changes, each after what was not sent yet", async () => {
  const { undo, record, order, state } = setup();
  record(["a"]);
  record(["b"]);
  await Promise.all([undo.undo(), undo.undo()]);
  expect(state()).toBe("");
  expect(order).toEqual(["settle", "revert chs_2 fail", "settle", "revert chs_1 fail"]);
});

test("nothing is undone while edits cannot be sent", async () => {
  const { undo, service, record, state } = setup();
  record(["a"]);
  const settle = vi.spyOn(service, "settle").mockRejectedValue(new Problem(0, "unsent", "", "2 changes are kept"));
  await undo.undo();
  expect(state()).toBe("a");
  expect(messages.at(-1)).toMatchObject({ title: "Nothing was undone", detail: "2 changes are kept", failed: true });
  settle.mockResolvedValue();
  await undo.undo();
  expect(state()).toBe("");
});

test.each(["skip", "overwrite"] as const)("a conflict asks, and “%s” is done", async (choice) => {
  const { undo, record, conflicts, order } = setup();
  conflicts.add(record(["a"]).id);
  const asked = new Promise<void>((resolve) => {
    const stop = undo.subscribe(() => {
      stop();
      expect(undo.question()?.plan.conflictCount).toBe(1);
      resolve(undo.question()?.answer(choice));
    });
  });
  await Promise.all([undo.undo(), asked]);
  expect(order.at(-1)).toBe(`revert chs_1 ${choice}`);
  expect(undo.question()).toBeUndefined();
  expect(messages.at(-1)?.detail).toBe(
    choice === "skip" ? "1 newer change was kept." : undefined,
  );
});

test("a person who cancels keeps everything, and is asked again the next time", async () => {
  const { undo, record, conflicts, order, state } = setup();
  conflicts.add(record(["a"]).id);
  let questions = 0;
  undo.subscribe(() => {
    const question = undo.question();
    if (question) questions++;
    question?.answer(undefined);
  });
  await undo.undo();
  await undo.undo();
  expect(state()).toBe("a");
  expect(questions).toBe(2);
  expect(messages).toEqual([]);
  expect(order.filter((one) => one.endsWith("overwrite") || one.endsWith("skip"))).toEqual([]);
});

test("a change that cannot be reverted is reported once, and then earlier ones are undone", async () => {
  const { undo, service, record, state } = setup();
  record(["a"]);
  record(["b"]);
  vi.mocked(service.revert).mockRejectedValueOnce(new Problem(404, "not_found", "", "It is too old."));
  await undo.undo();
  expect(messages.at(-1)).toMatchObject({ title: "Nothing was undone", detail: "It is too old.", failed: true });
  await undo.undo();
  expect(state()).toBe("b");
});

test("without an answer the same change is tried again", async () => {
  const { undo, service, record, state } = setup();
  record(["a"]);
  vi.mocked(service.revert).mockRejectedValueOnce(new Problem(0, "offline", "", ""));
  await undo.undo();
  expect(state()).toBe("a");
  await undo.undo();
  expect(state()).toBe("");
});

const object = (kind: string, does: string) => ({ object: kind, id: `${kind}_1`, name: "Notes", does });

test("a change of the schema alone is undone and redone, as often as a person likes", async () => {
  const { undo, service, record, state } = setup();
  record(["a"]);
  record(["x"], { schema: [object("field", "deleted")], tables: [] });
  const work = vi.mocked(service.revert).getMockImplementation()!;
  vi.mocked(service.revert).mockImplementation(async (baseId, body) => {
    const plan = await work(baseId, body);
    return { ...plan, records: 0, schema: [object("field", "restored")] };
  });
  for (let round = 0; round < 2; round++) {
    await undo.undo();
    expect(state()).toBe("a");
    if (round === 0) expect(last()).toBe("Undid: Deleted the field Notes");
    await undo.redo();
    expect(state()).toBe("ax");
    if (round === 0) expect(last()).toBe("Redid: Deleted the field Notes");
  }
});

test("what nobody can take back is passed over: a new base, and what was deleted for good", async () => {
  const { undo, record, state } = setup();
  record(["a"]);
  record(["b"], { schema: [object("base", "created")], tables: [] });
  record(["c"], { schema: [object("table", "purged")], tables: [] });
  await undo.undo();
  expect(state()).toBe("bc");
});

test("a revert that had nothing to do says so, and earlier changes are undone then", async () => {
  const { undo, service, record, state } = setup();
  record(["a"]);
  record(["b"]);
  vi.mocked(service.revert).mockResolvedValueOnce({ records: 0, conflictCount: 0, conflicts: [] });
  await undo.undo();
  expect([state(), last()]).toEqual(["ab", "Nothing was undone"]);
  await undo.undo();
  expect(state()).toBe("b");
});

test("who may not change fields reads why", async () => {
  const { undo, service, record } = setup();
  record(["a"], { schema: [object("field", "deleted")] });
  vi.mocked(service.revert).mockRejectedValueOnce(new Problem(403, "insufficient_role", "", "Ask an admin."));
  await undo.undo();
  expect(messages.at(-1)).toMatchObject({ title: "Nothing was undone", detail: "Ask an admin.", failed: true });
});
