import type { airtable as english } from "../en/airtable.ts";
import { grouped } from "./number.ts";

const some = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`;

/** The texts of imports from Airtable. */
export const airtable: typeof english = {
  open: "Aus Airtable importieren",
  title: "Aus Airtable importieren",
  againTitle: "Änderungen aus Airtable importieren",
  intro: "Tabellen, Datensätze, Verknüpfungen, Dateien, Kommentare und Formeln kommen in eine neue Base.",
  againIntro:
    "Was in Airtable neu ist oder sich geändert hat, kommt in diese Base. Was hier geändert wurde, bleibt, wie es ist.",
  token: "Persönliches Zugriffstoken",
  tokenHint: "Es braucht die Scopes",
  tokenMake: "Token in Airtable erstellen",
  tokenFate:
    "und Zugriff auf die Base. Solange der Import läuft, wird es verschlüsselt aufbewahrt; danach wird es gelöscht.",
  base: "Adresse oder ID der Base",
  baseHint: "Öffnen Sie die Base in Airtable, und kopieren Sie die Adresse aus dem Browser.",
  again: "Änderungen importieren",
  counts: {
    created: (n: number) => some(n, "neuer Datensatz", "neue Datensätze"),
    updated: (n: number) => some(n, "geänderter Datensatz", "geänderte Datensätze"),
    unchanged: (n: number) => some(n, "unveränderter Datensatz", "unveränderte Datensätze"),
    gone: (n: number) => `${some(n, "Datensatz", "Datensätze")} nicht mehr vorhanden`,
    links: (n: number) => some(n, "Verknüpfung", "Verknüpfungen"),
    files: (n: number) => some(n, "Datei", "Dateien"),
    comments: (n: number) => some(n, "Kommentar", "Kommentare"),
    formulas: (n: number) => some(n, "berechnetes Feld", "berechnete Felder"),
    views: (n: number) => some(n, "Ansicht", "Ansichten"),
  },
  leftOut: "Was nicht mitkam",
  notMembers: "Personen, die hier keine Mitglieder sind",
  more: (n: number) => `${grouped(n)} weitere`,
  notes: "Was hier anders ist",
};
