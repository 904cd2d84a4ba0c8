/** The encodings that are offered, as the service and TextDecoder name them. */
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

export const delimiters = ["comma", "semicolon", "tab", "pipe"] as const;

/** What is chosen by the person when it is not to be found in the file. */
export type Reading = { encoding?: string; delimiter?: (typeof delimiters)[number]; header?: boolean; sheet?: string };
