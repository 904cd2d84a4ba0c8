import type { backup as english } from "../en/backup.ts";

/** The page about backups of an organization. */
export const backup: typeof english = {
  title: "Sicherungen",
  body: [
    "Jede Nacht kommt jede Base als Archiv in Ihren S3-Bucket. Rowhouse liest es zurück, stellt es für alle unsichtbar",
    "wieder her und vergleicht sämtliche Anzahlen und Hashes. Admins finden Fehlschläge in ihrem Posteingang.",
  ].join(" "),
  off: "Sicherungen sind ausgeschaltet",
  next: (when: string) => `Nächste Sicherungen: ${when}`,
  endpoint: "Endpunkt",
  endpointHint: "Die Adresse der S3-API Ihres Anbieters",
  region: "Region",
  regionHint: "Leer: Der Anbieter wird gefragt",
  bucket: "Bucket",
  prefix: "Ordner",
  accessKey: "Zugriffsschlüssel",
  secretKey: "Geheimer Schlüssel",
  secretKept: "Leer: Der gespeicherte geheime Schlüssel bleibt",
  secretHint: "Der Schlüssel muss Objekte im Bucket schreiben, lesen und löschen dürfen.",
  keepDays: "Aufbewahren (Tage)",
  keepHint: "Die letzte gute Sicherung einer Base wird nie gelöscht.",
  recipient: "Verschlüsseln für",
  recipientHint: [
    "Der öffentliche Schlüssel einer age-Identität, age1…; nur wer die Identität hat, kann die Archive öffnen.",
    "Leer: Sie werden nicht verschlüsselt.",
  ].join(" "),
  attachments: "Mit Anhängen",
  test: "Ziel testen",
  tested: "Ein Objekt wurde geschrieben, gelesen und gelöscht",
  save: "Speichern",
  saved: "Die Sicherungen sind eingerichtet",
  switchOff: "Ausschalten",
  switchOffTitle: "Sicherungen ausschalten?",
  switchOffBody:
    "Der Schlüssel wird vergessen. Was im Bucket ist, bleibt dort, und es wird nichts mehr daraus gelöscht.",
  switchedOff: "Sicherungen sind ausgeschaltet",
  runs: "Letzte Sicherungen",
  runsBody: "Die neueste zuerst. Eine gute wurde wiederhergestellt und entspricht ihrem Manifest.",
  now: "Jetzt sichern",
  begun: (count: number) => {
    if (count === 0) return "Alle Bases werden schon gesichert";
    return count === 1 ? "1 Sicherung hat begonnen" : `${count} Sicherungen haben begonnen`;
  },
  empty: "Noch keine Sicherungen",
  states: { running: "Läuft", ok: "Gut", failed: "Fehlgeschlagen" } as Record<string, string | undefined>,
  counts: (tables: number, records: number, files: number) =>
    [
      tables === 1 ? "1 Tabelle" : `${tables} Tabellen`,
      records === 1 ? "1 Datensatz" : `${records} Datensätze`,
      files === 1 ? "1 Datei" : `${files} Dateien`,
    ].join(", "),
  encrypted: "verschlüsselt",
  deleted: "aus dem Bucket gelöscht",
};
