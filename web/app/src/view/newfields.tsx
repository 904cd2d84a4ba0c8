import { useState } from "react";
import { createField } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import type { FieldType, Table } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { fieldTypes } from "../field/facts.ts";
import { kindOf } from "../field/kind/index.ts";
import { typeName } from "../field/value.ts";
import { propose, type Proposal } from "../grid/propose.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Select } from "../ui/form.tsx";

export type NewFieldsProps = {
  table: Table;
  /** The pasted cells, by column. */
  columns: string[][];
  context: Context;
  /** Called with the ids of the fields that were made, none if there are to be none; undefined to paste nothing. */
  onDone: (made: string[] | undefined) => void;
};

const types = fieldTypes.filter((type) => kindOf(type).csv?.offered);

/** Offers fields for the columns of a block that is wider than the view, with the types that fit. */
export function NewFields({ table, columns, context, onDone }: NewFieldsProps) {
  const text = useText();
  const words = useGridText();
  const t = words.newFields;
  const [proposals, setProposals] = useState<Proposal[]>(() =>
    propose(
      columns,
      table.fields.map((field) => field.name),
      words.newField,
      context,
    ),
  );
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const change = (index: number, next: Partial<Proposal>) =>
    setProposals((now) => now.map((one, at) => (at === index ? { ...one, ...next } : one)));
  const retype = (index: number, type: FieldType) => {
    const values = columns[index]?.filter((cell) => cell.trim() !== "") ?? [];
    change(index, { type, config: kindOf(type).csv?.config?.(values) });
  };
  const create = async () => {
    setBusy(true);
    setProblem(undefined);
    const made: string[] = [];
    try {
      for (const { name, type, config } of proposals) {
        const body = { name: name.trim(), type, ...(config ? { config } : {}) };
        // oxlint-disable-next-line no-await-in-loop -- the fields are in the order of the columns
        made.push((await createField({ tableId: table.id, body })).id);
      }
      onDone(made);
    } catch (error) {
      setProblem(Problem.from(error).message);
      setProposals((now) => now.slice(made.length));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      size="md"
      keepOnOutsidePress
      title={t.title(columns.length)}
      description={t.body}
      onClose={() => onDone(undefined)}
      footer={
        <>
          <Button look="quiet" className="mr-auto" disabled={busy} onClick={() => onDone([])}>
            {t.without}
          </Button>
          <Button disabled={busy} onClick={() => onDone(undefined)}>
            {text.action.cancel}
          </Button>
          <Button
            look="primary"
            busy={busy}
            disabled={proposals.some(({ name }) => name.trim() === "")}
            onClick={() => void create()}
          >
            {t.create(proposals.length)}
          </Button>
        </>
      }
    >
      <ul className="flex flex-col gap-2">
        {proposals.map(({ name, type }, index) => (
          // Names may be equal while they are written, and the order stays.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="grid grid-cols-[1fr_1fr] gap-2 sm:grid-cols-[1fr_1fr_1fr]">
            <Input
              aria-label={t.name}
              value={name}
              maxLength={200}
              autoComplete="off"
              onFocus={(event) => event.target.select()}
              onChange={(event) => change(index, { name: event.target.value })}
            />
            <Select
              aria-label={t.type}
              value={type}
              onChange={(event) => retype(index, event.target.value as FieldType)}
            >
              {types.map((one) => (
                <option key={one} value={one}>
                  {typeName(one, context.locale)}
                </option>
              ))}
            </Select>
            <span className="self-center truncate text-[13px] text-muted max-sm:col-span-2">
              {columns[index]?.filter(Boolean).slice(0, 3).join(", ")}
            </span>
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="mt-3 text-[13px] text-danger">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
