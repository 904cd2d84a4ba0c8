import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { ArrowRight, RotateCcw } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { tableOf, useBase, useRights } from "../access/base.ts";
import { restoreRecordVersion } from "../api/change.ts";
import type { Field, RecordChange, Row, Table } from "../api/type.ts";
import { historyQuery, recordQuery } from "../api/query.ts";
import { linkedTable } from "../field/linked.ts";
import { listOf } from "../field/list.ts";
import { format } from "../field/value.ts";
import { ago, moment } from "../locale/time.ts";
import { useLocale } from "../locale/locale.ts";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { LoadMore } from "../ui/pages.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { meansOf, nameOf } from "./author.ts";
import { drawn } from "./drawn.tsx";
import { refreshRows } from "./refresh.ts";
import type { Writer } from "./writer.ts";
import { settleAll } from "./writers.ts";

type Props = { table: Table; row: Row; writer: Writer };

/** Who changed what in a record, newest first, with a button to restore each version. */
export function HistoryTab({ table, row, writer }: Props) {
  const t = useChangeText().record;
  const rights = useRights(table);
  const history = useInfiniteQuery(historyQuery(row.id));
  const changes = useMemo(() => history.data?.pages.flatMap((page) => page.entries) ?? [], [history.data]);
  const { refetch } = history;
  const [busy, setBusy] = useState<number>(); // the version that is being restored
  useEffect(
    () => writer.on({ saved: (rows) => void (rows.some(({ id }) => id === row.id) && refetch()) }),
    [refetch, row.id, writer],
  );
  useFormerLinks(table, changes);
  if (history.isPending) return <Waiting />;
  if (history.isError) return <Failed error={history.error} retry={() => void refetch()} />;
  if (changes.length === 0) return <Empty title={t.none} />;

  const restore = async (version: number) => {
    setBusy(version);
    try {
      await settleAll();
      const { changes: done, notes, restored } = await restoreRecordVersion({ recordId: row.id, body: { version } });
      if (done.length > 0 || restored) notify(t.restored, notes?.join(" "));
      else notify(t.same, notes?.join(" "));
      refreshRows();
    } catch (error) {
      complain(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <>
      <ol aria-label={t.history} className="flex flex-col gap-6">
        {changes.map((change, index) => (
          <Change
            key={change.version}
            change={change}
            table={table}
            current={index === 0}
            busy={busy === change.version}
            onRestore={
              rights.edit && index > 0 && change.kind !== "deleted" ? () => void restore(change.version) : undefined
            }
          />
        ))}
      </ol>
      <LoadMore list={history} />
      {!history.hasNextPage && !history.data.pages.at(-1)?.complete && (
        <p className="mt-6 text-[13px] text-faint">{t.older}</p>
      )}
    </>
  );
}

const maxNamed = 50; // records whose names are read one by one

/** Reads the names of formerly linked records that are not linked now. */
function useFormerLinks(table: Table, changes: readonly RecordChange[]) {
  const { base, names, people } = useBase();
  const unknown = new Map<string, Table>();
  for (const { field: of, from, to } of changes.flatMap((change) => change.changes)) {
    const field = table.fields.find(({ id }) => id === of.id);
    const linked = field && tableOf(base, linkedTable(field));
    for (const id of linked ? [...listOf(from), ...listOf(to)] : [])
      if (linked && people.nameOf?.(id) === undefined && unknown.size < maxNamed) unknown.set(id, linked);
  }
  const read = useQueries({
    queries: [...unknown.keys()].map((id) => ({ ...recordQuery(id), retry: false })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  useEffect(() => {
    for (const row of read) {
      const primary = unknown.get(row.id)?.fields.find((field) => field.isPrimary);
      if (primary) names.learn([{ id: row.id, name: format(row.fields[primary.name], primary, people) }]);
    }
  });
}

type ChangeProps = {
  change: RecordChange;
  table: Table;
  current: boolean;
  busy: boolean;
  onRestore?: () => void;
};

function Change({ change, table, current, busy, onRestore }: ChangeProps) {
  const text = useText();
  const texts = useChangeText();
  const t = texts.record;
  const locale = useLocale();
  const name = nameOf(change.person, text);
  const means = meansOf(change.credential, texts);
  const parts = change.changes.flatMap(({ field: { id }, from, to }) => {
    const field = table.fields.find((one) => one.id === id);
    return field ? [{ field, from, to }] : [];
  });
  const isMove = change.changes.length > 0 && change.changes.every(({ field: { id } }) => table.orders?.includes(id));
  const action = isMove && change.kind === "updated" ? t.moved : t.actions[change.kind];
  return (
    <li>
      <div className="flex items-start gap-3">
        <Avatar name={name} id={change.person?.id ?? name} size={26} />
        <div className="min-w-0 flex-1">
          <p>
            <span className="font-[560]">{name}</span> <span className="text-muted">{action}</span>
          </p>
          <p className="text-[13px] text-muted">
            <time dateTime={change.time} title={moment(change.time, locale)}>
              {ago(change.time, locale)}
            </time>
            {means && ` · ${means}`}
            {current && ` · ${t.current}`}
          </p>
        </div>
        {onRestore && (
          <Button
            size="sm"
            look="quiet"
            busy={busy}
            icon={<RotateCcw size={14} aria-hidden />}
            onClick={onRestore}
          >
            {t.restore}
          </Button>
        )}
      </div>
      {parts.length > 0 && change.kind !== "deleted" && (
        <ul className="mt-3 ml-[38px] flex flex-col gap-3">
          {parts.map(({ field, from, to }) => (
            <li key={field.id}>
              <h4 className="text-[13px] font-[560] text-muted">{field.name}</h4>
              <div className="mt-1 grid grid-cols-[1fr_auto_1fr] items-start gap-2 text-[14px]">
                <Side label={t.from} field={field} value={from} />
                <ArrowRight size={15} className="mt-1.5 text-faint" aria-hidden />
                <Side label={t.to} field={field} value={to} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Side({ label, field, value }: { label: string; field: Field; value: unknown }) {
  const { people } = useBase();
  const t = useChangeText().record;
  return (
    <div className="max-h-40 min-w-0 overflow-y-auto rounded-md border border-line px-2 py-1">
      <span className="sr-only">{label}: </span>
      {drawn(value, field, people) ?? <span className="text-faint">{t.empty}</span>}
    </div>
  );
}
