import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Field, Row, Table } from "../../src/api/type.ts";
import { useDraft } from "../../src/record/draft.ts";
import { currentText } from "../../src/text/index.ts";

const text = currentText();

const field = (id: string, name: string, overrides: Partial<Field> = {}): Field =>
  ({ id, name, type: "text", isPrimary: false, order: 0, ...overrides }) as Field;
const fields = [field("fld_name", "Name", { isPrimary: true }), field("fld_note", "Note")];
const table = { id: "tbl_1", name: "T", fields, views: [] } as unknown as Table;

type Props = { onMade: (row: Row | undefined) => void; unreadable?: string; uploading?: boolean };

/** A form of plain inputs for a draft, like the record form and the form view. */
function Form({ onMade, unreadable, uploading }: Props) {
  const draft = useDraft({ table, fields, required: new Set(["fld_name"]), onMade });
  return (
    <form onSubmit={(event) => void draft.submit(event)} noValidate>
      {fields.map((one) => (
        <div key={one.id} data-failed={draft.errors[one.id] ? "" : undefined}>
          <label>
            {one.name}
            <input
              value={String(draft.values[one.name] ?? "")}
              onChange={(event) => draft.onEdit(one, event.target.value)}
            />
          </label>
          <p>{draft.errors[one.id]}</p>
        </div>
      ))}
      {draft.failure && <p role="alert">{draft.failure}</p>}
      <button type="button" onClick={() => draft.onUnreadable(fields[1]!, unreadable)}>
        entry
      </button>
      <button type="button" onClick={() => draft.onUploading(fields[1]!, uploading === true)}>
        upload
      </button>
      <button type="submit">send</button>
    </form>
  );
}

const sent: { body: unknown; key: string | null }[] = [];
let responses: Response[];
const problem = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const created = () => new Response(JSON.stringify({ records: [{ id: "rec_1", fields: { Name: "Ada" } }] }));

beforeEach(() => {
  sent.length = 0;
  responses = [];
  Element.prototype.scrollIntoView = vi.fn();
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push({ body: await request.json(), key: request.headers.get("Idempotency-Key") });
    return responses.shift() ?? created();
  });
});
afterEach(cleanup);

test("nothing is sent while a required value is missing, and the first invalid field is focused", async () => {
  const user = userEvent.setup();
  const onMade = vi.fn();
  render(<Form onMade={onMade} />);
  await user.type(screen.getByLabelText("Note"), "x");
  await user.click(screen.getByText("send"));
  expect(await screen.findByText(text.view.form.missing)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
  expect(sent).toEqual([]);

  await user.type(screen.getByLabelText("Name"), "Ada");
  expect(screen.queryByText(text.view.form.missing)).toBeNull();
  await user.click(screen.getByText("send"));
  await waitFor(() => expect(onMade).toHaveBeenCalledWith({ id: "rec_1", fields: { Name: "Ada" } }));
  expect(sent.map((one) => one.body)).toEqual([{ fields: { Name: "Ada", Note: "x" } }]);
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("");
});

test("an error is shown beside the field that it names, and any other below the form", async () => {
  const user = userEvent.setup();
  render(<Form onMade={vi.fn()} />);
  responses = [
    problem(400, {
      detail: "No.",
      errors: [
        { path: "fields.Note", message: "is too long" },
        { path: "", message: "and late" },
      ],
    }),
    problem(403, { detail: "You may not." }),
  ];
  await user.type(screen.getByLabelText("Name"), "Ada");
  await user.type(screen.getByLabelText("Note"), "y");
  await user.click(screen.getByText("send"));
  expect(await screen.findByText("is too long")).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toBe("and late");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Note")));
  await user.click(screen.getByText("send"));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("You may not."));
});

test("a retry without a response reuses the idempotency key, and a new entry gets another", async () => {
  const user = userEvent.setup();
  const onMade = vi.fn();
  render(<Form onMade={onMade} />);
  responses = [problem(503, { detail: "Busy." })];
  for (let n = 0; n < 3; n++) {
    if (n !== 1) await user.type(screen.getByLabelText("Name"), "Ada");
    await user.click(screen.getByText("send"));
    await waitFor(() => expect(sent).toHaveLength(n + 1));
    await waitFor(() => expect(onMade).toHaveBeenCalledTimes(n));
  }
  const keys = sent.map((one) => one.key);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("nothing is sent while an entry is unreadable or a file is uploading", async () => {
  const user = userEvent.setup();
  const { rerender } = render(<Form onMade={vi.fn()} unreadable="is no number" uploading />);
  await user.type(screen.getByLabelText("Name"), "Ada");
  await user.click(screen.getByText("entry"));
  await user.click(screen.getByText("send"));
  expect(await screen.findByText("is no number")).toBeTruthy();
  rerender(<Form onMade={vi.fn()} uploading />);
  await user.click(screen.getByText("entry"));
  await user.click(screen.getByText("upload"));
  await user.click(screen.getByText("send"));
  expect(await screen.findByText(text.file.pending)).toBeTruthy();
  expect(sent).toEqual([]);
  rerender(<Form onMade={vi.fn()} />);
  await user.click(screen.getByText("upload"));
  expect(screen.queryByText(text.file.pending)).toBeNull();
  await user.click(screen.getByText("send"));
  await waitFor(() => expect(sent).toHaveLength(1));
});
