import {
  type CompactSelection,
  type CustomCell,
  type CustomRenderer,
  drawTextCell,
  type GridCell,
  GridCellKind,
  getMiddleCenterBias,
  type Theme,
} from "@glideapps/glide-data-grid";
import type { Field } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { isEmpty } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { likeOf } from "../field/result.ts";
import { formatSummary, functionName, summaryOf } from "../field/summary.ts";
import { format } from "../field/value.ts";
import { gridTextOf } from "../text/grid.ts";
import { cellOf, fieldRenderer } from "./cell.ts";
import type { FieldCell } from "./fieldcell.ts";
import { GroupedRows, type Head } from "./grouped.ts";
import type { GridRows } from "./gridrows.ts";
import type { Palette } from "./theme.ts";

/** The head at a place; undefined for a row of a record. */
export const headAt = (rows: GridRows, place: number): Head | undefined =>
  rows instanceof GroupedRows ? rows.headAt(place) : undefined;

/** The first head among rows that are to be ticked, if these are not all. */
export function headIn(rows: CompactSelection, source: GridRows): Head | undefined {
  if (!(source instanceof GroupedRows) || rows.length >= (source.total ?? 0)) return undefined;
  for (const [place, head] of source.heads) if (rows.hasIndex(place)) return head;
  return undefined;
}

type HeadData = {
  head: Head;
  /** What the first cell shows of the group: its value as a cell of its field, or as a text. */
  label?: { cell?: FieldCell; text: string; count: string };
  /** What another cell shows of its field. */
  summary?: { name: string; value: string; right: boolean };
};

export type HeadCell = CustomCell<HeadData>;

type Made = {
  head: Head;
  field: Field;
  first: boolean;
  chosen: Record<string, string> | undefined;
  context: Context;
  palette: Palette;
};

/** The day of a group of moments as a field of dates would have it. */
const dayOf = ({ grouping: { field, by } }: Head): Field =>
  by === field.id ? field : { ...field, type: "date", config: { dateFormat: field.config?.dateFormat } };

function labelOf({ head, context, palette }: Made): NonNullable<HeadData["label"]> {
  const t = gridTextOf(context.locale);
  const field = dayOf(head);
  const count = t.count(head.count);
  const { value } = head;
  if (likeOf(field).type === "checkbox")
    return { text: `${field.name}: ${value === true ? t.boxFunctions.count : t.boxFunctions.empty}`, count };
  if (isEmpty(value)) return { text: t.noValue(field.name), count };
  const row = { id: "", createdTime: "", version: 0, fields: { [field.name]: value } };
  const cell = cellOf({ field, row, context, palette, editable: false, wrap: false });
  const drawn = cell.kind === GridCellKind.Custom ? (cell as FieldCell) : undefined;
  return { cell: drawn, text: format(value, field, context), count };
}

/** The cell of a group's head in the column of a field. */
export function headCell(made: Made): GridCell {
  const { head, field, first, chosen, context } = made;
  const t = gridTextOf(context.locale);
  const label = first ? labelOf(made) : undefined;
  const name = first ? undefined : summaryOf(field, chosen);
  const value = name && formatSummary(field, name, head.results, context);
  const { align } = kindOf(field.type).cell;
  const right = (typeof align === "function" ? align(field) : align) === "right";
  const summary = name && value ? { name: functionName(field, name, t, true), value, right } : undefined;
  const spoken = label ? t.head(head.grouping.field.name, label.text, label.count, head.folded) : "";
  const cell: HeadCell = {
    kind: GridCellKind.Custom,
    data: { head, label, summary },
    copyData: summary ? `${summary.name} ${summary.value}` : spoken,
    allowOverlay: false,
    readonly: true,
    cursor: "pointer",
  };
  return cell;
}

/** How the row of a head differs from the rows of records. */
export const headTheme = ({ depth }: Head, theme: Partial<Theme>): Partial<Theme> => ({
  bgCell: depth === 0 ? theme.bgCellMedium : theme.bgHeader,
});

const step = 18; // pixels that a group is inside the one around it
const chevron = 16;

function drawLabel(args: Parameters<CustomRenderer<HeadCell>["draw"]>[0], { label, head }: HeadData) {
  if (!label) return;
  const { ctx, rect, theme } = args;
  const left = rect.x + 8 + head.depth * step;
  const middle = rect.y + Math.min(rect.height, 34) / 2;
  ctx.strokeStyle = theme.textMedium;
  ctx.lineWidth = 1.6;
  ctx.lineCap = ctx.lineJoin = "round";
  ctx.beginPath();
  if (head.folded) {
    ctx.moveTo(left + 4, middle - 4);
    ctx.lineTo(left + 8, middle);
    ctx.lineTo(left + 4, middle + 4);
  } else {
    ctx.moveTo(left + 2, middle - 2);
    ctx.lineTo(left + 6, middle + 2);
    ctx.lineTo(left + 10, middle - 2);
  }
  ctx.stroke();
  ctx.font = `13px ${theme.fontFamily}`;
  const counted = Math.ceil(ctx.measureText(label.count).width);
  const right = rect.x + rect.width - theme.cellHorizontalPadding;
  ctx.fillStyle = theme.textMedium;
  ctx.textAlign = "start";
  ctx.fillText(label.count, right - counted, middle + getMiddleCenterBias(ctx, ctx.font));
  const inner = {
    ...rect,
    x: left + chevron - 2,
    width: right - counted - left - chevron,
    height: Math.min(rect.height, 34),
  };
  ctx.save();
  ctx.beginPath();
  ctx.rect(inner.x, inner.y, inner.width, inner.height);
  ctx.clip();
  if (label.cell) {
    const shown = { ...label.cell, contentAlign: undefined };
    fieldRenderer.draw({ ...args, rect: inner, cell: shown, hoverAmount: 0 }, shown);
  } else drawTextCell({ ...args, rect: inner, theme: { ...theme, textDark: theme.textMedium } }, label.text);
  ctx.restore();
}

export const headCellRenderer: CustomRenderer<HeadCell> = {
  kind: GridCellKind.Custom,
  isMatch: (cell): cell is HeadCell => "head" in cell.data,
  draw: (args, { data }) => {
    if (data.label) return drawLabel(args, data);
    const { ctx, rect, theme } = args;
    if (!data.summary) return undefined;
    const { name, value, right } = data.summary;
    const middle = rect.y + Math.min(rect.height, 34) / 2;
    const pad = theme.cellHorizontalPadding;
    ctx.textAlign = "start";
    ctx.font = `560 13px ${theme.fontFamily}`;
    const bias = getMiddleCenterBias(ctx, ctx.font);
    const wide = ctx.measureText(value).width;
    ctx.font = `13px ${theme.fontFamily}`;
    const named = ctx.measureText(`${name} `).width;
    const fits = wide + named <= rect.width - 2 * pad;
    const all = fits ? wide + named : wide;
    let x = right ? rect.x + rect.width - pad - all : rect.x + pad;
    ctx.fillStyle = theme.textMedium;
    if (fits) {
      ctx.fillText(name, x, middle + bias);
      x += named;
    }
    ctx.font = `560 13px ${theme.fontFamily}`;
    ctx.fillStyle = theme.textDark;
    ctx.fillText(value, x, middle + bias);
    return undefined;
  },
};
