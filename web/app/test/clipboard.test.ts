import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Field, Row } from "../src/api/type.ts";
import type { Context } from "../src/field/context.ts";
import { fieldTypes } from "../src/field/facts.ts";
import { isEmpty } from "../src/field/kind.ts";
import { joinNames, splitNames } from "../src/field/list.ts";
import { isWritable } from "../src/field/value.ts";
import { english } from "../src/locale/locale.ts";
import { carry, copied, copyText, layOver } from "../src/grid/clip.ts";
import { readCells, readTable, readText, type Texts, toHtml, toText } from "../src/grid/clipboard.ts";

const letters = fc.string({
  unit: fc.constantFrom(
    "a",
    "Ω",
    "😀",
    "👩‍👩‍👧",
    '"',
    "'",
    "\t",
    "\n",
    "\r\n",
    ",",
    ";",
    " ",
    "=",
    "<b>",
    "&amp;",
    "\\",
    "7",
  ),
});
const block = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([width, height]) =>
    fc.array(fc.array(letters, { minLength: width, maxLength: width }), { minLength: height, maxLength: height }),
  );
const named = fc.array(
  fc
    .string({ unit: fc.constantFrom("a", "b", ",", '"', " ", "😀", "é"), minLength: 1 })
    .filter((name) => name.trim() !== ""),
);

test("copied cells are read back unchanged, whatever they contain", async () => {
  await fc.assert(
    fc.asyncProperty(block, async (cells) => {
      expect(await readCells(toText(cells), toHtml(cells))).toEqual(cells);
    }),
  );
});

test("a list of names is read back unchanged, with commas and quotation marks", () => {
  fc.assert(
    fc.property(named, (names) => {
      expect(splitNames(joinNames(names))).toEqual(names);
    }),
  );
});

test.each<[string, string, Texts]>([
  [
    "emoji do not change the following cells",
    "😀 a\tb\tc\n👩‍👩‍👧\tx\ty",
    [
      ["😀 a", "b", "c"],
      ["👩‍👩‍👧", "x", "y"],
    ],
  ],
  [
    "an inch mark does not consume a separator",
    '5" pipe\tsteel\n6" pipe\tcopper',
    [
      ['5" pipe', "steel"],
      ['6" pipe', "copper"],
    ],
  ],
  [
    "an inch mark at the beginning is a character",
    '" mark\tx\nplain\ty',
    [
      ['" mark', "x"],
      ["plain", "y"],
    ],
  ],
  ["a quoted cell may hold line breaks, tabs and doubled marks", '"a\nb"\t"c""d\te"', [["a\nb", 'c"d\te']]],
  [
    "a spreadsheet ends its last line",
    "a\tb\r\nc\td\r\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  [
    "an empty last column stays",
    "a\t\nb\t",
    [
      ["a", ""],
      ["b", ""],
    ],
  ],
])("text of other programs: %s", async (_case, text, cells) => {
  expect(await readText(text)).toEqual(cells);
});

test("a spreadsheet's HTML is preferred to its text, which may lack quotes", async () => {
  const html = [
    "<html><head><style>td { color: red }</style></head><body><!--StartFragment-->",
    '<table style="x"><tr><td>5" pipe</td><td>one<br>two\n   words</td></tr>',
    '<tr><td colspan="2">wide &amp; 😀</td></tr></table><!--EndFragment--></body></html>',
  ].join("");
  expect(await readCells("garbled", html)).toEqual([
    ['5" pipe', "one\ntwo words"],
    ["wide & 😀", ""],
  ]);
  expect(readTable("<p>Text around</p><table><tr><td>x</td></tr></table>")).toBeUndefined();
});

