import type { shell as english } from "../en/shell.ts";
import { counted } from "./number.ts";

export const shell: typeof english = {
  name: "Rowhouse",
  quoted: (name: string) => `«\u00a0${name}\u00a0»`,
  formerMember: "Un ancien membre",
  action: {
    close: "Fermer",
    cancel: "Annuler",
    save: "Enregistrer",
    create: "Créer",
    rename: "Renommer",
    delete: "Supprimer",
    remove: "Retirer",
    retry: "Réessayer",
    copy: "Copier",
    copied: "Copié",
    back: "Retour",
    next: "Suivant",
    done: "Terminé",
    edit: "Modifier",
    add: "Ajouter",
    more: "Autres actions",
    signIn: "Se connecter",
    undo: "Annuler",
    redo: "Rétablir",
    clear: "Effacer",
    discard: "Abandonner",
  },
  state: { loading: "Chargement…", saving: "Enregistrement…", saved: "Enregistré" },
  confirm: {
    type: (name: string) => `Saisissez «\u00a0${name}\u00a0» pour confirmer`,
    discardTitle: "Abandonner votre saisie\u202f?",
    discardBody: "Elle n’a pas été enregistrée.",
  },
  failure: {
    unexpected: "Une erreur s’est produite",
    unreadable: "Le service a donné une réponse qui n’a pas pu être lue.",
    offlineTitle: "Aucune connexion",
    offline: "Le service n’a pas pu être joint. Vérifiez la connexion et réessayez.",
    request: (id: string) => `Requête ${id}`,
    byStatus: {
      400: "Demande refusée",
      401: "Votre session est fermée",
      403: "Non autorisé",
      404: "Introuvable",
      409: "Impossible pour le moment",
      413: "Trop volumineux",
      429: "Trop de requêtes",
      500: "Le service a échoué",
      503: "Le service est occupé",
    } as Record<number, string | undefined>,
    pageTitle: "Cette page n’existe pas",
    page: "L’adresse est peut-être mal saisie, ou ce qui se trouvait ici a été supprimé.",
    home: "Aller à l’accueil",
    crash:
      "Cette partie de la page a échoué. Recharger suffit en général\u202f; ce que " +
      "vous avez enregistré est en sécurité.",
    reload: "Recharger",
    partTitle: "Cette partie n’a pas pu être chargée",
    part:
      "La connexion est peut-être coupée, ou Rowhouse a été mis à jour depuis que vous avez ouvert la page. " +
      "Réessayez, ou rechargez la page\u202f; ce que vous avez enregistré est en sécurité.",
  },
  ended: {
    title: "Vous avez été déconnecté",
    body:
      "Votre session a pris fin, ou a été fermée ailleurs. Reconnectez-vous dans un nouvel onglet, puis continuez " +
      "ici\u00a0: rien de ce que vous avez saisi n’est perdu.",
    signIn: "Se connecter dans un nouvel onglet",
    resume: "Je suis connecté",
    still: "Pas encore de connexion",
    paused: "Rien n’a été envoyé, car vous n’êtes plus connecté. Connectez-vous et réessayez.",
    you: "précédent",
    otherTitle: "Quelqu’un d’autre s’est connecté",
    otherBody: (other: string, own: string) =>
      `Ce navigateur est maintenant connecté au compte ${other}, mais cette page est celle du compte ${own}. Rien ` +
      "n’en est envoyé sous un autre nom.",
    unsent: (count: number, own: string) =>
      count === 0
        ? `Aucune modification du compte ${own} n’attend d’être envoyée.`
        : count === 1
          ? `1 modification du compte ${own} n’est pas encore envoyée. Elle est gardée dans ce navigateur, et sera ` +
            `envoyée quand le compte ${own} s’y connectera de nouveau.`
          : `${count} modifications du compte ${own} ne sont pas encore envoyées. Elles sont gardées dans ce ` +
            `navigateur, et seront envoyées quand le compte ${own} s’y connectera de nouveau.`,
    unsentHere: (count: number, own: string) =>
      count === 0
        ? `Aucune modification du compte ${own} n’attend d’être envoyée.`
        : `${counted(count, "modification")} du compte ${own} ` +
          `${count === 1 ? "n’est pas encore envoyée" : "ne sont pas encore envoyées"}. Pour ` +
          `${count === 1 ? "la" : "les"} garder, déconnectez-vous ailleurs, reconnectez-vous au compte ${own} et ` +
          "continuez ici.",
    discard: (count: number) =>
      count === 1 ? "Abandonner la modification et continuer" : `Abandonner ${count} modifications et continuer`,
    unsavedTitle: (count: number) =>
      counted(count, "modification n’est pas encore enregistrée", "modifications ne sont pas encore enregistrées"),
    unsavedKept:
      "Ce qui n’est pas enregistré est gardé dans ce navigateur, où d’autres utilisateurs peuvent le lire, et sera " +
      "envoyé quand vous vous y reconnecterez.",
    unsavedLost:
      "Ce navigateur ne peut pas conserver les modifications. Ce qui n’est pas enregistré sera perdu à la déconnexion.",
    stay: "Rester connecté",
    keepAndSignOut: "Garder et se déconnecter",
    discardAndSignOut: "Abandonner et se déconnecter",
    goOn: "Continuer avec l’autre compte",
    resumeAgain: "Je me suis reconnecté",
  },
  shell: {
    navigation: "Navigation",
    home: "Accueil",
    search: "Rechercher ou accéder à…",
    searchShort: "Rechercher",
    account: "Compte",
    open: "Ouvrir la navigation",
    collapse: "Masquer la navigation",
    settings: "Paramètres du compte",
    keys: "Clés d’API",
    help: "Aide",
    reference: "Référence de l’API",
    shortcuts: "Raccourcis clavier",
    signOut: "Se déconnecter",
    theme: "Thème",
    light: "Clair",
    dark: "Sombre",
    system: "Système",
    skip: "Aller au contenu",
    orgSettings: "Paramètres de l’organisation",
    role: {
      owner: "Propriétaire",
      admin: "Administrateur",
      editor: "Éditeur",
      viewer: "Lecteur",
      guest: "Invité",
    },
  },
  palette: {
    title: "Palette de commandes",
    placeholder: "Commande, base, table, enregistrement ou personne…",
    none: "Aucun résultat.",
    untitled: "Enregistrement sans titre",
    groups: {
      action: "Actions",
      base: "Bases",
      table: "Tables",
      record: "Enregistrements de cette base",
      view: "Vues",
      dashboard: "Tableaux de bord",
      member: "Membres",
    },
    membersOf: (org: string) => `Membres de «\u00a0${org}\u00a0»`,
    newBase: "Créer une base",
  },
  shortcut: {
    title: "Raccourcis clavier",
    groups: {
      general: "Partout",
      grid: "Dans la grille",
    },
    list: {
      palette: "Ouvrir la palette de commandes",
      help: "Afficher cette liste",
      move: "Se déplacer entre les cellules",
      next: "Cellule suivante",
      edit: "Modifier la cellule",
      cancel: "Annuler la saisie",
      range: "Étendre la sélection",
      copy: "Copier la sélection",
      paste: "Coller dans la sélection",
      clear: "Effacer la sélection",
      undo: "Annuler votre dernière modification",
      redo: "Rétablir",
      expand: "Ouvrir l’enregistrement",
      search: "Rechercher dans la table",
      replace: "Rechercher et remplacer dans la colonne",
      fill: "Recopier la sélection vers le bas",
      fillRight: "Recopier la sélection vers la droite",
      menu: "Ouvrir le menu de l’enregistrement",
    },
  },
};
