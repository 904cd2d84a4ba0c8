import type { replace as english } from "../en/replace.ts";
import { grouped } from "./number.ts";

/** The texts of finding and replacing. */
export const replace: typeof english = {
  title: "Suchen und ersetzen",
  hint: "In den Datensätzen, die Filter und Suche dieser Ansicht finden.",
  find: "Suchen",
  with: "Ersetzen durch",
  withHint: "Leer lassen, um das Gefundene zu entfernen.",
  field: "Im Feld",
  looking: "Wird gesucht…",
  count: (count: number) =>
    count === 0
      ? "Kein Datensatz enthält das."
      : count === 1
        ? "1 Datensatz enthält das:"
        : `${grouped(count)} Datensätze enthalten das:`,
  more: (count: number) => `und ${grouped(count)} weitere`,
  empty: "(leer)",
  replace: (count: number) =>
    count === 0
      ? "Ersetzen"
      : count === 1
        ? "In 1 Datensatz ersetzen"
        : `In ${grouped(count)} Datensätzen ersetzen`,
  replaced: (count: number) =>
    count === 1 ? "In 1 Datensatz ersetzt" : `In ${grouped(count)} Datensätzen ersetzt`,
  undo: "Rückgängig",
  none: "Diese Tabelle hat kein Textfeld, das Sie ändern dürfen.",
};
