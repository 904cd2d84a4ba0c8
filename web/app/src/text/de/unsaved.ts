import type { unsaved as english } from "../en/unsaved.ts";
import { grouped } from "./number.ts";

/** The list of changes that are not saved yet. */
export const unsaved: typeof english = {
  title: "Nicht gespeicherte Änderungen",
  refused: "Nicht angenommen",
  waiting: "Noch zu speichern",
  conflicts: "Auch von anderen geändert",
  choose: (table: string) => `In „${table}“ wählen`,
  kept:
    "Sie bleiben in diesem Browser erhalten, auch wenn Sie diese Seite schließen, und werden gesendet, sobald es geht.",
  notKept: "Dieser Browser kann keine Änderungen aufbewahren. Sie gehen verloren, wenn diese Seite geschlossen wird.",
  kind: {
    edit: "Bearbeitung",
    create: "Neuer Datensatz",
    delete: "Löschung",
    restore: "Wiederherstellung",
  },
  untitled: "Unbenannter Datensatz",
  retry: "Erneut versuchen",
  retryAll: "Alle erneut versuchen",
  copy: "Kopieren",
  copyAll: "Alle kopieren",
  copied: "Kopiert",
  discard: "Verwerfen",
  discardAll: "Alle verwerfen",
  discardAllTitle: (count: number) =>
    count === 1 ? "Diese Änderung verwerfen?" : `${grouped(count)} Änderungen verwerfen?`,
  discardAllBody: "Ihre Eingaben sind nirgendwo sonst gespeichert.",
  field: (name: string, value: string) => `${name}: ${value}`,
  empty: "leer",
  none: "Alle Änderungen sind gespeichert.",
  more: (count: number) => `und ${grouped(count)} weitere`,
};
