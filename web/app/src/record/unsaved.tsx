import { useRef, useState } from "react";
import { Link } from "../route/link.tsx";
import { tableOf, useBase } from "../access/base.ts";
import { cache } from "../api/cache.ts";
import { baseQuery } from "../api/query.ts";
import type { Base, Field } from "../api/type.ts";
import { isEmpty } from "../field/kind.ts";
import type { Context } from "../field/context.ts";
import { format } from "../field/value.ts";
import { useUnsavedText } from "../text/unsaved.ts";
import { Button } from "../ui/button.tsx";
import { useCopy } from "../ui/copy.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { Command, Refused } from "./command.ts";
import type { Conflict } from "./conflict.ts";
import { useUnsaved } from "./rows.ts";
import type { Writer } from "./writer.ts";
import { allWriters, isKept } from "./writers.ts";

export type UnsavedDialogProps = { onClose: () => void };

const maxShown = 100;

/** A command, for a person who reads it. */
type Entry = { writer: Writer; command: Command; refused?: Refused; table: string; record: string; lines: Line[] };
type Line = { field: string; value: string };

const baseOf = (writer: Writer): Base | undefined =>
  writer.place && cache.getQueryData(baseQuery(writer.place.baseId).queryKey);

function entryOf(writer: Writer, command: Command, refused: Refused | undefined, context: Context): Entry {
  const base = baseOf(writer);
  const table = base && tableOf(base, writer.tableId);
  const fields = new Map(table?.fields.map((field): [string, Field] => [field.id, field]));
  const primary = table?.fields.find((field) => field.isPrimary);
  const row = writer.records.get(command.id);
  const shown = (field: Field | undefined, value: unknown) => {
    if (isEmpty(value)) return "";
    return field ? format(value, field, context) : typeof value === "string" ? value : JSON.stringify(value);
  };
  const name =
    primary && (row?.fields[primary.name] ?? command.after[primary.id] ?? command.seen?.[primary.id]);
  return {
    writer,
    command,
    refused,
    table: table?.name ?? "",
    record: primary ? shown(primary, name) : "",
    lines: Object.entries(command.after).map(([id, value]) => ({
      field: fields.get(id)?.name ?? id,
      value: shown(fields.get(id), value),
    })),
  };
}

/** What a person wanted to write, as a command. */
const commandOf = ({ row, mine, command }: Conflict): Command =>
  command ?? { kind: "edit", id: row.id, after: mine, seq: 0, at: 0 };

const textOf = (entries: readonly Entry[]) =>
  entries.flatMap(({ record, lines }) => lines.map(({ field, value }) => `${record}\t${field}\t${value}`)).join("\n");

/**
 * Lists what the service does not have: what it refused, why, and what can be done about it; and what
 * waits for the connection.
 */
