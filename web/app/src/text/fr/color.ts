import type { color as english } from "../en/color.ts";

export const color: typeof english = {
  byField: "Par option de",
  noField: "Aucun champ",
  rules: "Par conditions",
  hint: "Un enregistrement a la couleur de la première règle qu’il remplit.",
  hintWithField: "Un enregistrement a la couleur de la première règle qu’il remplit, et sinon celle de son option.",
  rule: (place: number) => `Règle ${place}`,
  colorOf: (place: number) => `Couleur de la règle ${place}`,
  everything: "Sans conditions, tous les enregistrements remplissent la règle.",
  unfinished: "La règle est enregistrée dès que toutes ses conditions sont complètes.",
  broken:
    "Cette règle ne convient plus aux champs et ne colore rien. Elle disparaît à votre prochaine modification, sauf " +
    "si vous la réparez.",
  add: "Ajouter une règle",
  up: (place: number) => `Monter la règle ${place}`,
  down: (place: number) => `Descendre la règle ${place}`,
  remove: (place: number) => `Retirer la règle ${place}`,
};
