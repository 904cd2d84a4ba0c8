import Papa from "papaparse";
import type { Locale } from "../locale/locale.ts";
import { csvTextOf } from "../text/csv.ts";
import { kindOf } from "../field/kind/index.ts";
import { guess } from "./plan.ts";
import type { Sheet } from "./sheet.ts";

/** The encodings that are offered, as TextDecoder names them. */
export const encodings = [
  "utf-8",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "iso-8859-2",
  "iso-8859-15",
  "macintosh",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
  "utf-16le",
  "utf-16be",
] as const;

// What spreadsheets on Windows write where the person's language is spoken.
const regional: Record<string, string> = {
  cs: "windows-1250",
  hr: "windows-1250",
  hu: "windows-1250",
  pl: "windows-1250",
  ro: "windows-1250",
  sk: "windows-1250",
  sl: "windows-1250",
  be: "windows-1251",
  bg: "windows-1251",
  mk: "windows-1251",
  ru: "windows-1251",
  sr: "windows-1251",
  uk: "windows-1251",
  el: "windows-1253",
  tr: "windows-1254",
  he: "windows-1255",
  ar: "windows-1256",
  fa: "windows-1256",
  ja: "shift_jis",
  ko: "euc-kr",
  zh: "gb18030",
  "zh-TW": "big5",
  "zh-HK": "big5",
};

function valid(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds the encoding of a file: what its first bytes declare, UTF-16 where every second byte is
 * zero, UTF-8 where all of it is valid, and otherwise what is usual for the person's language,
 * which is Windows-1252 for most.
 */
export function detectEncoding(bytes: Uint8Array, locale = "en"): string {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, 2000);
  const zeros = (offset: number) => sample.filter((byte, index) => index % 2 === offset && byte === 0).length;
  if (zeros(1) > sample.length / 5) return "utf-16le";
  if (zeros(0) > sample.length / 5) return "utf-16be";
  if (valid(bytes, "utf-8")) return "utf-8";
  const usual = regional[locale] ?? regional[locale.split("-")[0] ?? ""];
  return usual && valid(bytes, usual) ? usual : "windows-1252";
}

/**
 * Reports whether the first row looks like data: it holds a date, an address or a number that is no
 * year.
 */
function looksLikeData(cells: string[]): boolean {
  return cells.some((cell) => {
    return kindOf(guess([[cell]], 0)).csv?.isData?.(cell.trim()) === true;
  });
}

/** What is chosen by the person when it is not to be detected. */
export type Reading = { encoding?: string; hasHeader?: boolean };

/** Reads a file as rows of cells. Throws an Error that says what is wrong with it and where. */
export function readSheet(bytes: Uint8Array, locale: Locale, chosen: Reading = {}): Sheet {
  const encoding = chosen.encoding ?? detectEncoding(bytes, locale.tag);
  const content = new TextDecoder(encoding).decode(bytes);
  const { data, errors } = Papa.parse<string[]>(content, { skipEmptyLines: false });
  const broken = errors.find((error) => error.type === "Quotes");
  if (broken) throw new Error(csvTextOf(locale).quotes((broken.row ?? 0) + 1));
  const rows = data.flatMap((cells, index) =>
    cells.some((cell) => cell.trim() !== "") ? [{ line: index + 1, cells }] : [],
  );
  const first = rows[0];
  if (!first) throw new Error(csvTextOf(locale).empty);
  const hasHeader = chosen.hasHeader ?? (rows.length > 1 && !looksLikeData(first.cells));
  const body = hasHeader ? rows.slice(1) : rows;
  // A row that is longer than the first one has columns without a name; they are not to be lost.
  const width = rows.reduce((most, row) => Math.max(most, row.cells.length), 0);
  const header = Array.from({ length: width }, (_, index) => (hasHeader ? (first.cells[index] ?? "").trim() : ""));
  return { encoding, hasHeader, header, rows: body, unreadable: content.split("\ufffd").length - 1 };
}
