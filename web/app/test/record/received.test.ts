import { expect, test } from "vitest";
import type { Field, Row } from "../../src/api/type.ts";
import { FieldNames } from "../../src/record/fieldname.ts";
import { type Received, patched } from "../../src/record/received.ts";

const row: Row = { id: "rec_1", version: 5, createdTime: "2026-01-01T00:00:00Z", fields: { Name: "Oak" } };
const change = {
  kind: "updated",
  record: "rec_1",
  version: 9,
  time: "2026-01-02T00:00:00Z",
  after: { Height: 7 },
  fieldIds: { Height: "fld_height" },
  own: false,
} as unknown as Received;

const names = (...fields: string[]) => {
  const known = new FieldNames();
  known.learn(fields.map((name) => ({ id: `fld_${name.toLowerCase()}`, name, type: "number" }) as Field));
  return known;
};

test("a change gives a row its values and its version", () => {
  const next = patched(row, change, names("Name", "Height"));
  expect(next).toMatchObject({ version: 9, fields: { Name: "Oak", Height: 7 } });
});

test("values that came back with their field leave the version, which the next edit is compared by", () => {
  const next = patched(row, { ...change, returned: true }, names("Name", "Height"));
  expect(next).toMatchObject({ version: 5, fields: { Name: "Oak", Height: 7 } });
});

test("values that came back before the page knows their field are read", () => {
  expect(patched(row, { ...change, returned: true }, names("Name"))).toBeUndefined();
});
