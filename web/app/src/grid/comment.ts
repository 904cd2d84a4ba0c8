import {
  type DataEditorRef,
  type InnerGridCell,
  type InternalCellRenderer,
  markerCellRenderer,
  roundedRect,
} from "@glideapps/glide-data-grid";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { type MouseEvent, type PointerEvent, type RefObject, useMemo } from "react";
import { commentCountsQuery } from "../api/query.ts";
import type { CommentCount } from "../api/type.ts";
import { isUnsaved } from "../record/command.ts";
import { pageSize } from "../record/source.ts";
import { GroupedRows } from "./grouped.ts";
import { headAt } from "./head.ts";
import type { GridRows } from "./gridrows.ts";
import type { Cell } from "./mark.ts";
import type { Palette } from "./theme.ts";

const none: ReadonlyMap<string, CommentCount> = new Map();

/**
 * The comment counts of the records in view, by their ids; undefined if no record of the table has
 * comments.
 */
export type Discussed = ReadonlyMap<string, CommentCount> | undefined;

/** The pages of rows that an area touches, as a text that changes only with them. */
export const pagesIn = (from: number, to: number) =>
  `${Math.floor(Math.max(from, 0) / pageSize)}-${Math.floor(Math.max(to - 1, 0) / pageSize)}`;

/** Reads the comment counts of the records of some pages (see pagesIn). */
export function useDiscussed(source: GridRows, version: number, pages: string): Discussed {
  const { tableId, query } = source;
  const past = query.asOf !== undefined;
  const { data: table } = useQuery({ ...commentCountsQuery(tableId, []), enabled: !past });
  const any = !past && table?.any === true;
  const wanted = useMemo(() => {
    if (!any) return [];
    const [first = 0, last = 0] = pages.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => {
      const begin = (first + index) * pageSize;
      return Array.from({ length: pageSize }, (__, place) => source.at(begin + place)?.id).filter(
        (id) => id !== undefined && !isUnsaved(id),
      ) as string[];
    }).filter((ids) => ids.length > 0);
    // oxlint-disable-next-line react/exhaustive-deps -- a new version is what moves rows
  }, [any, pages, source, version]);
  const counts = useQueries({
    queries: wanted.map((ids) => ({ ...commentCountsQuery(tableId, ids), placeholderData: keepPreviousData })),
    combine: combined,
  });
  return any ? counts : undefined;
}

function combined(results: { data?: { counts: CommentCount[] } }[]): ReadonlyMap<string, CommentCount> {
  const all = results.flatMap(({ data }) => data?.counts ?? []);
  return all.length === 0 ? none : new Map(all.map((one) => [one.recordId, one]));
}

const width = 16;
const height = 12;
const inset = 3;
const reach = 4; // around the mark, for the pointer

/** Reports whether a position in a row head, from its top left corner, is on its mark. */
const isOnMark = (x: number, y: number, headWidth: number) =>
  x >= headWidth - width - inset - reach && y <= inset + height + 2 * reach;

/** Draws row heads, and the marks of records with comments. */
export function headRenderer(source: GridRows, discussed: Discussed, palette: Palette) {
  const draw: typeof markerCellRenderer.draw = (args, cell) => {
    if (headAt(source, args.row)) return;
    // The rows of each group are numbered by themselves.
    const numbered = source instanceof GroupedRows ? { ...cell, row: source.numberAt(args.row) } : cell;
    markerCellRenderer.draw({ ...args, cell: numbered }, numbered);
    const thread = discussed?.get(source.at(args.row)?.id ?? "");
    if (thread) drawDiscussed(args, thread, palette, args.theme.fontFamily);
  };
  return { ...markerCellRenderer, draw } as unknown as InternalCellRenderer<InnerGridCell>;
}

/** Draws into a row head how many comments are in the open threads of its record. */
function drawDiscussed({ ctx, rect }: Cell, { comments }: CommentCount, palette: Palette, fontFamily: string) {
  const x = rect.x + rect.width - width - inset;
  const y = rect.y + inset;
  const { fill, ink } = palette.tones.blue;
  ctx.save();
  ctx.fillStyle = fill;
  ctx.beginPath();
  roundedRect(ctx, x, y, width, height, 4);
  ctx.fill();
  ctx.beginPath(); // the tip of a speech bubble
  ctx.moveTo(x + 3, y + height - 1);
  ctx.lineTo(x + 3, y + height + 3);
  ctx.lineTo(x + 8, y + height - 1);
  ctx.fill();
  ctx.fillStyle = ink;
  ctx.font = `620 9px ${fontFamily}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(comments > 99 ? "99" : String(comments), x + width / 2, y + height / 2 + 0.5);
  ctx.restore();
}

/**
 * Handles the pointer on the marks of records with comments, where the grid would tick the row.
 * `view` has the places of the rows that are in view.
 */
export function usePassMark(
  grid: RefObject<DataEditorRef | null>,
  view: RefObject<{ from: number; to: number }>,
  source: GridRows,
  discussed: Discussed,
  onThread: (recordId: string, threadId: string) => void,
) {
  const threadAt = (x: number, y: number) => {
    if (!discussed) return undefined;
    for (let row = view.current.from; row <= view.current.to; row++) {
      const head = grid.current?.getBounds(-1, row);
      if (!head || y < head.y || y >= head.y + head.height) continue;
      const on = x < head.x + head.width && isOnMark(x - head.x, y - head.y, head.width);
      return on ? discussed.get(source.at(row)?.id ?? "") : undefined;
    }
    return undefined;
  };
  return (event: PointerEvent<HTMLElement> | MouseEvent<HTMLElement>) => {
    const thread = event.button === 0 ? threadAt(event.clientX, event.clientY) : undefined;
    if (!thread) return;
    event.stopPropagation();
    event.preventDefault();
    if (event.type === "click") onThread(thread.recordId, thread.threadId);
  };
}
