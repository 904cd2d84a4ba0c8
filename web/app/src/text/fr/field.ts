import type { field as english } from "../en/field.ts";
import { counted } from "./number.ts";

export const field: typeof english = {
  months: ["janv", "févr", "mars", "avr", "mai", "juin", "juil", "août", "sept", "oct", "nov", "déc"],
  add: "Ajouter un champ",
  edit: "Modifier le champ",
  editNamed: (name: string) => `Modifier le champ ${name}`,
  name: "Nom",
  namePlaceholder: "Nom du champ",
  type: "Type",
  create: "Créer le champ",
  save: "Enregistrer le champ",
  delete: "Supprimer le champ",
  makePrimary: "Utiliser comme champ principal",
  deleteTitle: (name: string) => `Supprimer le champ «\u00a0${name}\u00a0»\u202f?`,
  deleteBody:
    "Ses valeurs sont supprimées avec lui dans tous les enregistrements. Les administrateurs peuvent le restaurer " +
    "depuis la corbeille.",
  menu: (name: string) => `Actions pour le champ ${name}`,
  description: "Description",
  descriptionHint: "Affichée au survol du nom de la colonne.",
  required: "Obligatoire",
  unique: "Deux enregistrements ne peuvent pas avoir la même valeur",
  options: "Options",
  optionName: "Nom de l’option",
  addOption: "Ajouter une option",
  createOption: (name: string) => `Créer «\u00a0${name}\u00a0»`,
  removeOption: (name: string) => `Retirer l’option ${name}`,
  optionColor: (name: string) => (name ? `Couleur de l’option ${name}` : "Couleur de la nouvelle option"),
  precision: "Décimales",
  thousands: (example: string) => `Séparer les milliers, comme dans ${example}`,
  negative: "Valeurs négatives",
  negatives: (example: string, red: boolean) => (red ? `${example} en rouge` : example),
  symbol: "Symbole monétaire",
  max: "Note maximale",
  format: "Format",
  textFormats: { plain: "Texte brut", markdown: "Texte mis en forme (Markdown)" } as Record<string, string | undefined>,
  dateFormat: "Format de date",
  timeFormat: "Format d’heure",
  timeZone: "Fuseau horaire",
  timeZoneOfBase: "Celui de la base",
  linkedTable: "Table liée",
  linkHint: "L’autre table reçoit un champ qui montre le lien de son côté.",
  multiple: "Plusieurs enregistrements peuvent être liés",
  multipleUsers: "Plusieurs personnes peuvent être choisies",
  label: "Libellé du bouton",
  url: "Adresse",
  urlHint:
    "Ouverte quand on appuie sur le bouton. {Nom du champ} est remplacé par la valeur de l’enregistrement.",
  primary: "Champ principal",
  group: {
    text: "Texte",
    number: "Nombre",
    choice: "Choix",
    date: "Date et heure",
    relation: "Personnes, liens et fichiers",
    computed: "Calculé à partir d’autres champs",
    automatic: "Rempli par Rowhouse",
  },
  readOnly: {
    computed: (name: string) => `«\u00a0${name}\u00a0» est calculé et ne peut pas être modifié`,
    formula: "Sa formule donne les valeurs. Modifiez la formule, ou un champ qu’elle lit.",
    linked: "Ses valeurs viennent d’enregistrements liés. Modifiez ceux-ci, ou choisissez-en d’autres.",
    automatic: (name: string) => `«\u00a0${name}\u00a0» est rempli par Rowhouse et ne peut pas être modifié`,
    locked: (name: string) => `Vous pouvez lire «\u00a0${name}\u00a0», mais pas le modifier`,
    lockedBy: "Les créateurs de la base décident qui peut écrire dans ce champ.",
  },
  invalid: {
    number: (input: string) => `«\u00a0${input}\u00a0» n’est pas un nombre`,
    numberAs: (input: string, example: string) =>
      `«\u00a0${input}\u00a0» ne peut pas être lu comme un nombre\u202f; écrivez-le sous la forme ${example}`,
    precision: (input: string) =>
      `«\u00a0${input}\u00a0» a plus de chiffres qu’un nombre ne peut en garder\u202f; un ` +
      "champ de texte les garde tous",
    date: (input: string) => `«\u00a0${input}\u00a0» n’est pas une date\u202f; écrivez-la sous la forme 2025-01-31`,
    datetime: (input: string) =>
      `«\u00a0${input}\u00a0» n’est pas une date avec heure\u202f; écrivez-la sous la forme 2025-01-31 14:30`,
    openDate: (input: string, day: string, month: string) =>
      `«\u00a0${input}\u00a0» peut commencer par le jour, comme «\u00a0${day}\u00a0», ou par le mois, comme ` +
      `«\u00a0${month}\u00a0»`,
    openNumber: (input: string, point: string, comma: string) =>
      `«\u00a0${input}\u00a0» peut avoir un point décimal, comme «\u00a0${point}\u00a0», ou une virgule décimale, ` +
      `comme «\u00a0${comma}\u00a0»`,
    incompleteDate: "Cette date n’est pas complète",
    incompleteTimestamp: "Cette date et cette heure ne sont pas complètes",
    duration: (input: string) =>
      `«\u00a0${input}\u00a0» n’est pas une durée\u202f; écrivez-la sous la forme 1:30 (heures et minutes)`,
    checkbox: (input: string) => `«\u00a0${input}\u00a0» ne veut dire ni oui ni non`,
    option: (input: string, options: string) =>
      `«\u00a0${input}\u00a0» n’est pas une option\u202f; les options sont ${options}`,
    rating: (max: number) => `Une note est un nombre entier de 0 à ${max}`,
    json: "Ce n’est pas du JSON valide",
    user: (input: string) => `Personne ne se nomme «\u00a0${input}\u00a0» dans cette organisation`,
    readOnly: "Ce champ ne peut pas être modifié",
    email: (input: string) => `«\u00a0${input}\u00a0» n’est pas une adresse e-mail`,
  },
  none: "Aucun",
  choose: "Choisir…",
  searchOptions: "Rechercher une option",
  noOptions: "Aucune option ne correspond.",
  searchRecords: "Rechercher un enregistrement",
  noRecords: "Aucun enregistrement ne correspond.",
  linkRecord: "Lier des enregistrements",
  linkTitle: (table: string) => `Lier des enregistrements de «\u00a0${table}\u00a0»`,
  unlink: (name: string) => `Dissocier ${name}`,
  linkedCount: (count: number) => counted(count, "enregistrement lié", "enregistrements liés"),
  searchPeople: "Rechercher une personne",
  stars: (value: number, max: number) => `${value} sur ${max}`,
  open: "Ouvrir",
  checked: "Oui",
  unchecked: "Non",
  retypeHint:
    "Les valeurs sont converties. Si certaines ne peuvent pas l’être, elles vous sont indiquées avant tout changement.",
  optionsFromValues: "S’il n’y en a aucune ici, les options sont tirées des valeurs.",
  loss: (count: number, kind: string) =>
    `${counted(count, "valeur")} ne ${count < 2 ? "peut" : "peuvent"} pas devenir «\u00a0${kind}\u00a0» et ` +
    `${count < 2 ? "serait effacée" : "seraient effacées"}\u00a0:`,
  lossOfOptions: (count: number) =>
    `${counted(count, "enregistrement contient", "enregistrements contiennent")} une option retirée. ` +
    "Elle y serait effacée.",
  lossOfViews: (count: number) =>
    count < 2
      ? "1 vue filtre d’une façon qui ne conviendrait plus, et n’afficherait rien tant que son filtre n’est pas " +
        "réparé\u00a0:"
      : `${count} vues filtrent d’une façon qui ne conviendrait plus, et n’afficheraient rien tant que leur filtre ` +
        "n’est pas réparé\u00a0:",
  deleteViews: (names: string[]) =>
    `${names.length === 1 ? "Cette vue filtre" : "Ces vues filtrent"} selon ce champ et n’` +
    `${names.length === 1 ? "affichera" : "afficheront"} rien tant que le filtre n’est pas réparé\u00a0: ` +
    `${names.join(", ")}.`,
  lossOfFields: (count: number) =>
    count < 2
      ? "1 champ est calculé à partir de celui-ci et afficherait des erreurs\u00a0:"
      : `${count} champs sont calculés à partir de celui-ci et afficheraient des erreurs\u00a0:`,
  deleteReaders: (names: string[]) =>
    (names.length === 1
      ? "Ce champ est calculé à partir de celui-ci et affichera"
      : "Ces champs sont calculés à partir de celui-ci et afficheront") +
    ` des erreurs jusqu’à sa restauration\u00a0: ${names.join(", ")}.`,
  deleteReadersUnknown:
    "Impossible de savoir quels champs sont calculés à partir de celui-ci. Ils afficheront des erreurs.",
  broken: (reason: string) => `Ce champ n’a pas de valeurs actuellement\u00a0: ${reason}.`,
  lossNothingYet: "Rien n’a encore été modifié.",
  discard: "Enregistrer et perdre ces valeurs",
  saveAnyway: "Enregistrer quand même",
};
