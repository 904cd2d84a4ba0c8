import type { csv as english } from "../en/csv.ts";
import { grouped } from "./number.ts";

/** The texts of importing and exporting. */
export const csv: typeof english = {
  title: "Datei importieren",
  pastedTitle: "Tabelle aus dem Eingefügten erstellen",
  choose: "Datei auswählen",
  drop: "oder hier ablegen",
  hint:
    "CSV, TSV, Excel (XLSX), JSON, NDJSON, Parquet, vCard oder iCalendar, auch mit gzip oder zstd, oder ein Export " +
    "aus Notion (zip) oder Trello (JSON).",
  help: "So werden Dateien gelesen",
  sending: (part: number) => `Datei wird hochgeladen: ${Math.round(part * 100)} %`,
  reading: "Datei wird gelesen…",
  rows: (count: number) => (count === 1 ? "1 Zeile" : `${grouped(count)} Zeilen`),
  target: "Ziel",
  mapTitle: "Spalten und Felder",
  column: "Spalte",
  sample: "Erste Werte",
  field: "Feld",
  skip: "Nicht importieren",
  newField: (type: string) => `Neues Feld (${type})`,
  newLink: (table: string) => `Neues Feld (Verknüpfung mit „${table}“)`,
  named: (matched: number, values: number, table: string) =>
    values === 1
      ? `${matched} von 1 Wert ist der Name eines Datensatzes in „${table}“.`
      : `${grouped(matched)} von ${grouped(values)} verschiedenen Werten ` +
        `${matched === 1 ? "ist der Name eines Datensatzes" : "sind Namen von Datensätzen"} in „${table}“.`,
  unnamedRows: (examples: string, count: number) =>
    count === 1
      ? `Der andere ist ${examples}; Zeilen damit werden ausgelassen und aufgelistet.`
      : `Zeilen mit den anderen, etwa ${examples}, werden ausgelassen und aufgelistet.`,
  start: (count: number) => (count === 1 ? "1 Zeile importieren" : `${grouped(count)} Zeilen importieren`),
  progress: (done: number, total: number) =>
    `${grouped(done)} von ${total === 1 ? "1 Zeile" : `${grouped(total)} Zeilen`}`,
  stop: "Stoppen",
  goesOn: "Der Import läuft weiter",
  goesOnDetail:
    "Er läuft weiter, wenn Sie dieses Fenster schließen. Die Liste der Importe und Exporte zeigt, wie weit er ist.",
  finished: "Import abgeschlossen",
  stopped: "Import gestoppt",
  nothing: "Es wurde nichts importiert",
  brokenOff: "Import unterbrochen",
  imported: (count: number) =>
    count === 1 ? "1 Zeile wurde importiert." : `${grouped(count)} Zeilen wurden importiert.`,
  refused: (count: number) =>
    count === 0
      ? "Keine Zeile wurde abgelehnt."
      : count === 1
        ? "1 Zeile wurde abgelehnt."
        : `${grouped(count)} Zeilen wurden abgelehnt.`,
  updated: (count: number) =>
    count === 1 ? "1 Datensatz wurde aktualisiert." : `${grouped(count)} Datensätze wurden aktualisiert.`,
  left: (count: number) =>
    count === 1 ? "1 Zeile wurde nicht mehr verarbeitet." : `${grouped(count)} Zeilen wurden nicht mehr verarbeitet.`,
  line: "Zeile",
  reason: "Grund",
  download: "Ausgelassene Zeilen herunterladen",
  moreRefused: (count: number) => `und ${grouped(count)} weitere`,
  open: "Tabelle öffnen",
  unreadable: "Die Datei konnte nicht gelesen werden.",
  unnamed: (index: number) => `Spalte ${index}`,
  others: (sheets: string[]) =>
    sheets.length === 1
      ? `Auch „${sheets[0]}“ zu einer Tabelle machen`
      : `Auch die anderen ${sheets.length} zu Tabellen machen`,
  sheets: (done: number, of: number) => `Importierte Tabellen: ${done} von ${of}`,
  downloadOf: (table: string) => `Ausgelassene Zeilen von „${table}“`,
  sheet: "Blatt oder Tabelle",
  upsert: "Schon vorhandene Zeilen",
  upsertNone: "Jede Zeile als neuen Datensatz importieren",
  upsertBy: (field: string) => `Datensatz mit demselben Wert in „${field}“ aktualisieren`,
  encoding: "Zeichenkodierung",
  encodings: {
    "utf-8": "UTF-8",
    "windows-1252": "Westeuropäisch (Windows-1252)",
    "windows-1250": "Mitteleuropäisch (Windows-1250)",
    "windows-1251": "Kyrillisch (Windows-1251)",
    "windows-1253": "Griechisch (Windows-1253)",
    "windows-1254": "Türkisch (Windows-1254)",
    "windows-1255": "Hebräisch (Windows-1255)",
    "windows-1256": "Arabisch (Windows-1256)",
    "iso-8859-2": "Mitteleuropäisch (ISO 8859-2)",
    "iso-8859-15": "Westeuropäisch (ISO 8859-15)",
    macintosh: "Westeuropäisch (Mac OS Roman)",
    shift_jis: "Japanisch (Shift JIS)",
    "euc-jp": "Japanisch (EUC-JP)",
    gb18030: "Chinesisch (GB 18030)",
    big5: "Chinesisch (Big5)",
    "euc-kr": "Koreanisch (EUC-KR)",
    "utf-16le": "UTF-16 (Little Endian)",
    "utf-16be": "UTF-16 (Big Endian)",
  },
  header: "Die erste Zeile enthält die Spaltennamen",
  noRows: "Unter den Spaltennamen steht keine Zeile.",
  undecodable: (count: number) =>
    (count === 1
      ? "1 Zeichen der Datei lässt sich in dieser Kodierung nicht lesen und ginge verloren. "
      : `${grouped(count)} Zeichen der Datei lassen sich in dieser Kodierung nicht lesen und gingen verloren. `) +
    "Wählen Sie eine andere.",
  numbersOf: (column: string) => `Zahlen in „${column}“`,
  numbersAs: (example: string) => `Zahlen wie ${example}`,
  chooseNumbers: "Schreibweise wählen…",
  decimals: { point: "der Punkt", comma: "das Komma" },
  ambiguous: (example: string, sign: string) =>
    `„${example}“ kann man auf zwei Arten lesen; als Dezimalzeichen gilt ${sign}.`,
  delimiter: "Trennzeichen",
  delimiters: { comma: "Komma", semicolon: "Semikolon", tab: "Tabulator", pipe: "Senkrechter Strich" },
  skipped: (count: number) =>
    count === 1
      ? "1 Zeile über den Spaltennamen wird nicht importiert."
      : `${grouped(count)} Zeilen über den Spaltennamen werden nicht importiert.`,
  datesOf: (column: string) => `Datumswerte in „${column}“`,
  chooseDates: "Reihenfolge wählen…",
  dateOrders: { DMY: "Tag zuerst (31/12)", MDY: "Monat zuerst (12/31)" },
  openDates: (example: string) =>
    `Kein Wert verrät die Reihenfolge von Tag und Monat, auch „${example}“ nicht.`,
  conflict: (point: string, comma: string) =>
    `„${point}“ und „${comma}“ passen nicht zusammen. Zeilen, die nicht zu Ihrer Wahl passen, werden abgelehnt.`,
  checkTitle: (count: number) =>
    count === 1 ? "1 Zeile kann nicht importiert werden" : `${grouped(count)} Zeilen können nicht importiert werden`,
  checkBody:
    "Es wurde noch nichts geändert. Korrigieren Sie die Datei oder die Spalten, oder importieren Sie die anderen " +
    "Zeilen.",
  newOptions: (count: number) =>
    count === 1 ? "1 Option wird hinzugefügt" : `${grouped(count)} Optionen werden hinzugefügt`,
  optionsBody: "Es wurde noch nichts geändert. Manche Werte gehören nicht zu den Optionen ihrer Felder.",
  startOthers: (count: number) =>
    count === 1 ? "Die andere Zeile importieren" : `Die anderen ${grouped(count)} Zeilen importieren`,
  takeBack: "Import zurücknehmen",
  takenBack: "Der Import wurde zurückgenommen",
  refusedRows: "Abgelehnte Zeilen",
  exporting: (done: number, total: number) => `${grouped(done)} von ${grouped(total)} Datensätzen exportiert`,
  exported: "Die Datei wurde gespeichert",
  defused: (count: number) =>
    `${count === 1 ? "1 Text beginnt" : `${grouped(count)} Texte beginnen`} wie eine Formel. Ein vorangestelltes ` +
    "Hochkomma verhindert, dass Tabellenkalkulationen sie ausführen; ein Import in Rowhouse entfernt es wieder.",
};
