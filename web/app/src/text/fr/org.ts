import type { org as english } from "../en/org.ts";
import { of } from "./elision.ts";
import { counted } from "./number.ts";

export const org: typeof english = {
  title: "Paramètres de l’organisation",
  tabs: {
    general: "Général",
    members: "Membres",
    groups: "Groupes",
    keys: "Clés d’API",
    backups: "Sauvegardes",
    audit: "Journal d’audit",
    trash: "Corbeille",
  },
  name: "Nom de l’organisation",
  nameSaved: "Le nom a été modifié",
  id: "Identifiant de l’organisation",
  idHint: "Les programmes l’utilisent pour créer des bases et des espaces de travail.",
  deleteTitle: "Supprimer cette organisation",
  deleteBody: (days: number | undefined) =>
    "Ses bases, ses enregistrements, ses membres et ses liens publics sont supprimés avec elle, immédiatement et " +
    "pour tout le monde. Un propriétaire peut la restaurer depuis la page d’accueil pendant " +
    `${days === undefined ? "un certain temps" : days < 2 ? "un jour" : `${days} jours`}.`,
  delete: "Supprimer l’organisation",
  deleteAsk: (name: string) => `Supprimer «\u00a0${name}\u00a0»\u202f?`,
  deleted: (name: string) => `L’organisation «\u00a0${name}\u00a0» a été supprimée`,
  dangerTitle: "Quitter cette organisation",
  leaveBody: "Vous perdez immédiatement l’accès à ses bases, et vos clés d’API pour elle cessent de fonctionner.",
  leave: "Quitter l’organisation",
  leaveTitle: (name: string) => `Quitter «\u00a0${name}\u00a0»\u202f?`,
  left: "Vous avez quitté l’organisation",
  members: "Membres",
  membersBody: "Toutes les personnes qui peuvent ouvrir les bases de cette organisation, et ce qu’elles peuvent faire.",
  invite: "Inviter",
  inviteTitle: "Inviter des personnes",
  emails: "Adresses e-mail",
  emailsHint:
    "Une ou plusieurs, séparées par des virgules ou des retours à la ligne. Chacune reçoit un e-mail avec un lien.",
  role: "Rôle",
  roleHint: {
    owner: "Tout, y compris renommer et supprimer l’organisation",
    admin: "Modifie les tables, les champs et les vues, et gère les membres",
    editor: "Crée, modifie, supprime et commente les enregistrements",
    viewer: "Lit tout, ne modifie rien",
    guest: "Ne voit que les bases partagées avec lui, et rien d’autre de l’organisation",
  },
  send: "Envoyer les invitations",
  sent: (count: number) =>
    count < 2 ? "L’invitation a été envoyée" : `${count} invitations ont été envoyées`,
  invalidEmail: (email: string) => `«\u00a0${email}\u00a0» n’est pas une adresse e-mail`,
  pending: "Invitations en attente",
  noPending: "Aucune invitation n’attend de réponse.",
  resend: "Renvoyer",
  resent: "L’invitation a été renvoyée",
  revoke: "Révoquer",
  revoked: "L’invitation a été révoquée",
  expires: (when: string) => `Expire le ${when}`,
  you: "Vous",
  person: "Personne",
  joined: "Arrivée",
  removeTitle: (name: string) => `Retirer ${name}\u202f?`,
  removeBody:
    "Cette personne perd immédiatement l’accès, et ses clés d’API pour cette organisation cessent de fonctionner. " +
    "Ses enregistrements restent.",
  removeLosses: (count: number) =>
    count < 2 ? "Ceci change aussi\u00a0:" : `Ces ${count} choses changent aussi\u00a0:`,
  removeUnknown: "Impossible de savoir ce qui change par ailleurs.",
  removed: (name: string) => `${name} ne fait plus partie de l’organisation`,
  changed: (name: string, role: string) => `${name} a désormais le rôle «\u00a0${role}\u00a0»`,
  transfer: "Nommer propriétaire",
  roleOf: (name: string) => `Rôle ${of(name)}`,
  key: {
    title: "Clés d’API",
    body:
      "Les clés des membres qui accèdent à cette organisation. Ce qu’une clé peut y faire " +
      "ne dépasse jamais le rôle de son membre.",
    emptyTitle: "Aucune clé d’API",
    emptyBody: "Quand un membre crée une clé qui accède à cette organisation, elle apparaît ici.",
    used: (when: string) => `Utilisée ${when}`,
    unused: "Pas encore utilisée",
    expires: (when: string) => `Expire le ${when}`,
    endless: "N’expire jamais",
    here: "Accède à cette organisation seulement",
    view: "Une vue",
    bases: (count: number) =>
      count < 2
        ? "Accède à une base de cette organisation"
        : `Accède à ${count} bases de cette organisation`,
    everywhere: (name: string) =>
      `Accède à toutes les organisations ${of(name)}\u202f; seule cette personne peut la révoquer`,
    revokeOf: (key: string, name: string) => `Révoquer «\u00a0${key}\u00a0» ${of(name)}`,
    revokeTitle: (key: string, name: string) => `Révoquer «\u00a0${key}\u00a0» ${of(name)}\u202f?`,
  },
  group: {
    title: "Groupes",
    body: "Donnez ensemble à plusieurs personnes un rôle dans une base, ou une autorisation dans une table.",
    create: "Créer un groupe",
    name: "Nom du groupe",
    placeholder: "Finances, Bénévoles…",
    emptyTitle: "Aucun groupe",
    emptyBody:
      "Comme une personne, un groupe peut recevoir un rôle dans une base et des autorisations dans des tables.",
    count: (count: number) => counted(count, "membre"),
    actions: (name: string) => `Actions pour ${name}`,
    rename: "Renommer",
    members: "Choisir les membres",
    membersOf: (name: string) => `Membres de «\u00a0${name}\u00a0»`,
    search: "Rechercher une personne",
    delete: "Supprimer le groupe",
    deleteTitle: (name: string) => `Supprimer le groupe «\u00a0${name}\u00a0»\u202f?`,
    deleteBody: "Ses membres restent dans l’organisation. Ils perdent ce que seul ce groupe leur donne.",
    saved: (name: string) => `Le groupe «\u00a0${name}\u00a0» a été enregistré`,
    deleted: (name: string) => `Le groupe «\u00a0${name}\u00a0» a été supprimé`,
  },
  trashBody:
    "Les bases supprimées. Vous pouvez restaurer chacune avec ses tables et ses enregistrements jusqu’au jour de sa " +
    "suppression définitive.",
  trashEmpty: "Aucune base supprimée",
  audit: "Journal d’audit",
  auditBody: "Qui a modifié quoi dans cette organisation, du plus récent au plus ancien.",
  gone: "n’existe plus",
  by: {
    session: "dans le navigateur",
    api_key: "par clé d’API",
    oauth: "par une application connectée",
  } as Record<string, string | undefined>,
  auditEmpty: "Rien n’a encore été consigné.",
};
