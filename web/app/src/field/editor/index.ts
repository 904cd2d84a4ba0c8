import { preloadable } from "../../ui/preloadable.tsx";
import type { EditorProps } from "../kind.ts";

// One import for all, because each costs the first page some bytes.
const parts = () => import("./parts.ts");
type Part = keyof Awaited<ReturnType<typeof parts>>;

const editor = (name: Part) => preloadable<EditorProps>(async () => (await parts())[name], null);

// The editors of cells. The grid waits for their code before it is shown, so that no key is lost.
export const lineEditor = editor("LineEditor");
export const numberEditor = editor("NumberEditor");
export const areaEditor = editor("AreaEditor");
export const dateEditor = editor("DateEditor");
export const timestampEditor = editor("TimestampEditor");
export const optionEditor = editor("OptionEditor");
export const optionsEditor = editor("OptionsEditor");
export const peopleEditor = editor("PeopleEditor");

/** Loads the code of all editors. */
export async function loadEditors(): Promise<void> {
  const typed = [lineEditor, numberEditor, areaEditor, dateEditor, timestampEditor];
  const chosen = [optionEditor, optionsEditor, peopleEditor];
  await Promise.all([...typed, ...chosen].map((one) => one.preload()));
}
