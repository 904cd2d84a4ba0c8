import { describe, expect, test } from "vitest";
import type { Tile } from "../../src/api/type.ts";
import { arrange, readingOrder, stepped } from "../../src/dashboard/layout.ts";

const tile = (text: string, column: number, row: number, width: number, height: number): Tile => ({
  text,
  column,
  row,
  width,
  height,
});
const places = (tiles: Tile[]) => tiles.map(({ text, column, row }) => `${text}${column},${row}`);

test("tiles cover nothing, leave no gap above them, and stay within the columns", () => {
  const tiles = [tile("a", 0, 0, 6, 4), tile("b", 3, 2, 6, 4), tile("c", 10, 9, 6, 30)];
  expect(places(arrange(tiles))).toEqual(["a0,0", "b3,4", "c6,8"]);
  expect(arrange(tiles)[2]).toMatchObject({ width: 6, height: 20 });
});

test("others make room for the tile that is moved", () => {
  const tiles = [tile("a", 0, 0, 6, 4), tile("b", 6, 0, 6, 4)];
  expect(places(arrange(tiles.with(1, { ...tiles[1]!, column: 2 }), 1))).toEqual(["a0,4", "b2,0"]);
});

describe("arrow keys", () => {
  const tiles = [tile("a", 0, 0, 6, 2), tile("b", 0, 2, 6, 4), tile("c", 6, 0, 6, 3)];
  test("move a tile sideways, and let it change places up and down", () => {
    expect(places(stepped(tiles, 1, "ArrowUp", false))).toEqual(["a0,4", "b0,0", "c6,0"]);
    expect(places(stepped(tiles, 0, "ArrowDown", false))).toEqual(["a0,4", "b0,0", "c6,0"]);
    expect(places(stepped(tiles, 2, "ArrowRight", false))).toEqual(["a0,0", "b0,2", "c6,0"]);
    expect(places(stepped(tiles, 2, "ArrowLeft", false))).toEqual(["a0,3", "b0,5", "c5,0"]);
  });
  test("change the size of a tile", () => {
    expect(stepped(tiles, 0, "ArrowRight", true)[0]).toMatchObject({ width: 7, column: 0 });
    expect(stepped(tiles, 2, "ArrowRight", true)[2]).toMatchObject({ width: 6, column: 6 });
    expect(places(stepped(tiles, 0, "ArrowDown", true))).toEqual(["a0,0", "b0,3", "c6,0"]);
  });
});

test("tiles are read from the top and from the left", () => {
  expect(readingOrder([tile("a", 6, 0, 6, 2), tile("b", 0, 2, 6, 4), tile("c", 0, 0, 6, 2)])).toEqual([2, 0, 1]);
});
