import type { airtable as english } from "../en/airtable.ts";
import { counted, grouped } from "./number.ts";

/** The texts of imports from Airtable. */
export const airtable: typeof english = {
  open: "Importer depuis Airtable",
  title: "Importer depuis Airtable",
  againTitle: "Importer les modifications d’Airtable",
  intro:
    "Les tables, les enregistrements, les liens, les fichiers, les commentaires et les " +
    "formules sont repris dans une nouvelle base.",
  againIntro:
    "Ce qui est nouveau ou a changé dans Airtable est repris dans cette base. Ce qui a été modifié ici reste tel quel.",
  token: "Jeton d’accès personnel",
  tokenHint: "Il lui faut les portées",
  tokenMake: "Créer un jeton dans Airtable",
  tokenFate: "et l’accès à la base. Il est conservé chiffré pendant l’import, et supprimé à la fin.",
  base: "Adresse ou identifiant de la base",
  baseHint: "Ouvrez la base dans Airtable et copiez l’adresse depuis votre navigateur.",
  again: "Importer les modifications",
  counts: {
    created: (n: number) => counted(n, "nouvel enregistrement", "nouveaux enregistrements"),
    updated: (n: number) => counted(n, "enregistrement modifié", "enregistrements modifiés"),
    unchanged: (n: number) => counted(n, "enregistrement inchangé", "enregistrements inchangés"),
    gone: (n: number) => counted(n, "enregistrement disparu", "enregistrements disparus"),
    links: (n: number) => counted(n, "lien"),
    files: (n: number) => counted(n, "fichier"),
    comments: (n: number) => counted(n, "commentaire"),
    formulas: (n: number) => counted(n, "champ calculé", "champs calculés"),
    views: (n: number) => counted(n, "vue"),
  },
  leftOut: "Ce qui n’a pas été repris",
  notMembers: "Personnes qui ne sont pas membres ici",
  more: (n: number) => `${grouped(n)} de plus`,
  notes: "Ce qui est différent ici",
};
