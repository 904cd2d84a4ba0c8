import { useEffect, useState } from "react";
import { mergeRecords } from "../api/change.ts";
import type { Field, Row, Table, Values } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { isEmpty } from "../field/kind.ts";
import { format, isWritable } from "../field/value.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Row as FormRow, Select } from "../ui/form.tsx";
import { complain } from "../ui/toast.ts";
import { sameValue } from "./conflict.ts";

export type MergeDialogProps = {
  table: Table;
  /** Two records or more, in the order of the grid. */
  rows: Row[];
  onClose: () => void;
  onMerged: () => void;
};

/** Reports whether the service gives a field the values of all records, so that there is nothing to choose. */
function joins({ type, config }: Field): boolean {
  if (type === "link") return config?.multiple !== false;
  if (type === "user") return config?.multiple === true;
  return type === "attachment" || type === "multi_select";
}

/** The values of which the kept record can have one, each once; none where the records do not differ. */
function valuesOf(field: Field, rows: readonly Row[]): unknown[] {
  if (!isWritable(field) || joins(field)) return [];
  const found: unknown[] = [];
  for (const row of rows) {
    const value = row.fields[field.name];
    if (!isEmpty(value) && !found.some((other) => sameValue(other, value, field))) found.push(value);
  }
  return found.length > 1 ? found : [];
}

const choice = (ids: string, keep: string, chosen: Values) => ({
  keep,
  merge: ids.split(",").filter((id) => id !== keep),
  ...(Object.keys(chosen).length > 0 && { fields: chosen }),
});

/** Asks which of several records is kept and which values it has where they differ, and shows what it would hold. */
export function MergeDialog({ table, rows, onClose, onMerged }: MergeDialogProps) {
  const text = useText();
  const t = text.base.merge;
  const { people } = useBase();
  const [keep, setKeep] = useState(rows[0]?.id ?? "");
  const [chosen, setChosen] = useState<Values>({});
  const [found, setFound] = useState<{ keep: string; chosen: Values; row: Row; links: number; comments: number }>();
  const [busy, setBusy] = useState(false);
  const primary = table.fields.find((field) => field.isPrimary) ?? table.fields[0];
  const ids = rows.map((row) => row.id).join();
  const settled = found?.keep === keep && found.chosen === chosen;
  useEffect(() => {
    let current = true;
    mergeRecords({ tableId: table.id, body: { ...choice(ids, keep, chosen), dryRun: true } }).then(
      ({ record, links, comments }) => {
        if (current) setFound({ keep, chosen, row: record as Row, links, comments });
      },
      (error: unknown) => {
        if (current) complain(error);
      },
    );
    return () => {
      current = false;
    };
  }, [table.id, ids, keep, chosen]);
  const submit = async () => {
    setBusy(true);
    try {
      await mergeRecords({ tableId: table.id, body: choice(ids, keep, chosen) });
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
          <Button look="primary" busy={busy} disabled={!settled} onClick={() => void submit()}>
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
          .filter((field) => found && field.name in found.row.fields)
          .map((field) => {
            const values = valuesOf(field, rows);
            const value = chosen[field.name] ?? found?.row.fields[field.name];
            return (
              <div key={field.id} className="px-3 py-2 text-[13px]">
                <dt className="font-[560]">{field.name}</dt>
                <dd className="mt-0.5 break-words text-muted">
                  {values.length === 0 ? (
                    format(value, field, people)
                  ) : (
                    <Select
                      aria-label={t.value(field.name)}
                      value={values.findIndex((other) => sameValue(other, value, field))}
                      onChange={(event) =>
                        setChosen({ ...chosen, [field.name]: values[Number(event.target.value)] })
                      }
                    >
                      {values.map((other, i) => (
                        <option key={i} value={i}>
                          {format(other, field, people) || text.field.unchecked}
                        </option>
                      ))}
                    </Select>
                  )}
                </dd>
              </div>
            );
          })}
      </dl>
      {found && <p className="mt-2 text-[13px] text-muted">{t.moved(found.links, found.comments)}</p>}
    </Dialog>
  );
}
