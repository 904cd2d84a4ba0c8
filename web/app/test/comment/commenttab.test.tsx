import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import { cache } from "../../src/api/cache.ts";
import { key } from "../../src/api/key.ts";
import type { Comment } from "../../src/api/type.ts";
import { CommentTab } from "../../src/comment/commenttab.tsx";
import { context, slowTimeout } from "../fieldsample.tsx";

afterEach(cleanup);
beforeEach(() => {
  cache.clear();
  Element.prototype.scrollIntoView = () => undefined;
});

const ada = { id: "usr_1", name: "Ada Lovelace" };
const grace = { id: "usr_2", name: "Grace Hopper" };

const comment = (id: string, text: string, more: Partial<Comment> = {}): Comment => ({
  id,
  threadId: id,
  recordId: "rec_1",
  author: ada,
  credential: "ses_1",
  text,
  mentions: [],
  createdAt: "2026-01-01T00:00:00Z",
  ...more,
});

const threads = [
  comment("cmt_3", "Is it an oak, @[Somebody](usr_2)?", { mentions: [grace] }),
  comment("cmt_4", "It is.", { threadId: "cmt_3", author: grace, credential: "grt_1" }),
  comment("cmt_1", "Done long ago", { resolvedAt: "2026-01-02T00:00:00Z", resolvedBy: grace }),
];

type Sent = { method: string; path: string; body: unknown };
const keys: (string | null)[] = []; // the idempotency keys of what was sent

/** Shows the comments of a record to Ada. */
async function setup(role: OpenBase["role"] = "editor", commentId?: string, comments = threads, unread = 0) {
  const read: unknown[] = [];
  const sent: Sent[] = [];
  const fail: { message?: string; lost?: boolean } = {};
  keys.length = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname;
    if (request.method === "GET" && path === "/api/v1/inbox")
      return Response.json({ items: [], unread: read.length > 0 ? 0 : unread, nextCursor: null });
    if (request.method === "GET") return Response.json({ comments, nextCursor: null });
    const body: unknown = request.body ? await request.json() : undefined;
    if (path.endsWith("/inbox/read")) read.push(body);
    else sent.push({ method: request.method, path, body });
    keys.push(request.headers.get("Idempotency-Key"));
    if (fail.lost) throw new TypeError("Failed to fetch");
    if (fail.message)
      return Response.json(
        { type: "about:blank", title: "Bad Request", status: 400, detail: fail.message },
        { status: 400 },
      );
    return Response.json(comments[0] ?? {});
  });
  cache.setQueryData(key.me, { id: ada.id, orgs: [] });
  const people = { ...context, people: [ada, { ...grace, email: "grace@example.com" }] };
  const open = { base: { id: "bas_1" }, orgId: "org_1", role, people } as unknown as OpenBase;
  render(
    <QueryClientProvider client={cache}>
      <BaseContext.Provider value={open}>
        <CommentTab recordId="rec_1" commentId={commentId} />
      </BaseContext.Provider>
    </QueryClientProvider>,
  );
  await screen.findByText(comments.length > 0 ? "It is." : "No comments yet");
  return { sent, fail, read };
}

test("threads stand with their replies, and mentions with the present names", async () => {
  await setup();
  const list = screen.getByRole("list", { name: "Threads" });
  expect(list.textContent).toContain("Is it an oak, @Grace Hopper?");
  expect(within(list).getByRole("list", { name: "Replies" }).textContent).toContain("Grace Hopper");
  expect(within(list).getByRole("list", { name: "Replies" }).textContent).toContain("with a connected app");
  expect(screen.queryByText("Done long ago")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Show 1 resolved thread" }));
  expect(screen.getByRole("list", { name: "Resolved threads" }).textContent).toMatch(
    /Resolved by Grace Hopper.*Done long ago/,
  );
});

test("members are mentioned with the keyboard", { timeout: slowTimeout }, async () => {
  const { sent } = await setup("editor", undefined, []);
  const field = screen.getByRole("textbox", { name: "Write a comment" });
  await userEvent.type(field, "Look, @gra");
  const option = screen.getByRole("option", { name: /Grace Hopper/ });
  expect(field.getAttribute("aria-activedescendant")).toBe(option.id);
  expect(screen.queryByRole("option", { name: /Ada/ })).toBeNull(); // nobody mentions themselves
  await userEvent.keyboard("{Enter}");
  expect((field as HTMLTextAreaElement).value).toBe("Look, @Grace Hopper ");
  expect(screen.queryByRole("listbox")).toBeNull();
  await userEvent.type(field, "here{Control>}{Enter}{/Control}");
  await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe(""));
  expect(sent).toEqual([
    {
      method: "POST",
      path: "/api/v1/records/rec_1/comments",
      body: { text: "Look, @[Grace Hopper](usr_2) here" },
    },
  ]);
});

test("what was refused stays in the field, with the reason", { timeout: slowTimeout }, async () => {
  const { fail } = await setup("editor", undefined, []);
  fail.message = "text: mentions Grace, who is not a member";
  const field = screen.getByRole("textbox", { name: "Write a comment" });
  await userEvent.type(field, "Lost?");
  await userEvent.click(screen.getByRole("button", { name: "Comment" }));
  expect((await screen.findByRole("alert")).textContent).toContain("not a member");
  expect((field as HTMLTextAreaElement).value).toBe("Lost?");
});

