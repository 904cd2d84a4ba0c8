import { Dialog as Base } from "@base-ui/react/dialog";
import { Tabs } from "@base-ui/react/tabs";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link2, Trash2, X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearch } from "../route/router.ts";
import { cache } from "../api/cache.ts";
import { Problem } from "../api/problem.ts";
import { commentsQuery, recordQuery } from "../api/query.ts";
import type { Field, Row, Table } from "../api/type.ts";
import { useBase, useRights } from "../access/base.ts";
import { CommentTab } from "../comment/commenttab.tsx";
import { useCommentPoll } from "../comment/poll.ts";
import { factsOf } from "../field/facts.ts";
import { format } from "../field/value.ts";
import { Conflicts } from "./conflicts.tsx";
import { useStatus, useWriter } from "./rows.ts";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { copyAndNotify } from "../ui/copy.ts";
import { Confirm } from "../ui/confirm.tsx";
import { leave, useTakenOnLeave } from "../ui/leave.ts";
import { Failed, Waiting } from "../ui/state.tsx";
import { notify } from "../ui/toast.ts";
import { RecordForm } from "./form.tsx";
import { HistoryTab } from "./historytab.tsx";
import { causeOf } from "./waiting.ts";
import type { Writer } from "./writer.ts";
import { isKept } from "./writers.ts";
import { join } from "../ui/class.ts";

export type RecordPanelProps = {
  table: Table;
  /** The fields that are shown first, and all fields in their order. */
  visible: Field[];
  ordered: Field[];
  recordId: string;
  /** The moment as of which the record is shown; now unless given. */
  asOf?: string;
  onClose: () => void;
};

/** The field that shows when a record was created, so that no other time stands next to its own. */
const createdField = ({ fields }: Table): Field =>
  fields.find((field) => field.type === "created_time") ?? {
    id: "",
    name: "",
    type: "created_time",
    isPrimary: false,
    order: 0,
    config: { dateFormat: "friendly" },
  };

const tab = join(
  "-mb-px h-9 border-b-2 border-transparent px-3 text-muted hover:text-ink",
  "data-[active]:border-accent data-[active]:text-ink",
);

const panel = "min-h-0 flex-1 overflow-y-auto px-6 py-5 outline-offset-[-2px]";

/**
 * Whether a record is one of the table, as far as the names of its fields show. Names that the page
 * does not know may be new, so the fields are read again before a record is taken for another
 * table's.
 */
function useOwnTable(table: Table, record: Row | undefined, writer: Writer) {
  const lacks = ({ name, type }: Field) => factsOf(type).holdsValues && record?.fields[name] === undefined;
  const strange = record !== undefined && table.fields.some(lacks);
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (strange && !asked) void writer.learn().finally(() => setAsked(true));
  }, [asked, strange, writer]);
  return { missing: strange && asked, read: !strange };
}

