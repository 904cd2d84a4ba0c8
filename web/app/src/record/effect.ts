import type { RecordQuery } from "../api/query.ts";
import { mayMove } from "./received.ts";
import type { Applied } from "./records.ts";
import type { Writer } from "./writer.ts";

/** The effect of changes of records on the rows of a query. */
export type Effect = {
  /** Listed records that do not exist any more. */
  gone: Set<string>;
  /** Records that exist and are not listed yet. */
  created: string[];
  /** A listed record shows other values. */
  drawn: boolean;
  /** The rows have to be read. */
  old: boolean;
  /** An edit of this page may have moved a record, or filtered it out. */
  moved: boolean;
};

type Rows = { query: Omit<RecordQuery, "offset">; writer: Writer; indexOf: (id: string) => number };

/** Computes the effect of changes on rows. Incomplete changes require a read. */
export function effectOf(changes: readonly Applied[], { query, writer, indexOf }: Rows): Effect {
  const effect: Effect = { gone: new Set(), created: [], drawn: false, old: false, moved: false };
  for (const change of changes) {
    const listed = indexOf(change.record) >= 0;
    const known = listed && change.known;
    const own = known || change.own || writer.isPending(change.record);
    if (change.kind === "updated") {
      effect.drawn ||= listed && change.drawn;
      effect.old ||= listed && change.unread;
      if (!mayMove(query, change, writer.names)) continue;
      effect.moved ||= own;
      effect.old ||= !own;
    } else if (change.kind === "created") {
      if (!listed) effect.created.push(change.record);
      effect.moved ||= own && mayMove(query, change, writer.names);
      effect.old ||= !own;
    } else if (change.kind === "deleted") {
      if (listed) effect.gone.add(change.record);
      else if (!own) effect.old = true;
    } else effect.old ||= !known;
  }
  return effect;
}