export function UnsavedDialog({ onClose }: UnsavedDialogProps) {
  const t = useUnsavedText();
  const { people } = useBase();
  const unsaved = useUnsaved();
  const { copied, copy } = useCopy();
  const [discarding, setDiscarding] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const writers = allWriters();
  const refused = writers.flatMap((writer) => writer.refused.map((one) => ({ writer, one })));
  const toEntry = ({ writer, one }: { writer: Writer; one: Refused }) => entryOf(writer, one.command, one, people);
  const waiting = writers.flatMap((writer) =>
    writer.pending().slice(0, maxShown).map((command) => entryOf(writer, command, undefined, people)),
  );
  const conflicts = writers.flatMap((writer) =>
    writer.conflicts.slice(0, maxShown).map((one) => entryOf(writer, commandOf(one), undefined, people)),
  );
  const each = (act: (writer: Writer) => void) => {
    for (const writer of writers) if (writer.refused.length > 0) act(writer);
    list.current?.focus(); // the buttons go with the entries
  };
  return (
    <Dialog
      open
      size="md"
      onClose={onClose}
      title={t.title}
      footer={
        refused.length > 1 && (
          <>
            <Button onClick={() => setDiscarding(true)}>{t.discardAll}</Button>
            <Button onClick={() => void copy(textOf(refused.map(toEntry)))}>{copied ? t.copied : t.copyAll}</Button>
            <Button look="primary" onClick={() => each((writer) => writer.retry(writer.refused))}>
              {t.retryAll}
            </Button>
          </>
        )
      }
    >
      {refused.length + waiting.length + conflicts.length === 0 && <p className="text-muted">{t.none}</p>}
      <div ref={list} tabIndex={-1} className="flex flex-col gap-6 outline-none">
        {conflicts.length > 0 && (
          <section aria-label={t.conflicts}>
            <h3 className="text-[13px] font-[560] text-muted">{t.conflicts}</h3>
            <ul className="mt-2 divide-y divide-line rounded-lg border border-line">
              {conflicts.slice(0, maxShown).map((entry) => (
                <li key={entry.command.seq} className="px-3 py-2">
                  <Heading entry={entry} />
                  {entry.writer.place && (
                    <Link
                      to="/base/$baseId/$tableId"
                      params={entry.writer.place}
                      className="mt-1 inline-block text-[13px] text-accent-ink underline"
                      onClick={onClose}
                    >
                      {t.choose(entry.table)}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
            <More count={unsaved.conflicts} />
          </section>
        )}
        {refused.length > 0 && (
          <section aria-label={t.refused}>
            <h3 className="text-[13px] font-[560] text-muted">{t.refused}</h3>
            <ul className="mt-2 flex flex-col gap-2.5">
              {refused
                .slice(0, maxShown)
                .map(toEntry)
                .map((entry) => (
                  <RefusedEntry key={entry.command.seq} entry={entry} onDone={() => list.current?.focus()} />
                ))}
            </ul>
            <More count={refused.length} />
          </section>
        )}
        {waiting.length > 0 && (
          <section aria-label={t.waiting}>
            <h3 className="text-[13px] font-[560] text-muted">{t.waiting}</h3>
            <p className="mt-1 text-[13px] text-faint">{isKept() ? t.kept : t.notKept}</p>
            <ul className="mt-2 divide-y divide-line rounded-lg border border-line">
              {waiting.slice(0, maxShown).map((entry) => (
                <li key={entry.command.seq} className="px-3 py-2">
                  <Heading entry={entry} />
                </li>
              ))}
            </ul>
            <More count={unsaved.count} />
          </section>
        )}
      </div>
      <Confirm
        open={discarding}
        onClose={() => setDiscarding(false)}
        title={t.discardAllTitle(refused.length)}
        body={t.discardAllBody}
        action={t.discardAll}
        onConfirm={async () => {
          each((writer) => writer.discardRefused(writer.refused));
          setDiscarding(false);
        }}
      />
    </Dialog>
  );
}

/** Says how many of a list are not shown. */
function More({ count }: { count: number }) {
  const t = useUnsavedText();
  return count > maxShown && <p className="mt-2 text-[13px] text-muted">{t.more(count - maxShown)}</p>;
}

function RefusedEntry({ entry, onDone }: { entry: Entry; onDone: () => void }) {
  const t = useUnsavedText();
  const { copied, copy } = useCopy();
  const { writer, refused, lines } = entry;
  if (!refused) return null;
  const end = (act: (list: readonly Refused[]) => void) => {
    act([refused]);
    onDone();
  };
  return (
    <li className="rounded-lg border border-line px-3 py-2.5">
      <Heading entry={entry} />
      <p className="mt-1 text-[13px] break-words text-danger">{refused.reason.message || refused.reason.title}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => end((one) => writer.retry(one))}>
          {t.retry}
        </Button>
        {lines.length > 0 && (
          <Button size="sm" onClick={() => void copy(lines.map(({ value }) => value).join("\t"))}>
            {copied ? t.copied : t.copy}
          </Button>
        )}
        <Button size="sm" onClick={() => end((one) => writer.discardRefused(one))}>
          {t.discard}
        </Button>
      </div>
    </li>
  );
}

function Heading({ entry: { command, table, record, lines } }: { entry: Entry }) {
  const t = useUnsavedText();
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 text-[14px]">
        <span className="font-[560] break-words">
          {record || (command.kind === "create" ? t.kind.create : t.untitled)}
        </span>
        <span className="text-[12.5px] text-faint">{[table, t.kind[command.kind]].filter(Boolean).join(" · ")}</span>
      </p>
      {lines.map(({ field, value }) => (
        <p key={field} className="mt-0.5 line-clamp-3 text-[13.5px] break-words text-muted">
          {t.field(field, value || t.empty)}
        </p>
      ))}
    </>
  );
}
