import type { Row } from "../api/type.ts";
import type { FieldNames } from "./fieldname.ts";
import { type Heard, isKnown, patched } from "./heard.ts";

/**
 * The changes that were told while rows were being read. The answer may be older than they are.
 */
export class Meanwhile {
  private reading = 0;
  private changes = new Map<string, Heard[]>(); // by record

  /** Rows are being read, which may be older than a change that is told now. */
  get busy(): boolean {
    return this.reading > 0;
  }

  begin() {
    this.reading++;
  }

  end() {
    if (--this.reading === 0) this.changes.clear();
  }

  take(change: Heard) {
    if (this.reading === 0 || change.kind !== "updated") return;
    const list = this.changes.get(change.record);
    if (list) list.push(change);
    else this.changes.set(change.record, [change]);
  }

  /** A row that was read, with what was told of it meanwhile. */
  over(row: Row, names: FieldNames): Row {
    let now = row;
    for (const change of this.changes.get(row.id) ?? [])
      if (!isKnown(now, change)) now = patched(now, change, names) ?? now;
    return now;
  }
}
