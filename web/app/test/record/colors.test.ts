import { expect, test, vi } from "vitest";
import type { RowPage } from "../../src/api/type.ts";
import { RowColors } from "../../src/record/colors.ts";
import { FieldNames } from "../../src/record/fieldname.ts";
import type { Received } from "../../src/record/received.ts";

const page = (...colors: (string | null)[]): RowPage => ({
  records: colors.map((_, n) => ({ id: `rec_${n}`, fields: {} })),
  total: colors.length,
  offset: 0,
  limit: 100,
  hasMore: false,
  colors,
});
const change = (fieldId: string) => ({ kind: "updated", fieldIds: { Name: fieldId } }) as unknown as Received;

function setup() {
  const rules = [{ filters: [{ fieldId: "state", op: "eq", value: "Open" }], color: "red" }];
  const answers: RowPage[] = [];
  const read = vi.fn(async () => [answers.shift() ?? page()]);
  const changed = vi.fn();
  const colors = new RowColors({ colorsOf: { view: "viw_1", rules } }, new FieldNames(), read, changed);
  colors.take(page("red", null));
  return { colors, answers, read, changed };
}

test("records have the colours with which they were read", () => {
  const { colors } = setup();
  expect([colors.of("rec_0"), colors.of("rec_1")]).toEqual(["red", undefined]);
  colors.take(page(null, "blue"));
  expect([colors.of("rec_0"), colors.of("rec_1")]).toEqual([undefined, "blue"]);
});

test("a change of what a rule compares reads the colours in view again, and no other change does", async () => {
  const { colors, answers, read, changed } = setup();
  colors.receive([change("name")]);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(read).not.toHaveBeenCalled();
  answers.push(page("green", null));
  colors.receive([change("state")]);
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  expect(colors.of("rec_0")).toBe("green");
});

test("what was read before a change and came after it is read again", async () => {
  const { colors, answers, read } = setup();
  answers.push(page("green", null));
  const old = colors.during(async () => {
    await vi.waitFor(() => expect(colors.of("rec_0")).toBe("green"));
    return page("red", null);
  });
  colors.receive([change("state")]);
  answers.push(page("green", null));
  colors.take(await old);
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(colors.of("rec_0")).toBe("green"));
});
