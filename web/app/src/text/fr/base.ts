import type { base as english } from "../en/base.ts";
import { counted, grouped } from "./number.ts";

const causes = {
  offline: "Aucune connexion.",
  signedOut: "Votre session est fermée.",
  tooMany: "Trop de requêtes.",
  failing: "Le service ne répond pas.",
};

export const base: typeof english = {
  tables: "Tables",
  views: "Vues",
  addTable: "Ajouter une table",
  tableName: "Nom de la table",
  tableNamePlaceholder: "Clients",
  createTable: "Créer la table",
  dashboard: {
    add: "Ajouter un tableau de bord",
    name: "Nom du tableau de bord",
    placeholder: "Ventes",
    create: "Créer le tableau de bord",
  },
  importTable: "Importer un fichier",
  renameTable: "Renommer la table",
  duplicateTable: "Dupliquer la table",
  deleteTable: "Supprimer la table",
  deleteTableTitle: (name: string) => `Supprimer «\u00a0${name}\u00a0»\u202f?`,
  deleteTableBody:
    "Ses enregistrements, ses champs et ses vues sont supprimés avec elle, de même que les liens vers elle. " +
    "Les administrateurs peuvent la restaurer depuis la corbeille.",
  tableMenu: (name: string) => `Actions pour la table ${name}`,
  viewMenu: (name: string) => `Actions pour la vue ${name}`,
  emptyTitle: "Cette base n’a pas encore de table",
  emptyBody:
    "Créez une table vide, laissez Rowhouse en lire une dans un fichier CSV, ou " +
    "collez ici les cellules d’une feuille de calcul.",
  pastedTable: (number: number) => `Table ${number}`,
  emptyViewer: "Un administrateur de l’organisation peut ajouter des tables.",
  share: "Partager",
  more: "Plus",
  favorite: "Favori",
  recent: "Modifications récentes",
  trash: "Corbeille",
  webhooks: "Webhooks",
  sql: "SQL",
  api: "API",
  data: "Données",
  baseTabs: "Base",
  search: "Rechercher dans cette table",
  records: (count: number) => counted(count, "enregistrement"),
  saving: (count: number) =>
    count < 100 ? "Enregistrement…" : `Enregistrement de ${grouped(count)} modifications…`,
  saved: "Tout est enregistré",
  waiting: (count: number, cause: keyof typeof causes, kept: boolean) =>
    `${causes[cause]} ${counted(count, "modification")} ` +
    (count < 2
      ? `${kept ? "est conservée" : "n’est pas encore enregistrée"}.`
      : `${kept ? "sont conservées" : "ne sont pas encore enregistrées"}.`),
  reverted: "La modification n’a pas été acceptée",
  revertedMany: (count: number) => `${grouped(count)} modifications n’ont pas été acceptées`,
  fieldGone: "Son champ a été supprimé.",
  keepsChanging: "D’autres personnes modifient sans cesse cet enregistrement. Réessayez.",
  recordGone: "L’enregistrement a été supprimé, ou vous ne pouvez plus le voir.",
  changedSince: "D’autres personnes ont modifié l’enregistrement depuis que vous l’avez supprimé.",
  doubtful:
    "La modification a peut-être déjà été enregistrée, et la réponse perdue. Vérifiez avant de réessayer.",
  somebody: "Quelqu’un",
  alsoHere: (names: string[]) => `Également ici\u00a0: ${names.join(", ")}`,
  moreHere: (count: number) => `+${grouped(count)}`,
  permissions: "Autorisations",
  tableGone: "La table qui était ouverte a été supprimée, ou vous n’y avez plus accès",
  viewAs: {
    bar: (name: string) =>
      `Vous voyez cette base comme la voit ${name}. Rien ne peut être modifié, et ` +
      "la page ne s’actualise pas d’elle-même.",
    end: "Revenir à mon accès",
  },
  noAccess: "Vous n’avez plus accès à cette base",
  noAccessBody: "Elle a été supprimée, ou ses droits d’accès ont été modifiés.",
  notSavedYet: "Cet enregistrement n’est pas encore sauvegardé. Il s’ouvrira dès qu’il le sera.",
  refusedCount: (count: number) => counted(count, "modification refusée", "modifications refusées"),
  conflictCount: (count: number) =>
    `${counted(count, "modification")} ${count < 2 ? "attend" : "attendent"} votre choix`,
  conflict: {
    all: (count: number) =>
      count < 2
        ? "Faire de même pour l’autre enregistrement"
        : `Faire de même pour les ${grouped(count)} autres enregistrements`,
    title: (record: string) => `«\u00a0${record}\u00a0» a aussi été modifié ailleurs`,
    body: (count: number) =>
      count < 2
        ? "Ce champ a changé depuis que vous l’avez vu. Choisissez la valeur à garder."
        : "Ces champs ont changé depuis que vous les avez vus. Choisissez les valeurs à garder.",
    theirs: "Enregistrée",
    yours: "La vôtre",
    empty: "Vide",
    keepTheirs: "Garder l’autre version",
    useMine: "Utiliser la mienne",
  },
  pasted: (count: number) => counted(count, "cellule collée", "cellules collées"),
  left: {
    title: (count: number) => counted(count, "cellule n’a pas été collée", "cellules n’ont pas été collées"),
    body: (pasted: number) =>
      pasted === 0
        ? "Rien n’a été collé. Les cellules gardent leur contenu."
        : `${counted(pasted, "cellule a été collée", "cellules ont été collées")}. ` +
          "Celles-ci gardent leur contenu\u00a0:",
    row: (row: number) => `Ligne ${grouped(row)}`,
    rows: (first: number, last: number) => `Lignes ${grouped(first)} à ${grouped(last)}`,
    more: (count: number) => `Et ${grouped(count)} de plus`,
  },
  tooWide: (columns: number, fields: number) =>
    `Le bloc a ${counted(columns, "colonne")}, et la vue n’a que ${counted(fields, "champ")} à partir d’ici`,
  tooWideBody: (columns: number, fields: number) =>
    `Coller ${fields < 2 ? "la première colonne" : `les ${fields} premières colonnes`} et laisser ` +
    `${columns - fields < 2 ? "l’autre" : `les ${columns - fields} autres`}\u202f? Pour tout coller, ajoutez des ` +
    "champs ou commencez plus à gauche.",
  pasteThose: (fields: number) => `Coller ${counted(fields, "colonne")}`,
  copied: (count: number) => counted(count, "ligne copiée", "lignes copiées"),
  notCopied: "Rien n’a été copié",
  notSelected: "Les enregistrements n’ont pas pu être sélectionnés",
  nothingChanged: "Rien n’a été modifié",
  reading: (done: number, total: number) => `Lecture\u00a0: ${grouped(done)} sur ${counted(total, "enregistrement")}`,
  deleting: (done: number, total: number) =>
    `Suppression\u00a0: ${grouped(done)} sur ${counted(total, "enregistrement")}`,
  stop: "Arrêter",
  stopped: "Arrêté",
  rowsMissing: "Le service n’a pas renvoyé tous les enregistrements.",
  newRecord: "Nouvel enregistrement",
  deleteRecords: (count: number) =>
    count < 2 ? "Supprimer l’enregistrement" : `Supprimer ${grouped(count)} enregistrements`,
  deleteRecordsTitle: (count: number) =>
    count < 2 ? "Supprimer cet enregistrement\u202f?" : `Supprimer ${grouped(count)} enregistrements\u202f?`,
  deleteRecordsBody: "Vous pouvez annuler cette action, ou restaurer depuis la corbeille ce que vous avez supprimé.",
  deletedRecords: (count: number) =>
    count < 2 ? "L’enregistrement a été supprimé" : `${grouped(count)} enregistrements ont été supprimés`,
  mergeRecords: "Fusionner",
  mergedRecords: (count: number) => `${grouped(count)} enregistrements ont été fusionnés`,
  merge: {
    title: (count: number) => `Fusionner ${grouped(count)} enregistrements\u202f?`,
    body:
      "Un seul enregistrement est gardé, avec les liens et les commentaires de tous. Ses champs vides reçoivent les " +
      "valeurs des autres, qui vont à la corbeille. Là où les enregistrements diffèrent, choisissez une valeur. " +
      "Vous pouvez annuler cette action.",
    keep: "Enregistrement à garder",
    value: (field: string) => `Valeur de «\u00a0${field}\u00a0»`,
    unnamed: "Enregistrement sans nom",
    moved: (links: number, comments: number) =>
      `${counted(links, "lien")} et ${counted(comments, "commentaire")} lui seront transférés.`,
    action: "Fusionner",
  },
  restore: "Restaurer",
  selected: (count: number) => counted(count, "sélectionné"),
  readOnlyRole: "Vous ne pouvez pas créer d’enregistrements dans cette table.",
  noRecordsTitle: "Aucun enregistrement pour l’instant",
  noRecordsThenTitle: "Aucun enregistrement à ce moment-là",
  noRecordsBody: "Ajoutez le premier, collez des lignes d’une feuille de calcul ou importez un fichier CSV.",
  noMatchTitle: "Aucun enregistrement ne correspond",
  noMatchBody: "Modifiez ou effacez le filtre et la recherche pour en voir davantage.",
  clearFilter: "Effacer le filtre et la recherche",
  unsavedView: "Vos changements de filtre et de tri restent personnels jusqu’à leur enregistrement.",
  saveView: "Enregistrer dans la vue",
  resetView: "Réinitialiser",
  toolbar: "Options de la vue",
  fields: "Champs",
  hiddenFields: (count: number) => (count === 0 ? "Champs" : counted(count, "champ masqué", "champs masqués")),
  showAll: "Tout afficher",
  hideAll: "Tout masquer",
  rowHeight: "Hauteur des lignes",
  heights: { short: "Basse", medium: "Moyenne", tall: "Haute" },
  freeze: "Figer jusqu’ici",
  unfreeze: "Figer seulement la première colonne",
  sortAsc: "Tri croissant",
  sortDesc: "Tri décroissant",
  filterBy: "Filtrer par ce champ",
  hide: "Masquer dans cette vue",
  importFile: "Importer un fichier",
  exportCsv: "Exporter en CSV",
  record: {
    notHereTitle: "Cet enregistrement n’est pas ici",
    notHere: (table: string) =>
      `Ce n’est pas un enregistrement de la table «\u00a0${table}\u00a0», ou il a été supprimé définitivement.`,
    untitled: "Enregistrement sans titre",
    open: "Ouvrir l’enregistrement",
    previous: "Enregistrement précédent",
    next: "Enregistrement suivant",
    copyLink: "Copier le lien",
    linkCopied: "Le lien a été copié",
    delete: "Supprimer l’enregistrement",
    gone: "Cet enregistrement n’existe pas ou a été supprimé.",
    created: (when: string) => `Créé le ${when}`,
    create: "Créer l’enregistrement",
    label: "Enregistrement",
    actions: "Actions de l’enregistrement",
    duplicate: "Dupliquer l’enregistrement",
    showHidden: (count: number) => `Afficher ${counted(count, "champ masqué", "champs masqués")}`,
  },
  shareMenu: {
    title: "Partager cette base",
    public: "Lien public",
    body:
      "Toute personne disposant du lien peut lire les tables et les vues de cette base " +
      "sans compte. Les champs masqués restent masqués.",
    enable: "Créer un lien public",
    link: "Lien public",
    open: "Ouvrir",
    regenerate: "Nouveau lien",
    regenerateTitle: "Remplacer le lien public\u202f?",
    regenerateBody: "Le lien actuel cesse immédiatement de fonctionner, partout où il a été envoyé.",
    disable: "Arrêter le partage",
    disableTitle: "Arrêter le partage de cette base\u202f?",
    disableBody: "Le lien cesse immédiatement de fonctionner.",
    on: "Le lien public est prêt",
    off: "La base n’est plus partagée",
    private: "Il n’y a pas de lien public.",
    members: "Inviter des membres",
  },
  code: {
    title: "API de cette base",
    body: "Chaque exemple utilise les identifiants et les noms de champs de cette base.",
    help: "Fonctionnement des requêtes",
    helpAgent: "Connecter un agent",
    table: "Table",
    language: "Langage",
    key: "Mettez votre clé à la place de YOUR_API_KEY.",
    makeKey: "Créer une clé",
    list: "Lister des enregistrements",
    create: "Créer des enregistrements",
    update: "Modifier un enregistrement",
    remove: "Supprimer un enregistrement",
    fieldsTitle: "Champs",
    fieldColumns: { name: "Nom", id: "ID", type: "Type", example: "Exemple de valeur" },
    ids: "Identifiants",
    mcp: "Ajoutez le serveur à votre client MCP, puis interrogez-le sur cette base.",
    notWritable: "lecture seule",
  },
};
