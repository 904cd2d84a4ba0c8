import type { RecordQuery } from "../api/query.ts";
import type { RowPage } from "../api/type.ts";
import type { FieldNames } from "./fieldname.ts";
import { Pace } from "./pace.ts";
import { mayMove, type Received } from "./received.ts";

/**
 * The colours that the rules of a query's view give to records. The service decides them where it reads a page. After a
 * change of what the rules compare, the pages in view are read again for their colours alone: records stay where they
 * are.
 */
export class RowColors {
  private known = new Map<string, string>();
  private turn = 0; // raised when what is being read may be old
  private pace = new Pace(() => void this.readAgain());

  constructor(
    private query: RecordQuery,
    private names: FieldNames,
    private readInView: () => Promise<RowPage[]>,
    private changed: () => void,
  ) {}

  /** The colour of a record, which has none while it is not known. */
  of(id: string): string | undefined {
    return this.known.get(id);
  }

  /** Reads a page. A change that arrives meanwhile may be later than what the page says. */
  async during(read: () => Promise<RowPage>): Promise<RowPage> {
    const { turn } = this;
    const page = await read();
    if (turn !== this.turn) this.pace.ask();
    return page;
  }

  /** Takes the colours of a page, in the order of its records. */
  take({ records, colors }: Pick<RowPage, "records" | "colors">) {
    colors?.forEach((color, index) => {
      const id = records[index]?.id;
      if (id === undefined) return;
      if (color === null) this.known.delete(id);
      else this.known.set(id, color);
    });
  }

  /** Takes changes of records, and reads the colours again that they may change. */
  receive(changes: readonly Received[]) {
    const { colorsOf } = this.query;
    if (!colorsOf) return;
    const filters = colorsOf.rules.flatMap((rule) => rule.filters);
    const touches = (change: Received) => change.kind !== "updated" || mayMove({ filters }, change, this.names);
    if (!changes.some(touches)) return;
    this.turn++;
    this.pace.ask();
  }

  /** Lets go of records that are not listed any more. */
  forget(ids: Iterable<string | undefined>) {
    for (const id of ids) if (id !== undefined) this.known.delete(id);
  }

  stop() {
    this.pace.stop();
  }

  private async readAgain() {
    try {
      for (const page of await this.readInView()) this.take(page);
      this.changed();
    } catch {
      // They stay as they are until the rows are read again.
    }
  }
}
