import {
  type CustomRenderer,
  drawTextCell,
  type GridCell,
  GridCellKind,
  getMiddleCenterBias,
  roundedRect,
} from "@glideapps/glide-data-grid";
import type { Attachment, Field, Row } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { factsOf } from "../field/facts.ts";
import { failureMark, failureOf } from "../field/failure.ts";
import { isBox, type Label, type Pen } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { format } from "../field/value.ts";
import { copyText } from "./clip.ts";
import { expandWidth } from "./expand.ts";
import { FieldEditor } from "./editor.tsx";
import type { FieldCell } from "./fieldcell.ts";
import type { Palette } from "./theme.ts";
import { thumbnail } from "./thumbnail.ts";

type Made = {
  field: Field;
  row: Row | undefined;
  context: Context;
  palette: Palette;
  editable: boolean;
  wrap: boolean;
  expands?: boolean;
};

const loading: GridCell = {
  kind: GridCellKind.Loading,
  allowOverlay: false,
  skeletonWidth: 60,
  skeletonWidthVariability: 40,
  skeletonHeight: 10,
};

/** The grid's cell for a field of a row; a row that is still being read is a grey bar. */
export function cellOf({ field, row, context, palette, editable, wrap, expands }: Made): GridCell {
  if (!row) return loading;
  const kind = kindOf(field.type);
  const { cell } = kind;
  const value = row.fields[field.name];
  const readonly = !editable || factsOf(field.type).readOnly || field.locked === true;
  const failure = kind.computed ? failureOf(value) : undefined;
  // A screen reader reads this.
  const copyData = failure ? `${failureMark}: ${failure.message}` : copyText(value, field, context);
  if (isBox(kind, value)) {
    const data = value === true;
    const themeOverride = data ? { textMedium: palette.accent } : undefined;
    return { kind: GridCellKind.Boolean, data, allowOverlay: false, readonly, copyData, themeOverride };
  }
  const made: FieldCell = {
    kind: GridCellKind.Custom,
    data: { field, value, row, context, palette, wrap, expands },
    copyData,
    allowOverlay: !readonly && cell.Editor !== undefined,
    readonly,
    contentAlign: typeof cell.align === "function" ? cell.align(field) : cell.align,
    cursor: cell.opens === "address" ? "pointer" : undefined,
  };
  return made;
}

type DrawArgs = Parameters<CustomRenderer<FieldCell>["draw"]>[0];
type Chip = { label: string; fill: string; ink: string; border?: string };

const chipHeight = 20;

function drawChips(args: DrawArgs, chips: Chip[]) {
  const { ctx, rect, theme } = args;
  const pad = theme.cellHorizontalPadding;
  const right = rect.x + rect.width - pad;
  const rows = Math.max(1, Math.floor((rect.height - 8) / (chipHeight + 4)));
  let x = rect.x + pad;
  let line = 0;
  const top = rect.height < 44 ? rect.y + (rect.height - chipHeight) / 2 : rect.y + 7;
  ctx.font = `510 12.5px ${theme.fontFamily}`;
  ctx.textAlign = "start";
  for (const chip of chips) {
    const full = Math.ceil(ctx.measureText(chip.label).width) + 16;
    if (x > rect.x + pad && x + full > right) {
      if (line + 1 < rows) {
        line++;
        x = rect.x + pad;
      } else if (right - x < 30) break;
    }
    const width = Math.min(full, right - x);
    if (width < 16) break;
    const y = top + line * (chipHeight + 4);
    ctx.beginPath();
    roundedRect(ctx, x, y, width, chipHeight, chip.border ? 5 : chipHeight / 2);
    ctx.fillStyle = chip.fill;
    ctx.fill();
    if (chip.border) {
      ctx.strokeStyle = chip.border;
      ctx.lineWidth = 1;
      ctx.stroke();
    }
    ctx.save();
    ctx.beginPath();
    ctx.rect(x + 4, y, width - 8, chipHeight);
    ctx.clip();
    ctx.fillStyle = chip.ink;
    ctx.fillText(chip.label, x + 8, y + chipHeight / 2 + getMiddleCenterBias(ctx, ctx.font));
    ctx.restore();
    x += width + 4;
  }
}

/** Images as pictures, then the names of the other files, and of images that have not loaded. */
function drawFiles(args: DrawArgs, files: Attachment[], chip: (label: string) => Chip) {
  const { ctx, rect, theme } = args;
  const side = Math.min(rect.height - 10, 72);
  let x = rect.x + theme.cellHorizontalPadding;
  const named: Attachment[] = [];
  for (const file of files) {
    const image =
      file.thumbnailUrl && x + side <= rect.x + rect.width - 4
        ? thumbnail(file.thumbnailUrl, args.col, args.row)
        : undefined;
    if (!image) {
      named.push(file);
      continue;
    }
    // The largest square part of it.
    const part = Math.min(image.naturalWidth, image.naturalHeight);
    ctx.save();
    ctx.beginPath();
    roundedRect(ctx, x, rect.y + (rect.height - side) / 2, side, side, 4);
    ctx.clip();
    ctx.drawImage(
      image,
      (image.naturalWidth - part) / 2,
      (image.naturalHeight - part) / 2,
      part,
      part,
      x,
      rect.y + (rect.height - side) / 2,
      side,
      side,
    );
    ctx.restore();
    x += side + 4;
  }
  if (named.length === 0) return;
  const used = x - rect.x - theme.cellHorizontalPadding;
  drawChips(
    { ...args, rect: { ...rect, x: rect.x + used, width: rect.width - used } },
    named.map((file) => chip(file.name)),
  );
}

