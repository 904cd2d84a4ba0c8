import type { Table } from "../api/type.ts";
import { ConflictDialog } from "./lazyconflict.ts";
import { useConflict } from "./rows.ts";
import type { Writer } from "./writer.ts";

/** Asks about each value that was changed here and elsewhere, one record after another. */
export function Conflicts({ table, writer }: { table: Table; writer: Writer }) {
  const conflict = useConflict(writer);
  return conflict && <ConflictDialog table={table} writer={writer} conflict={conflict} />;
}
