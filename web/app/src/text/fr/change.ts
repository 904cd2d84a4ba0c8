import type { change as english } from "../en/change.ts";
import { counted, grouped } from "./number.ts";

const records = (count: number) => counted(count, "enregistrement");

/** Says what happened to records of a table. */
const recordsThat = (participle: string, where = "dans") => (count: number, table: string) =>
  `${records(count)} ${participle}${count < 2 ? "" : "s"} ${where} «\u00a0${table}\u00a0»`;

/** The kinds of `shaped` are feminine but for the field. */
const isMasculine = (kind: string) => kind === "champ";

const the = (kind: string) => (isMasculine(kind) ? `Le ${kind}` : `La ${kind}`);

/** A kind as a sentence begins with it. */
const first = (kind: string) => kind.replace(/^./, (letter) => letter.toUpperCase());

/** Says what happened to an object, with a participle that agrees with its kind. */
const objectThat = (participle: string, rest = "") => (kind: string, name: string) =>
  `${first(kind)} «\u00a0${name}\u00a0» ${participle}${isMasculine(kind) ? "" : "e"}${rest}`;

/** Says how long ago something was: in hours, and from two days on in days and hours. */
function ago(hours: number): string {
  if (hours === 0) return "Maintenant";
  if (hours < 48) return `Il y a ${counted(hours, "heure")}`;
  const rest = hours % 24;
  const days = counted(Math.floor(hours / 24), "jour");
  return rest === 0 ? `Il y a ${days}` : `Il y a ${days} et ${counted(rest, "heure")}`;
}

