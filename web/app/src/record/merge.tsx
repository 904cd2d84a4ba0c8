import { useEffect, useState } from "react";
import { mergeRecords } from "../api/change.ts";
import type { Row, Table } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { format } from "../field/value.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Row as FormRow, Select } from "../ui/form.tsx";
import { complain } from "../ui/toast.ts";

export type MergeDialogProps = {
  table: Table;
  /** Two records or more, in the order of the grid. */
  rows: Row[];
  onClose: () => void;
  onMerged: () => void;
};

const choice = (ids: string, keep: string) => ({ keep, merge: ids.split(",").filter((id) => id !== keep) });

/** Asks which of several records is kept, and shows what it would hold. */
export function MergeDialog({ table, rows, onClose, onMerged }: MergeDialogProps) {
  const text = useText();
  const t = text.base.merge;
  const { people } = useBase();
  const [keep, setKeep] = useState(rows[0]?.id ?? "");
  const [found, setFound] = useState<{ keep: string; row: Row; links: number; comments: number }>();
  const [busy, setBusy] = useState(false);
  const primary = table.fields.find((field) => field.isPrimary) ?? table.fields[0];
  const ids = rows.map((row) => row.id).join();
  const shown = found?.keep === keep ? found : undefined;
  useEffect(() => {
    let current = true;
    mergeRecords({ tableId: table.id, body: { ...choice(ids, keep), dryRun: true } }).then(
      ({ record, links, comments }) => {
        if (current) setFound({ keep, row: record as Row, links, comments });
      },
      (error: unknown) => {
        if (current) complain(error);
      },
    );
    return () => {
      current = false;
    };
  }, [table.id, ids, keep]);
  const submit = async () => {
    setBusy(true);
    try {
      await mergeRecords({ tableId: table.id, body: choice(ids, keep) });
      onMerged();
      onClose();
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      size="md"
      onClose={onClose}
      title={t.title(rows.length)}
      description={t.body}
      footer={
        <>
          <Button onClick={onClose}>{text.action.cancel}</Button>
          <Button look="primary" busy={busy} disabled={!shown} onClick={() => void submit()}>
            {t.action}
          </Button>
        </>
      }
    >
      <FormRow label={t.keep}>
        {(at) => (
          <Select {...at} value={keep} onChange={(event) => setKeep(event.target.value)}>
            {rows.map((row) => (
              <option key={row.id} value={row.id}>
                {(primary && format(row.fields[primary.name], primary, people)) || t.unnamed}
              </option>
            ))}
          </Select>
        )}
      </FormRow>
      <dl className="mt-4 max-h-96 divide-y divide-line overflow-y-auto rounded-lg border border-line">
        {table.fields
          .filter((field) => shown && field.name in shown.row.fields)
          .map((field) => (
            <div key={field.id} className="px-3 py-2 text-[13px]">
              <dt className="font-[560]">{field.name}</dt>
              <dd className="mt-0.5 break-words text-muted">{format(shown?.row.fields[field.name], field, people)}</dd>
            </div>
          ))}
      </dl>
      {shown && <p className="mt-2 text-[13px] text-muted">{t.moved(shown.links, shown.comments)}</p>}
    </Dialog>
  );
}
