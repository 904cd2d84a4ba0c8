import type { Field, Row, Values } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { isEmpty } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { whyReadOnly } from "../field/refusal.ts";
import { format, isWritable, parse } from "../field/value.ts";
import { textOf } from "../text/index.ts";
import type { Texts } from "./clipboard.ts";
import { columnReader } from "./column.ts";

/** What was last copied from a grid here: texts as they went to the clipboard, and their values. */
export type Copied = { texts: Texts; values: { value: unknown; field: Field }[][] };

export type Block = {
  /** New values of rows that exist, by field id. */
  edits: { row: Row; fields: Values }[];
  /** Values of new records after the last one, by field id. */
  creates: Values[];
  pasted: number;
  /** The cells that were left unchanged, in the order of the rows. */
  left: LeftCell[];
};

/**
 * A cell that a paste could not change: its row, counted from the first of the paste, and the
 * reason.
 */
export type LeftCell = { row: number; field: Field; shown: string; reason: string };

const sameTexts = (a: Texts, b: Texts) =>
  a.length === b.length &&
  a.every((line, y) => line.length === b[y]?.length && line.every((cell, x) => cell === b[y]?.[x]));

/**
 * The clipboard's text of a cell: numbers in full, lists so that they can be parsed again,
 * everything else as displayed.
 */
export function copyText(value: unknown, field: Field, context: Context): string {
  const kind = kindOf(field.type);
  if (kind.copy && (!isEmpty(value) || kind.empty !== undefined)) return kind.copy(value, field, context);
  return format(value, field, context);
}

/**
 * Converts a value that was copied in another field. A text is parsed as typed text unless `read`
 * parses it.
 */
export function carry(
  from: { value: unknown; field: Field } | undefined,
  shown: string,
  to: Field,
  context: Context,
  read = (text: string) => parse(text, to, context),
) {
  if (!isWritable(to)) return { error: whyReadOnly(to, kindOf(to.type), textOf(context.locale).field).title };
  if (!from) return read(shown);
  if (from.field.id === to.id) return { value: from.value };
  const [kind, source] = [kindOf(to.type), kindOf(from.field.type)];
  const alike = kind.family === undefined ? kind === source : kind.family === source.family;
  return alike && kind.accepts?.(from.field, to) !== false ? { value: from.value } : parse(shown, to, context);
}

type Target = { fields: Field[]; column: number; rows: Row[]; context: Context };

/**
 * Lays pasted texts over rows from a column on; what remains after the last row makes new ones.
 * What was copied here keeps its values, links and people included; a text from elsewhere is read
 * as its column is written. Cells that do not fit their field are left, with the reason.
 */
export function layOver(texts: Texts, copied: Copied | undefined, { fields, column, rows, context }: Target): Block {
  const known = copied && sameTexts(texts, copied.texts) ? copied : undefined;
  const block: Block = { edits: [], creates: [], pasted: 0, left: [] };
  const width = Math.max(0, ...texts.map((line) => line.length));
  const columns = fields.slice(column, column + width).map((field, x) => ({
    field,
    read: columnReader(
      texts.map((line) => line[x] ?? ""),
      field,
      context,
    ),
  }));
  texts.forEach((line, y) => {
    const values: Values = {};
    let count = 0;
    line.forEach((shown, x) => {
      const to = columns[x];
      if (!to) return;
      const read = carry(known?.values[y]?.[x], shown, to.field, context, to.read);
      if (read.error !== undefined) {
        if (shown === "" && !rows[y]) return;
        block.left.push({ row: y, field: to.field, shown, reason: read.error });
        return;
      }
      count++;
      values[to.field.id] = read.value ?? null;
    });
    const row = rows[y];
    if (row) {
      if (count > 0) block.edits.push({ row, fields: values });
      block.pasted += count;
    } else if (line.some((cell) => cell !== "")) {
      block.creates.push(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)));
      block.pasted += count;
    }
  });
  return block;
}

/** The copied form of rows and fields. */
export function copied(rows: Row[], fields: Field[], context: Context): Copied {
  const values = rows.map((row) => fields.map((field) => ({ field, value: row.fields[field.name] ?? null })));
  return { values, texts: values.map((line) => line.map(({ value, field }) => copyText(value, field, context))) };
}
