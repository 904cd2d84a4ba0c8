import { grouped } from "./number.ts";

/** The page that agents' clients show next to a result. */
export const agent = {
  waiting: "Waiting for the answer…",
  cancelled: "The call was cancelled.",
  nothing: "The answer has nothing to show here.",
  empty: "No records",
  answer: "Answer",
  chart: "Chart",
  table: "Table",
  shownOf: (shown: number, total: number) =>
    shown === total ? `${grouped(total)} in all` : `${grouped(shown)} of ${grouped(total)}`,
  plan: "Nothing has changed yet. This is what would happen.",
  sample: "Some of the records",
  record: "Record",
  field: "Field",
  before: "Before",
  after: "After",
  refusals: "Rows that do not fit",
  apply: "Do this",
  applied: "Done",
  expires: (at: string) => `The plan can be applied until ${at}.`,
  failed: "That did not work",
  appliedNews: "The person applied the plan in the page beside the answer.",
};
