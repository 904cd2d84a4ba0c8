import { expect, test } from "vitest";
import { planFor, type Preview, targetOf, usesOf } from "../src/csv/plan.ts";

const column = (name: string, more = {}) => ({
  name,
  samples: [],
  type: "text",
  numbers: { found: "either" },
  dates: { found: "either" },
  ...more,
});
const link = { tableId: "tbl_1", table: "Countries", values: 12, matched: 11, unmatched: ["Atlantis"] };
const preview = { columns: [column("Port"), column("Country", { link })] } as unknown as Preview;

test("a column of names becomes a link to their table, unless another type is chosen", () => {
  const plan = planFor(preview, [], true);
  expect(plan.map((one) => (one.to === "new" ? one.type : one.to))).toEqual(["text", "link"]);
  expect(targetOf(plan[1]!, 1, [], preview.columns[1])).toMatchObject({ config: { linkedTableId: "tbl_1" } });
  expect(usesOf(plan, preview.columns, [{}, {}])[1]).toEqual({
    name: "Country",
    type: "link",
    config: { linkedTableId: "tbl_1" },
  });
  const text = usesOf([plan[0]!, { name: "Country", to: "new", type: "text" }], preview.columns, [{}, {}]);
  expect(text[1]).toEqual({ name: "Country", type: "text" });
});
