import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import { SqlPage } from "../../src/sql/sqlpage.tsx";
import { shown } from "../../src/ui/resulttable.tsx";
import { placeOf, quoted, tablesOf, wordEnd } from "../../src/sql/statement.ts";
import { slowTimeout } from "../fieldsample.tsx";

afterEach(cleanup);

const tables = [
  {
    id: "tbl_1",
    name: "Ships",
    views: [],
    fields: [
      { name: "Name", type: "text" },
      { name: "Built in", type: "date" },
      { name: "Captains", type: "link" },
      { name: "Open", type: "button" },
    ],
  },
];

test("names are written as SQL takes them", () => {
  expect([quoted("Ships"), quoted("Built in"), quoted('a"b'), quoted("1st")]).toEqual([
    "Ships",
    '"Built in"',
    '"a""b"',
    '"1st"',
  ]);
  expect(["Order", "GROUP", "user", "from", "to", "end", "left", "time", "name"].map(quoted)).toEqual(
    ['"Order"', '"GROUP"', '"user"', '"from"', '"to"', '"end"', '"left"', '"time"', "name"],
  );
  expect(tablesOf(tables)).toEqual([
    { name: "Ships", columns: ["id", "record_id", "Name", '"Built in"', "created_at", "updated_at"] },
    { name: "Ships__Captains", columns: ["id", "linked_id", '"position"'] },
  ]);
});

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const field = (name: string, type = "text") => ({ name, type });

test("names that are taken or too long are those that the service gives", () => {
  const long = "a".repeat(62);
  const [one, two, three] = tablesOf([
    { name: "Crew", fields: [field("ID"), field("Ship", "link"), field(`${long}øst`), field(`${long}ØST`)] },
    { name: "crew__ship", fields: [field("Id"), field("id_2"), field("record_id", "button")] },
  ]);
  expect(one?.columns.slice(0, 3)).toEqual(["id_2", "record_id", "ID"]);
  expect(one?.columns.slice(3, 5)).toEqual(
    [`${long}øst`, `${long}ØST`].map((name) => `"${"a".repeat(56)}~${digest(name).slice(0, 6)}"`),
  );
  expect(two?.columns).toEqual(["id_3", "record_id_2", "Id", "id_2", "created_at", "updated_at"]);
  expect(three?.name).toBe("Crew__Ship_2");
});

test("a statement that is too long is not cut, and not sent", async () => {
  const sent = setup();
  const editor = screen.getByLabelText<HTMLTextAreaElement>("SQL");
  fireEvent.input(editor, { target: { value: "x".repeat(10_002) } });
  screen.getByText("The statement is 2 characters too long.");
  expect(editor.value).toHaveLength(10_002);
  await userEvent.type(editor, "{Control>}{Enter}{/Control}");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Run" }).disabled).toBe(true);
  expect(sent).toEqual([]);
});

test("an error's line and column become a place in the statement", () => {
  const statement = "select '😀',\n  nmae from ships";
  expect(placeOf("sql: line 2, column 3: there is none", statement)).toBe(statement.indexOf("nmae"));
  expect(placeOf("line 1, column 11: x", statement)).toBe(statement.indexOf(",")); // the face is one character
  expect(placeOf("The statement is too costly", statement)).toBeUndefined();
  expect(wordEnd(statement, statement.indexOf("nmae"))).toBe(statement.indexOf(" from"));
  expect(wordEnd('"Built in" x', 0)).toBe(10);
  expect([shown(null), shown(["a"]), shown(1.5), shown(true)]).toEqual(["", '["a"]', "1.5", "true"]);
});

/** Shows the page; the service gives these answers in turn. */
function setup(...answers: Response[]) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return answers.shift();
  });
  const open = { base: { id: "bas_1", name: "Harbour", tables }, role: "viewer", orgId: "org_1" } as unknown;
  render(
    <BaseContext.Provider value={open as OpenBase}>
      <SqlPage />
    </BaseContext.Provider>,
  );
  return sent;
}

test("a statement runs, its rows show, and they are copied as CSV", { timeout: slowTimeout }, async () => {
  const user = userEvent.setup();
  const sent = setup(
    Response.json({
      columns: [
        { name: "Name", type: "text" },
        { name: "n", type: "bigint" },
      ],
      rows: [
        ["=Solveig", 2],
        [null, 1],
      ],
      truncated: true,
      cost: 1,
      milliseconds: 3,
    }),
  );
  const editor = screen.getByLabelText("SQL");
  const said = screen.getByRole("status"); // is there before it has anything to say
  expect(editor).toHaveProperty("value", "select count(*) from Ships");
  await user.clear(editor);
  await user.type(editor, "select 1{Control>}{Enter}{/Control}");
  await screen.findByText(/The first 2 rows in 3 ms/);
  expect(said.textContent).toContain("The first 2 rows in 3 ms");
  expect(sent).toEqual([{ sql: "select 1" }]);
  expect(screen.getByText("=Solveig")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Copy as CSV" }));
  expect(await navigator.clipboard.readText()).toBe(`Name,n\r\n'=Solveig,2\r\n,1\r\n`);
});

test("an error shows with its place, which is selected on demand", { timeout: slowTimeout }, async () => {
  const user = userEvent.setup();
  const problem = {
    type: "about:blank",
    title: "Bad Request",
    status: 400,
    detail: 'sql: line 1, column 8: column "nmae" does not exist, did you mean "Name"?',
    code: "sql_invalid",
    requestId: "req_1",
  };
  setup(Response.json(problem, { status: 400 }));
  const editor = screen.getByLabelText<HTMLTextAreaElement>("SQL");
  await user.clear(editor);
  await user.type(editor, "select nmae from ships");
  await user.click(screen.getByRole("button", { name: "Run" }));
  expect((await screen.findByRole("alert")).textContent).toContain('did you mean "Name"?');
  await user.click(screen.getByRole("button", { name: "Show the error" }));
  expect(editor.value.slice(editor.selectionStart, editor.selectionEnd)).toBe("nmae");
});
