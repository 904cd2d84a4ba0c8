import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Presence } from "../../src/record/presence.ts";

type Said = { page: string; table?: string; record?: string; field?: string; left?: boolean };

const show = (state: DocumentVisibilityState) => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
};

function setup(expiresIn = 40) {
  const said: Said[] = [];
  const presence = new Presence("bas_1", async (_base, body) => {
    said.push(body);
    return { expiresIn };
  });
  const cells = () => said.map(({ record, left }) => (left ? "left" : (record ?? "here")));
  return { presence, said, cells };
}

const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a page says where it is when it moves, the last place of many, and again before it is forgotten", async () => {
  const { presence, cells } = setup();
  presence.start();
  await wait(0);
  for (const record of ["rec_1", "rec_2", "rec_3"]) presence.at({ table: "tbl_1", record });
  await wait(250);
  expect(cells()).toEqual(["here", "rec_3"]);
  await wait(20_000);
  expect(cells()).toEqual(["here", "rec_3", "rec_3"]);
  presence.stop();
  expect(cells().at(-1)).toBe("left");
  await wait(100_000);
  expect(cells()).toHaveLength(4);
});

test("a page that nobody sees is not there", async () => {
  const { presence, cells } = setup();
  presence.start();
  await wait(0);
  show("hidden");
  presence.at({ table: "tbl_1", record: "rec_1" });
  await wait(60_000);
  expect(cells()).toEqual(["here", "left"]);
  show("visible");
  await wait(0);
  expect(cells()).toEqual(["here", "left", "rec_1"]);
  presence.stop();
});

test("a service that tells no presence is asked once a minute", async () => {
  const { presence, cells } = setup(0);
  presence.start();
  await wait(59_000);
  expect(cells()).toEqual(["here"]);
  await wait(2000);
  expect(cells()).toEqual(["here", "here"]);
  presence.stop();
});

test("the others are shown, and not this page", async () => {
  const { presence, said } = setup();
  presence.start();
  await wait(0);
  const own = said[0]?.page ?? "";
  presence.take([
    { person: "usr_1", page: own },
    { person: "usr_2", page: "other", table: "tbl_1" },
  ]);
  expect(presence.present()).toEqual([{ person: "usr_2", page: "other", table: "tbl_1" }]);
  presence.stop();
  expect(presence.present()).toEqual([]);
});
