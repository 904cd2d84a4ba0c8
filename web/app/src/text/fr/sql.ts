import type { sql as english } from "../en/sql.ts";
import { counted, grouped } from "./number.ts";

/** The page on which a base is asked with SQL. */
export const sql: typeof english = {
  body: "Un seul SELECT sur les tables de cette base. Il lit et n’écrit jamais.",
  help: "Ce qu’une requête peut contenir",
  statement: "SQL",
  run: "Exécuter",
  runHint: "Ctrl+Entrée exécute la requête.",
  names: "Tables et colonnes",
  namesBody:
    "Les noms avec des espaces se mettent entre guillemets doubles\u202f; la casse ne compte pas. Chaque table a " +
    "aussi id, pour les jointures, et record_id. Un champ de lien est une table à part, avec id et linked_id.",
  example: (table: string) => `select count(*) from ${table}`,
  tooLong: (over: number) => `La requête a ${counted(over, "caractère")} de trop.`,
  result: "Résultat",
  empty: "Aucune ligne",
  chart: "Graphique",
  table: "Table",
  copy: "Copier en CSV",
  copied: "Copié",
  failed: "La requête n’a pas été exécutée",
  place: "Montrer l’erreur",
  rows: (count: number, truncated: boolean, milliseconds: number) => {
    const rows = truncated && count > 1 ? `Les ${grouped(count)} premières lignes` : counted(count, "ligne");
    return `${rows} en ${grouped(milliseconds)}\u00a0ms`;
  },
  more: "Il y a d’autres lignes. Ajoutez un LIMIT, filtrez ou regroupez.",
};
