import type { Row } from "../api/type.ts";
import type { FieldNames } from "./fieldname.ts";
import { type Received, isKnown, patched } from "./received.ts";

/** The changes that arrived while rows were being read. The response may be older. */
export class Meanwhile {
  private reading = 0;
  private changes = new Map<string, Received[]>(); // by record

  /** Rows are being read, which may be older than a change that arrives now. */
  get busy(): boolean {
    return this.reading > 0;
  }

  begin() {
    this.reading++;
  }

  end() {
    if (--this.reading === 0) this.changes.clear();
  }

  take(change: Received) {
    if (this.reading === 0 || change.kind !== "updated") return;
    const list = this.changes.get(change.record);
    if (list) list.push(change);
    else this.changes.set(change.record, [change]);
  }

  /** A row that was read, with the changes that arrived meanwhile. */
  over(row: Row, names: FieldNames): Row {
    let now = row;
    for (const change of this.changes.get(row.id) ?? [])
      if (!isKnown(now, change)) now = patched(now, change, names) ?? now;
    return now;
  }
}
