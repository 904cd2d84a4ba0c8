import type { Problem } from "../api/problem.ts";
import type { Row, Values } from "../api/type.ts";
import type { Given } from "./outbox.ts";
import { type Refused, unsavedId } from "./command.ts";

/** A record that a form shows while it is made. */
export type Entry = {
  /**
   * Resolves with the record once it is made, or with undefined once it has to wait for a
   * connection or a session: it is kept, as all commands are. Fails with the service's refusal,
   * which stays with the form.
   */
  made: Promise<Row | undefined>;
  /** Detaches the form. What is refused then is listed, like refusals of any command. */
  leave: () => void;
};

/** What entries need of the writer of their table. */
type Host = {
  on: (events: { status: () => void }) => () => void;
  status: { state: string };
  isPending: (id: string) => boolean;
  refused: readonly Refused[];
  discardRefused: (list: readonly Refused[]) => void;
};

/** The records of a table that forms show while they are made. */
export class Entries {
  private shown = new Map<string, (problem: Problem) => void>();

  constructor(
    private writer: Host,
    private give: (command: Given) => Promise<{ rows: Row[] }>,
  ) {}

  /** Creates a record of values by field id. */
  enter(after: Values): Entry {
    const { writer, shown } = this;
    const id = unsavedId();
    let stop: (() => void) | undefined;
    const leave = () => {
      stop?.();
      shown.delete(id);
    };
    const made = new Promise<Row | undefined>((resolve, reject) => {
      const look = () => {
        if (writer.status.state !== "waiting" || !writer.isPending(id)) return;
        leave();
        resolve(undefined);
      };
      stop = writer.on({ status: look });
      shown.set(id, (problem) => {
        leave();
        writer.discardRefused(writer.refused.filter(({ command }) => command.id === id));
        reject(problem);
      });
      void this.give({ kind: "create", id, after }).then(({ rows }) => {
        leave();
        resolve(rows[0]);
      });
      look();
    });
    return { made, leave };
  }

  /** Shows forms what was refused of their records. Returns the ids of the others. */
  refused(ids: string[], problem: Problem): string[] {
    const others = ids.filter((id) => !this.shown.has(id));
    for (const id of ids) this.shown.get(id)?.(problem);
    return others;
  }
}
