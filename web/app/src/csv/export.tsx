import { useEffect, useRef, useState } from "react";
import { exportRecords } from "../api/read.ts";
import type { Field, Table } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";
import type { RowQuery } from "../record/source.ts";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Progress } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { saveFile } from "./write.ts";

const rowsAtOnce = 5000;

type Props = {
  table: Table;
  /** The name of the file, without its ending. */
  name: string;
  fields: Field[];
  query: RowQuery;
  onClose: () => void;
};

/** Reads all records that a query finds, and hands them over as a file. */
export default function ExportDialog({ table, name, fields, query, onClose }: Props) {
  const text = useText();
  const t = useCsvText();
  const [done, setDone] = useState(0);
  const [total, setTotal] = useState(0);
  const begun = useRef(false);
  const stop = useRef(new AbortController());
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const run = async () => {
      const body = {
        view: query.view,
        search: query.search || undefined,
        filters: query.filters as Record<string, unknown>[] | undefined,
        sorts: query.sorts as Record<string, unknown>[] | undefined,
        asOf: query.asOf,
        fields: fields.filter((field) => kindOf(field.type).csv !== undefined).map((field) => field.id),
        limit: rowsAtOnce,
      };
      const options = { signal: stop.current.signal };
      const parts: string[] = [];
      let guarded = 0;
      let rows = 0;
      for (let cursor: string | undefined; ;) {
        // oxlint-disable-next-line no-await-in-loop -- each part names the next
        const part = await exportRecords({ tableId: table.id, body: { ...body, cursor } }, options);
        // Each part begins with the line of names.
        parts.push(parts.length === 0 ? part.csv : part.csv.slice(part.csv.indexOf("\r\n") + 2));
        guarded += part.guarded ?? 0;
        rows += part.rows;
        setDone(rows);
        setTotal(part.total);
        cursor = part.cursor;
        if (!part.hasMore || !cursor) break;
      }
      saveFile(`${name}.csv`, parts.join(""));
      notify(t.exported, guarded > 0 ? t.defused(guarded) : undefined);
      onClose();
    };
    run().catch((error: unknown) => {
      if (!stop.current.signal.aborted) complain(error);
      onClose();
    });
  }, [fields, name, onClose, query, t, table]);
  const cancel = () => {
    stop.current.abort();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={cancel}
      title={text.base.exportCsv}
      keepOnOutsidePress
      footer={<Button onClick={cancel}>{text.action.cancel}</Button>}
    >
      <Progress value={done} max={total} label={t.exporting(done, total)} />
    </Dialog>
  );
}
