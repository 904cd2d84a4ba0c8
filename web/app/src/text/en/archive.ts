import { grouped } from "./number.ts";

const some = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`;

/** The texts of base archives, and of copies. */
export const archive = {
  open: "Import a base archive",
  title: "Import a base archive",
  intro:
    "An archive is what “Export the base to an archive” makes, here or at another Rowhouse. It becomes a new base.",
  help: "What comes, and what does not",
  file: "Archive",
  choose: "Choose a file",
  drop: "Drop the archive here",
  begin: "Import",
  back: "Back",
  name: "Base name",
  nameHint: "Leave it empty for the name in the archive.",
  uploading: "The archive is being uploaded",
  waiting: "It waits for its turn",
  working: (done: number, total: number | null) =>
    total === null ? "It is being read" : `${grouped(done)} of ${some(total, "record", "records")}`,
  goesOn: "It goes on when you close this window.",
  close: "Close",
  failed: "Nothing came",
  failedHalf: "The base is incomplete",
  cancelled: "It was cancelled",
  done: "It is all here",
  doneWithout: "It is here, but for what is listed",
  openBase: "Open the base",
  openTable: "Open the table",
  counts: {
    tables: (n: number) => some(n, "table", "tables"),
    records: (n: number) => some(n, "record", "records"),
    links: (n: number) => some(n, "link", "links"),
    files: (n: number) => some(n, "file", "files"),
  },
  leftOut: "What did not come",
  notMembers: "People who are not members here",
  more: (n: number) => `${grouped(n)} more`,
  templateOpen: "Use a template",
  templates: "Begin with a template",
  templatesIntro: "Tables, views and a few records as examples. Everything in it can be changed.",
  duplicateTitle: (name: string) => `Duplicate “${name}”`,
  copyName: (name: string) => `${name} copy`,
  copyLabel: "Name of the copy",
  withRecords: "With its records and files",
  withRecordsHint: "Otherwise only its fields and views.",
  baseNote: "Permissions are copied. Comments, history, shared links, keys and webhooks are not.",
  tableNote: "Its links go to the same records, so the linked tables get a field for the copy.",
  duplicate: "Duplicate",
};
