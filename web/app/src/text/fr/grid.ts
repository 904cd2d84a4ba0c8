import type { grid as english } from "../en/grid.ts";
import { counted, grouped } from "./number.ts";

/** What a column shows of its field, in full. */
const functions = {
  count: "Remplies",
  empty: "Vides",
  percent_filled: "Part remplie",
  distinct: "Valeurs différentes",
  sum: "Somme",
  avg: "Moyenne",
  median: "Médiane",
  min: "Minimum",
  max: "Maximum",
};

export const grid: typeof english = {
  footer: "Calculs des colonnes",
  summarize: "Calculer",
  summaryOf: (field: string) => `Calcul de «\u00a0${field}\u00a0»`,
  none: "Aucun",
  functions,
  /** Where a field has its own words for functions. */
  dateFunctions: { ...functions, min: "La plus ancienne", max: "La plus récente" },
  boxFunctions: { ...functions, count: "Cochées", empty: "Non cochées", percent_filled: "Part cochée" },
  /** Where there is little room. */
  shortFunctions: { percent_filled: "Remplies", distinct: "Différentes" } as Record<string, string | undefined>,
  shortBoxFunctions: { percent_filled: "Cochées" } as Record<string, string | undefined>,
  access: {
    newRow: "Nouvel enregistrement",
    range: (rows: number, columns: number) =>
      `Sélection\u00a0: ${counted(rows, "ligne")}, ${counted(columns, "colonne")}`,
  },
  cells: (count: number) => counted(count, "cellule"),
  selection: "Cellules sélectionnées",
  count: (count: number) => grouped(count),
  noValue: (field: string) => `(Sans ${field})`,
  head: (field: string, value: string, count: string, folded: boolean) =>
    `${field}\u00a0: ${value}, ${count} ${count === "0" || count === "1" ? "enregistrement" : "enregistrements"}, ` +
    (folded ? "replié" : "déplié"),
  groupBy: "Regrouper par ce champ",
  ungroup: "Ne plus regrouper par ce champ",
  noGroups:
    "Aucun regroupement. Choisissez jusqu’à trois champs dont les valeurs égales réunissent les enregistrements.",
  addGroup: "Ajouter un regroupement",
  removeGroup: "Retirer le regroupement",
  fold: "Replier",
  unfold: "Déplier",
  foldAll: "Tout replier",
  unfoldAll: "Tout déplier",
  color: "Colorer selon ce champ",
  uncolor: "Ne plus colorer",
  follow: "Ouvrir le lien",
  followHint: "Ctrl+clic",
  space: "Espace",
  insertAbove: "Insérer au-dessus",
  insertBelow: "Insérer au-dessous",
  copyId: "Copier l’ID",
  idCopied: "L’ID a été copié",
  duplicate: "Dupliquer",
  renameField: "Renommer le champ",
  insertLeft: "Insérer un champ à gauche",
  insertRight: "Insérer un champ à droite",
  duplicateField: "Dupliquer le champ",
  duplicateWithValues: "Dupliquer avec les valeurs",
  duplicated: (field: string) => `«\u00a0${field}\u00a0» a été dupliqué`,
  copySuffix: "copie",
  newField: (number: number) => `Champ ${number}`,
  newFields: {
    title: (count: number) =>
      `Ajouter ${count < 2 ? "un champ" : `${count} champs`} pour ce que vous collez\u202f?`,
    body: "Le bloc est plus large que la vue à partir d’ici. Ces champs reçoivent ce qui dépasse sa dernière colonne.",
    name: "Nom",
    type: "Type",
    values: "Valeurs",
    create: (count: number) => (count < 2 ? "Ajouter le champ et coller" : `Ajouter ${count} champs et coller`),
    without: "Coller sans eux",
  },
  newOptions: {
    title: (named: { names: string[] }[]) => {
      const count = named.reduce((sum, { names }) => sum + names.length, 0);
      return count < 2 ? "Créer une option\u202f?" : `Créer ${grouped(count)} options\u202f?`;
    },
    body: (named: { field: string; names: string[] }[]) =>
      named
        .map(({ field, names }) => {
          const shown = names.slice(0, 8).join(", ");
          return `${field}\u00a0: ${shown}${names.length > 8 ? ` et ${names.length - 8} de plus` : ""}.`;
        })
        .join(" ") + " Sans elles, ces cellules gardent leur contenu.",
    action: (named: { names: string[] }[]) =>
      named.reduce((sum, { names }) => sum + names.length, 0) < 2 ? "Créer l’option" : "Créer les options",
  },
  addToGroup: "Nouvel enregistrement dans ce groupe",
};
