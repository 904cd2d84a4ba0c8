import type { Table } from "../api/type.ts";
import { useTyping } from "../ui/typing.ts";
import { ConflictDialog } from "./lazyconflict.ts";
import { useConflict } from "./rows.ts";
import type { Writer } from "./writer.ts";

/**
 * Asks about each value that was changed both here and elsewhere, one record after another. It
 * waits until the person pauses typing, because a dialog would swallow the next letters.
 */
export function Conflicts({ table, writer }: { table: Table; writer: Writer }) {
  const conflict = useConflict(writer);
  const typing = useTyping(conflict !== undefined);
  return conflict && !typing && <ConflictDialog table={table} writer={writer} conflict={conflict} />;
}
