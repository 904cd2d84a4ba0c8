import type { chart as english } from "../en/chart.ts";
import { grouped } from "./number.ts";

const spans = { day: "Tag", week: "Woche", month: "Monat", quarter: "Quartal", year: "Jahr" };

export const chart: typeof english = {
  kind: { bar: "Balken", line: "Linie", pie: "Kreis", number: "Zahl" },
  kindLabel: "Art des Diagramms",
  settings: "Einstellungen des Diagramms",
  value: "Zeigt",
  records: "Anzahl der Datensätze",
  valueOf: (fn: string, field: string) => `${field} (${fn})`,
  ofField: "von",
  group: "Gruppieren nach",
  series: "Unterteilen nach",
  noSeries: "Nichts",
  span: {
    day: "nach Tag",
    week: "nach Woche",
    month: "nach Monat",
    quarter: "nach Quartal",
    year: "nach Jahr",
    each: "jeder Wert",
  },
  spanOf: (label: string) => `${label}: Zeitspanne`,
  stacked: "Balken stapeln",
  stackedLines: "Linien stapeln",
  order: "Reihenfolge",
  orders: {
    "group asc": "Gruppen, erste bis letzte",
    "group desc": "Gruppen, letzte bis erste",
    "value desc": "Größter Wert zuerst",
    "value asc": "Kleinster Wert zuerst",
  },
  limit: "Gruppen",
  all: "Alle",
  first: (count: number) => `Die ersten ${count}`,
  by: (value: string, group: string) => `${value} nach ${group}`,
  bySpan: (field: string, span: "day" | "week" | "month" | "quarter" | "year") => `${field} (${spans[span]})`,
  dividedBy: (title: string, series: string) => `${title} und ${series}`,
  choose: "Wählen, was gezeigt wird",
  needValue: "Dieses Diagramm zeigt noch nichts",
  needValueBody:
    "Wählen Sie, welche Zahl zu den Datensätzen es zeigen soll. Falls eine gewählt war, gibt es ihr Feld nicht mehr, " +
    "es hat jetzt einen anderen Typ, oder Sie sehen es nicht.",
  needGroup: "Dieses Diagramm hat noch keine Gruppen",
  needGroupBody: "Wählen Sie das Feld, dessen Werte zu Balken, Punkten oder Segmenten werden.",
  empty: "Es gibt nichts zu zeichnen",
  emptyBody: "Kein Datensatz passt, oder keiner hat hier einen Wert.",
  more: (count: number) =>
    `Nur die ersten ${grouped(count)} Punkte sind gezeichnet. Filtern Sie die Ansicht, oder gruppieren Sie nach ` +
    "weniger Werten, um die anderen zu sehen.",
  noSlices: (count: number) =>
    count === 1
      ? "1 Gruppe hat kein Segment, weil ihr Wert nicht über null liegt."
      : `${count} Gruppen haben kein Segment, weil ihr Wert nicht über null liegt.`,
  noPoint: (field: string) => `Datensätze ohne „${field}“ fehlen auf der Linie; in der Tabelle stehen sie.`,
  others: (count: number) => `${count} andere`,
  asTable: "Als Tabelle anzeigen",
  asChart: "Als Diagramm anzeigen",
  groupColumn: "Gruppe",
  open: (name: string) => `Datensätze anzeigen: ${name}`,
  recordsOf: (name: string, count: number) =>
    `${name}: ${count === 1 ? "1 Datensatz" : `${grouped(count)} Datensätze`}`,
  firstRecords: (count: number) => `Die ersten ${grouped(count)} sind aufgelistet.`,
  quarter: (quarter: number, year: number) => `Q${quarter} ${year}`,
  untitled: "Unbenannter Datensatz",
};
