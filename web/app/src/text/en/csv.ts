import { grouped } from "./number.ts";

/** The texts of importing and exporting. */
export const csv = {
  title: "Import a file",
  pastedTitle: "Make a table of what you pasted",
  choose: "Choose a file",
  drop: "or drop it here",
  hint:
    "CSV, TSV, Excel (XLSX), JSON, NDJSON, Parquet, vCard or iCalendar, also with gzip or zstd, or an export of " +
    "Notion (zip) or Trello (JSON).",
  help: "How files are read",
  sending: (part: number) => `Uploading the file: ${Math.round(part * 100)} %`,
  reading: "Reading the file…",
  rows: (count: number) => (count === 1 ? "1 row" : `${grouped(count)} rows`),
  target: "Into",
  mapTitle: "Columns and fields",
  column: "Column",
  sample: "First values",
  field: "Field",
  skip: "Do not import",
  newField: (type: string) => `New field (${type})`,
  newLink: (table: string) => `New field (Link to ${table})`,
  named: (matched: number, values: number, table: string) =>
    `${grouped(matched)} of ${grouped(values)} different values are names of records in ${table}.`,
  unnamedRows: (examples: string, count: number) =>
    count === 1
      ? `The other one is ${examples}; rows with it are left out and listed.`
      : `The others, as ${examples}, are of rows that are left out and listed.`,
  start: (count: number) => (count === 1 ? "Import 1 row" : `Import ${grouped(count)} rows`),
  progress: (done: number, total: number) => `${grouped(done)} of ${grouped(total)} rows`,
  stop: "Stop",
  goesOn: "The import goes on",
  goesOnDetail: "It goes on when you close this. The list of imports and exports shows how far it is.",
  finished: "Import finished",
  stopped: "Import stopped",
  nothing: "Nothing was imported",
  brokenOff: "Import interrupted",
  imported: (count: number) => (count === 1 ? "1 row was imported." : `${grouped(count)} rows were imported.`),
  refused: (count: number) =>
    count === 0 ? "No row was refused." : count === 1 ? "1 row was refused." : `${grouped(count)} rows were refused.`,
  updated: (count: number) => (count === 1 ? "1 record was updated." : `${grouped(count)} records were updated.`),
  left: (count: number) => `${count === 1 ? "1 row was" : `${grouped(count)} rows were`} not tried.`,
  line: "Row",
  reason: "Reason",
  download: "Download the rows that were left out",
  moreRefused: (count: number) => `and ${grouped(count)} more`,
  open: "Open the table",
  unreadable: "The file could not be read.",
  unnamed: (index: number) => `Column ${index}`,
  sheet: "Sheet or table",
  others: (sheets: string[]) =>
    sheets.length === 1 ? `Make a table of ${sheets[0]}, too` : `Make tables of the other ${sheets.length}, too`,
  sheets: (done: number, of: number) => `Tables imported: ${done} of ${of}`,
  downloadOf: (table: string) => `Rows of ${table} that were left out`,
  upsert: "Rows that are there already",
  upsertNone: "Import every row as a new record",
  upsertBy: (field: string) => `Update the record with the same ${field}`,
  encoding: "Encoding",
  encodings: {
    "utf-8": "UTF-8",
    "windows-1252": "Western (Windows-1252)",
    "windows-1250": "Central European (Windows-1250)",
    "windows-1251": "Cyrillic (Windows-1251)",
    "windows-1253": "Greek (Windows-1253)",
    "windows-1254": "Turkish (Windows-1254)",
    "windows-1255": "Hebrew (Windows-1255)",
    "windows-1256": "Arabic (Windows-1256)",
    "iso-8859-2": "Central European (ISO 8859-2)",
    "iso-8859-15": "Western (ISO 8859-15)",
    macintosh: "Western (Mac OS Roman)",
    shift_jis: "Japanese (Shift JIS)",
    "euc-jp": "Japanese (EUC-JP)",
    gb18030: "Chinese (GB 18030)",
    big5: "Chinese (Big5)",
    "euc-kr": "Korean (EUC-KR)",
    "utf-16le": "UTF-16 (little endian)",
    "utf-16be": "UTF-16 (big endian)",
  },
  header: "The first row holds the column names",
  noRows: "There is no row below the column names.",
  undecodable: (count: number) =>
    `${count === 1 ? "1 character" : `${grouped(count)} characters`} of the file cannot be read in this ` +
    "encoding and would be lost. Choose another one.",
  numbersOf: (column: string) => `Numbers in ${column}`,
  numbersAs: (example: string) => `Numbers as ${example}`,
  chooseNumbers: "Choose the notation…",
  decimals: { point: "point", comma: "comma" },
  ambiguous: (example: string, sign: string) =>
    `“${example}” can be read in two ways; the decimal sign is taken to be the ${sign}.`,
  delimiter: "Delimiter",
  delimiters: { comma: "Comma", semicolon: "Semicolon", tab: "Tab", pipe: "Vertical bar" },
  skipped: (count: number) =>
    `${count === 1 ? "1 line" : `${grouped(count)} lines`} above the column names will not be imported.`,
  datesOf: (column: string) => `Dates in ${column}`,
  chooseDates: "Choose the order…",
  dateOrders: { DMY: "Day first (31/12)", MDY: "Month first (12/31)" },
  openDates: (example: string) => `No value tells the order of day and month, as in “${example}”.`,
  conflict: (point: string, comma: string) =>
    `“${point}” and “${comma}” do not agree. Rows that do not fit your choice are refused.`,
  checkTitle: (count: number) =>
    count === 1 ? "1 row cannot be imported" : `${grouped(count)} rows cannot be imported`,
  checkBody: "Nothing has been changed yet. Correct the file or the columns, or import the other rows.",
  newOptions: (count: number) =>
    count === 1 ? "1 option will be added" : `${grouped(count)} options will be added`,
  optionsBody: "Nothing has been changed yet. Some values are not among the options of their fields.",
  startOthers: (count: number) => (count === 1 ? "Import the other row" : `Import the other ${grouped(count)} rows`),
  takeBack: "Take the import back",
  takenBack: "The import was taken back",
  refusedRows: "Rows that were refused",
  exporting: (done: number, total: number) => `Exporting ${grouped(done)} of ${grouped(total)} records`,
  exported: "The file was saved",
  defused: (count: number) =>
    `${count === 1 ? "1 text begins" : `${grouped(count)} texts begin`} like a formula. A leading ` +
    "apostrophe keeps spreadsheets from running it; an import into Rowhouse removes the apostrophe.",
};
