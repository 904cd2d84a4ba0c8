import type { Row } from "../api/type.ts";
import type { Command } from "./command.ts";

/** Called after each block of a long piece of work, with what is done of it. */
export type Progress = (done: number) => void;

/** The outcome of commands that were given together: how many were done, and the rows they made. */
export type Outcome = { done: number; rows: Row[] };

type Call = Outcome & { left: number; progress?: Progress; end: (outcome: Outcome) => void };

/** Waits for commands that were given together. */
export class Calls {
  private calls = new Map<string, Call>();

  begin(group: string, count: number, progress?: Progress): Promise<Outcome> {
    if (count === 0) return Promise.resolve({ done: 0, rows: [] });
    return new Promise((end) => this.calls.set(group, { left: count, done: 0, rows: [], progress, end }));
  }

  /** Notes that commands have ended: done, refused or given up. */
  ended(commands: readonly Command[], done: boolean, rows: Row[] = []) {
    const changed = new Set<Call>();
    commands.forEach(({ group }, index) => {
      const call = group === undefined ? undefined : this.calls.get(group);
      if (!call || group === undefined) return;
      changed.add(call);
      call.left--;
      if (done) call.done++;
      const row = rows[index];
      if (row) call.rows.push(row);
      if (call.left === 0) this.calls.delete(group);
    });
    for (const call of changed) {
      if (done) call.progress?.(call.done);
      if (call.left === 0) call.end(call);
    }
  }
}
