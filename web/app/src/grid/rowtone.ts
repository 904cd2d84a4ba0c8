import type { DrawCellCallback } from "@glideapps/glide-data-grid";

const bar = 4; // pixels at the left edge of a record

/** Tints a cell of a record with its tone, and marks the left edge of the first one. */
export function drawTone({ ctx, rect, col }: Parameters<DrawCellCallback>[0], tone: { fill: string; ink: string }) {
  ctx.save();
  ctx.globalAlpha = 0.3;
  ctx.fillStyle = tone.fill;
  ctx.fillRect(rect.x + 1, rect.y + 1, rect.width - 1, rect.height - 1);
  if (col === 0) {
    ctx.globalAlpha = 0.85;
    ctx.fillStyle = tone.ink;
    ctx.fillRect(rect.x + 1, rect.y + 1, bar, rect.height - 1);
  }
  ctx.restore();
}
