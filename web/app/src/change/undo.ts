import { cache } from "../api/cache.ts";
import type { ChangeSet, OnConflict, RevertBody, RevertPlan } from "../api/type.ts";
import { Problem } from "../api/problem.ts";
import { meQuery } from "../api/query.ts";
import { listChangeSets } from "../api/read.ts";
import { currentLocale } from "../locale/locale.ts";
import { layoutsSaved } from "../record/layout.ts";
import { refreshRows } from "../record/refresh.ts";
import { settleAll } from "../record/writers.ts";
import { currentText } from "../text/index.ts";
import { complain, notify } from "../ui/toast.ts";
import { type Line, type Next, nextRedo, nextUndo } from "./line.ts";
import { isRevertible, revert } from "./revert.ts";

const pageSize = 50;

/** What undo says of changes. It comes with the first undo, and not with the page. */
async function wording() {
  const [{ summary }, { changeTextOf }] = await Promise.all([import("./summary.ts"), import("../text/change.ts")]);
  return { summary, t: changeTextOf(currentLocale()) };
}

export type Way = "undo" | "redo";
type Choice = Exclude<OnConflict, "fail">;

/** The question of an undo whose records have newer changes. */
export type Question = { way: Way; plan: RevertPlan; answer: (choice: Choice | undefined) => void };

/** What undo does with the service. */
export type UndoService = {
  /** Waits until the service has every edit of this page, and every change of a layout. */
  settle: () => Promise<void>;
  /** Reads the person's own change sets in a base, newest first. */
  list: (baseId: string, cursor: string | undefined) => Promise<{ sets: ChangeSet[]; next?: string }>;
  revert: (baseId: string, body: RevertBody) => Promise<RevertPlan>;
};

const undoService: UndoService = {
  settle: async () => {
    await layoutsSaved();
    await settleAll();
  },
  list: async (baseId, cursor) => {
    const { id } = await cache.ensureQueryData(meQuery);
    const answer = await listChangeSets({ baseId, query: { person: id, cursor, limit: pageSize, detail: "full" } });
    return { sets: answer.changeSets, next: answer.nextCursor ?? undefined };
  },
  revert,
};

/**
 * Undo and redo of one person in one base. Undo reverts the last change set that the person made in
 * the application; redo reverts that revert.
 */
export class Undo {
  private turn: Promise<unknown> = Promise.resolve();
  private asked: Question | undefined;
  private listeners = new Set<() => void>();
  // Reverts that failed or had nothing to change, which would be tried again and again.
  private spent = new Set<string>();

  constructor(
    readonly baseId: string,
    private service: UndoService = undoService,
  ) {}

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** What a person has to choose; undefined when nothing is asked. */
  question = (): Question | undefined => this.asked;

  undo = (): Promise<void> => this.run("undo");
  redo = (): Promise<void> => this.run("redo");

  /** Several presses of the keys are done one after the other. */
  private run(way: Way): Promise<void> {
    const mine = this.turn.then(() => this.step(way));
    this.turn = mine;
    return mine;
  }

  private async step(way: Way): Promise<void> {
    const words = await wording().catch(() => undefined);
    if (!words) {
      const { failure } = currentText(); // as for any part that cannot be loaded
      return notify(failure.partTitle, failure.part);
    }
    const { t, summary } = words;
    let target: ChangeSet | undefined;
    try {
      await this.service.settle();
      const line = await this.find(way === "undo" ? nextUndo : nextRedo);
      target = line.target;
      if (!target) return notify(way === "undo" ? t.nothingToUndo : t.nothingToRedo);
      const done = await this.revert(way, target.id);
      if (!done) return undefined;
      const nothing = done.records === 0 && !done.schema?.length;
      if (nothing) this.spent.add(target.id);
      // A redo repeats what the undo reverted.
      const meant = way === "undo" ? target : line.sets.find((set) => set.id === target?.reverts[0]);
      const what = summary(meant ?? target, t);
      const left = done.conflictCount > 0 ? t.skipped(done.conflictCount) : undefined;
      if (nothing) notify(way === "undo" ? t.notUndone : t.notRedone, left);
      else notify(way === "undo" ? t.undid(what) : t.redid(what), left);
      refreshRows();
    } catch (error) {
      if (target && !Problem.from(error).temporary) this.spent.add(target.id);
      complain(error, way === "undo" ? t.notUndone : t.notRedone);
    }
  }

  private async find(next: (line: Line, spent: ReadonlySet<string>) => Next) {
    const sets: ChangeSet[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = await this.service.list(this.baseId, cursor);
      // Undo skips what keys and apps did in the person's name.
      sets.push(...page.sets.filter((set) => set.credential?.kind === "session" && isRevertible(set)));
      cursor = page.next;
      const target = next({ sets, ended: cursor === undefined }, this.spent);
      if (target !== "unread") return { target, sets };
    }
  }

  /** Reverts a change set. If others have changed the same since, it asks the person. */
  private async revert(way: Way, id: string): Promise<RevertPlan | undefined> {
    const body = { changeSets: [id] };
    try {
      return await this.service.revert(this.baseId, { ...body, onConflict: "fail" });
    } catch (error) {
      if (Problem.from(error).code !== "revert_conflict") throw error;
      const plan = await this.service.revert(this.baseId, { ...body, dryRun: true });
      const choice = await this.ask(way, plan);
      if (!choice) return undefined;
      const done = await this.service.revert(this.baseId, { ...body, onConflict: choice });
      return choice === "skip" ? done : { ...done, conflictCount: 0 };
    }
  }

  private async ask(way: Way, plan: RevertPlan): Promise<Choice | undefined> {
    const choice = await new Promise<Choice | undefined>((answer) => this.show({ way, plan, answer }));
    this.show(undefined);
    return choice;
  }

  private show(question: Question | undefined) {
    this.asked = question;
    for (const listener of this.listeners) listener();
  }
}

const undos = new Map<string, Undo>();

/** Undo of a base. It outlives the page, so that failed reverts are not tried again. */
export function undoOf(baseId: string): Undo {
  let undo = undos.get(baseId);
  if (!undo) {
    undo = new Undo(baseId);
    undos.set(baseId, undo);
  }
  return undo;
}
