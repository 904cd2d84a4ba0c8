import { grouped } from "./number.ts";

const some = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`;

/** The texts of imports from Airtable. */
export const airtable = {
  open: "Import from Airtable",
  title: "Import from Airtable",
  againTitle: "Import the changes from Airtable",
  intro: "Tables, records, links, files, comments and formulas come into a new base.",
  againIntro: "What is new or has changed at Airtable comes into this base. What was changed here stays as it is.",
  token: "Personal access token",
  tokenHint: "It needs the scopes",
  tokenMake: "Make a token at Airtable",
  tokenFate: "and access to the base. It is kept encrypted while the import runs, and deleted when it ends.",
  base: "Address or id of the base",
  baseHint: "Open the base at Airtable and copy the address from your browser.",
  again: "Import the changes",
  counts: {
    created: (n: number) => some(n, "new record", "new records"),
    updated: (n: number) => some(n, "changed record", "changed records"),
    unchanged: (n: number) => some(n, "record as before", "records as before"),
    gone: (n: number) => `${some(n, "record", "records")} no longer there`,
    links: (n: number) => some(n, "link", "links"),
    files: (n: number) => some(n, "file", "files"),
    comments: (n: number) => some(n, "comment", "comments"),
    formulas: (n: number) => some(n, "field that computes", "fields that compute"),
    views: (n: number) => some(n, "view", "views"),
  },
  leftOut: "What did not come",
  notMembers: "People who are not members here",
  more: (n: number) => `${grouped(n)} more`,
  notes: "What is different here",
};
