import type { base as english } from "../en/base.ts";
import { grouped } from "./number.ts";

const causes = {
  offline: "Keine Verbindung.",
  signedOut: "Sie sind abgemeldet.",
  tooMany: "Zu viele Anfragen.",
  failing: "Der Dienst antwortet nicht.",
};

export const base: typeof english = {
  tables: "Tabellen",
  views: "Ansichten",
  addTable: "Tabelle hinzufügen",
  tableName: "Name der Tabelle",
  tableNamePlaceholder: "Kunden",
  createTable: "Tabelle erstellen",
  dashboard: {
    add: "Dashboard hinzufügen",
    name: "Name des Dashboards",
    placeholder: "Vertrieb",
    create: "Dashboard erstellen",
  },
  importTable: "Datei importieren",
  renameTable: "Tabelle umbenennen",
  duplicateTable: "Tabelle duplizieren",
  deleteTable: "Tabelle löschen",
  deleteTableTitle: (name: string) => `„${name}“ löschen?`,
  deleteTableBody:
    "Auch ihre Datensätze, Felder und Ansichten werden gelöscht, und Verknüpfungen mit ihr werden entfernt. " +
    "Admins können sie aus dem Papierkorb wiederherstellen.",
  tableMenu: (name: string) => `Aktionen für die Tabelle „${name}“`,
  viewMenu: (name: string) => `Aktionen für die Ansicht „${name}“`,
  emptyTitle: "Diese Base hat noch keine Tabellen",
  emptyBody:
    "Erstellen Sie eine leere Tabelle, lassen Sie Rowhouse eine CSV-Datei einlesen, oder fügen Sie hier Zellen " +
    "aus einer Tabellenkalkulation ein.",
  pastedTable: (number: number) => `Tabelle ${number}`,
  emptyViewer: "Ein Admin der Organisation kann Tabellen hinzufügen.",
  share: "Freigeben",
  more: "Mehr",
  favorite: "Favorit",
  recent: "Letzte Änderungen",
  trash: "Papierkorb",
  webhooks: "Webhooks",
  sql: "SQL",
  api: "API",
  data: "Daten",
  baseTabs: "Base",
  search: "In dieser Tabelle suchen",
  records: (count: number) => (count === 1 ? "1 Datensatz" : `${grouped(count)} Datensätze`),
  saving: (count: number) => (count < 100 ? "Wird gespeichert…" : `${grouped(count)} Änderungen werden gespeichert…`),
  saved: "Alle Änderungen gespeichert",
  waiting: (count: number, cause: keyof typeof causes, kept: boolean) => {
    const changes = count === 1 ? "1 Änderung" : `${grouped(count)} Änderungen`;
    if (kept) return `${causes[cause]} ${changes} ${count === 1 ? "bleibt" : "bleiben"} hier erhalten.`;
    return `${causes[cause]} ${changes} noch nicht gespeichert.`;
  },
  reverted: "Die Änderung wurde nicht angenommen",
  revertedMany: (count: number) => `${grouped(count)} Änderungen wurden nicht angenommen`,
  fieldGone: "Das Feld wurde gelöscht.",
  keepsChanging: "Andere ändern den Datensatz laufend. Versuchen Sie es noch einmal.",
  recordGone: "Der Datensatz wurde gelöscht, oder Sie können ihn nicht mehr sehen.",
  changedSince: "Andere haben den Datensatz geändert, seit Sie ihn gelöscht haben.",
  doubtful:
    "Die Änderung ist vielleicht schon gespeichert, aber die Antwort ging verloren. Sehen Sie nach, bevor Sie es " +
    "noch einmal versuchen.",
  somebody: "Jemand",
  alsoHere: (names: string[]) => `Auch hier: ${names.join(", ")}`,
  moreHere: (count: number) => `+${grouped(count)}`,
  permissions: "Berechtigungen",
  tableGone: "Die geöffnete Tabelle wurde gelöscht, oder Sie haben keinen Zugriff mehr darauf",
  viewAs: {
    bar: (name: string) =>
      `Sie sehen diese Base so wie ${name}. Änderungen sind nicht möglich, und die Seite aktualisiert sich nicht.`,
    end: "Zurück zur eigenen Sicht",
  },
  noAccess: "Sie haben keinen Zugriff mehr auf diese Base",
  noAccessBody: "Sie wurde gelöscht, oder jemand hat geändert, wer sie öffnen darf.",
  notSavedYet: "Dieser Datensatz lässt sich öffnen, sobald er gespeichert ist.",
  refusedCount: (count: number) =>
    count === 1 ? "1 Änderung nicht angenommen" : `${grouped(count)} Änderungen nicht angenommen`,
  conflictCount: (count: number) =>
    count === 1 ? "1 Änderung wartet auf Ihre Wahl" : `${grouped(count)} Änderungen warten auf Ihre Wahl`,
  conflict: {
    all: (count: number) =>
      count === 1 ? "Auch auf den anderen Datensatz anwenden" : `Auch auf die anderen ${grouped(count)} anwenden`,
    title: (record: string) => `„${record}“ wurde auch anderswo geändert`,
    body: (count: number) =>
      count === 1
        ? "Dieses Feld hat sich geändert, seit Sie es gesehen haben. Wählen Sie den Wert, der bleiben soll."
        : "Diese Felder haben sich geändert, seit Sie sie gesehen haben. Wählen Sie die Werte, die bleiben sollen.",
    theirs: "Gespeichert",
    yours: "Ihre Eingabe",
    empty: "Leer",
    keepTheirs: "Gespeichertes behalten",
    useMine: "Eigenes übernehmen",
  },
  pasted: (count: number) => (count === 1 ? "1 Zelle eingefügt" : `${grouped(count)} Zellen eingefügt`),
  left: {
    title: (count: number) =>
      count === 1 ? "1 Zelle wurde nicht eingefügt" : `${grouped(count)} Zellen wurden nicht eingefügt`,
    body: (pasted: number) =>
      pasted === 0
        ? "Es wurde nichts eingefügt. Die Zellen behalten ihren Inhalt."
        : `${pasted === 1 ? "1 Zelle wurde" : `${grouped(pasted)} Zellen wurden`} eingefügt. ` +
          "Diese behalten ihren Inhalt:",
    row: (row: number) => `Zeile ${grouped(row)}`,
    rows: (first: number, last: number) => `Zeilen ${grouped(first)} bis ${grouped(last)}`,
    more: (count: number) => (count === 1 ? "Und 1 weitere" : `Und ${grouped(count)} weitere`),
  },
  tooWide: (columns: number, fields: number) =>
    `Der Block hat ${columns} Spalten, die Ansicht ab hier aber nur ${fields === 1 ? "1 Feld" : `${fields} Felder`}`,
  tooWideBody: (columns: number, fields: number) =>
    `Nur die ${fields === 1 ? "erste Spalte" : `ersten ${fields} Spalten`} einfügen und die ` +
    `${columns - fields === 1 ? "letzte" : `übrigen ${columns - fields}`} weglassen? Um alle einzufügen, fügen Sie ` +
    "Felder hinzu, oder beginnen Sie weiter links.",
  pasteThose: (fields: number) => (fields === 1 ? "1 Spalte einfügen" : `${fields} Spalten einfügen`),
  copied: (count: number) => (count === 1 ? "1 Zeile kopiert" : `${grouped(count)} Zeilen kopiert`),
  notCopied: "Es wurde nichts kopiert",
  notSelected: "Die Datensätze konnten nicht ausgewählt werden",
  nothingChanged: "Es wurde nichts geändert",
  reading: (done: number, total: number) => `${grouped(done)} von ${grouped(total)} Datensätzen gelesen`,
  deleting: (done: number, total: number) => `${grouped(done)} von ${grouped(total)} Datensätzen gelöscht`,
  stop: "Stoppen",
  stopped: "Gestoppt",
  rowsMissing: "Der Dienst hat nicht alle Datensätze geliefert.",
  newRecord: "Neuer Datensatz",
  deleteRecords: (count: number) => (count === 1 ? "Datensatz löschen" : `${grouped(count)} Datensätze löschen`),
  deleteRecordsTitle: (count: number) =>
    count === 1 ? "Diesen Datensatz löschen?" : `${grouped(count)} Datensätze löschen?`,
  deleteRecordsBody:
    "Sie können das rückgängig machen oder das Gelöschte aus dem Papierkorb wiederherstellen.",
  deletedRecords: (count: number) =>
    count === 1 ? "Der Datensatz wurde gelöscht" : `${grouped(count)} Datensätze wurden gelöscht`,
  mergeRecords: "Zusammenführen",
  mergedRecords: (count: number) => `${grouped(count)} Datensätze wurden zusammengeführt`,
  merge: {
    title: (count: number) => `${grouped(count)} Datensätze zusammenführen?`,
    body:
      "Ein Datensatz bleibt, mit den Verknüpfungen und Kommentaren aller. Seine leeren Felder übernehmen die Werte " +
      "der anderen, die in den Papierkorb kommen. Wo sich die Datensätze unterscheiden, wählen Sie einen Wert. Sie " +
      "können das rückgängig machen.",
    keep: "Datensatz, der bleibt",
    value: (field: string) => `Wert für „${field}“`,
    unnamed: "Unbenannter Datensatz",
    moved: (links: number, comments: number) =>
      `${links === 1 ? "1 Verknüpfung" : `${grouped(links)} Verknüpfungen`} und ` +
      `${comments === 1 ? "1 Kommentar" : `${grouped(comments)} Kommentare`} gehen auf ihn über.`,
    action: "Zusammenführen",
  },
  restore: "Wiederherstellen",
  selected: (count: number) => `${grouped(count)} ausgewählt`,
  readOnlyRole: "Sie dürfen in dieser Tabelle keine Datensätze erstellen.",
  noRecordsTitle: "Noch keine Datensätze",
  noRecordsThenTitle: "Zu diesem Zeitpunkt keine Datensätze",
  noRecordsBody:
    "Fügen Sie den ersten hinzu, fügen Sie Zeilen aus einer Tabellenkalkulation ein, oder importieren Sie eine " +
    "CSV-Datei.",
  noMatchTitle: "Keine passenden Datensätze",
  noMatchBody: "Ändern oder entfernen Sie Filter und Suche, um mehr zu sehen.",
  clearFilter: "Filter und Suche entfernen",
  unsavedView: "Änderungen an Filter und Sortierung sehen nur Sie, bis Sie sie speichern.",
  saveView: "In Ansicht speichern",
  resetView: "Zurücksetzen",
  toolbar: "Optionen der Ansicht",
  fields: "Felder",
  hiddenFields: (count: number) =>
    count === 0 ? "Felder" : count === 1 ? "1 Feld ausgeblendet" : `${count} Felder ausgeblendet`,
  showAll: "Alle einblenden",
  hideAll: "Alle ausblenden",
  rowHeight: "Zeilenhöhe",
  heights: { short: "Niedrig", medium: "Mittel", tall: "Hoch" },
  freeze: "Bis hier fixieren",
  unfreeze: "Nur die erste Spalte fixieren",
  sortAsc: "Aufsteigend sortieren",
  sortDesc: "Absteigend sortieren",
  filterBy: "Nach diesem Feld filtern",
  hide: "In dieser Ansicht ausblenden",
  importFile: "Datei importieren",
  exportCsv: "Als CSV exportieren",
  record: {
    notHereTitle: "Dieser Datensatz ist nicht hier",
    notHere: (table: string) => `Er gehört nicht zu „${table}“ oder wurde endgültig gelöscht.`,
    untitled: "Unbenannter Datensatz",
    open: "Datensatz öffnen",
    previous: "Vorheriger Datensatz",
    next: "Nächster Datensatz",
    copyLink: "Link kopieren",
    linkCopied: "Der Link wurde kopiert",
    delete: "Datensatz löschen",
    gone: "Diesen Datensatz gibt es nicht, oder er wurde gelöscht.",
    created: (when: string) => `Erstellt: ${when}`,
    create: "Datensatz erstellen",
    label: "Datensatz",
    actions: "Aktionen für den Datensatz",
    duplicate: "Datensatz duplizieren",
    showHidden: (count: number) =>
      count === 1 ? "1 ausgeblendetes Feld anzeigen" : `${count} ausgeblendete Felder anzeigen`,
  },
  shareMenu: {
    title: "Diese Base freigeben",
    public: "Öffentlicher Link",
    body:
      "Alle, die den Link haben, können die Tabellen und Ansichten dieser Base ohne Konto lesen. Ausgeblendete " +
      "Felder bleiben verborgen.",
    enable: "Öffentlichen Link erstellen",
    link: "Öffentlicher Link",
    open: "Öffnen",
    regenerate: "Neuer Link",
    regenerateTitle: "Öffentlichen Link ersetzen?",
    regenerateBody: "Der bisherige Link funktioniert sofort nicht mehr, wohin er auch verschickt wurde.",
    disable: "Freigabe beenden",
    disableTitle: "Freigabe dieser Base beenden?",
    disableBody: "Der Link funktioniert sofort nicht mehr.",
    on: "Der öffentliche Link ist bereit",
    off: "Die Base ist nicht mehr freigegeben",
    private: "Es gibt keinen öffentlichen Link.",
    members: "Mitglieder einladen",
  },
  code: {
    title: "API dieser Base",
    body: "Alle Beispiele verwenden die IDs und Feldnamen dieser Base.",
    help: "So funktionieren Anfragen",
    helpAgent: "So wird ein Agent verbunden",
    table: "Tabelle",
    language: "Sprache",
    key: "Ersetzen Sie YOUR_API_KEY durch Ihren Schlüssel.",
    makeKey: "Schlüssel erstellen",
    list: "Datensätze auflisten",
    create: "Datensätze erstellen",
    update: "Datensatz ändern",
    remove: "Datensatz löschen",
    fieldsTitle: "Felder",
    fieldColumns: { name: "Name", id: "ID", type: "Typ", example: "Beispielwert" },
    ids: "IDs",
    mcp: "Fügen Sie den Server Ihrem MCP-Client hinzu, und stellen Sie ihm dann Fragen zu dieser Base.",
    notWritable: "nur lesbar",
  },
};
