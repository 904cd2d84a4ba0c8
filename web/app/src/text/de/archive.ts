import type { archive as english } from "../en/archive.ts";
import { grouped } from "./number.ts";

const some = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`;

/** The texts of base archives, and of copies. */
export const archive: typeof english = {
  open: "Base-Archiv importieren",
  title: "Base-Archiv importieren",
  intro:
    "Ein Archiv entsteht durch „Base als Archiv exportieren“, hier oder in einem anderen Rowhouse. Es wird zu einer " +
    "neuen Base.",
  help: "Was mitkommt und was nicht",
  file: "Archiv",
  choose: "Datei auswählen",
  drop: "Archiv hier ablegen",
  begin: "Importieren",
  back: "Zurück",
  name: "Name der Base",
  nameHint: "Leer lassen, um den Namen aus dem Archiv zu übernehmen.",
  uploading: "Das Archiv wird hochgeladen",
  waiting: "In der Warteschlange",
  working: (done: number, total: number | null) =>
    total === null ? "Wird gelesen" : `${grouped(done)} von ${some(total, "Datensatz", "Datensätzen")}`,
  goesOn: "Der Vorgang läuft weiter, wenn Sie dieses Fenster schließen.",
  close: "Schließen",
  failed: "Es kam nichts an",
  failedHalf: "Die Base ist unvollständig",
  cancelled: "Der Vorgang wurde abgebrochen",
  done: "Es ist alles da",
  doneWithout: "Es ist alles da, bis auf das Aufgelistete",
  openBase: "Base öffnen",
  openTable: "Tabelle öffnen",
  counts: {
    tables: (n: number) => some(n, "Tabelle", "Tabellen"),
    records: (n: number) => some(n, "Datensatz", "Datensätze"),
    links: (n: number) => some(n, "Verknüpfung", "Verknüpfungen"),
    files: (n: number) => some(n, "Datei", "Dateien"),
  },
  leftOut: "Was nicht mitkam",
  notMembers: "Personen, die hier keine Mitglieder sind",
  more: (n: number) => `${grouped(n)} weitere`,
  templateOpen: "Vorlage verwenden",
  templates: "Mit einer Vorlage beginnen",
  templatesIntro: "Tabellen, Ansichten und einige Datensätze als Beispiele. Alles darin lässt sich ändern.",
  duplicateTitle: (name: string) => `„${name}“ duplizieren`,
  copyName: (name: string) => `${name} Kopie`,
  copyLabel: "Name der Kopie",
  withRecords: "Mit Datensätzen und Dateien",
  withRecordsHint: "Sonst nur Felder und Ansichten.",
  baseNote:
    "Berechtigungen werden mitkopiert. Kommentare, Verlauf, freigegebene Links, Schlüssel und Webhooks nicht.",
  tableNote:
    "Ihre Verknüpfungen führen zu denselben Datensätzen, deshalb erhalten die verknüpften Tabellen ein Feld für die " +
    "Kopie.",
  duplicate: "Duplizieren",
};
