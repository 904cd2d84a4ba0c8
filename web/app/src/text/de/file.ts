import type { file as english } from "../en/file.ts";

export const file: typeof english = {
  add: "Dateien hinzufügen",
  drop: "oder hier ablegen oder einfügen",
  dropNow: "Zum Hinzufügen ablegen",
  none: "Keine Dateien",
  pasted: "eingefügt",
  remove: (name: string) => `„${name}“ entfernen`,
  download: (name: string) => `„${name}“ herunterladen`,
  preview: (name: string) => `„${name}“ anzeigen`,
  uploading: (name: string) => `„${name}“ wird hochgeladen`,
  stop: (name: string) => `Hochladen von „${name}“ stoppen`,
  dismiss: (name: string) => `Fehler bei „${name}“ ausblenden`,
  again: "Erneut versuchen",
  pending: "Warten Sie, bis die Dateien angekommen sind, oder entfernen Sie die fehlenden.",
  notUploaded: (name: string) => `„${name}“ wurde nicht hochgeladen`,
  tooLarge: (name: string, megabytes: number) =>
    `„${name}“ ist größer als ${megabytes} MB; mehr wird nicht angenommen.`,
  lost: (name: string) => `Beim Senden von „${name}“ brach die Verbindung ab. Versuchen Sie es noch einmal.`,
  before: "Voriges Bild",
  after: "Nächstes Bild",
  of: (place: number, count: number) => `${place} von ${count}`,
};