function star(ctx: CanvasRenderingContext2D, cx: number, cy: number, radius: number) {
  ctx.beginPath();
  for (let point = 0; point < 10; point++) {
    const angle = -Math.PI / 2 + (point * Math.PI) / 5;
    const length = point % 2 === 0 ? radius : radius * 0.45;
    ctx.lineTo(cx + Math.cos(angle) * length, cy + Math.sin(angle) * length);
  }
  ctx.closePath();
}

function drawStars({ ctx, rect, theme }: DrawArgs, value: number, max: number, palette: Palette) {
  for (let index = 0; index < max; index++) {
    star(ctx, rect.x + theme.cellHorizontalPadding + 8 + index * 18, rect.y + Math.min(rect.height, 34) / 2, 7);
    ctx.fillStyle = index < value ? palette.star : palette.faint;
    ctx.globalAlpha = index < value ? 1 : 0.45;
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}

function drawButton(args: DrawArgs, label: string, palette: Palette) {
  const { ctx, rect, theme, hoverAmount } = args;
  ctx.font = `560 12.5px ${theme.fontFamily}`;
  const width = Math.min(rect.width - 12, Math.ceil(ctx.measureText(label).width) + 22);
  const height = 24;
  const x = rect.x + 6;
  const y = rect.y + (Math.min(rect.height, 34) - height) / 2;
  ctx.beginPath();
  roundedRect(ctx, x, y, width, height, 6);
  ctx.fillStyle = hoverAmount > 0.5 ? theme.bgHeaderHovered : theme.bgCell;
  ctx.fill();
  ctx.strokeStyle = palette.line;
  ctx.lineWidth = 1;
  ctx.stroke();
  ctx.save();
  ctx.beginPath();
  ctx.rect(x + 4, y, width - 8, height);
  ctx.clip();
  ctx.fillStyle = theme.textDark;
  ctx.textAlign = "start";
  ctx.fillText(label, x + 11, y + height / 2 + getMiddleCenterBias(ctx, ctx.font));
  ctx.restore();
}

/** The pen that draws in a cell. */
function penFor(args: DrawArgs, { contentAlign, data: { palette, wrap } }: FieldCell): Pen {
  const chip = ({ label, tone }: Omit<Label, "id">): Chip =>
    tone
      ? { label, ...palette.tones[tone] }
      : { label, fill: args.theme.bgCellMedium, ink: args.theme.textDark, border: palette.line };
  return {
    text: (shown, look) => {
      if (shown === "") return;
      const textDark = look?.link ? args.theme.linkColor : look?.danger ? palette.danger : undefined;
      // The function draws in this colour, whatever the colour of the context is.
      const drawn = textDark ? { ...args, theme: { ...args.theme, textDark } } : args;
      const line = wrap ? shown : shown.replace(/\s*\n\s*/g, " ");
      drawTextCell(drawn, line, contentAlign, wrap && args.rect.height > 40);
    },
    labels: (labels) => drawChips(args, labels.map(chip)),
    files: (files) => drawFiles(args, files, (label) => chip({ label })),
    stars: (count, max) => drawStars(args, count, max, palette),
    button: (label) => drawButton(args, label, palette),
  };
}

function draw(all: DrawArgs, cell: FieldCell) {
  const { field, value, context, expands } = cell.data;
  const kind = kindOf(field.type);
  const args = expands ? { ...all, rect: { ...all.rect, width: all.rect.width - expandWidth + 6 } } : all;
  const pen = penFor(args, cell);
  if (kind.cell.draw) kind.cell.draw(pen, value, field, context);
  else pen.text(format(value, field, context));
}

export const fieldRenderer: CustomRenderer<FieldCell> = {
  kind: GridCellKind.Custom,
  isMatch: (cell): cell is FieldCell => "field" in cell.data,
  needsHover: (cell) => cell.data.expands === true || kindOf(cell.data.field.type).cell.opens === "address",
  draw,
  measure: (ctx, { data: { field, value, context, expands } }, theme) => {
    const shown = format(value, field, context).split("\n", 1)[0] ?? "";
    const more = (kindOf(field.type).cell.padding ?? 12) + (expands ? expandWidth : 0);
    const padding = theme.cellHorizontalPadding * 2 + more;
    return Math.min(500, ctx.measureText(shown).width + padding);
  },
  onDelete: (cell) => ({ ...cell, data: { ...cell.data, value: null }, copyData: "" }),
  provideEditor: ({ data: { field } }) => {
    const minWidth = kindOf(field.type).cell.editorWidth;
    return { editor: FieldEditor, disablePadding: true, styleOverride: minWidth ? { minWidth } : undefined };
  },
};
