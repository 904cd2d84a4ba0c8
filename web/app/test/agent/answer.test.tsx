import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { gridOf, planOf, readable } from "../../src/agent/answer.ts";
import { AnswerPage } from "../../src/agent/page.tsx";
import { barsOf } from "../../src/ui/barchart.tsx";

afterEach(cleanup);

test("values are shown as a person reads them", () => {
  const shown = [
    null,
    3,
    "text",
    ["a", null, "b"],
    { a1b2c3d4: "Oak" },
    [{ a1b2c3d4: "Oak" }, { e5f6g7h8: "Elm" }],
    [{ id: "usr_1", name: "Ann", email: "a@example.com" }],
    [{ id: "att_1", filename: "plan.pdf", size: 7 }],
  ].map(readable);
  expect(shown).toEqual([null, 3, "text", "a, b", "Oak", "Oak, Elm", "Ann", "plan.pdf"]);
});

test("each shape of an answer is a table", () => {
  const table = { columns: [{ name: "A" }, { name: "B" }], rows: [["x", 1]] };
  expect(gridOf({ columns: ["A", "B"], rows: [["x", 1]], total: 1 })).toEqual(table);
  expect(gridOf({ records: [{ id: "rec_1", fields: { A: "x", B: 1 } }], total: 1 })).toEqual(table);
  expect(gridOf({ groups: [{ key: { A: "x" }, results: { B: 1 } }] })).toEqual(table);
  expect(gridOf({ columns: [{ name: "A", type: "text" }], rows: [] })?.columns).toEqual([{ name: "A", type: "text" }]);
  expect(gridOf({ name: "base" })).toBeUndefined();
});

test("bars are of the first numbers, and named by what stands before them", () => {
  expect(
    barsOf([
      ["a", "x", 1, 5],
      ["b", null, -2, 6],
    ]),
  ).toEqual([
    { name: "a · x", value: 1 },
    { name: "b", value: -2 },
  ]);
  expect(barsOf([["a", 1]])).toBeUndefined(); // one bar says nothing
  expect(barsOf([[1], [2]])).toBeUndefined(); // nothing names them
  expect(barsOf([["a", 1], ["b", null]])).toBeUndefined();
});

const answer = {
  count: 2,
  newOptions: ["Status: Won"],
  sample: [{ id: "rec_1", before: { Name: "Oak" }, after: { Name: "Elm" } }],
  planToken: "token",
  expiresAt: "2026-01-01T10:00:00Z",
};

test("an answer is a plan only if one was asked for", () => {
  expect(planOf(answer, {})).toBeUndefined();
  expect(planOf(answer, { plan: true })).toMatchObject({
    facts: [
      { name: "Count", value: "2" },
      { name: "New options", value: "Status: Won" },
    ],
    sample: [{ record: "rec_1", fields: [{ name: "Name", before: "Oak", after: "Elm" }] }],
    token: "token",
  });
});

test("a plan that is refused says why, and offers no second press", async () => {
  const person = userEvent.setup();
  const page = { tool: "update_records_where", input: { plan: true }, structured: answer };
  render(<AnswerPage answer={page} apply={() => Promise.reject(new Error("What the plan looked at has moved."))} />);
  await person.click(screen.getByRole("button", { name: "Do this" }));
  expect((await screen.findByRole("alert")).textContent).toContain("has moved");
  expect(screen.queryByRole("button", { name: "Do this" })).toBeNull();
});

test("a client that makes no calls for the page gets no button", () => {
  const page = { tool: "update_records_where", input: { plan: true }, structured: answer };
  render(<AnswerPage answer={page} apply={undefined} />);
  expect(screen.queryByRole("button")).toBeNull();
});
