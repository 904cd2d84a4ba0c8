import { grouped } from "./number.ts";

/** The list of changes that are not saved yet. */
export const unsaved = {
  title: "Changes that are not saved",
  refused: "Not accepted",
  waiting: "Waiting to be saved",
  conflicts: "Changed by others too",
  choose: (table: string) => `Choose in ${table}`,
  kept: "They are kept in this browser even if you close this page, and are sent as soon as possible.",
  notKept: "This browser cannot store changes. They are lost when this page is closed.",
  kind: {
    edit: "Edit",
    create: "New record",
    delete: "Deletion",
    restore: "Restoration",
  },
  untitled: "Untitled record",
  retry: "Try again",
  retryAll: "Try all again",
  copy: "Copy",
  copyAll: "Copy all",
  copied: "Copied",
  discard: "Discard",
  discardAll: "Discard all",
  discardAllTitle: (count: number) => (count === 1 ? "Discard this change?" : `Discard ${grouped(count)} changes?`),
  discardAllBody: "What you entered is not saved anywhere else.",
  field: (name: string, value: string) => `${name}: ${value}`,
  empty: "empty",
  none: "All changes are saved.",
  more: (count: number) => `and ${grouped(count)} more`,
};
