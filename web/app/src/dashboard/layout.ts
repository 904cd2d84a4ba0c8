import type { Tile } from "../api/type.ts";

/** The layout of tiles in 12 columns, from top to bottom without gaps. */

export const columns = 12;
const maxHeight = 20;
export const maxTiles = 50;

const overlap = (a: Tile, b: Tile) =>
  a.column < b.column + b.width &&
  b.column < a.column + a.width &&
  a.row < b.row + b.height &&
  b.row < a.row + a.height;

/** A tile within the columns. */
export function within(tile: Tile): Tile {
  const width = Math.min(columns, Math.max(1, tile.width));
  const height = Math.min(maxHeight, Math.max(1, tile.height));
  const column = Math.min(columns - width, Math.max(0, tile.column));
  return { ...tile, width, height, column, row: Math.max(0, tile.row) };
}

/**
 * Places tiles so that none covers another: each moves up as far as it can, and down where it has
 * to. The one that somebody moves goes first, and the others make room for it. The order of the
 * tiles in the list stays.
 */
export function arrange(tiles: readonly Tile[], moved?: number): Tile[] {
  const order = tiles
    .map((tile, index) => ({ tile: within(tile), index }))
    .toSorted(
      (a, b) =>
        a.tile.row - b.tile.row ||
        Number(b.index === moved) - Number(a.index === moved) ||
        a.tile.column - b.tile.column,
    );
  const placed: Tile[] = [];
  const result: Tile[] = [];
  for (const { tile, index } of order) {
    const at = (row: number): Tile => ({ ...tile, row });
    const free = (row: number) => !placed.some((other) => overlap(at(row), other));
    let { row } = tile;
    while (!free(row)) row++;
    while (row > 0 && free(row - 1)) row--;
    placed.push(at(row));
    result[index] = at(row);
  }
  return result;
}

/** The row below all tiles. */
export const bottom = (tiles: readonly Tile[]) => Math.max(0, ...tiles.map(({ row, height }) => row + height));

/** The tiles as they are read: from the top, and from the left. */
export const readingOrder = (tiles: readonly Tile[]): number[] =>
  tiles
    .map((_, index) => index)
    .toSorted((a, b) => tiles[a]!.row - tiles[b]!.row || tiles[a]!.column - tiles[b]!.column);

const steps: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Moves or resizes a tile one step by an arrow key. Upwards and downwards it changes places with the
 * next tile there, since tiles leave no gaps.
 */
export function stepped(tiles: readonly Tile[], index: number, key: string, resizing: boolean): Tile[] {
  const tile = tiles[index]!;
  const [x, y] = steps[key] ?? [0, 0];
  if (resizing) {
    const larger = { ...tile, width: Math.min(columns - tile.column, tile.width + x), height: tile.height + y };
    return arrange(tiles.with(index, larger), index);
  }
  if (y === 0) return arrange(tiles.with(index, { ...tile, column: tile.column + x }), index);
  const next = tiles
    .filter(({ column, width }) => column < tile.column + tile.width && tile.column < column + width)
    .filter(({ row }) => y * (row - tile.row) > 0)
    .toSorted((a, b) => y * (a.row - b.row))[0];
  if (!next) return [...tiles];
  const [upper, lower] = y < 0 ? [next, tile] : [tile, next];
  const at = tiles.indexOf(lower);
  return arrange(tiles.with(at, { ...lower, row: upper.row }), at);
}
