import { grouped } from "./number.ts";

const rows = (count: number) => (count === 1 ? "1 row" : `${grouped(count)} rows`);

/** The texts of jobs. */
export const job = {
  title: "Imports and exports",
  none: "Imports and exports appear here. They go on when you close the page.",
  running: (count: number) =>
    count === 1 ? "1 import or export is running" : `${count} imports and exports are running`,
  kind: {
    export_table: "Export of a table",
    export_base: "Export of the base",
    import_table: "Import into a table",
    import_base: "Import into a new table",
    import_airtable: "Import from Airtable",
    import_product: "Import from NocoDB or Baserow",
    import_archive: "Import of a base archive",
    duplicate_base: "Copy of the base",
    duplicate_table: "Copy of a table",
  } as Record<string, string>,
  state: {
    queued: "Waits for its turn",
    running: "Running",
    done: "Done",
    failed: "Failed",
    cancelled: "Cancelled",
  },
  progress: (done: number, total: number | null) =>
    total === null ? rows(done) : `${grouped(done)} of ${rows(total)}`,
  rows,
  refused: (count: number) => (count === 1 ? "1 row was refused" : `${rows(count)} were refused`),
  emptied: (count: number) => (count === 1 ? "1 cell was left empty" : `${grouped(count)} cells were left empty`),
  line: (line: number, field: string | undefined, message: string) =>
    `Line ${line}${field ? `, ${field}` : ""}: ${message}`,
  more: (count: number) => `${grouped(count)} more`,
  download: (name: string) => `Download ${name}`,
  open: "Open the table",
  cancel: "Cancel",
  begun: "The export has begun",
  begunDetail: "It goes on when you close the page. Its file will be in the list of imports and exports.",
  importing: (name: string) => `“${name}” is being uploaded`,
  importBegun: (name: string) => `The import of “${name}” has begun`,
  importDetail: "It goes on when you close the page.",
  drop: "Drop a file to make a table of it",
  dropHint: "CSV, Excel, JSON, Parquet, vCard, iCalendar, or an export of Notion or Trello",
  exportXlsx: "Export to Excel",
  exportNdjson: "Export to NDJSON",
  exportParquet: "Export to Parquet",
  print: "Print",
  exportBase: "Export the base to Excel",
  exportArchive: "Export the base to an archive",
};
