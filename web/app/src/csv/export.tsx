import { useEffect, useRef, useState } from "react";
import { readPage } from "../api/query.ts";
import type { Field, Table } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { kindOf } from "../field/kind/index.ts";
import type { RowQuery } from "../record/source.ts";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Progress } from "../ui/state.tsx";
import { complain, tell } from "../ui/toast.ts";
import { recordLines, saveFile, writeRows } from "./write.ts";

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
  const { people } = useBase();
  const [done, setDone] = useState(0);
  const [total, setTotal] = useState(0);
  const begun = useRef(false);
  const stop = useRef(new AbortController());
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const run = async () => {
      const columns = fields.filter((field) => kindOf(field.type).csv !== undefined);
      const lines: (string | number)[][] = [columns.map((field) => field.name)];
      for (let offset = 0; ;) {
        const page = await readPage(table.id, { ...query, offset, limit: 100 }, stop.current.signal);
        lines.push(...recordLines(page.records, columns, people));
        offset += page.records.length;
        setDone(offset);
        setTotal(page.total);
        if (!page.hasMore || page.records.length === 0) break;
      }
      const { content, defused } = writeRows(lines);
      saveFile(`${name}.csv`, content);
      tell(t.exported, defused > 0 ? t.defused(defused) : undefined);
      onClose();
    };
    run().catch((error: unknown) => {
      if (!stop.current.signal.aborted) complain(error);
      onClose();
    });
  }, [fields, name, onClose, people, query, t, table]);
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
