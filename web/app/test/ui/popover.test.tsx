import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Popover, useUnsaved } from "../../src/ui/menu.tsx";
import { slowTimeout } from "../fieldsample.tsx";

afterEach(cleanup);

function Form() {
  const [text, setText] = useState("");
  useUnsaved(text !== "");
  return <input aria-label="Formula" value={text} onChange={(event) => setText(event.target.value)} />;
}

function show() {
  const onOpenChange = vi.fn();
  render(
    <Popover label="Field" open onOpenChange={onOpenChange} trigger={<button type="button">Add</button>}>
      <Form />
    </Popover>,
  );
  return onOpenChange;
}

test("Esc closes a form with nothing in it", { timeout: slowTimeout }, async () => {
  const onOpenChange = show();
  await userEvent.click(screen.getByLabelText("Formula"));
  await userEvent.keyboard("{Escape}");
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("what was entered is discarded when that is confirmed, and not before", { timeout: slowTimeout }, async () => {
  const onOpenChange = show();
  await userEvent.type(screen.getByLabelText("Formula"), "1+1");
  await userEvent.keyboard("{Escape}");
  await screen.findByRole("alertdialog", { name: "Discard what you entered?" });
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>("Formula").value).toBe("1+1");
  expect(onOpenChange).not.toHaveBeenCalled();

  await userEvent.click(screen.getByLabelText("Formula"));
  await userEvent.keyboard("{Escape}");
  await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false);
});
