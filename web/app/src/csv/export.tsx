import { useEffect, useRef, useState } from "react";
import { readPage } from "../api/query.ts";
import type { Table, View } from "../api/type.ts";
import { useOpened } from "../base/context.ts";
import type { ViewState } from "../base/state.ts";
import { ready } from "../filter/op.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Progress } from "../ui/state.tsx";
import { complain, tell } from "../ui/toast.ts";
import { recordLines, saveFile, writeRows } from "./write.ts";

const t = text.base.csv;

type Props = { table: Table; view: View; state: ViewState; search: string; onClose: () => void };

/** Reads all records of the view as it is shown, and hands them over as a file. */
export default function ExportDialog({ table, view, state, search, onClose }: Props) {
  const { people } = useOpened();
  const [done, setDone] = useState(0);
  const [total, setTotal] = useState(0);
  const begun = useRef(false);
  const stop = useRef(new AbortController());
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const run = async () => {
      const fields = state.visible.filter((field) => field.type !== "button");
      const lines: (string | number)[][] = [fields.map((field) => field.name)];
      const filters = ready(state.filters, table.fields);
      for (let offset = 0; ; ) {
        const page = await readPage(
          table.id,
          { filters: filters.length > 0 ? filters : undefined, sorts: state.sorts.length > 0 ? state.sorts : undefined, search: search.trim() || undefined, offset, limit: 100 },
          stop.current.signal,
        );
        lines.push(...recordLines(page.records, fields, people));
        offset += page.records.length;
        setDone(offset);
        setTotal(page.total);
        if (!page.hasMore || page.records.length === 0) break;
      }
      const { content, defused } = writeRows(lines);
      saveFile(`${table.name} - ${view.name}.csv`, content);
      tell(t.exported, defused > 0 ? t.defused(defused) : undefined);
      onClose();
    };
    run().catch((error: unknown) => {
      if (!stop.current.signal.aborted) complain(error);
      onClose();
    });
  }, [onClose, people, search, state, table, view]);
  const cancel = () => {
    stop.current.abort();
    onClose();
  };
  return (
    <Dialog open onClose={cancel} title={text.base.exportCsv} keepOnOutsidePress footer={<Button onClick={cancel}>{text.action.cancel}</Button>}>
      <Progress value={done} max={total} label={t.exporting(done, total)} />
    </Dialog>
  );
}
