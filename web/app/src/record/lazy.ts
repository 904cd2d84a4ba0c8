import { loadControls } from "../field/control/index.ts";
import { preloadable } from "../ui/preloadable.tsx";
import type { NewRecordProps } from "./newrecord.tsx";
import type { RecordPanelProps } from "./panel.tsx";

// The forms of records, which are loaded with the controls in them.

export const RecordPanel = preloadable<RecordPanelProps>(async () => {
  const [{ RecordPanel: Panel }] = await Promise.all([import("./panel.tsx"), loadControls()]);
  return Panel;
}, null);

export const NewRecord = preloadable<NewRecordProps>(async () => {
  const [{ NewRecord: Dialog }] = await Promise.all([import("./newrecord.tsx"), loadControls()]);
  return Dialog;
}, null);

/** Loads the code of both, so that the first of them opens at once. */
export async function loadRecordForms(): Promise<void> {
  await Promise.all([RecordPanel.preload(), NewRecord.preload()]);
}
