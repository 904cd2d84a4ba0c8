import type { DrawCellCallback } from "@glideapps/glide-data-grid";

/** The width in pixels of what opens a record, at the end of its first cell. */
export const expandWidth = 26;

const size = 13;

// Two arrows that point away from each other, in a square of 24.
const arrows = new Path2D("M15 3h6v6M21 3l-7 7M9 21H3v-6M3 21l7-7");

/** Draws at the end of a record's first cell what opens the record, clearer where the pointer is. */
export function drawExpand({ ctx, rect, theme, hoverAmount }: Parameters<DrawCellCallback>[0]) {
  ctx.save();
  ctx.translate(rect.x + rect.width - expandWidth + 7, rect.y + (Math.min(rect.height, 34) - size) / 2);
  ctx.scale(size / 24, size / 24);
  ctx.lineWidth = 2.4;
  ctx.lineCap = ctx.lineJoin = "round";
  ctx.globalAlpha = 0.45 + 0.55 * hoverAmount;
  ctx.strokeStyle = hoverAmount > 0.5 ? theme.accentColor : theme.textLight;
  ctx.stroke(arrows);
  ctx.restore();
}
