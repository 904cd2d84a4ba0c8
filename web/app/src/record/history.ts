import type { Values } from "../api/type.ts";

/**
 * An edit of one record, by field id. Only the fields named are touched, so that two people lose
 * nothing of each other's. With `version`, which is that of the record on the page, the edit is
 * written only while nobody else has changed these fields.
 */
export type Change = { id: string; version?: number; before: Values; after: Values };

/** A record that a step made, with the values it was made with, by field id. */
export type Made = { id: string; after: Values };

/**
 * What one undo takes back. A step with `final` was something that cannot be undone; the text says
 * what.
 */
export type Step = { changes: Change[]; made: Made[]; final?: string };

/** How a value came to be sent: by an edit, by undo or by redo. */
export type Way = "edit" | "undo" | "redo";

const most = 200; // steps

const only = (values: Values, fieldIds: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(values).filter(([id]) => fieldIds.has(id)));
const without = (values: Values, fieldIds: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(values).filter(([id]) => !fieldIds.has(id)));

/** Drops changes of nothing, and reports whether anything is left of a step. */
function holds(step: Step): boolean {
  step.changes = step.changes.filter((change) => Object.keys(change.after).length > 0);
  return step.final !== undefined || step.changes.length > 0 || step.made.length > 0;
}

/** What can be undone and redone in one table. */
export class History {
  private done: Step[] = [];
  private undone: Step[] = [];
  // the part of a step that was refused on the way, and is where it was before
  private returned = new WeakMap<Step, Step>();

  /** Adds a step, after which nothing is left to redo. */
  push(step: Step) {
    this.done.push(step);
    if (this.done.length > most) this.done.shift();
    this.undone = [];
  }

  /** Moves the last step to those that can be redone, and returns it. A final one is dropped. */
  takeUndo(): Step | undefined {
    const step = this.done.pop();
    if (step && step.final === undefined) this.undone.push(step);
    if (step) this.returned.delete(step);
    return step;
  }

  takeRedo(): Step | undefined {
    const step = this.undone.pop();
    if (step) this.done.push(step);
    if (step) this.returned.delete(step);
    return step;
  }

  /** Puts a step back where it was, because all of it failed. */
  putBack(step: Step, way: "undo" | "redo") {
    this.drop(step);
    (way === "undo" ? this.done : this.undone).push(step);
  }

  /**
   * Takes note that the service refused values of a step. An edit's can not be undone; an undo's
   * can still be.
   */
  refuse(step: Step, way: Way, recordId: string, fieldIds: ReadonlySet<string>) {
    const touched = step.changes.filter((change) => change.id === recordId);
    const parts = touched.map((change) => ({
      id: recordId,
      before: only(change.before, fieldIds),
      after: only(change.after, fieldIds),
    }));
    step.changes = step.changes.map((change) =>
      change.id === recordId
        ? { ...change, before: without(change.before, fieldIds), after: without(change.after, fieldIds) }
        : change,
    );
    if (way !== "edit") {
      let back = this.returned.get(step);
      if (!back) {
        back = { changes: [], made: [] };
        this.returned.set(step, back);
        (way === "undo" ? this.done : this.undone).push(back);
      }
      back.changes.push(...parts);
    }
    this.tidy();
  }

  /** Forgets records that are gone. The other records of a step can still be undone. */
  forget(ids: ReadonlySet<string>) {
    for (const step of [...this.done, ...this.undone]) {
      step.changes = step.changes.filter((change) => !ids.has(change.id));
      step.made = step.made.filter((made) => !ids.has(made.id));
    }
    this.tidy();
  }

  /** Takes note that records were made again under other ids. */
  rename(ids: ReadonlyMap<string, string>) {
    for (const step of [...this.done, ...this.undone]) {
      for (const part of [...step.changes, ...step.made]) part.id = ids.get(part.id) ?? part.id;
    }
  }

  private drop(step: Step) {
    this.done = this.done.filter((one) => one !== step);
    this.undone = this.undone.filter((one) => one !== step);
  }

  private tidy() {
    this.done = this.done.filter(holds);
    this.undone = this.undone.filter(holds);
  }
}
