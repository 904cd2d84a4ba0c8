import type { color as english } from "../en/color.ts";

export const color: typeof english = {
  byField: "Nach Option von",
  noField: "Kein Feld",
  rules: "Nach Bedingungen",
  hint: "Ein Datensatz hat die Farbe der ersten Regel, die er erfüllt.",
  hintWithField: "Ein Datensatz hat die Farbe der ersten Regel, die er erfüllt, sonst die seiner Option.",
  rule: (place: number) => `Regel ${place}`,
  colorOf: (place: number) => `Farbe von Regel ${place}`,
  everything: "Ohne Bedingungen erfüllt jeder Datensatz die Regel.",
  unfinished: "Die Regel wird gespeichert, sobald alle ihre Bedingungen vollständig sind.",
  broken:
    "Diese Regel passt nicht mehr zu den Feldern und färbt nichts. Sie entfällt mit Ihrer nächsten Änderung, wenn " +
    "Sie sie nicht reparieren.",
  add: "Regel hinzufügen",
  up: (place: number) => `Regel ${place} nach oben`,
  down: (place: number) => `Regel ${place} nach unten`,
  remove: (place: number) => `Regel ${place} entfernen`,
};
