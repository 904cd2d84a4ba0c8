import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { NoRecords } from "../../src/view/norecords.tsx";

afterEach(cleanup);

const none = () => undefined;

test("an empty table offers to add a record to those who may", () => {
  const { rerender } = render(<NoRecords narrowed={false} past={false} onClear={none} onAdd={vi.fn()} />);
  screen.getByText(/^Add the first one/);
  screen.getByRole("button", { name: "New record" });
  rerender(<NoRecords narrowed={false} past={false} onClear={none} />);
  expect(screen.queryByRole("button")).toBeNull();
});

test("an empty table of the past offers nothing", () => {
  render(<NoRecords narrowed={false} past onClear={none} />);
  screen.getByText("No records at this time");
  expect(screen.queryByText(/^Add the first one/)).toBeNull();
});

test("a filter that nothing matches can be cleared, also in the past", () => {
  render(<NoRecords narrowed past onClear={none} />);
  screen.getByRole("button", { name: "Clear filter and search" });
});
