import { grouped } from "./number.ts";

/** The texts of finding and replacing. */
export const replace = {
  title: "Find and replace",
  hint: "In the records that the filter and the search of this view find.",
  find: "Find",
  with: "Replace with",
  withHint: "Leave it empty to remove what is found.",
  field: "In the field",
  looking: "Looking…",
  count: (count: number) =>
    count === 0 ? "No record has it." : count === 1 ? "1 record has it:" : `${grouped(count)} records have it:`,
  more: (count: number) => `and ${grouped(count)} more`,
  empty: "(empty)",
  replace: (count: number) =>
    count === 0 ? "Replace" : count === 1 ? "Replace in 1 record" : `Replace in ${grouped(count)} records`,
  replaced: (count: number) => (count === 1 ? "Replaced in 1 record" : `Replaced in ${grouped(count)} records`),
  undo: "Undo",
  none: "This table has no field with text that you may change.",
};