test("a thread is answered, resolved and opened again", { timeout: slowTimeout }, async () => {
  const { sent } = await setup();
  await userEvent.click(screen.getByRole("button", { name: "Reply" }));
  const field = screen.getByRole("textbox", { name: "Reply" });
  expect(document.activeElement).toBe(field);
  await userEvent.type(field, "Thanks{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Reply" })).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Resolve thread" }));
  await userEvent.click(screen.getByRole("button", { name: "Show 1 resolved thread" }));
  await userEvent.click(screen.getByRole("button", { name: "Open again" }));
  expect(sent).toEqual([
    { method: "POST", path: "/api/v1/records/rec_1/comments", body: { text: "Thanks", replyTo: "cmt_3" } },
    { method: "PUT", path: "/api/v1/comments/cmt_3/resolution", body: { resolved: true } },
    { method: "PUT", path: "/api/v1/comments/cmt_1/resolution", body: { resolved: false } },
  ]);
});

test("authors edit, and admins delete what others wrote", { timeout: slowTimeout }, async () => {
  const { sent } = await setup("creator");
  await userEvent.click(screen.getByRole("button", { name: "Actions for the comment of Grace Hopper" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
  expect(screen.queryByRole("menuitem", { name: "Edit" })).toBeNull();
  await userEvent.click(
    within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Delete" }),
  );
  await waitFor(() => expect(sent).toHaveLength(1));
  await userEvent.click(screen.getAllByRole("button", { name: "Actions for the comment of Ada Lovelace" })[0]!);
  await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const field = screen.getByRole("textbox", { name: "Edit the comment" });
  expect((field as HTMLTextAreaElement).value).toBe("Is it an oak, @Grace Hopper?");
  await userEvent.type(field, " Or an elm?");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([
    { method: "DELETE", path: "/api/v1/comments/cmt_4", body: undefined },
    {
      method: "PATCH",
      path: "/api/v1/comments/cmt_3",
      body: { text: "Is it an oak, @[Grace Hopper](usr_2)? Or an elm?" },
    },
  ]);
});

test("viewers read and do not write", async () => {
  await setup("viewer");
  screen.getByText(/Your role lets you read comments/);
  for (const name of ["Reply", "Resolve thread", "Comment"]) expect(screen.queryByRole("button", { name })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Actions for the comment of Grace Hopper" }));
  const items = await screen.findAllByRole("menuitem");
  expect(items.map((item) => item.textContent)).toEqual(["Copy link"]);
});

test("the comment of the address is pointed out, also in a resolved thread", async () => {
  await setup("editor", "cmt_1");
  const [pointed] = document.querySelectorAll("[data-pointed]");
  expect(pointed?.textContent).toContain("Done long ago");
});

test("a link to a comment that was deleted says so", async () => {
  await setup("editor", "cmt_9");
  expect(screen.getByRole("status").textContent).toContain("was deleted");
});

test("who sees the comments has read what the inbox says of them, once", async () => {
  const { read } = await setup("viewer", undefined, threads, 3);
  await waitFor(() => expect(read).toEqual([{ recordId: "rec_1" }]));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(read).toHaveLength(1);
});

test("nothing is marked as read while nothing is unread", async () => {
  const { read } = await setup("viewer");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(read).toEqual([]);
});

test("an edit begins at the end of the text", async () => {
  await setup();
  await userEvent.click(screen.getAllByRole("button", { name: "Actions for the comment of Ada Lovelace" })[0]!);
  await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edit the comment" });
  expect(field.selectionStart).toBe(field.value.length);
});

test("a comment whose answer was lost is sent again under the same key", { timeout: slowTimeout }, async () => {
  const { fail, sent } = await setup("editor", undefined, []);
  fail.lost = true;
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Write a comment" });
  await userEvent.type(field, "Once");
  await userEvent.click(screen.getByRole("button", { name: "Comment" }));
  await screen.findByRole("alert");
  expect(document.activeElement).toBe(field);
  fail.lost = false;
  await userEvent.click(screen.getByRole("button", { name: "Comment" }));
  await waitFor(() => expect(field.value).toBe(""));
  expect(document.activeElement).toBe(field);
  await userEvent.type(field, "Once");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(sent).toHaveLength(3));
  const [first, second, third] = keys;
  expect(first).toBeTruthy();
  expect(second).toBe(first);
  expect(third).not.toBe(first); // the same text is meant again
});

test("the field keeps the focus while a comment is sent", { timeout: slowTimeout }, async () => {
  await setup("editor", undefined, []);
  let answer: (() => void) | undefined;
  vi.stubGlobal("fetch", async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return Response.json(threads[0]);
  });
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Write a comment" });
  await userEvent.type(field, "Slow{Control>}{Enter}{/Control}");
  expect([field.readOnly, field.disabled]).toEqual([true, false]);
  expect(document.activeElement).toBe(field);
  answer?.();
});

test.each(["Cancel", "Reply"])("after “%s” the button that opened the reply has the focus", async (name) => {
  await setup();
  const opener = screen.getByRole("button", { name: "Reply" });
  await userEvent.click(opener);
  await userEvent.type(screen.getByRole("textbox", { name: "Reply" }), "Thanks");
  await userEvent.click(screen.getByRole("button", { name }));
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Reply" })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Reply" }));
});
