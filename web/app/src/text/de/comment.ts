import type { comment as english } from "../en/comment.ts";

/** Comments on records, the inbox, and the settings for notifications. */
export const comment: typeof english = {
  write: "Kommentar schreiben",
  send: "Kommentieren",
  hint: "@ erwähnt jemanden. Ctrl+Enter sendet.",
  tooLong: (over: number) => `${over} Zeichen zu lang`,
  people: "Personen zum Erwähnen",
  threads: "Diskussionen",
  resolvedThreads: "Erledigte Diskussionen",
  replies: "Antworten",
  reply: "Antworten",
  resolve: "Als erledigt markieren",
  reopen: "Wieder öffnen",
  resolvedBy: (name: string, when: string) => `Erledigt von ${name}, ${when}`,
  showResolved: (count: number) =>
    count === 1 ? "1 erledigte Diskussion anzeigen" : `${count} erledigte Diskussionen anzeigen`,
  hideResolved: "Erledigte Diskussionen ausblenden",
  actionsFor: (name: string) => `Aktionen für den Kommentar von ${name}`,
  copyLink: "Link kopieren",
  linkCopied: "Der Link wurde kopiert",
  edited: "bearbeitet",
  editLabel: "Kommentar bearbeiten",
  deleted: "Dieser Kommentar wurde gelöscht.",
  deleteTitle: "Diesen Kommentar löschen?",
  deleteBody: "Er wird endgültig gelöscht. Antworten darauf bleiben.",
  former: "Ein ehemaliges Mitglied",
  none: "Noch keine Kommentare",
  noneBody: "Stellen Sie eine Frage zu diesem Datensatz, oder hinterlassen Sie eine Notiz für andere.",
  readOnly: "Mit Ihrer Rolle können Sie Kommentare lesen. Kommentatoren und Bearbeiter schreiben sie.",
  missing: "Der Kommentar, zu dem der Link führt, wurde gelöscht.",
  inbox: {
    body:
      "Kommentare, die Sie erwähnen, und Antworten in Diskussionen, in denen Sie geschrieben haben. Admins finden " +
      "hier auch fehlgeschlagene Sicherungen.",
    filter: "Anzeigen",
    all: "Alles",
    unread: "Ungelesen",
    readAll: "Alle als gelesen markieren",
    allRead: "Alles ist als gelesen markiert",
    empty: "Noch nichts hier",
    emptyBody: "Wenn jemand Sie in einem Kommentar erwähnt oder Ihnen antwortet, finden Sie es hier.",
    noneUnread: "Sie haben alles gelesen",
    did: { mention: "hat Sie erwähnt", reply: "hat geantwortet" } as Record<string, string | undefined>,
    backup: (base: string) => `Die Sicherung von „${base}“ ist fehlgeschlagen`,
    on: (record: string, table: string) => `bei „${record}“ in „${table}“`,
    untitled: "Unbenannter Datensatz",
    new: "Ungelesen",
    settings: "Benachrichtigungen",
  },
  settings: {
    title: "Benachrichtigungen",
    body:
      "Wie Sie erfahren, dass jemand Sie in einem Kommentar erwähnt oder in einer Diskussion antwortet, in der Sie " +
      "geschrieben haben.",
    inbox: "Im Posteingang",
    mail: "Per E-Mail",
    unverified:
      "Sie erhalten keine E-Mails, bis Ihre E-Mail-Adresse bestätigt ist; das geht auf der Seite „Profil“.",
    saved: "Gespeichert",
  },
};