/** Changes that were made: history, undo, reverts, trash, and the past. */
export const change: typeof english = {
  did: {
    created: recordsThat("ajouté", "à"),
    updated: recordsThat("modifié"),
    deleted: recordsThat("supprimé"),
    restored: recordsThat("restauré"),
    linked: recordsThat("lié"),
  },
  shaped: {
    kinds: { base: "base", table: "table", field: "champ", view: "vue" },
    created: objectThat("créé"),
    updated: objectThat("modifié"),
    renamed: (kind: string, name: string) =>
      `${first(kind)} ${isMasculine(kind) ? "renommé" : "renommée"} en «\u00a0${name}\u00a0»`,
    retyped: (kind: string, name: string) =>
      `Type ${isMasculine(kind) ? "du" : "de la"} ${kind} «\u00a0${name}\u00a0» modifié`,
    deleted: objectThat("supprimé"),
    restored: objectThat("restauré"),
    purged: objectThat("supprimé", " définitivement"),
    column: (field: string) => `Anciennes valeurs de «\u00a0${field}\u00a0» supprimées définitivement`,
    records: (count: number) =>
      counted(count, "enregistrement supprimé définitivement", "enregistrements supprimés définitivement"),
  },
  more: (count: number) => `${count} de plus`,
  nothing: "Rien n’a changé",
  undid: (what: string) => `Annulé\u00a0: ${what}`,
  redid: (what: string) => `Rétabli\u00a0: ${what}`,
  reverted: (what: string) => `Annulé\u00a0: ${what}`,
  nothingToUndo: "Rien à annuler",
  nothingToRedo: "Rien à rétablir",
  notUndone: "Rien n’a été annulé",
  notRedone: "Rien n’a été rétabli",
  skipped: (count: number) =>
    counted(count, "modification plus récente a été gardée.", "modifications plus récentes ont été gardées."),
  revert: {
    title: "Annuler ces modifications\u202f?",
    undo: "Annuler cette modification\u202f?",
    redo: "Rétablir cette modification\u202f?",
    will: "Sera annulé\u00a0",
    body:
      "Les valeurs, les enregistrements, les champs, les tables et les vues redeviennent ce qu’ils étaient. Vous " +
      "pouvez revenir sur cette annulation.",
    objects: "Tables, champs et vues",
    becomesOf: {
      restored: (kind: string, name: string) => `${the(kind)} «\u00a0${name}\u00a0» revient.`,
      removed: (kind: string, name: string) => `${the(kind)} «\u00a0${name}\u00a0» va à la corbeille.`,
      updated: (kind: string, name: string) =>
        `${the(kind)} «\u00a0${name}\u00a0» redevient ce qu’${isMasculine(kind) ? "il" : "elle"} était.`,
    },
    newer: (count: number) =>
      count < 2
        ? "1 valeur a encore changé depuis. Gardez-la, ou écrasez-la avec la précédente."
        : `${grouped(count)} valeurs ont encore changé depuis. Gardez-les, ou écrasez-les avec les précédentes.`,
    conflicts: "Modifications plus récentes",
    now: "Actuellement",
    becomes: "Deviendrait",
    reasons: {
      changed: "Modification ultérieure",
      deleted: "Suppression ultérieure",
      gone: "Suppression, sans trace conservée",
      required: "Le champ ne doit plus être vide",
      not_unique: "Un autre enregistrement a cette valeur",
      option_gone: "L’option a été supprimée",
      person_left: "La personne est partie",
      holds_one: "Le champ n’admet plus qu’une valeur",
      file_gone: "Le fichier a été supprimé",
      needed: "Sa table en a désormais besoin",
      taken: "Ce nom est désormais pris",
    } as Record<string, string | undefined>,
    properties: {
      name: "Nom",
      icon: "Icône",
      type: "Type",
      position: "Position",
      hidden: "Visibilité",
      width: "Largeur",
      access: "Accès",
      workspace_id: "Espace de travail",
      "config.options": "Options",
      "config.filters": "Filtres",
      "config.sorts": "Tris",
    } as Record<string, string | undefined>,
    settings: "Paramètres",
    by: (name: string, when: string) => `par ${name}, ${when}`,
    others: (count: number) => `Et ${grouped(count)} de plus.`,
    revert: "Confirmer",
    skip: "Garder les récentes",
    overwrite: "Écraser",
  },
  list: {
    body:
      "Tout ce que des personnes, des clés et des applications ont modifié dans cette base, " +
      "du plus récent au plus ancien.",
    empty: "Aucune modification pour l’instant",
    noneFound: "Aucune modification ne correspond",
    filters: "Filtrer les modifications",
    person: "Personne",
    everybody: "Tout le monde",
    credential: "Origine",
    anyCredential: "Toutes",
    table: "Table",
    anyTable: "Toutes les tables",
    revert: "Annuler…",
    revertThis: (what: string) => `Annuler\u00a0: ${what}`,
    isReverted: "Annulée",
    isRevert: "Annulation",
    wait: "Vérification de ce qui serait annulé…",
  },
  by: {
    key: "avec une clé d’API",
    grt: "avec une application connectée",
    viw: "par un lien public",
    job: "avec un import",
  } as Record<string, string | undefined>,
  record: {
    fields: "Champs",
    history: "Historique",
    actions: {
      created: "a ajouté l’enregistrement",
      updated: "a modifié l’enregistrement",
      deleted: "a supprimé l’enregistrement",
      linked: "a modifié un lien vers l’enregistrement",
      restored: "a restauré l’enregistrement",
    },
    moved: "a déplacé l’enregistrement dans une vue",
    from: "Avant",
    to: "Après",
    empty: "Vide",
    restore: "Restaurer cette version",
    current: "Version actuelle",
    restored: "La version a été restaurée",
    same: "L’enregistrement a déjà ces valeurs",
    none: "Aucune modification connue de cet enregistrement",
    older: "Les modifications plus anciennes ne sont pas conservées.",
  },
  trashPage: {
    body:
      "Ce qui a été supprimé dans cette base. Vous pouvez le restaurer jusqu’au jour de sa suppression définitive.",
    empty: "La corbeille est vide",
    emptyBody: "Les enregistrements, champs, tables et vues supprimés sont conservés ici pendant un certain temps.",
    kind: "Afficher",
    all: "Tout",
    kinds: {
      record: "Enregistrements",
      table: "Tables",
      field: "Champs",
      view: "Vues",
      column: "Valeurs avant un changement de type",
    },
    deleted: (name: string, when: string) => `Suppression par ${name}, ${when}`,
    kept: (day: string) => `Conservation jusqu’au ${day}`,
    inTable: (table: string) => `dans ${table}`,
    restore: "Restaurer",
    restoreThis: (name: string) => `Restaurer «\u00a0${name}\u00a0»`,
    purge: "Supprimer définitivement",
    purgeThis: (name: string) => `Supprimer définitivement «\u00a0${name}\u00a0»`,
    purgeTitle: (name: string) => `Supprimer définitivement «\u00a0${name}\u00a0»\u202f?`,
    purgeBody: "Plus personne ne pourra ensuite le restaurer.",
    restored: (name: string) => `Vous avez restauré «\u00a0${name}\u00a0»`,
    purged: (name: string) => `Vous avez supprimé définitivement «\u00a0${name}\u00a0»`,
  },
  past: {
    when: "Date et heure",
    back: "Il y a combien de temps",
    ago,
    show: "Afficher",
    future: "Choisissez un moment dans le passé.",
    banner: (when: string) => `Vous voyez cette table telle qu’elle était le ${when}, en lecture seule.`,
    linked: "Les recherches, les agrégations et les nombres de liens suivent les liens actuels.",
    now: "Revenir au présent",
  },
};
