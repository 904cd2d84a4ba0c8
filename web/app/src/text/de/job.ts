import type { job as english } from "../en/job.ts";
import { grouped } from "./number.ts";

const rows = (count: number) => (count === 1 ? "1 Zeile" : `${grouped(count)} Zeilen`);

/** The texts of jobs. */
export const job: typeof english = {
  title: "Importe und Exporte",
  none: "Importe und Exporte erscheinen hier. Sie laufen weiter, wenn Sie die Seite schließen.",
  running: (count: number) => (count === 1 ? "1 Import oder Export läuft" : `${count} Importe und Exporte laufen`),
  kind: {
    export_table: "Export einer Tabelle",
    export_base: "Export der Base",
    import_table: "Import in eine Tabelle",
    import_base: "Import in eine neue Tabelle",
    import_airtable: "Import aus Airtable",
    import_product: "Import aus NocoDB oder Baserow",
    import_archive: "Import eines Base-Archivs",
    duplicate_base: "Kopie der Base",
    duplicate_table: "Kopie einer Tabelle",
  } as Record<string, string>,
  state: {
    queued: "In der Warteschlange",
    running: "Läuft",
    done: "Fertig",
    failed: "Fehlgeschlagen",
    cancelled: "Abgebrochen",
  },
  progress: (done: number, total: number | null) =>
    total === null ? rows(done) : `${grouped(done)} von ${rows(total)}`,
  rows,
  refused: (count: number) => (count === 1 ? "1 Zeile wurde abgelehnt" : `${rows(count)} wurden abgelehnt`),
  emptied: (count: number) => (count === 1 ? "1 Zelle blieb leer" : `${grouped(count)} Zellen blieben leer`),
  line: (line: number, field: string | undefined, message: string) =>
    `Zeile ${line}${field ? `, ${field}` : ""}: ${message}`,
  more: (count: number) => `${grouped(count)} weitere`,
  download: (name: string) => `„${name}“ herunterladen`,
  open: "Tabelle öffnen",
  cancel: "Abbrechen",
  begun: "Der Export hat begonnen",
  begunDetail:
    "Er läuft weiter, wenn Sie die Seite schließen. Die Datei finden Sie dann in der Liste der Importe und Exporte.",
  importing: (name: string) => `„${name}“ wird hochgeladen`,
  importBegun: (name: string) => `Der Import von „${name}“ hat begonnen`,
  importDetail: "Er läuft weiter, wenn Sie die Seite schließen.",
  drop: "Datei ablegen, um eine Tabelle daraus zu erstellen",
  dropHint: "CSV, Excel, JSON, Parquet, vCard, iCalendar oder ein Export aus Notion oder Trello",
  exportXlsx: "Nach Excel exportieren",
  exportNdjson: "Nach NDJSON exportieren",
  exportParquet: "Nach Parquet exportieren",
  print: "Drucken",
  exportBase: "Base nach Excel exportieren",
  exportArchive: "Base als Archiv exportieren",
};
