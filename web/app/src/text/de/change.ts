import type { change as english } from "../en/change.ts";
import { grouped } from "./number.ts";

const records = (count: number) => (count === 1 ? "1 Datensatz" : `${grouped(count)} Datensätze`);

const several = (count: number, one: string) => (count === 1 ? `1 ${one}` : `${count} ${one}n`);

/** Says how long ago something was: in hours, and from two days on in days and hours. */
function ago(hours: number): string {
  if (hours === 0) return "Jetzt";
  if (hours < 48) return `Vor ${several(hours, "Stunde")}`;
  const rest = hours % 24;
  const days = `Vor ${Math.floor(hours / 24)} Tagen`;
  return rest === 0 ? days : `${days} und ${several(rest, "Stunde")}`;
}

type Sentence = (kind: string, name: string) => string;
type Becoming = { updated: Sentence } & Record<string, Sentence | undefined>;

/** Changes that were made: history, undo, reverts, trash, and the past. */
export const change: typeof english = {
  did: {
    created: (count: number, table: string) => `${records(count)} zu „${table}“ hinzugefügt`,
    updated: (count: number, table: string) => `${records(count)} in „${table}“ geändert`,
    deleted: (count: number, table: string) => `${records(count)} in „${table}“ gelöscht`,
    restored: (count: number, table: string) => `${records(count)} in „${table}“ wiederhergestellt`,
    linked: (count: number, table: string) => `${records(count)} in „${table}“ verknüpft`,
  },
  shaped: {
    kinds: { base: "Base", table: "Tabelle", field: "Feld", view: "Ansicht" },
    created: (kind: string, name: string) => `${kind} „${name}“ erstellt`,
    updated: (kind: string, name: string) => `${kind} „${name}“ geändert`,
    renamed: (kind: string, name: string) => `${kind} in „${name}“ umbenannt`,
    retyped: (kind: string, name: string) => `${kind} „${name}“: Typ geändert`,
    deleted: (kind: string, name: string) => `${kind} „${name}“ gelöscht`,
    restored: (kind: string, name: string) => `${kind} „${name}“ wiederhergestellt`,
    purged: (kind: string, name: string) => `${kind} „${name}“ endgültig gelöscht`,
    column: (field: string) => `Frühere Werte von „${field}“ endgültig gelöscht`,
    records: (count: number) => `${records(count)} endgültig gelöscht`,
  },
  more: (count: number) => `${count} weitere`,
  nothing: "Nichts geändert",
  undid: (what: string) => `Rückgängig gemacht: ${what}`,
  redid: (what: string) => `Wiederholt: ${what}`,
  reverted: (what: string) => `Zurückgenommen: ${what}`,
  nothingToUndo: "Nichts rückgängig zu machen",
  nothingToRedo: "Nichts zu wiederholen",
  notUndone: "Es wurde nichts rückgängig gemacht",
  notRedone: "Es wurde nichts wiederholt",
  skipped: (count: number) =>
    count === 1 ? "1 neuere Änderung blieb erhalten." : `${grouped(count)} neuere Änderungen blieben erhalten.`,
  revert: {
    title: "Diese Änderungen zurücknehmen?",
    undo: "Diese Änderung rückgängig machen?",
    redo: "Diese Änderung wiederholen?",
    will: "Das wird zurückgenommen",
    body:
      "Werte, Datensätze, Felder, Tabellen und Ansichten werden wieder, wie sie vorher waren. Sie können das " +
      "rückgängig machen.",
    objects: "Tabellen, Felder und Ansichten",
    becomesOf: {
      restored: (kind: string, name: string) => `${kind} „${name}“ wird wiederhergestellt.`,
      removed: (kind: string, name: string) => `${kind} „${name}“ kommt in den Papierkorb.`,
      updated: (kind: string, name: string) => `${kind} „${name}“ wird auf den früheren Stand gebracht.`,
    } as Becoming,
    newer: (count: number) =>
      count === 1
        ? "1 Wert wurde seither noch einmal geändert. Behalten Sie ihn, oder überschreiben Sie ihn mit dem früheren."
        : `${grouped(count)} Werte wurden seither noch einmal geändert. Behalten Sie sie, oder überschreiben Sie sie ` +
          "mit den früheren.",
    conflicts: "Neuere Änderungen",
    now: "Jetzt",
    becomes: "Danach",
    reasons: {
      changed: "Seither geändert",
      deleted: "Seither gelöscht",
      gone: "Gelöscht und nicht mehr bekannt",
      required: "Das Feld darf jetzt nicht leer sein",
      not_unique: "Ein anderer Datensatz hat diesen Wert",
      option_gone: "Die Option wurde gelöscht",
      person_left: "Die Person ist nicht mehr dabei",
      holds_one: "Das Feld nimmt jetzt nur einen Wert auf",
      file_gone: "Die Datei wurde gelöscht",
      needed: "Die Tabelle braucht es jetzt",
      taken: "Der Name ist inzwischen vergeben",
    } as Record<string, string | undefined>,
    properties: {
      name: "Name",
      icon: "Symbol",
      type: "Typ",
      position: "Position",
      hidden: "Sichtbarkeit",
      width: "Breite",
      access: "Zugriff",
      workspace_id: "Arbeitsbereich",
      "config.options": "Optionen",
      "config.filters": "Filter",
      "config.sorts": "Sortierung",
    } as Record<string, string | undefined>,
    settings: "Einstellungen",
    by: (name: string, when: string) => `von ${name}, ${when}`,
    others: (count: number) => (count === 1 ? "Und 1 weitere." : `Und ${grouped(count)} weitere.`),
    revert: "Zurücknehmen",
    skip: "Neuere behalten",
    overwrite: "Überschreiben",
  },
  list: {
    body: "Alles, was Personen, Schlüssel und Apps in dieser Base geändert haben, Neuestes zuerst.",
    empty: "Noch keine Änderungen",
    noneFound: "Keine passende Änderung",
    filters: "Änderungen filtern",
    person: "Person",
    everybody: "Alle",
    credential: "Geändert mit",
    anyCredential: "Beliebig",
    table: "Tabelle",
    anyTable: "Alle Tabellen",
    revert: "Zurücknehmen…",
    revertThis: (what: string) => `Zurücknehmen: ${what}`,
    isReverted: "Zurückgenommen",
    isRevert: "Rücknahme",
    wait: "Es wird geprüft, was dadurch zurückgenommen würde…",
  },
  by: {
    key: "mit einem API-Schlüssel",
    grt: "mit einer verbundenen App",
    viw: "über einen öffentlichen Link",
    job: "mit einem Import",
  } as Record<string, string | undefined>,
  record: {
    fields: "Felder",
    history: "Verlauf",
    actions: {
      created: "hat den Datensatz hinzugefügt",
      updated: "hat den Datensatz geändert",
      deleted: "hat den Datensatz gelöscht",
      linked: "hat eine Verknüpfung mit dem Datensatz geändert",
      restored: "hat den Datensatz wiederhergestellt",
    },
    moved: "hat den Datensatz in einer Ansicht verschoben",
    from: "Vorher",
    to: "Nachher",
    empty: "Leer",
    restore: "Diese Version wiederherstellen",
    current: "Aktuelle Version",
    restored: "Die Version wurde wiederhergestellt",
    same: "Der Datensatz hat diese Werte bereits",
    none: "Zu diesem Datensatz sind keine Änderungen bekannt",
    older: "Ältere Änderungen werden nicht aufbewahrt.",
  },
  trashPage: {
    body:
      "Was in dieser Base gelöscht wurde. Sie können es wiederherstellen, bis es am angegebenen Tag endgültig " +
      "gelöscht wird.",
    empty: "Der Papierkorb ist leer",
    emptyBody: "Gelöschte Datensätze, Felder, Tabellen und Ansichten werden hier eine Zeit lang aufbewahrt.",
    kind: "Anzeigen",
    all: "Alles",
    kinds: {
      record: "Datensätze",
      table: "Tabellen",
      field: "Felder",
      view: "Ansichten",
      column: "Werte vor einer Typänderung",
    },
    deleted: (name: string, when: string) => `Gelöscht von ${name}, ${when}`,
    kept: (day: string) => `Aufbewahrt bis ${day}`,
    inTable: (table: string) => `in „${table}“`,
    restore: "Wiederherstellen",
    restoreThis: (name: string) => `„${name}“ wiederherstellen`,
    purge: "Endgültig löschen",
    purgeThis: (name: string) => `„${name}“ endgültig löschen`,
    purgeTitle: (name: string) => `„${name}“ endgültig löschen?`,
    purgeBody: "Eine Wiederherstellung ist dann nicht mehr möglich.",
    restored: (name: string) => `„${name}“ wurde wiederhergestellt`,
    purged: (name: string) => `„${name}“ wurde endgültig gelöscht`,
  },
  past: {
    when: "Datum und Uhrzeit",
    back: "Wie lange zurück",
    ago,
    show: "Anzeigen",
    future: "Wählen Sie einen Zeitpunkt in der Vergangenheit.",
    banner: (when: string) => `Sie sehen den Stand dieser Tabelle vom ${when}. Änderungen sind nicht möglich.`,
    linked: "Nachgeschlagene Werte, Zusammenfassungen und Anzahlen folgen den heutigen Verknüpfungen.",
    now: "Zurück zum aktuellen Stand",
  },
};
