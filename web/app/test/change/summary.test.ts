import { expect, test } from "vitest";
import type { SchemaChange } from "../../src/api/type.ts";
import { summary } from "../../src/change/summary.ts";
import { change } from "../../src/text/en/change.ts";

const changed = (object: string, does: string, name: string, more: string[] = []): SchemaChange => ({
  object,
  does,
  name,
  id: `${object}_${name}`,
  changed: more,
});
const counts = { id: "tbl_1", name: "Plants", created: 0, updated: 0, deleted: 0, restored: 0, linked: 0 };

const described = (schema: SchemaChange[], tables: Partial<typeof counts>[] = [], unlisted = 0) =>
  summary(
    { schema, schemaCount: schema.length + unlisted, tables: tables.map((one) => ({ ...counts, ...one })) },
    change,
  );

test.each([
  [changed("base", "created", "Park"), "Created the base Park"],
  [changed("table", "created", "Plants"), "Created the table Plants"],
  [changed("field", "deleted", "Notes"), "Deleted the field Notes"],
  [changed("view", "restored", "Grid"), "Restored the view Grid"],
  [changed("table", "purged", "Plants"), "Deleted the table Plants for good"],
  [changed("column", "purged", "Height"), "Deleted the former values of Height for good"],
  [changed("record", "purged", ""), "Deleted 1 record for good"],
  [changed("field", "updated", "Remarks", ["name"]), "Renamed a field to Remarks"],
  [changed("field", "updated", "Height", ["config", "type"]), "Changed the type of the field Height"],
  [changed("field", "updated", "Height", ["config", "name"]), "Changed the field Height"],
  [changed("view", "updated", "Grid", ["config"]), "Changed the view Grid"],
])("a change of the schema is told in plain words: %#", (one, words) => {
  expect(described([one])).toBe(words);
});

test("the schema is told before records, and views that follow a field are not", () => {
  const field = changed("field", "updated", "Height", ["type"]);
  expect(described([field, changed("view", "updated", "Grid", ["config"])], [{ updated: 3 }, { linked: 2 }])).toBe(
    "Changed the type of the field Height, 3 records changed in Plants",
  );
  expect(described([changed("view", "updated", "Grid")], [{ linked: 2 }])).toBe("Changed the view Grid");
});

test("what is too much is counted, with what the service does not list", () => {
  const fields = ["a", "b", "c", "d"].map((name) => changed("field", "created", name));
  expect(described(fields)).toBe("Created the field a, Created the field b, 2 more");
  expect(described(fields, [], 7)).toBe("Created the field a, Created the field b, 9 more");
  const records = [1, 2].map(() => changed("record", "purged", ""));
  expect(described(records, [], 3)).toBe("Deleted 2 records for good, 3 more");
  expect(described([])).toBe("Nothing changed");
});