const options = ["Plain", "Salt, pepper", 'Size 5"', "😀"].map((name) => ({ name }));
const people = [
  { id: "usr_1", name: "Ada Lovelace", email: "ada@example.com" },
  { id: "usr_2", name: "Hopper, Grace", email: "grace@example.com" },
];
const context: Context = { locale: english, people, nameOf: (id) => ({ rec_1: "Paris, Texas", rec_2: "Oslo" })[id] };
const config = { options, multiple: true, linkedTableId: "tbl_2", max: 5, timeZone: "UTC" };
const fieldOf = (type: string, id = `fld_${type}`) =>
  ({ id, name: type, type, isPrimary: false, order: 0, config }) as unknown as Field;

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const integer = fc.integer({ min: -1e9, max: 1e9 });
const list = (ids: string[]) => some(fc.subarray(ids, { minLength: 1 }));
const day = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2200-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const word = letters.map((text) => text.replace(/\s+/g, " ").trim()).map((text) => text || null);
const values: Record<string, fc.Arbitrary<unknown>> = {
  text: word,
  long_text: letters.map((text) => text.replaceAll("\r\n", "\n").trim() || null),
  email: some(fc.constantFrom("a@b.co", "o'neill+x@example.com")),
  url: some(fc.constantFrom("https://example.com/?q=a,b", "https://例え.jp")),
  phone: some(fc.constantFrom("+44 123", "0049-1")),
  number: some(fc.oneof(integer, fc.constantFrom(0.1, -1.25, 1e-7, 1e21))),
  currency: some(integer),
  percent: some(integer),
  rating: some(fc.integer({ min: 1, max: 5 })),
  duration: some(fc.integer({ min: 0, max: 1e5 }).map((minutes) => minutes * 60)),
  single_select: some(fc.constantFrom(...options.map((option) => option.name))),
  multi_select: list(options.map((option) => option.name)),
  checkbox: fc.boolean(),
  date: some(day.map((date) => date.slice(0, 10))),
  datetime: some(day.map((date) => `${date.slice(0, 16)}:00Z`)),
  user: list(people.map((person) => person.id)),
  link: list(["rec_1", "rec_2"]),
  attachment: some(fc.constant([{ id: "file_1", name: 'a, "b".png', size: 1, type: "image/png" }])),
  json: some(
    fc
      .json()
      .map((text) => JSON.parse(text.replaceAll("-0", "0")) as unknown)
      .filter((value) => !isEmpty(value)),
  ),
};

test("there are sample values of every writable type", () => {
  expect(Object.keys(values).toSorted()).toEqual(fieldTypes.filter((type) => isWritable(fieldOf(type))).toSorted());
});

test.each(Object.entries(values))(
  "%s cells are unchanged after copying and pasting into the same or another field of the type",
  async (type, value) => {
    const field = fieldOf(type);
    const other = fieldOf(type, "fld_other");
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), async (list) => {
        const rows = list.map((one, n): Row => ({ id: `rec_${n}`, fields: { [type]: one } }));
        const targets = list.map((_one, n): Row => ({ id: `to_${n}`, fields: {} }));
        const copy = copied(rows, [field], context);
        const texts = await readCells(toText(copy.texts), toHtml(copy.texts));
        for (const to of [field, other]) {
          const { edits, left } = layOver(texts, copy, { fields: [to], column: 0, rows: targets, context });
          expect(left).toEqual([]);
          expect(edits.map((edit) => edit.fields[to.id])).toEqual(list);
        }
      }),
      { numRuns: 60 },
    );
  },
);

// A copy from another window of the application is text only. Links and files need more than their
// names.
const byText = Object.entries(values).filter(([type]) => !["link", "attachment", "datetime"].includes(type));
test.each(byText)("the text of a copied %s cell is read as its value", (type, value) => {
  const field = fieldOf(type);
  fc.assert(
    fc.property(value, (one) => {
      expect(carry(undefined, copyText(one, field, context), field, context).value).toEqual(one);
    }),
    { numRuns: 60 },
  );
});

test("cells of another field type are read as text", () => {
  const target = {
    fields: [fieldOf("number"), fieldOf("auto_number"), fieldOf("text")],
    column: 0,
    rows: [{ id: "rec_1", fields: {} }],
    context,
  };
  const block = layOver(
    [
      ["12", "3", "x"],
      ["no", "", ""],
      ["", "", ""],
    ],
    undefined,
    target,
  );
  expect(block.edits.map((edit) => edit.fields)).toEqual([{ fld_number: 12, fld_text: "x" }]);
  expect(block.creates).toEqual([{}]);
  expect(block.left).toHaveLength(2);
});
