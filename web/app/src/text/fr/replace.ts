import type { replace as english } from "../en/replace.ts";
import { counted, grouped } from "./number.ts";

/** The texts of finding and replacing. */
export const replace: typeof english = {
  title: "Rechercher et remplacer",
  hint: "Dans les enregistrements que trouvent le filtre et la recherche de cette vue.",
  find: "Rechercher",
  with: "Remplacer par",
  withHint: "Laissez vide pour supprimer ce qui est trouvé.",
  field: "Dans le champ",
  looking: "Recherche…",
  count: (count: number) =>
    count === 0
      ? "Aucun enregistrement ne le contient."
      : `${counted(count, "enregistrement le contient", "enregistrements le contiennent")}\u00a0:`,
  more: (count: number) => `et ${grouped(count)} de plus`,
  empty: "(vide)",
  replace: (count: number) =>
    count === 0 ? "Remplacer" : `Remplacer dans ${counted(count, "enregistrement")}`,
  replaced: (count: number) => `Remplacé dans ${counted(count, "enregistrement")}`,
  undo: "Annuler",
  none: "Cette table n’a aucun champ de texte que vous puissiez modifier.",
};
