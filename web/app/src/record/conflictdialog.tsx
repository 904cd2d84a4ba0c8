import { useEffect, useState } from "react";
import { useBase } from "../access/base.ts";
import type { Field, Table } from "../api/type.ts";
import { format } from "../field/value.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox } from "../ui/form.tsx";
import type { Conflict } from "./conflict.ts";
import { drawn } from "./drawn.tsx";
import type { Writer } from "./writer.ts";

export type ConflictDialogProps = { table: Table; writer: Writer; conflict: Conflict };

/** Shows the values of others next to a person's own, and asks which of them stay. */
export function ConflictDialog({ table, writer, conflict }: ConflictDialogProps) {
  const text = useText();
  const t = text.base.conflict;
  const { people, names } = useBase();
  const { row, theirs, mine } = conflict;
  const fields = table.fields.filter((field) => field.id in mine);
  useEffect(() => {
    names.want([row], table.fields);
  }, [names, row, table.fields]);
  const [all, setAll] = useState(false);
  const others = writer.conflicts.length - 1;
  const choose = (choice: "mine" | "theirs") =>
    all && others > 0 ? writer.resolveAll(choice) : writer.resolve(conflict, choice);
  const primary = table.fields.find((field) => field.isPrimary);
  const record = (primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled;
  return (
    <Dialog
      open
      explicit
      unasked
      size="md"
      onClose={() => undefined}
      title={t.title(record)}
      description={t.body(fields.length)}
      footer={
        <>
          <Button onClick={() => choose("theirs")}>{t.keepTheirs}</Button>
          <Button look="primary" onClick={() => choose("mine")}>
            {t.useMine}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {fields.map((field) => (
          <section key={field.id} aria-label={field.name}>
            <h3 className="text-[13px] font-[560] text-muted">{field.name}</h3>
            <dl className="mt-2 grid gap-3 sm:grid-cols-2">
              <Side label={t.theirs} field={field} value={theirs[field.id]} />
              <Side label={t.yours} field={field} value={mine[field.id]} />
            </dl>
          </section>
        ))}
        {others > 0 && <Checkbox checked={all} onChange={setAll} label={t.all(others)} />}
      </div>
    </Dialog>
  );
}

function Side({ label, field, value }: { label: string; field: Field; value: unknown }) {
  const { people } = useBase();
  const { empty } = useText().base.conflict;
  return (
    <div className="min-w-0 rounded-lg border border-line px-3 py-2.5">
      <dt className="text-[12.5px] text-faint">{label}</dt>
      <dd className="mt-1 max-h-40 overflow-y-auto text-[14px]">
        {drawn(value, field, people) ?? <span className="text-faint">{empty}</span>}
      </dd>
    </div>
  );
}
