import type { Field, Row, Values } from "../api/type.ts";
import { kindOf } from "../field/kind.ts";
import { type Context, parse } from "../field/value.ts";

/** What was last copied from a grid here: texts as they went to the clipboard, and the values that they stand for. */
export type Copied = { texts: string[][]; values: { value: unknown; field: Field }[][] };

export type Block = {
  /** New values of rows that exist, by their place in the grid. */
  edits: { index: number; fields: Values }[];
  /** Values of rows to be made behind the last one. */
  creates: Values[];
  pasted: number;
  refused: number;
};

const same = (a: readonly (readonly string[])[], b: readonly (readonly string[])[]) =>
  a.length === b.length && a.every((line, y) => line.length === b[y]?.length && line.every((cell, x) => cell === b[y]?.[x]));

/** Reads one value for a field from what was copied in another one. */
export function carry(from: { value: unknown; field: Field } | undefined, shown: string, to: Field, context: Context) {
  const fits =
    from &&
    kindOf(from.field.type).shape === kindOf(to.type).shape &&
    !["choice", "choices", "text"].includes(kindOf(to.type).shape) &&
    (to.type !== "link" || from.field.config?.linkedTableId === to.config?.linkedTableId);
  return fits ? { value: from.value } : parse(shown, to, context);
}

type Target = { fields: Field[]; column: number; row: number; total: number; context: Context };

/**
 * Lays pasted texts over the grid from a cell on. What was copied here keeps its values, links and people included; a text
 * from elsewhere is read as the field reads what is typed. Cells that do not fit their field are counted and left.
 */
export function layOver(texts: readonly (readonly string[])[], copied: Copied | undefined, { fields, column, row, total, context }: Target): Block {
  const known = copied && same(texts, copied.texts) ? copied : undefined;
  const block: Block = { edits: [], creates: [], pasted: 0, refused: 0 };
  texts.forEach((line, y) => {
    const values: Values = {};
    line.forEach((shown, x) => {
      const field = fields[column + x];
      if (!field) return;
      const read = kindOf(field.type).readOnly ? { error: "read only" } : carry(known?.values[y]?.[x], shown, field, context);
      if (read.error !== undefined) {
        block.refused++;
        return;
      }
      block.pasted++;
      values[field.name] = read.value;
    });
    if (row + y < total) {
      if (Object.keys(values).length > 0) block.edits.push({ index: row + y, fields: values });
    } else if (line.some((cell) => cell !== "")) {
      block.creates.push(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)));
    }
  });
  return block;
}

/** The copied form of rows and fields, for layOver. */
export function copied(rows: (Row | undefined)[], fields: Field[], texts: string[][]): Copied {
  return { texts, values: rows.map((row) => fields.map((field) => ({ field, value: row?.fields[field.name] ?? null }))) };
}
