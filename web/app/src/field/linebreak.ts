import type { KeyboardEvent } from "react";

/**
 * Begins a new line in a text of several lines where a key asks for one: Enter with Shift, as chats
 * have it, with Alt, or with Ctrl or Cmd, as spreadsheets have it. Reports whether it was asked for.
 */
export function breakLine(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || !(event.shiftKey || event.altKey || event.ctrlKey || event.metaKey)) return false;
  event.preventDefault();
  // As if it were typed, so that the browser's own undo takes it back.
  document.execCommand("insertText", false, "\n");
  return true;
}
