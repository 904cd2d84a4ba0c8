import type { Rectangle } from "@glideapps/glide-data-grid";
import { Problem } from "../api/problem.ts";
import type { Field, Row, Values } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { factsOf } from "../field/facts.ts";
import { kindOf } from "../field/kind/index.ts";
import { whyReadOnly } from "../field/refusal.ts";
import { isWritable } from "../field/value.ts";
import { gridTextOf } from "../text/grid.ts";
import { textOf } from "../text/index.ts";
import { complain, refuse, notify } from "../ui/toast.ts";
import { carry, type Copied, copied, copyText, layOver, type LeftCell } from "./clip.ts";
import { readCells, type Texts, toHtml, toText } from "./clipboard.ts";
import { GroupedRows } from "./grouped.ts";
import type { GridRows } from "./gridrows.ts";
import { missingOptions } from "./option.ts";
import { rowsTicked, type Ticked } from "./ticked.ts";
import type { Progress } from "../record/call.ts";

/** What is selected: a range of cells, whole columns, or ticked records. */
export type Picked = { area?: Rectangle; columns: number[]; ticked: Ticked };

/** Runs a long task and shows its progress, with a button to stop it. */
export type RunTask = <T>(
  say: (done: number) => string,
  task: (progress: Progress, signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** The outcome of a paste; the rows of cells that were left are numbered as in the grid. */
export type Pasted = { pasted: number; left: LeftCell[] };

export type Question = { title: string; body: string; action: string };

/**
 * What actions on the grid's selection need: rows, fields as they are shown, and a way to ask the
 * person.
 */
export type ActionTarget = {
  source: GridRows;
  fields: Field[];
  context: Context;
  runTask: RunTask;
  ask: (question: Question) => Promise<boolean>;
  /**
   * Makes fields for the columns of a block that is wider than the view. Returns them, an empty list
   * if those columns are to be left, and undefined if nothing is to be pasted. Undefined for those
   * who may not make fields.
   */
  extend?: (columns: string[][]) => Promise<Field[] | undefined>;
  /** Adds options to a field, which returns with them. Undefined likewise. */
  addOptions?: (field: Field, names: string[]) => Promise<Field>;
  /** Lists what a paste could not take. */
  list: (pasted: Pasted) => void;
};

/** The texts of the target's locale. */
const textsOf = ({ context }: ActionTarget) => textOf(context.locale).base;

const long = 300; // rows above which reading them is shown
let clip: Copied | undefined;

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

function fieldsOf({ area, columns }: Picked, fields: Field[]): Field[] {
  if (area) return fields.slice(area.x, area.x + area.width);
  return columns.length > 0 ? columns.flatMap((column) => fields[column] ?? []) : fields;
}

/** The selected rows if all of them were read. */
function rowsAtHand({ area }: Picked, source: GridRows): Row[] | undefined {
  if (!area) return undefined;
  const rows = Array.from({ length: area.height }, (_, y) => source.at(area.y + y));
  return rows.every((row) => row !== undefined) ? (rows as Row[]) : undefined;
}

/** The selected rows; reads the missing ones. */
function rowsOf(picked: Picked, target: ActionTarget): Promise<Row[]> {
  const { source, runTask } = target;
  const t = textsOf(target);
  const total = source.total ?? 0;
  const { area, ticked, columns } = picked;
  const read = (progress?: Progress, signal?: AbortSignal) => {
    if (area) return source.range(area.y, Math.min(total, area.y + area.height) - 1, progress, signal);
    if (columns.length > 0) return source.range(0, total - 1, progress, signal);
    return rowsTicked(ticked, source, progress, signal);
  };
  const count = area ? area.height : columns.length > 0 || ticked.all ? total : ticked.ids.size;
  return count < long ? read() : runTask((done) => t.reading(Math.min(done, count), count), read);
}

const anythingPicked = ({ area, columns, ticked }: Picked) =>
  area !== undefined || columns.length > 0 || ticked.all || ticked.ids.size > 0;

/** Copies the selection. Reads missing rows first; the clipboard gets all or nothing. */
export async function copy(picked: Picked, target: ActionTarget, event: ClipboardEvent): Promise<void> {
  if (!anythingPicked(picked)) return;
  const t = textsOf(target);
  event.preventDefault();
  const fields = fieldsOf(picked, target.fields);
  const atHand = rowsAtHand(picked, target.source);
  if (atHand) {
    const found = copied(atHand, fields, target.context);
    clip = found;
    event.clipboardData?.setData("text/plain", toText(found.texts));
    event.clipboardData?.setData("text/html", toHtml(found.texts));
    return;
  }
  const found = rowsOf(picked, target).then((rows) => copied(rows, fields, target.context));
  const blob = (type: string, write: (texts: Texts) => string) =>
    found.then(({ texts }) => new Blob([write(texts)], { type }));
  try {
    // The browser allows this now, because a key was pressed, and waits for the text.
    await navigator.clipboard.write([
      new ClipboardItem({ "text/plain": blob("text/plain", toText), "text/html": blob("text/html", toHtml) }),
    ]);
    clip = await found;
    notify(t.copied(clip.texts.length));
  } catch (error) {
    const problem = await found.then(
      () => error,
      (reason: unknown) => reason,
    );
    if (!stopped(problem)) complain(problem, t.notCopied);
  }
}

/** Pastes a clipboard from the selection's first cell on. */
export async function paste(picked: Picked, target: ActionTarget, data: DataTransfer): Promise<void> {
  const [plain, html] = [data.getData("text/plain"), data.getData("text/html")];
  const { source, context, ask } = target;
  let { fields } = target;
  const t = textsOf(target);
  const area = picked.area ?? {
    x: picked.columns[0] ?? 0,
    y: Math.max(0, source.indexOf([...picked.ticked.ids][0] ?? "")),
    width: 1,
    height: 1,
  };
  const first = source.at(area.y)?.id;
  if (!(anythingPicked(picked) || source.total === 0) || (plain === "" && html === "")) return;
  try {
    let texts = await readCells(plain, html);
    const single = texts.length === 1 && texts[0]?.length === 1 ? texts[0][0] : undefined;
    // One copied cell fills the whole selection, as in a spreadsheet.
    const spread = single !== undefined && area.width * area.height > 1;
    const width = spread ? area.width : Math.max(...texts.map((line) => line.length));
    const available = fields.length - area.x;
    if (width > available && target.extend && !spread) {
      const beyond = Array.from({ length: width - available }, (_, x) => available + x);
      const columns = beyond.map((x) => texts.map((line) => line[x] ?? ""));
      const made = await target.extend(columns);
      if (!made) return;
      fields = [...fields, ...made];
    } else if (
      width > available &&
      !(await ask({
        title: t.tooWide(width, available),
        body: t.tooWideBody(width, available),
        action: t.pasteThose(available),
      }))
    )
      return;
    const height = spread ? area.height : texts.length;
    const rows = await rowsFrom(first, area.y, height, target);
    const known = clip && !spread && texts.length === clip.texts.length ? clip : undefined;
    fields = await withOptions(texts, known, area.x, { ...target, fields });
    let block;
    if (spread) {
      const one =
        clip?.texts.length === 1 && clip.texts[0]?.length === 1 && clip.texts[0][0] === single
          ? clip.values[0]?.[0]
          : undefined;
      texts = rows.map(() => Array.from({ length: width }, () => single ?? ""));
      const all = one && { texts, values: texts.map((line) => line.map(() => one)) };
      block = layOver(texts, all, { fields, column: area.x, rows, context });
    } else block = layOver(texts, known, { fields, column: area.x, rows, context });
    const changeSet = block.creates.length > 0 ? crypto.randomUUID() : undefined;
    source.edit(block.edits, changeSet);
    // They show at once; the status of all changes shows what becomes of them.
    if (changeSet !== undefined) void source.create(block.creates, changeSet);
    if (block.left.length > 0) {
      // New records follow the last one, wherever the paste began.
      target.list({ pasted: block.pasted, left: block.left.map((cell) => ({ ...cell, row: cell.row + area.y + 1 })) });
    } else if (block.pasted > 1) notify(t.pasted(block.pasted));
  } catch (error) {
    if (!stopped(error)) complain(error);
  }
}

/** The fields, with the options that pasted names ask for, if the person wants them. */
async function withOptions(
  texts: Texts,
  known: Copied | undefined,
  column: number,
  target: ActionTarget,
): Promise<Field[]> {
  const { fields, addOptions } = target;
  if (!addOptions) return fields;
  const missing = missingOptions(texts, known, fields.slice(column));
  if (missing.size === 0) return fields;
  const t = gridTextOf(target.context.locale).newOptions;
  const named = [...missing].map(([{ name }, names]) => ({ field: name, names }));
  if (!(await target.ask({ title: t.title(named), body: t.body(named), action: t.action(named) }))) return fields;
  const changed = new Map<string, Field>();
  for (const [field, names] of missing)
    // oxlint-disable-next-line no-await-in-loop -- each changes the same table
    changed.set(field.id, await addOptions(field, names));
  return fields.map((field) => changed.get(field.id) ?? field);
}

/** The rows from a record on, wherever it is by now; fewer where the table ends. */
async function rowsFrom(first: string | undefined, y: number, height: number, target: ActionTarget): Promise<Row[]> {
  const { source, runTask } = target;
  const t = textsOf(target);
  if (first === undefined && y >= (source.total ?? 0)) return [];
  for (let attempt = 0; attempt < 3; attempt++) {
    const start = first === undefined ? y : source.indexOf(first);
    if (start < 0) break;
    const read = (progress?: Progress, signal?: AbortSignal) =>
      source instanceof GroupedRows
        ? source.rowsFrom(start, height, progress, signal)
        : source.range(start, start + height - 1, progress, signal);
    const rows =
      height < long ? await read() : await runTask((done) => t.reading(Math.min(done, height), height), read);
    if (first === undefined || rows[0]?.id === first) return rows;
  }
  throw new Problem(-1, "moved", t.nothingChanged, t.rowsMissing);
}

/** Empties the selected cells, in one change set. */
export async function clear(picked: Picked, target: ActionTarget): Promise<void> {
  const all = fieldsOf(picked, target.fields);
  const fields = all.filter(isWritable);
  if (fields.length === 0) return refuseEdit(all[0], target);
  await change(picked, target, (row) =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const empty = kindOf(field.type).empty ?? null;
        const value = row.fields[field.name] ?? empty;
        return same(value, empty) ? [] : [[field.id, empty]];
      }),
    ),
  );
}

