import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Row } from "../../src/api/type.ts";
import { refreshRows } from "../../src/record/refresh.ts";
import { useOutcome, useRows, useStatus, useVersion } from "../../src/record/rows.ts";
import type { RowQuery } from "../../src/record/source.ts";
import { Writer } from "../../src/record/writer.ts";

type Pending = { search: string | null; respond: (names: string[]) => void; fail: () => void };
let pending: Pending[];

const rows = (names: string[]) => names.map((name): Row => ({ id: `rec_${name}`, fields: { Name: name } }));
const body = (names: string[]) => ({
  records: rows(names),
  total: names.length,
  offset: 0,
  limit: 100,
  hasMore: false,
});

beforeEach(() => {
  pending = [];
  vi.stubGlobal(
    "fetch",
    (request: Request) =>
      new Promise<Response>((resolve) => {
        pending.push({
          search: new URL(request.url).searchParams.get("search"),
          respond: (names) => resolve(new Response(JSON.stringify(body(names)))),
          fail: () => resolve(new Response(JSON.stringify({ detail: "broken" }), { status: 500 })),
        });
      }),
  );
});
afterEach(cleanup);

const service = {
  update: async (_table: string, records: Row[]) => records,
  create: async () => [],
  remove: async () => undefined,
  removeVersion: async () => undefined,
  restore: async () => undefined,
};

function Names({ query, writer }: { query: RowQuery; writer: Writer }) {
  const source = useRows("tbl_1", query, writer);
  const { total, problem } = useOutcome(source);
  useVersion(source);
  const { count } = useStatus(writer);
  return (
    <p>
      {total === undefined
        ? (problem?.message ?? "waiting")
        : source
            .loaded()
            .map((row) => String(row.fields.Name))
            .join()}
      {count > 0 && ` (${count} unsent)`}
    </p>
  );
}

const asked = (index: number) => waitFor(() => expect(pending.length).toBeGreaterThan(index));
const respond = async (index: number, ...names: string[]) => {
  await asked(index);
  await act(async () => pending[index]?.respond(names));
};
const shown = () => screen.getByRole("paragraph").textContent;
const shows = (text: string) => waitFor(() => expect(shown()).toBe(text));

test("the previous rows stay while those of another query load", async () => {
  const writer = new Writer("tbl_1", service);
  const { rerender } = render(<Names query={{}} writer={writer} />);
  expect(shown()).toBe("waiting");
  await respond(0, "Ada", "Bea");
  await shows("Ada,Bea");

  rerender(<Names query={{ search: "b" }} writer={writer} />);
  expect(shown()).toBe("Ada,Bea");
  // An edit in the meantime is shown at once.
  await act(async () => void writer.edit([{ id: "rec_Ada", before: { Name: "Ada" }, after: { Name: "Eve" } }]));
  expect(shown()).toContain("Eve,Bea");
  expect(pending[1]?.search).toBe("b");
  await respond(1, "Bea");
  await waitFor(() => expect(shown()).not.toContain("Eve"));
  expect(shown()).toContain("Bea");
});

test("a failed read shows the failure and not the previous rows", async () => {
  const writer = new Writer("tbl_1", service);
  const { rerender } = render(<Names query={{}} writer={writer} />);
  await respond(0, "Ada");
  rerender(<Names query={{ search: "x" }} writer={writer} />);
  await asked(1);
  await act(async () => pending[1]?.fail());
  await shows("broken");
});

test("rows are read again after another part of the page has changed them", async () => {
  const writer = new Writer("tbl_1", service);
  render(<Names query={{}} writer={writer} />);
  await respond(0, "Ada");
  await act(async () => refreshRows());
  await respond(1, "Ada", "New");
  await shows("Ada,New");
});
