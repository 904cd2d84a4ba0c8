import type { grid as english } from "../en/grid.ts";
import { grouped } from "./number.ts";

const functions = {
  count: "Ausgefüllt",
  empty: "Leer",
  percent_filled: "Prozent ausgefüllt",
  distinct: "Verschiedene Werte",
  sum: "Summe",
  avg: "Durchschnitt",
  median: "Median",
  min: "Minimum",
  max: "Maximum",
};

export const grid: typeof english = {
  footer: "Auswertung der Spalten",
  summarize: "Auswerten",
  summaryOf: (field: string) => `Auswertung von „${field}“`,
  none: "Keine",
  functions,
  dateFunctions: { ...functions, min: "Frühestes", max: "Spätestes" },
  boxFunctions: { ...functions, count: "Angehakt", empty: "Nicht angehakt", percent_filled: "Prozent angehakt" },
  shortFunctions: { percent_filled: "Ausgefüllt", distinct: "Verschiedene" } as Record<string, string | undefined>,
  shortBoxFunctions: { percent_filled: "Angehakt" } as Record<string, string | undefined>,
  access: {
    newRow: "Neuer Datensatz",
    range: (rows: number, columns: number) =>
      `Ausgewählt: ${rows === 1 ? "1 Zeile" : `${grouped(rows)} Zeilen`}, ` +
      (columns === 1 ? "1 Spalte" : `${columns} Spalten`),
  },
  cells: (count: number) => (count === 1 ? "1 Zelle" : `${grouped(count)} Zellen`),
  selection: "Ausgewählte Zellen",
  count: (count: number) => grouped(count),
  noValue: (field: string) => `(Ohne ${field})`,
  head: (field: string, value: string, count: string, folded: boolean) =>
    `${field}: ${value}, ${count === "1" ? "1 Datensatz" : `${count} Datensätze`}, ` +
    (folded ? "eingeklappt" : "ausgeklappt"),
  groupBy: "Nach diesem Feld gruppieren",
  ungroup: "Nicht mehr nach diesem Feld gruppieren",
  noGroups: "Keine Gruppen. Wählen Sie bis zu drei Felder, deren gleiche Werte Datensätze zusammenfassen.",
  addGroup: "Gruppe hinzufügen",
  removeGroup: "Gruppe entfernen",
  fold: "Einklappen",
  unfold: "Ausklappen",
  foldAll: "Alle einklappen",
  unfoldAll: "Alle ausklappen",
  color: "Datensätze nach diesem Feld färben",
  uncolor: "Datensätze nicht mehr färben",
  follow: "Link öffnen",
  followHint: "Ctrl+Klick",
  space: "Leertaste",
  insertAbove: "Datensatz darüber einfügen",
  insertBelow: "Datensatz darunter einfügen",
  copyId: "ID des Datensatzes kopieren",
  idCopied: "Die ID des Datensatzes wurde kopiert",
  duplicate: "Duplizieren",
  renameField: "Feld umbenennen",
  insertLeft: "Feld links einfügen",
  insertRight: "Feld rechts einfügen",
  duplicateField: "Feld duplizieren",
  duplicateWithValues: "Mit Werten duplizieren",
  duplicated: (field: string) => `„${field}“ wurde dupliziert`,
  copySuffix: "Kopie",
  newField: (number: number) => `Feld ${number}`,
  newFields: {
    title: (count: number) =>
      count === 1 ? "Ein Feld für das Eingefügte hinzufügen?" : `${count} Felder für das Eingefügte hinzufügen?`,
    body:
      "Der Block ist breiter als die Ansicht ab hier. Diese Felder nehmen auf, was über die letzte Spalte hinausgeht.",
    name: "Name",
    type: "Typ",
    values: "Werte",
    create: (count: number) =>
      count === 1 ? "Feld hinzufügen und einfügen" : `${count} Felder hinzufügen und einfügen`,
    without: "Ohne sie einfügen",
  },
  newOptions: {
    title: (named: { names: string[] }[]) => {
      const count = named.reduce((sum, { names }) => sum + names.length, 0);
      return count === 1 ? "Eine Option erstellen?" : `${grouped(count)} Optionen erstellen?`;
    },
    body: (named: { field: string; names: string[] }[]) =>
      named
        .map(({ field, names }) => {
          const shown = names.slice(0, 8).join(", ");
          return `${field}: ${shown}${names.length > 8 ? ` und ${names.length - 8} weitere` : ""}.`;
        })
        .join(" ") + " Ohne sie behalten diese Zellen ihren Inhalt.",
    action: (named: { names: string[] }[]) =>
      named.reduce((sum, { names }) => sum + names.length, 0) === 1 ? "Option erstellen" : "Optionen erstellen",
  },
  addToGroup: "Neuer Datensatz in dieser Gruppe",
};
