import type { permission as english } from "../en/permission.ts";
import { of } from "./elision.ts";
import { grouped } from "./number.ts";

/** Who may do what in a base, and with the records and fields of a table. */
export const permission: typeof english = {
  role: { creator: "Créateur", editor: "Éditeur", commenter: "Commentateur", viewer: "Lecteur" },
  roleHint: {
    creator: "Modifie les tables, les champs, les autorisations et les partages",
    editor: "Modifie les enregistrements et crée des vues",
    commenter: "Lit tout et commente",
    viewer: "Lit tout",
  },
  people: "Personnes et groupes",
  open: "Ouverte à l’organisation",
  openHint: "Les membres ont ici le rôle qu’ils ont dans l’organisation.",
  restrictedHint:
    "Seuls les personnes et les groupes de cette liste et les administrateurs de l’organisation voient cette base.",
  workspaceHint:
    "L’espace de travail est restreint\u00a0: seuls les personnes et les groupes qui ont un rôle voient cette base.",
  restrictTitle: "Restreindre cette base\u202f?",
  restrict: "Restreindre",
  openTitle: "Ouvrir cette base à l’organisation\u202f?",
  openAction: "Ouvrir",
  add: "Personne ou groupe",
  choose: "Ajouter une personne ou un groupe…",
  groups: "Groupes",
  members: "Personnes",
  viewAs: (name: string) => `Voir la base comme la voit ${name}`,
  addRole: "Rôle à attribuer",
  addAction: "Ajouter",
  roleOf: (name: string) => `Rôle ${of(name)}`,
  remove: (name: string) => `Retirer le rôle ${of(name)}`,
  byWorkspace: "Par l’espace de travail",
  byOrg: "Par l’organisation",
  byRole: (role: string) => `${role} de l’organisation`,
  byGroup: (name: string) => `Par le groupe «\u00a0${name}\u00a0»`,
  group: "Groupe",
  you: "Vous",
  changed: (name: string, role: string) => `${name} a désormais le rôle «\u00a0${role}\u00a0» ici`,
  removed: (name: string) => `${name} n’a plus de rôle propre ici`,
  workspace: {
    title: (name: string) => `Partager «\u00a0${name}\u00a0»`,
    body:
      "Les rôles donnés ici valent dans toutes les bases de l’espace de travail, en plus de ceux que donne une base.",
    people: "Personnes et groupes de l’espace de travail",
    openHint: "Les membres ont dans ses bases le rôle qu’ils ont dans l’organisation.",
    restrictedHint:
      "Seuls les personnes et les groupes qui ont un rôle ici ou dans une base, et les administrateurs de " +
      "l’organisation, voient ses bases.",
    restrictTitle: "Restreindre cet espace de travail\u202f?",
    openTitle: "Ouvrir cet espace de travail à l’organisation\u202f?",
    changed: (name: string, role: string) =>
      `${name} a désormais le rôle «\u00a0${role}\u00a0» dans toutes les bases de l’espace de travail`,
    removed: (name: string) => `${name} n’a plus de rôle dans l’espace de travail`,
    none: "Personne n’a de rôle propre ici.",
  },
  guest: "Inviter quelqu’un par e-mail",
  guestRole: "Rôle de l’invité",
  guestHint: "Un invité ne voit que les bases partagées avec lui, et les personnes qui s’y trouvent.",
  invite: "Inviter",
  invited: (email: string) => `Une invitation a été envoyée à ${email}`,
  losses: (count: number) =>
    count < 2 ? "Cela change pour 1 personne\u00a0:" : `Cela change ${count} choses\u00a0:`,
  noLosses: "Personne n’y gagne ni n’y perd quoi que ce soit.",
  more: "et peut-être davantage",
  table: {
    title: (table: string) => `Autorisations de «\u00a0${table}\u00a0»`,
    body: "Les créateurs de la base peuvent tout faire. Les autres ont d’abord besoin d’un rôle dans la base.",
    actions: "Enregistrements",
    action: { read: "Lire", create: "Créer", edit: "Modifier", delete: "Supprimer" },
    actionHint: {
      read: "Voir la table et ses enregistrements",
      create: "Ajouter des enregistrements",
      edit: "Modifier des valeurs",
      delete: "Supprimer des enregistrements",
    },
    threshold: (action: string) => `Qui peut\u00a0: ${action}`,
    usual: (role: string) => `${role} et plus (par défaut)`,
    only: "Personnes nommées et créateurs",
    creators: "Créateurs seulement",
    above: (role: string) => `${role} et plus`,
    named: "Personnes et groupes",
    addTo: (what: string) => `Ajouter à\u00a0: ${what}`,
    addOne: "Ajouter…",
    takeFrom: (name: string, what: string) => `Retirer ${name} de\u00a0: ${what}`,
    fields: "Champs",
    fieldsBody:
      "Ce que les personnes qui ne sont pas créateurs peuvent faire d’un champ. Ce qui est calculé à partir d’un " +
      "champ masqué est masqué aussi, sauf si vous en dévoilez le résultat.",
    state: { edit: "Modifiable", read: "Lecture seule", hidden: "Masqué" },
    stateOf: (field: string) => `État de «\u00a0${field}\u00a0»`,
    exception: { read: "Modifiable par", hidden: "Visible par" },
    whoEdits: "Qui modifie les enregistrements",
    reveal: "Dévoiler le résultat",
    revealOf: (field: string) => `Dévoiler le résultat de «\u00a0${field}\u00a0»`,
    revealHint: "Quiconque voit le champ y lit ce que lisent les créateurs, quelle que soit l’origine du calcul.",
    revealed: (fields: string[]) =>
      `${fields.join(", ")}\u00a0: quiconque voit cela lit ce que lisent les créateurs. C’est calculé à partir de ` +
      "champs, de tables et d’enregistrements qui lui sont peut-être masqués, et la " +
      "valeur peut en révéler quelque chose.",
    rule: {
      title: "Règles de lignes",
      body:
        "Les personnes que nomme une règle ne lisent que les enregistrements de leurs règles, et écrivent ce que " +
        "permettent les règles et les autorisations ci-dessus. Les autres ne sont pas limitées.",
      nth: (place: number) => `Règle ${place}`,
      who: "Pour",
      records: "Les enregistrements",
      edit: "Les modifier",
      delete: "Les supprimer",
      memo: "Message en cas de modification refusée",
      add: "Ajouter une règle",
      remove: (rule: string) => `Retirer\u00a0: ${rule}`,
    },
    review: "Vérifier",
    back: "Retour",
    save: "Enregistrer",
    saved: "Les autorisations ont été enregistrées",
    reviewTitle: "Ce qui change",
    none: "Personne ne gagne ni ne perd quoi que ce soit à ces changements pour l’instant.",
    records: (count: number) =>
      count < 2
        ? "Elles s’appliquent à 1 enregistrement."
        : `Elles s’appliquent à ${grouped(count)} enregistrements.`,
  },
};
