import { type ReactNode, useState } from "react";
import { tableOf, useBase } from "../access/base.ts";
import { cache } from "../api/cache.ts";
import { baseQuery } from "../api/query.ts";
import type { Field, Table } from "../api/type.ts";
import { addOptions } from "../field/addoption.ts";
import type { ActionTarget } from "../grid/action.ts";
import { useWriter } from "../record/rows.ts";
import { NewFields } from "./lazy.ts";

type Asked = { columns: string[][]; answer: (made: string[] | undefined) => void };

type Extension = Pick<ActionTarget, "extend" | "addOptions"> & { dialog: ReactNode };

/** How pastes make fields and options in a table, for those who may change its fields. */
export function useExtension(table: Table): Extension {
  const { base, canShape, people } = useBase();
  const writer = useWriter(table);
  const [asked, setAsked] = useState<Asked>();
  if (!canShape) return { dialog: null };
  /** The fields of the table by now, in the order of their ids. */
  const fieldsNow = async (ids: readonly string[]): Promise<Field[]> => {
    await writer.learn();
    const now = await cache.fetchQuery(baseQuery(base.id));
    const fields = tableOf(now, table.id)?.fields ?? [];
    return ids.flatMap((id) => fields.find((field) => field.id === id) ?? []);
  };
  return {
    extend: async (columns) => {
      const made = await new Promise<string[] | undefined>((answer) => setAsked({ columns, answer }));
      setAsked(undefined);
      return made && fieldsNow(made);
    },
    addOptions: async (field, names) => {
      await addOptions(field, names);
      return (await fieldsNow([field.id]))[0] ?? field;
    },
    dialog: asked && (
      <NewFields
        table={table}
        columns={asked.columns}
        context={people}
        onDone={asked.answer}
      />
    ),
  };
}
