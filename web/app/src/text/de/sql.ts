import type { sql as english } from "../en/sql.ts";
import { grouped } from "./number.ts";

/** The page on which a base is asked with SQL. */
export const sql: typeof english = {
  body: "Ein SELECT über die Tabellen dieser Base. Es liest und schreibt nie.",
  help: "Was eine Anweisung enthalten darf",
  statement: "SQL",
  run: "Ausführen",
  runHint: "Ctrl+Enter führt die Anweisung aus.",
  names: "Tabellen und Spalten",
  namesBody:
    "Namen mit Leerzeichen stehen in doppelten Anführungszeichen; Groß- und Kleinschreibung ist egal. Jede Tabelle " +
    "hat auch id, für Joins, und record_id. Ein Verknüpfungsfeld ist eine eigene Tabelle mit id und linked_id.",
  example: (table: string) => `select count(*) from ${table}`,
  tooLong: (over: number) => `Die Anweisung ist ${grouped(over)} Zeichen zu lang.`,
  result: "Ergebnis",
  empty: "Keine Zeilen",
  chart: "Diagramm",
  table: "Tabelle",
  copy: "Als CSV kopieren",
  copied: "Kopiert",
  failed: "Die Anweisung wurde nicht ausgeführt",
  place: "Fehler anzeigen",
  rows: (count: number, truncated: boolean, milliseconds: number) => {
    const time = `in ${grouped(milliseconds)} ms`;
    if (count === 1) return `${truncated ? "Die erste Zeile" : "1 Zeile"} ${time}`;
    return `${truncated ? "Die ersten " : ""}${grouped(count)} Zeilen ${time}`;
  },
  more: "Es gibt weitere Zeilen. Fügen Sie ein LIMIT hinzu, filtern oder gruppieren Sie.",
};