/** One record, to read and to edit, next to the view that it was opened from. */
export function RecordPanel({ table, visible, ordered, recordId, asOf, onClose }: RecordPanelProps) {
  const text = useText();
  const changeText = useChangeText().record;
  const t = text.base.record;
  const { people, names } = useBase();
  const rights = useRights(table);
  const record = useQuery(recordQuery(recordId, asOf));
  const writer = useWriter(table);
  const status = useStatus(writer);
  const popup = useRef<HTMLDivElement>(null);
  const [deleting, setDeleting] = useState(false);
  const [all, setAll] = useState(false);
  const { comment: commentId } = useSearch();
  const [tabShown, showTab] = useState(commentId ? "comments" : "fields");
  const [commentSeen, setCommentSeen] = useState(commentId);
  if (commentSeen !== commentId) {
    setCommentSeen(commentId);
    if (commentId) showTab("comments");
  }
  const comments = useInfiniteQuery({ ...commentsQuery(recordId), enabled: asOf === undefined });
  useCommentPoll(recordId, asOf === undefined);
  const written = comments.data?.pages.flatMap((page) => page.comments).filter(({ deletedAt }) => !deletedAt);

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

  const { missing, read } = useOwnTable(table, asOf === undefined ? record.data : undefined, writer);
  const found = read ? record.data : undefined;
  // The status changes with every edit, which is when the overlay does.
  const row = useMemo(
    () => (asOf === undefined ? found && writer.overlay(found) : found),
    // oxlint-disable-next-line react/exhaustive-deps
    [asOf, found, status, writer],
  );
  useEffect(() => {
    if (row) names.want([row], table.fields);
  }, [names, row, table.fields]);
  const primary = table.fields.find((field) => field.isPrimary);
  const title = (row && primary && format(row.fields[primary.name], primary, people)) || t.untitled;
  const shown = all ? ordered : visible;
  const hidden = ordered.length - shown.length;

  // What is being typed answers to the record as it was when the typing began, whatever others write meanwhile.
  const began = useRef<Row>(undefined);
  const edit = (shown: Row, field: Field, value: unknown) => {
    const seen = began.current?.id === shown.id ? began.current : shown;
    began.current = undefined;
    const before = { [field.id]: seen.fields[field.name] ?? null };
    writer.edit([{ id: seen.id, version: seen.version, before, after: { [field.id]: value } }]);
  };
  useTakenOnLeave(useCallback(() => popup.current, []));

  return (
    <Base.Root
      open
      onOpenChange={(open) => {
        if (open) return;
        leave(popup.current);
        onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Base.Popup
          ref={popup}
          initialFocus={popup}
          className={join(
            "fixed inset-y-0 right-0 z-50 flex w-[min(560px,100vw)] flex-col",
            "border-l border-line bg-surface shadow-high outline-none",
          )}
        >
          <header className="flex items-center gap-1 border-b border-line py-3 pr-3 pl-6">
            <Base.Title className="min-w-0 flex-1 truncate text-[18px]">{row ? title : t.label}</Base.Title>
            <IconButton
              label={t.copyLink}
              onClick={() => void copyAndNotify(location.href, t.linkCopied)}
            >
              <Link2 size={17} aria-hidden />
            </IconButton>
            {rights.delete && !missing && (
              <IconButton label={t.delete} onClick={() => setDeleting(true)}>
                <Trash2 size={17} aria-hidden />
              </IconButton>
            )}
            <Base.Close render={<IconButton label={text.action.close} />}>
              <X size={18} aria-hidden />
            </Base.Close>
          </header>
          {(record.isPending || !(read || missing)) && <Waiting />}
          {record.isError && !row && <Failed error={record.error} retry={() => void record.refetch()} />}
          {missing && <Failed error={new Problem(404, "not_found", t.notHereTitle, t.notHere(table.name))} />}
          {row && (
            <Tabs.Root value={tabShown} onValueChange={showTab} className="flex min-h-0 flex-1 flex-col">
              <Tabs.List aria-label={t.label} className="flex shrink-0 gap-1 border-b border-line px-4">
                <Tabs.Tab value="fields" className={tab}>
                  {changeText.fields}
                </Tabs.Tab>
                {asOf === undefined && (
                  <Tabs.Tab value="comments" className={tab}>
                    {text.inbox.tab(written?.length ?? 0)}
                  </Tabs.Tab>
                )}
                <Tabs.Tab value="history" className={tab}>
                  {changeText.history}
                </Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel
                value="fields"
                keepMounted
                className={panel}
                onFocusCapture={() => (began.current = undefined)}
                onInputCapture={() => (began.current ??= row)}
              >
                <RecordForm
                  fields={shown}
                  values={row.fields}
                  disabled={!rights.edit}
                  onEdit={(field, value) => edit(row, field, value)}
                />
                {hidden > 0 && (
                  <Button look="quiet" className="mt-5" onClick={() => setAll(true)}>
                    {t.showHidden(hidden)}
                  </Button>
                )}
              </Tabs.Panel>
              {asOf === undefined && (
                <Tabs.Panel value="comments" className={panel}>
                  <CommentTab recordId={recordId} commentId={commentId} />
                </Tabs.Panel>
              )}
              <Tabs.Panel value="history" className={panel}>
                <HistoryTab table={table} row={row} writer={writer} />
              </Tabs.Panel>
            </Tabs.Root>
          )}
          <footer
            className={join(
              "flex h-10 shrink-0 items-center justify-between border-t",
              "border-line px-6 text-[13px] text-faint",
            )}
          >
            <span>
              {row?.createdTime && t.created(format(row.createdTime, createdField(table), people))}
            </span>
            <span role="status">
              {status.state === "saving"
                ? text.base.saving(status.count)
                : status.state === "waiting"
                  ? text.base.waiting(status.count, causeOf(writer.problem), isKept())
                  : ""}
            </span>
          </footer>
        </Base.Popup>
      </Base.Portal>
      <Conflicts table={table} writer={writer} />
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={text.base.deleteRecordsTitle(1)}
        body={text.base.deleteRecordsBody}
        action={t.delete}
        onConfirm={async () => {
          const versions = new Map([[recordId, record.data?.version]]);
          const restore = { label: text.base.restore, run: () => void writer.restore([recordId]) };
          void writer.remove([recordId], undefined, undefined, versions).then((done) => {
            if (done > 0) notify(text.base.deletedRecords(1), undefined, restore);
            return done;
          });
          onClose();
        }}
      />
    </Base.Root>
  );
}
