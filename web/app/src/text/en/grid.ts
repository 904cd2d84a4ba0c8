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
  space: "Space",
  copyId: "Copy record id",
  idCopied: "The record id was copied",
  renameField: "Rename field",
  insertLeft: "Insert field to the left",
  insertRight: "Insert field to the right",
  duplicateField: "Duplicate field",
  duplicateWithValues: "Duplicate with values",
  duplicated: (field: string) => `“${field}” was duplicated`,
  copySuffix: "copy",
  addToGroup: "New record in this group",
};
