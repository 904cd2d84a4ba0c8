import type { chart as english } from "../en/chart.ts";
import { counted, grouped } from "./number.ts";

const spans = { day: "jour", week: "semaine", month: "mois", quarter: "trimestre", year: "année" };

export const chart: typeof english = {
  kind: { bar: "Barres", line: "Courbe", pie: "Secteurs", number: "Nombre" },
  kindLabel: "Type de graphique",
  settings: "Paramètres du graphique",
  value: "Afficher",
  records: "Nombre d’enregistrements",
  valueOf: (fn: string, field: string) => `${fn} (${field})`,
  ofField: "de",
  group: "Grouper par",
  series: "Répartir par",
  noSeries: "Rien",
  span: {
    day: "par jour",
    week: "par semaine",
    month: "par mois",
    quarter: "par trimestre",
    year: "par année",
    each: "chaque valeur",
  },
  spanOf: (label: string) => `${label}\u00a0: période`,
  stacked: "Empiler les barres",
  stackedLines: "Empiler les courbes",
  order: "Ordre",
  orders: {
    "group asc": "Groupes, du premier au dernier",
    "group desc": "Groupes, du dernier au premier",
    "value desc": "Plus grande valeur d’abord",
    "value asc": "Plus petite valeur d’abord",
  },
  limit: "Groupes",
  all: "Tous",
  first: (count: number) => `Les ${count} premiers`,
  by: (value: string, group: string) => `${value} par ${group}`,
  bySpan: (field: string, span: keyof typeof spans) => `${field} (${spans[span]})`,
  dividedBy: (title: string, series: string) => `${title} et ${series}`,
  choose: "Choisir quoi afficher",
  needValue: "Ce graphique n’affiche encore rien",
  needValueBody:
    "Choisissez un nombre tiré des enregistrements. Si le graphique en avait un, son champ a disparu, a changé de " +
    "type, ou vous ne le voyez pas.",
  needGroup: "Ce graphique n’a pas encore de groupes",
  needGroupBody: "Choisissez le champ dont les valeurs deviennent les barres, les points ou les secteurs.",
  empty: "Il n’y a rien à dessiner",
  emptyBody: "Aucun enregistrement ne correspond, ou aucun n’a de valeur ici.",
  more: (count: number) =>
    `Seuls les ${grouped(count)} premiers points sont dessinés. Filtrez la vue, ou groupez par moins de valeurs, ` +
    "pour voir les autres.",
  noSlices: (count: number) =>
    count < 2
      ? "1 groupe n’a pas de secteur, car sa valeur n’est pas supérieure à zéro."
      : `${count} groupes n’ont pas de secteur, car leur valeur n’est pas supérieure à zéro.`,
  noPoint: (field: string) =>
    `Les enregistrements sans «\u00a0${field}\u00a0» ne sont pas sur la courbe\u202f; ils figurent dans le tableau.`,
  others: (count: number) => counted(count, "autre"),
  asTable: "Afficher en tableau",
  asChart: "Afficher en graphique",
  groupColumn: "Groupe",
  open: (name: string) => `Afficher les enregistrements de «\u00a0${name}\u00a0»`,
  recordsOf: (name: string, count: number) => `${name}\u00a0: ${counted(count, "enregistrement")}`,
  firstRecords: (count: number) => `Les ${grouped(count)} premiers sont listés.`,
  quarter: (quarter: number, year: number) => `T${quarter} ${year}`,
  untitled: "Enregistrement sans nom",
};
