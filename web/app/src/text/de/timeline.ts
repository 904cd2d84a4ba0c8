import type { timeline as english } from "../en/timeline.ts";

export const timeline: typeof english = {
  needDate: "Eine Zeitachse braucht ein Datumsfeld.",
  empty: "Kein Datensatz hat hier seine Tage.",
  bars: "Datensätze nach Tagen",
  scale: "Maßstab",
  scales: { day: "Tage", week: "Wochen", month: "Monate", quarter: "Quartale" },
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  earlier: "Früher",
  later: "Später",
  unscheduled: "Ungeplant",
  unscheduledNone: "Jeder Datensatz hat einen Start.",
  unscheduledHint: "Ziehen Sie einen Datensatz auf einen Tag.",
  putOnToday: (name: string) => `„${name}“ auf heute legen`,
  close: "Liste schließen",
  keys:
    "Shift und die Pfeiltaste nach links oder rechts verschieben den Datensatz um einen Tag. Mit Ctrl verschieben " +
    "sie sein Ende.",
  laneKeys: "Shift mit Pfeil nach oben oder unten bringt ihn in eine andere Bahn.",
  range: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
  moved: (name: string, range: string) => `${name}: ${range}`,
  early: (count: number) =>
    count === 1
      ? "Ein abhängiger Datensatz beginnt, bevor dieser endet"
      : `${count} abhängige Datensätze beginnen zu früh`,
  push: (by: number) => (by === 1 ? "Auch um 1 Tag verschieben" : `Auch um ${by} Tage verschieben`),
  criticalPath: "Kritischer Pfad",
  critical: (bar: string) => `${bar}, kritisch`,
  ends: (count: number, end: string) =>
    count === 1
      ? `Alles endet am ${end}. Ein Datensatz lässt keine Verzögerung zu.`
      : `Alles endet am ${end}. ${count} Datensätze lassen keine Verzögerung zu.`,
  noPath: "Keine Datensätze mit einem Start hängen voneinander ab.",
  dependency: (before: string, after: string) => `„${after}“ hängt ab von „${before}“`,
};
