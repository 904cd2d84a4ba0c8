import type { CustomRenderer } from "@glideapps/glide-data-grid";
import type { Field } from "../api/type.ts";
import type { GridRows } from "./gridrows.ts";
import type { Mark } from "../record/writer.ts";
import type { FieldCell } from "./fieldcell.ts";
import type { Palette } from "./theme.ts";

/** Where a cell is drawn. */
export type Cell = Pick<Parameters<CustomRenderer<FieldCell>["draw"]>[0], "ctx" | "rect">;

const corner = 8;

/** Marks a cell whose value the service does not have yet. */
export function drawMark({ ctx, rect }: Cell, mark: Mark, palette: Palette) {
  ctx.save();
  if (mark === "deleting") {
    ctx.globalAlpha = 0.7;
    ctx.fillStyle = palette.surface;
    ctx.fillRect(rect.x + 1, rect.y + 1, rect.width - 1, rect.height - 1);
    ctx.globalAlpha = 1;
    ctx.fillStyle = palette.faint;
    ctx.fillRect(rect.x, rect.y + Math.min(rect.height, 34) / 2, rect.width, 1);
  } else {
    const right = rect.x + rect.width;
    ctx.beginPath();
    ctx.moveTo(right - corner, rect.y + 1);
    ctx.lineTo(right, rect.y + 1);
    ctx.lineTo(right, rect.y + 1 + corner);
    ctx.closePath();
    ctx.fillStyle = mark === "refused" ? palette.danger : palette.warn;
    ctx.fill();
  }
  ctx.restore();
}

/** How a cell is marked. */
export function markAt(source: GridRows, index: number, field: Field | undefined): Mark | undefined {
  const { query, writer } = source;
  if (!field || query.asOf !== undefined || !writer.hasMarks) return undefined;
  const id = source.at(index)?.id;
  return id === undefined ? undefined : writer.mark(id, field.id);
}
