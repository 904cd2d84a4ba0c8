import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Dialog } from "../../src/ui/dialog.tsx";
import { Popover } from "../../src/ui/menu.tsx";
import { useUnsaved } from "../../src/ui/unsaved.tsx";
import { slowTimeout } from "../fieldsample.tsx";

afterEach(cleanup);

function Form() {
  const [text, setText] = useState("");
  useUnsaved(text !== "");
  return <input aria-label="Formula" value={text} onChange={(event) => setText(event.target.value)} />;
}

const around = {
  popover: (onClose: () => void) => (
    <Popover
      label="Field"
      open
      onOpenChange={(open) => !open && onClose()}
      trigger={<button type="button">Add</button>}
    >
      <Form />
    </Popover>
  ),
  dialog: (onClose: () => void) => (
    <Dialog open onClose={onClose} title="Field">
      <Form />
    </Dialog>
  ),
};

describe.each(["popover", "dialog"] as const)("a %s with a form", (kind) => {
  test("is closed by Esc while nothing is in it", { timeout: slowTimeout }, async () => {
    const onClose = vi.fn();
    render(around[kind](onClose));
    await userEvent.click(screen.getByLabelText("Formula"));
    await userEvent.keyboard("{Escape}");
    expect(onClose).toHaveBeenCalledOnce();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  test("asks before it discards what was entered", { timeout: slowTimeout }, async () => {
    const onClose = vi.fn();
    render(around[kind](onClose));
    await userEvent.type(screen.getByLabelText("Formula"), "1+1");
    await userEvent.keyboard("{Escape}");
    await screen.findByRole("alertdialog", { name: "Discard what you entered?" });
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(screen.getByLabelText<HTMLInputElement>("Formula").value).toBe("1+1");
    expect(onClose).not.toHaveBeenCalled();

    await userEvent.click(screen.getByLabelText("Formula"));
    await userEvent.keyboard("{Escape}");
    await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
    expect(onClose).toHaveBeenCalledOnce();
  });
});
