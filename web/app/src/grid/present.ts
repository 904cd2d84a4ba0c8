import type { DataEditorProps, Item } from "@glideapps/glide-data-grid";
import { roundedRect } from "@glideapps/glide-data-grid";
import { useEffect, useMemo } from "react";
import { useBase } from "../access/base.ts";
import type { Field } from "../api/type.ts";
import { isUnsaved } from "../record/command.ts";
import { presenceOf, usePresent } from "../record/presence.ts";
import type { GridRows } from "./gridrows.ts";
import { initialsOf } from "../ui/avatar.tsx";
import { toneOf } from "../ui/tone.ts";
import type { Cell } from "./mark.ts";
import type { Palette } from "./theme.ts";

type Regions = NonNullable<DataEditorProps["highlightRegions"]>;

/** A person who has a cell. */
export type Holder = { initials: string; fill: string; ink: string };

/** The cells that others have, by column and row: frames around them, and their holders. */
export type PresentCells = { frames: Regions; holders: ReadonlyMap<string, Holder> };

const none: PresentCells = { frames: [], holders: new Map() };

export const placeOf = (column: number, row: number) => `${column}/${row}`;

/** Announces to others which cell is current here, and finds theirs. */
export function usePresentCells(
  source: GridRows,
  fields: Field[],
  current: Item | undefined,
  version: number,
  palette: Palette,
): PresentCells {
  const { base, people } = useBase();
  const present = usePresent(base.id);
  const { tableId } = source;
  const past = source.query.asOf !== undefined;
  const id = current && source.at(current[1])?.id;
  const record = id === undefined || isUnsaved(id) ? undefined : id;
  const field = current && fields[current[0]]?.id;
  useEffect(() => {
    presenceOf(base.id).at(past ? {} : record === undefined ? { table: tableId } : { table: tableId, record, field });
  }, [base.id, field, past, record, tableId]);
  useEffect(() => () => presenceOf(base.id).at({}), [base.id, tableId]);
  return useMemo(() => {
    if (past || present.length === 0) return none;
    const holders = new Map<string, Holder>();
    const frames: Regions[number][] = [];
    for (const one of present) {
      if (one.table !== tableId || one.record === undefined) continue;
      const y = source.indexOf(one.record);
      const x = fields.findIndex((shown) => shown.id === one.field);
      if (x < 0 || y < 0) continue;
      const tone = palette.tones[toneOf(one.person)];
      const name = people.people.find((person) => person.id === one.person)?.name ?? "";
      frames.push({ color: tone.ink, range: { x, y, width: 1, height: 1 }, style: "solid-outline" });
      holders.set(placeOf(x, y), { initials: initialsOf(name), ...tone });
    }
    return { frames, holders };
    // oxlint-disable-next-line react/exhaustive-deps -- a new version is what moves rows
  }, [present, fields, palette, past, people.people, source, tableId, version]);
}

const height = 16;

/** Writes the initials of the person who has a cell into its corner. */
export function drawHolder({ ctx, rect }: Cell, { initials, fill, ink }: Holder, fontFamily: string) {
  ctx.save();
  ctx.font = `620 10px ${fontFamily}`;
  const width = Math.ceil(ctx.measureText(initials).width) + 8;
  const [x, y] = [rect.x + rect.width - width - 3, rect.y + 3];
  ctx.beginPath();
  roundedRect(ctx, x, y, width, height, 4);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.fillStyle = ink;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(initials, x + width / 2, y + height / 2 + 0.5);
  ctx.restore();
}