/** Says why values of a field are not edited. */
export function refuseEdit(field: Field | undefined, { context }: Pick<ActionTarget, "context">) {
  if (!field || !factsOf(field.type).holdsValues) return;
  const { title, detail } = whyReadOnly(field, kindOf(field.type), textOf(context.locale).field);
  refuse(title, detail);
}

async function change(picked: Picked, target: ActionTarget, next: (row: Row) => Values): Promise<void> {
  const t = textsOf(target);
  try {
    const rows = await rowsOf(picked, target);
    target.source.edit(rows.map((row) => ({ row, fields: next(row) })));
  } catch (error) {
    if (!stopped(error)) complain(error, t.nothingChanged);
  }
}

/**
 * Fills the area that contains a pattern, in one change set: each column continues as its values
 * do, or repeats them; with `repeat` it always repeats.
 */
export async function fill(pattern: Rectangle, area: Rectangle, target: ActionTarget, repeat = false): Promise<void> {
  const t = textsOf(target);
  const { source, fields, context } = target;
  const filled = fields.slice(area.x, area.x + area.width);
  if (!filled.some(isWritable)) return refuseEdit(filled[0], target);
  try {
    const first = source.at(area.y)?.id;
    const offset = pattern.y - area.y;
    const { seriesOf } = await import("./series.ts");
    const rows = await rowsFrom(first, area.y, area.height, target);
    const own = rows.slice(offset, offset + pattern.height);
    const columns = filled.map((to, x) => {
      const from = fields[pattern.x + (x % pattern.width)] ?? to;
      const values = own.map((row) => row.fields[to.name] ?? null);
      const series = repeat || from !== to ? undefined : seriesOf(values, to, target.context);
      return { to, from, series };
    });
    const edits = rows.flatMap((row, y) => {
      const place = y - offset;
      const nth = ((place % pattern.height) + pattern.height) % pattern.height;
      const model = own[nth];
      if (!model || own.includes(row)) return [];
      const values: Values = {};
      for (const { to, from, series } of columns) {
        if (!isWritable(to)) continue;
        const next = series?.(place);
        const value = model.fields[from.name];
        const read =
          next === undefined
            ? carry({ value, field: from }, copyText(value, from, context), to, context)
            : { value: next };
        if (read.error === undefined && !same(row.fields[to.name], read.value)) values[to.id] = read.value ?? null;
      }
      return [{ row, fields: values }];
    });
    source.edit(edits);
  } catch (error) {
    if (!stopped(error)) complain(error, t.nothingChanged);
  }
}

/** Copies the first column of an area into its others, in one change set. */
export async function fillRight(area: Rectangle, target: ActionTarget): Promise<void> {
  const { source, fields, context } = target;
  const [from, ...filled] = fields.slice(area.x, area.x + area.width);
  if (!from || !filled.some(isWritable)) return refuseEdit(filled[0], target);
  try {
    const rows = await rowsFrom(source.at(area.y)?.id, area.y, area.height, target);
    const edits = rows.map((row) => {
      const value = row.fields[from.name] ?? null;
      const shown = copyText(value, from, context);
      const values: Values = {};
      for (const to of filled) {
        if (!isWritable(to)) continue;
        const read = carry({ value, field: from }, shown, to, context);
        if (read.error === undefined && !same(row.fields[to.name], read.value)) values[to.id] = read.value ?? null;
      }
      return { row, fields: values };
    });
    source.edit(edits);
  } catch (error) {
    if (!stopped(error)) complain(error, textsOf(target).nothingChanged);
  }
}

/** Reports whether a failure means that somebody stopped the task. */
function stopped(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
