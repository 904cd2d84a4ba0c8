import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { piecesOf } from "../../src/comment/address.ts";
import { CommentText } from "../../src/comment/commenttext.tsx";

afterEach(cleanup);

test.each([
  ["see https://example.com/a?b=c#d now", ["https://example.com/a?b=c#d"]],
  ["(https://example.com/x), and http://two.example.", ["https://example.com/x", "http://two.example"]],
  ["https://en.wikipedia.org/wiki/Row_(house)", ["https://en.wikipedia.org/wiki/Row_(house)"]],
  ["[https://example.com/[1]]", ["https://example.com/[1]"]],
  ["HTTPS://EXAMPLE.COM!?", ["HTTPS://EXAMPLE.COM"]],
  ["»https://例え.jp/パス« and “https://example.com/ü”…", ["https://例え.jp/パス", "https://example.com/ü"]],
  ["<https://example.com>\nhttps://example.com/2", ["https://example.com", "https://example.com/2"]],
  ["javascript:alert(1) ftp://example.com http:// https://( xhttps://example.com readme.md", []],
])("the addresses of %j", (text, addresses) => {
  const pieces = piecesOf(text);
  expect(pieces.flatMap(({ address }) => address ?? [])).toEqual(addresses);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
});

test("a comment has links beside its mentions, and opens them apart", () => {
  const comment = {
    text: "@[Ada](usr_1) see https://example.com/plan, please",
    mentions: [{ id: "usr_1", name: "Ada L." }],
  };
  const { container } = render(<CommentText comment={comment} me="usr_1" />);
  expect(container.textContent).toBe("@Ada L. see https://example.com/plan, please");
  const link = screen.getByRole("link");
  expect(link.getAttribute("href")).toBe("https://example.com/plan");
  expect(link.getAttribute("rel")).toContain("noopener");
  expect(link.getAttribute("target")).toBe("_blank");
});
