import type { shell as english } from "../en/shell.ts";

export const shell: typeof english = {
  name: "Rowhouse",
  quoted: (name: string) => `„${name}“`,
  formerMember: "Ein ehemaliges Mitglied",
  action: {
    close: "Schließen",
    cancel: "Abbrechen",
    save: "Speichern",
    create: "Erstellen",
    rename: "Umbenennen",
    delete: "Löschen",
    remove: "Entfernen",
    retry: "Erneut versuchen",
    copy: "Kopieren",
    copied: "Kopiert",
    back: "Zurück",
    next: "Weiter",
    done: "Fertig",
    edit: "Bearbeiten",
    add: "Hinzufügen",
    more: "Weitere Aktionen",
    signIn: "Anmelden",
    undo: "Rückgängig",
    redo: "Wiederholen",
    clear: "Aufheben",
    discard: "Verwerfen",
  },
  state: { loading: "Wird geladen…", saving: "Wird gespeichert…", saved: "Gespeichert" },
  confirm: {
    type: (name: string) => `Zur Bestätigung „${name}“ eingeben`,
    discardTitle: "Eingaben verwerfen?",
    discardBody: "Sie wurden nicht gespeichert.",
  },
  failure: {
    unexpected: "Etwas ist schiefgegangen",
    unreadable: "Die Antwort des Dienstes konnte nicht gelesen werden.",
    offlineTitle: "Keine Verbindung",
    offline: "Der Dienst ist nicht erreichbar. Prüfen Sie die Verbindung, und versuchen Sie es noch einmal.",
    request: (id: string) => `Anfrage ${id}`,
    byStatus: {
      400: "Das wurde nicht angenommen",
      401: "Sie sind abgemeldet",
      403: "Nicht erlaubt",
      404: "Nicht gefunden",
      409: "Das ist jetzt nicht möglich",
      413: "Zu groß",
      429: "Zu viele Anfragen",
      500: "Fehler im Dienst",
      503: "Der Dienst ist ausgelastet",
    } as Record<number, string | undefined>,
    pageTitle: "Diese Seite gibt es nicht",
    page: "Vielleicht ist die Adresse falsch geschrieben, oder was hier war, wurde gelöscht.",
    home: "Zur Startseite",
    crash:
      "In diesem Teil der Seite ist ein Fehler aufgetreten. Meist hilft es, neu zu laden; Gespeichertes ist sicher.",
    reload: "Neu laden",
    partTitle: "Dieser Teil konnte nicht geladen werden",
    part:
      "Vielleicht fehlt die Verbindung, oder Rowhouse wurde aktualisiert, seit Sie die Seite geöffnet haben. " +
      "Versuchen Sie es noch einmal, oder laden Sie die Seite neu; Gespeichertes ist sicher.",
  },
  ended: {
    title: "Sie wurden abgemeldet",
    body:
      "Ihre Sitzung ist abgelaufen oder wurde anderswo beendet. Melden Sie sich in einem neuen Tab wieder an, und " +
      "machen Sie dann hier weiter: Ihre Eingaben gehen nicht verloren.",
    signIn: "In neuem Tab anmelden",
    resume: "Ich bin angemeldet",
    still: "Noch nicht angemeldet",
    paused:
      "Das wurde nicht gesendet, weil Sie nicht mehr angemeldet sind. Melden Sie sich an, und versuchen Sie es noch " +
      "einmal.",
    you: "Ihnen",
    otherTitle: "Jemand anderes hat sich angemeldet",
    otherBody: (other: string, own: string) =>
      `Dieser Browser ist jetzt als ${other} angemeldet, aber diese Seite gehört ${own}. Von hier wird nichts unter ` +
      "einem anderen Namen gesendet.",
    unsent: (count: number, own: string) =>
      count === 0
        ? `Von ${own} wartet keine Änderung darauf, gesendet zu werden.`
        : count === 1
          ? `1 Änderung von ${own} ist noch nicht gesendet. Sie bleibt in diesem Browser erhalten und wird nach der ` +
            `nächsten Anmeldung von ${own} gesendet.`
          : `${count} Änderungen von ${own} sind noch nicht gesendet. Sie bleiben in diesem Browser erhalten und ` +
            `werden nach der nächsten Anmeldung von ${own} gesendet.`,
    unsentHere: (count: number, own: string) =>
      count === 0
        ? `Von ${own} wartet keine Änderung darauf, gesendet zu werden.`
        : (count === 1
            ? `1 Änderung von ${own} ist noch nicht gesendet. Damit sie erhalten bleibt, `
            : `${count} Änderungen von ${own} sind noch nicht gesendet. Damit sie erhalten bleiben, `) +
          `melden Sie sich anderswo ab, mit dem Konto von ${own} wieder an, und machen Sie hier weiter.`,
    discard: (count: number) =>
      count === 1 ? "Änderung verwerfen und fortfahren" : `${count} Änderungen verwerfen und fortfahren`,
    unsavedTitle: (count: number) =>
      count === 1 ? "1 Änderung ist noch nicht gespeichert" : `${count} Änderungen sind noch nicht gespeichert`,
    unsavedKept:
      "Was nicht gespeichert ist, bleibt in diesem Browser, wo andere, die ihn verwenden, es lesen können. Es wird " +
      "gesendet, wenn Sie sich hier wieder anmelden.",
    unsavedLost: "Dieser Browser kann keine Änderungen aufbewahren. Beim Abmelden gehen sie verloren.",
    stay: "Angemeldet bleiben",
    keepAndSignOut: "Behalten und abmelden",
    discardAndSignOut: "Verwerfen und abmelden",
    goOn: "Mit dem anderen Konto fortfahren",
    resumeAgain: "Ich bin wieder angemeldet",
  },
  shell: {
    navigation: "Navigation",
    home: "Startseite",
    search: "Suchen oder öffnen…",
    searchShort: "Suchen",
    account: "Konto",
    open: "Navigation öffnen",
    collapse: "Navigation ausblenden",
    settings: "Kontoeinstellungen",
    keys: "API-Schlüssel",
    help: "Hilfe",
    reference: "API-Referenz",
    shortcuts: "Tastenkürzel",
    signOut: "Abmelden",
    theme: "Darstellung",
    light: "Hell",
    dark: "Dunkel",
    system: "System",
    skip: "Zum Inhalt springen",
    orgSettings: "Organisationseinstellungen",
    role: { owner: "Inhaber", admin: "Admin", editor: "Bearbeiter", viewer: "Betrachter", guest: "Gast" },
  },
  palette: {
    title: "Befehlspalette",
    placeholder: "Befehl, Base, Tabelle, Datensatz oder Person eingeben…",
    none: "Keine Treffer.",
    untitled: "Unbenannter Datensatz",
    groups: {
      action: "Aktionen",
      base: "Bases",
      table: "Tabellen",
      record: "Datensätze dieser Base",
      view: "Ansichten",
      dashboard: "Dashboards",
      member: "Mitglieder",
    },
    membersOf: (org: string) => `Mitglieder von „${org}“`,
    newBase: "Base erstellen",
  },
  shortcut: {
    title: "Tastenkürzel",
    groups: {
      general: "Überall",
      grid: "Im Raster",
    },
    list: {
      palette: "Befehlspalette öffnen",
      help: "Diese Liste anzeigen",
      move: "Zwischen Zellen wechseln",
      next: "Nächste Zelle",
      edit: "Zelle bearbeiten",
      cancel: "Bearbeiten abbrechen",
      range: "Auswahl erweitern",
      copy: "Auswahl kopieren",
      paste: "An der Auswahl einfügen",
      clear: "Auswahl leeren",
      undo: "Letzte eigene Änderung rückgängig machen",
      redo: "Wiederholen",
      expand: "Datensatz öffnen",
      search: "In der Tabelle suchen",
      replace: "In der Spalte suchen und ersetzen",
      fill: "Auswahl nach unten ausfüllen",
      fillRight: "Auswahl nach rechts ausfüllen",
      menu: "Menü des Datensatzes öffnen",
    },
  },
};
