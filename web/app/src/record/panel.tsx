import { Dialog as Base } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { Link2, Trash2, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { remove } from "../api/client.ts";
import { cache, recordQuery } from "../api/query.ts";
import type { Field, Row, Table } from "../api/type.ts";
import { useOpened } from "../base/context.ts";
import type { ViewState } from "../base/state.ts";
import { formatMoment } from "../field/date.ts";
import { format } from "../field/value.ts";
import { useStatus, useWriter } from "../grid/use.ts";
import { text } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/dialog.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, tell } from "../ui/toast.ts";
import { RecordForm } from "./form.tsx";

const t = text.base.record;

type Props = { table: Table; state?: ViewState; recordId: string; onClose: () => void };

/** One record, to read and to edit, beside the view that it was opened from. */
export function RecordPanel({ table, state, recordId, onClose }: Props) {
  const { canWrite, people, names } = useOpened();
  const record = useQuery(recordQuery(recordId));
  const writer = useWriter(table);
  const status = useStatus(writer);
  const popup = useRef<HTMLDivElement>(null);
  const [deleting, setDeleting] = useState(false);
  const [all, setAll] = useState(false);

  useEffect(
    () =>
      writer.on({
        saved: (rows) => {
          const row = rows.find((one) => one.id === recordId);
          if (row) cache.setQueryData(recordQuery(recordId).queryKey, row);
        },
      }),
    [recordId, writer],
  );

  // The status changes with every edit, which is when the overlay does.
  // oxlint-disable-next-line react/exhaustive-deps
  const row = useMemo(() => record.data && writer.overlay(record.data), [record.data, status, writer]);
  useEffect(() => {
    if (row) names.want([row], table.fields);
  }, [names, row, table.fields]);
  const primary = table.fields.find((field) => field.isPrimary);
  const title = (row && primary && format(row.fields[primary.name], primary, people)) || t.untitled;
  const ordered = state?.ordered ?? table.fields;
  const visible = state && !all ? state.visible : ordered;
  const hidden = ordered.length - visible.length;

  const edit = (shown: Row, field: Field, value: unknown) =>
    writer.edit([{ id: shown.id, before: { [field.id]: shown.fields[field.name] ?? null }, after: { [field.id]: value } }]);

  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Base.Popup ref={popup} initialFocus={popup} className="fixed inset-y-0 right-0 z-50 flex w-[min(560px,100vw)] flex-col border-l border-line bg-surface shadow-high outline-none">
          <header className="flex items-center gap-1 border-b border-line py-3 pr-3 pl-6">
            <Base.Title className="min-w-0 flex-1 truncate text-[18px]">{row ? title : t.label}</Base.Title>
            <IconButton
              label={t.copyLink}
              onClick={() => {
                void navigator.clipboard.writeText(location.href).then(() => tell(t.linkCopied));
              }}
            >
              <Link2 size={17} aria-hidden />
            </IconButton>
            {canWrite && (
              <IconButton label={t.delete} onClick={() => setDeleting(true)}>
                <Trash2 size={17} aria-hidden />
              </IconButton>
            )}
            <Base.Close render={<IconButton label={text.action.close} />}>
              <X size={18} aria-hidden />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-6 py-5">
            {record.isPending && <Waiting />}
            {record.isError && !row && <Failed error={record.error} retry={() => void record.refetch()} />}
            {row && <RecordForm fields={visible} values={row.fields} disabled={!canWrite} onEdit={(field, value) => edit(row, field, value)} />}
            {row && state && hidden > 0 && (
              <Button look="quiet" className="mt-5" onClick={() => setAll(true)}>
                {t.showHidden(hidden)}
              </Button>
            )}
          </div>
          <footer className="flex h-10 shrink-0 items-center justify-between border-t border-line px-6 text-[13px] text-faint">
            <span>{row?.createdTime && t.created(formatMoment(row.createdTime, "friendly", "24h", Intl.DateTimeFormat().resolvedOptions().timeZone))}</span>
            <span role="status">{status.state === "saving" ? text.base.saving(status.count) : status.state === "waiting" ? text.base.waiting(status.count) : ""}</span>
          </footer>
        </Base.Popup>
      </Base.Portal>
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={text.base.deleteRecordsTitle(1)}
        body={text.base.deleteRecordsBody}
        action={t.delete}
        onConfirm={async () => {
          try {
            await remove(`/records/${recordId}`);
          } catch (error) {
            complain(error);
            throw error;
          }
          writer.forget(new Set([recordId]));
          tell(text.base.deletedRecords(1));
          window.dispatchEvent(new CustomEvent("rowhouse:deleted", { detail: recordId }));
          onClose();
        }}
      />
    </Base.Root>
  );
}
