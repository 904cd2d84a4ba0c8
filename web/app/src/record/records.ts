import type { Row } from "../api/type.ts";
import { type FieldNames, renameRow } from "./fieldname.ts";
import { type Received, isKnown, patched } from "./received.ts";

/** A change that the service sent, and what it was to the page. */
export type Applied = Received & {
  /** The page had it, or something later. */
  known: boolean;
  /** The record has other values on the page now. */
  drawn: boolean;
  /** The record is on the page, and the change does not say all its values. */
  unread: boolean;
};

/** Something that lists records, and wants those to be kept. */
type List = { ids: () => Iterable<string | undefined> };

const later = 1000; // milliseconds until records that nobody lists any more are let go

/** A row as it was read, unless a later version of it is known. */
const newer = (known: Row | undefined, row: Row): Row =>
  known?.version !== undefined && row.version !== undefined && known.version > row.version ? known : row;

/**
 * The records of a table that the page has, each once, by id. Views list their ids. A record that no
 * list has any more is let go.
 */
export class Records {
  private rows = new Map<string, Row>();
  private lists = new Set<List>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private names: FieldNames) {}

  get size(): number {
    return this.rows.size;
  }

  get(id: string | undefined): Row | undefined {
    return id === undefined ? undefined : this.rows.get(id);
  }

  /** Takes rows as they were read. */
  take(rows: Iterable<Row>) {
    for (const row of rows) this.rows.set(row.id, newer(this.rows.get(row.id), row));
  }

  /** Takes the rows that the page already has. */
  update(rows: Iterable<Row>) {
    for (const row of rows) {
      const known = this.rows.get(row.id);
      if (known) this.take([{ ...row, createdTime: row.createdTime ?? known.createdTime }]);
    }
  }

  /** Applies changes that the service sent, in its order. */
  apply(changes: readonly Received[]): Applied[] {
    return changes.map((change) => {
      const row = this.rows.get(change.record);
      const known = isKnown(row, change);
      if (!row || known || change.kind !== "updated") return { ...change, known, drawn: false, unread: false };
      const next = patched(row, change, this.names);
      if (next) this.rows.set(row.id, next);
      return { ...change, known, drawn: next !== undefined, unread: next === undefined || this.names.computes };
    });
  }

  /** Gives values of renamed fields their new names. */
  rename(renamed: ReadonlyMap<string, string | undefined>) {
    for (const [id, row] of this.rows) this.rows.set(id, renameRow(row, renamed));
  }

  /** Keeps the records of a list until the returned function is called. */
  list(list: List): () => void {
    this.lists.add(list);
    return () => {
      this.lists.delete(list);
      this.letGo();
    };
  }

  /** Lets go of records that no list has any more, in a moment. */
  letGo() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const listed = new Set<string | undefined>();
      for (const { ids } of this.lists) for (const id of ids()) listed.add(id);
      for (const id of this.rows.keys()) if (!listed.has(id)) this.rows.delete(id);
    }, later);
  }
}
