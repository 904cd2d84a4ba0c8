import type { comment as english } from "../en/comment.ts";
import { of } from "./elision.ts";
import { counted } from "./number.ts";

/** Comments on records, the inbox, and the settings for notifications. */
export const comment: typeof english = {
  write: "Écrire un commentaire",
  send: "Commenter",
  hint: "Saisissez @ pour mentionner quelqu’un. Ctrl+Entrée envoie.",
  tooLong: (over: number) => `${counted(over, "caractère")} de trop`,
  people: "Personnes à mentionner",
  threads: "Fils de discussion",
  resolvedThreads: "Fils résolus",
  replies: "Réponses",
  reply: "Répondre",
  resolve: "Résoudre le fil",
  reopen: "Rouvrir",
  resolvedBy: (name: string, when: string) => `Résolu par ${name}, ${when}`,
  showResolved: (count: number) => `Afficher ${counted(count, "fil résolu", "fils résolus")}`,
  hideResolved: "Masquer les fils résolus",
  actionsFor: (name: string) => `Actions pour le commentaire ${of(name)}`,
  copyLink: "Copier le lien",
  linkCopied: "Le lien a été copié",
  edited: "modifié",
  editLabel: "Modifier le commentaire",
  deleted: "Ce commentaire a été supprimé.",
  deleteTitle: "Supprimer ce commentaire\u202f?",
  deleteBody: "Il est supprimé définitivement. Les réponses restent.",
  former: "Un ancien membre",
  none: "Aucun commentaire pour l’instant",
  noneBody: "Posez une question sur cet enregistrement, ou laissez une note à ceux qui viendront après vous.",
  readOnly: "Votre rôle vous permet de lire les commentaires. Les commentateurs et les éditeurs en écrivent.",
  missing: "Le commentaire auquel mène le lien a été supprimé.",
  inbox: {
    body:
      "Les commentaires qui vous mentionnent, et les réponses dans les fils où vous avez écrit. Les administrateurs " +
      "y trouvent aussi les sauvegardes qui ont échoué.",
    filter: "Afficher",
    all: "Tout",
    unread: "Non lus",
    readAll: "Tout marquer comme lu",
    allRead: "Tout est marqué comme lu",
    empty: "Rien ici pour l’instant",
    emptyBody: "Quand quelqu’un vous mentionne dans un commentaire ou vous répond, vous le trouvez ici.",
    noneUnread: "Vous avez tout lu",
    did: { mention: "vous a mentionné", reply: "a répondu" } as Record<string, string | undefined>,
    backup: (base: string) => `La sauvegarde de «\u00a0${base}\u00a0» a échoué`,
    on: (record: string, table: string) => `sur ${record} dans ${table}`,
    untitled: "Enregistrement sans titre",
    new: "Non lu",
    settings: "Notifications",
  },
  settings: {
    title: "Notifications",
    body:
      "Comment vous êtes averti quand quelqu’un vous mentionne dans un commentaire, ou répond " +
      "dans un fil où vous avez écrit.",
    inbox: "Dans la boîte de réception",
    mail: "Par e-mail",
    unverified:
      "Aucun e-mail ne vous est envoyé tant que votre adresse n’est pas confirmée, sur la page Profil.",
    saved: "Enregistré",
  },
};
