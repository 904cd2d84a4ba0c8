import type { board as english } from "../en/board.ts";

export const board: typeof english = {
  column: (name: string) => `Spalte ${name}`,
  limit: "Karten begrenzen…",
  changeLimit: "Grenze ändern…",
  limitTitle: (column: string) => `Grenze von ${column}`,
  limitLabel: "Höchstens so viele Karten",
  limitHint: "Hat die Spalte mehr, wird sie hervorgehoben. Abgelehnt wird nichts. Leer bedeutet: keine Grenze.",
  limitWrong: "Eine Grenze ist eine ganze Zahl von 1 bis 100000.",
  counted: (count: number, limit: number) => `${count} von höchstens ${limit}`,
  over: "Über der Grenze",
  sum: "Summe in den Köpfen",
  none: "Keine",
};
