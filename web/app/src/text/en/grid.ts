import { grouped } from "./number.ts";

/** What a column shows of its field, in full. */
const functions = {
  count: "Filled",
  empty: "Empty",
  percent_filled: "Percent filled",
  distinct: "Different values",
  sum: "Sum",
  avg: "Average",
  median: "Median",
  min: "Smallest",
  max: "Largest",
};

export const grid = {
  footer: "Summaries of the columns",
  summarize: "Summarize",
  summaryOf: (field: string) => `Summary of ${field}`,
  none: "None",
  functions,
  /** Where a field has its own words for functions. */
  dateFunctions: { ...functions, min: "Earliest", max: "Latest" },
  boxFunctions: { ...functions, count: "Ticked", empty: "Not ticked", percent_filled: "Percent ticked" },
  /** Where there is little room. */
  shortFunctions: { percent_filled: "Filled", distinct: "Different" } as Record<string, string | undefined>,
  shortBoxFunctions: { percent_filled: "Ticked" } as Record<string, string | undefined>,
  access: {
    newRow: "New record",
    range: (rows: number, columns: number) =>
      `Selected ${rows === 1 ? "1 row" : `${grouped(rows)} rows`}, ` +
      (columns === 1 ? "1 column" : `${columns} columns`),
  },
  cells: (count: number) => (count === 1 ? "1 cell" : `${grouped(count)} cells`),
  selection: "Selected cells",
  count: (count: number) => grouped(count),
  noValue: (field: string) => `(No ${field})`,
  head: (field: string, value: string, count: string, folded: boolean) =>
    `${field}: ${value}, ${count === "1" ? "1 record" : `${count} records`}, ${folded ? "folded" : "unfolded"}`,
  groupBy: "Group by this field",
  ungroup: "Stop grouping by this field",
  noGroups: "No groups. Choose up to three fields whose equal values bring records together.",
  addGroup: "Add group",
  removeGroup: "Remove group",
  fold: "Fold",
  unfold: "Unfold",
  foldAll: "Fold all",
  unfoldAll: "Unfold all",
  color: "Colour records by this field",
  uncolor: "Stop colouring records",
  follow: "Open link",
  followHint: "Ctrl+click",
  space: "Space",
  insertAbove: "Insert record above",
  insertBelow: "Insert record below",
  copyId: "Copy record id",
  idCopied: "The record id was copied",
  duplicate: "Duplicate",
  renameField: "Rename field",
  insertLeft: "Insert field to the left",
  insertRight: "Insert field to the right",
  duplicateField: "Duplicate field",
  duplicateWithValues: "Duplicate with values",
  duplicated: (field: string) => `“${field}” was duplicated`,
  copySuffix: "copy",
  newField: (number: number) => `Field ${number}`,
  newFields: {
    title: (count: number) =>
      count === 1 ? "Add a field for what you paste?" : `Add ${count} fields for what you paste?`,
    body: "The block is wider than the view from here on. These fields take what is beyond its last column.",
    name: "Name",
    type: "Type",
    values: "Values",
    create: (count: number) => (count === 1 ? "Add field and paste" : `Add ${count} fields and paste`),
    without: "Paste without them",
  },
  newOptions: {
    title: (named: { names: string[] }[]) => {
      const count = named.reduce((sum, { names }) => sum + names.length, 0);
      return count === 1 ? "Create an option?" : `Create ${grouped(count)} options?`;
    },
    body: (named: { field: string; names: string[] }[]) =>
      named
        .map(({ field, names }) => {
          const shown = names.slice(0, 8).join(", ");
          return `${field}: ${shown}${names.length > 8 ? ` and ${names.length - 8} more` : ""}.`;
        })
        .join(" ") + " Without them, these cells keep what they have.",
    action: (named: { names: string[] }[]): string =>
      named.reduce((sum, { names }) => sum + names.length, 0) === 1 ? "Create option" : "Create options",
  },
  addToGroup: "New record in this group",
};
