import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { updateRecordsWhere } from "../api/change.ts";
import { key } from "../api/key.ts";
import type { Field, Table } from "../api/type.ts";
import { undoOf } from "../change/undo.ts";
import { useBase } from "../access/base.ts";
import { refreshRows } from "../record/refresh.ts";
import type { RowQuery } from "../record/source.ts";
import { settleAll } from "../record/writers.ts";
import { useText } from "../text/index.ts";
import { useReplaceText } from "../text/replace.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row, Select } from "../ui/form.tsx";
import { Failed } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { bodyOf, isReplaceable, type Replacement } from "./replacement.ts";

export type ReplaceDialogProps = { table: Table; query: RowQuery; field?: Field; onClose: () => void };

const most = 8; // changes that are shown
const pause = 300; // milliseconds without a key, after which the service is asked

const parsed = (body = "{}") => JSON.parse(body) as Partial<ReturnType<typeof bodyOf>>;

/** A value once it has stayed the same for a while. */
function useSettled(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Replaces a text in the values of a field, in all records of a query at once. It shows first what would change. */
export function ReplaceDialog({ table, query, field: first, onClose }: ReplaceDialogProps) {
  const text = useText();
  const t = useReplaceText();
  const { base } = useBase();
  const fields = table.fields.filter(isReplaceable);
  const [fieldId, setFieldId] = useState((fields.find(({ id }) => id === first?.id) ?? fields[0])?.id);
  const [find, setFind] = useState("");
  const [by, setBy] = useState("");
  const [busy, setBusy] = useState(false);
  const field = fields.find(({ id }) => id === fieldId);
  const wanted: Replacement | undefined = field && find !== "" ? { field, find, with: by } : undefined;
  const body = wanted && JSON.stringify(bodyOf(wanted, query));
  const asked = useSettled(body);
  const plan = useQuery({
    queryKey: [...key.records(table.id), "replace", asked],
    queryFn: async () => {
      await settleAll();
      return updateRecordsWhere({ tableId: table.id, body: { ...parsed(asked), plan: true } });
    },
    enabled: asked !== undefined,
    gcTime: 0,
  });
  const known = asked === body && !plan.isFetching ? plan.data : undefined;
  const count = known?.count ?? 0;
  const replace = async () => {
    if (!known?.planToken) return;
    setBusy(true);
    try {
      const done = await updateRecordsWhere({ tableId: table.id, body: { ...parsed(asked), apply: known.planToken } });
      refreshRows(new Set([table.id]));
      const undo = { label: t.undo, run: () => void undoOf(base.id).undo() };
      notify(t.replaced(done.count), undefined, undo);
      onClose();
    } catch (error) {
      complain(error);
      void plan.refetch();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      size="md"
      onClose={onClose}
      title={t.title}
      description={t.hint}
      footer={
        <>
          <Button onClick={onClose}>{text.action.cancel}</Button>
          <Button look="primary" busy={busy} disabled={count === 0 || busy} onClick={() => void replace()}>
            {t.replace(count)}
          </Button>
        </>
      }
    >
      {!field ? (
        <p>{t.none}</p>
      ) : (
        <div className="flex flex-col gap-3">
          <Row label={t.find}>
            {(at) => <Input {...at} value={find} onChange={(event) => setFind(event.target.value)} />}
          </Row>
          <Row label={t.with} hint={t.withHint}>
            {(at) => <Input {...at} value={by} onChange={(event) => setBy(event.target.value)} />}
          </Row>
          <Row label={t.field}>
            {(at) => (
              <Select {...at} value={field.id} onChange={(event) => setFieldId(event.target.value)}>
                {fields.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Row>
          {wanted && (
            <div role="status" className="min-h-32">
              {plan.isError ? (
                <Failed error={plan.error} retry={() => void plan.refetch()} />
              ) : !known ? (
                <p className="text-muted">{t.looking}</p>
              ) : (
                <>
                  <p>{t.count(count)}</p>
                  <ul className="mt-2 flex flex-col gap-1.5">
                    {(known.sample ?? []).slice(0, most).map(({ id, before, after }) => (
                      <li key={id} className="truncate text-[13px]">
                        <del className="text-faint">{String(before[field.name])}</del> →{" "}
                        <ins className="no-underline">{String(after?.[field.name] ?? t.empty)}</ins>
                      </li>
                    ))}
                  </ul>
                  {count > most && <p className="mt-1.5 text-[13px] text-muted">{t.more(count - most)}</p>}
                </>
              )}
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}
