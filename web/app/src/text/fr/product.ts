import type { product as english } from "../en/product.ts";

/** The texts of imports from other products, and of NocoDB and Baserow. */
export const product: typeof english = {
  open: "Importer depuis NocoDB ou Baserow",
  title: "Importer depuis NocoDB ou Baserow",
  againTitle: "Importer les modifications",
  intro:
    "Les tables, les enregistrements, les liens, les fichiers et les formules qui ont " +
    "un équivalent sont repris dans une nouvelle base.",
  againIntro: "Ce qui y est nouveau ou a changé est repris dans cette base. Ce qui a été modifié ici reste tel quel.",
  help: "Ce qui est repris, et ce qui ne l’est pas",
  product: "Produit",
  name: { nocodb: "NocoDB", baserow: "Baserow" },
  base: { nocodb: "Identifiant de la base", baserow: "Identifiant de la base de données" },
  baseHint: {
    nocodb: "Il commence par p, et figure dans l’adresse de la base.",
    baserow: "Le nombre après «\u00a0database\u00a0» dans l’adresse de ses pages.",
  },
  token: { nocodb: "Jeton d’API", baserow: "Jeton de base de données" },
  tokenFate: "Il est conservé chiffré pendant l’import, et supprimé à la fin.",
  address: "Adresse de votre installation",
  addressHint: "Laissez vide pour le service de l’éditeur du produit.",
  begin: "Importer",
  begun: "L’import a commencé",
  begunDetail: "Il continue quand vous fermez la page. Son rapport sera dans la liste des imports et exports.",
  back: "Retour",
};
