import type { field as english } from "../en/field.ts";

export const field: typeof english = {
  months: ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"],
  add: "Feld hinzufügen",
  edit: "Feld bearbeiten",
  editNamed: (name: string) => `Feld „${name}“ bearbeiten`,
  name: "Name",
  namePlaceholder: "Name des Feldes",
  type: "Typ",
  create: "Feld erstellen",
  save: "Feld speichern",
  delete: "Feld löschen",
  makePrimary: "Als Primärfeld verwenden",
  deleteTitle: (name: string) => `Feld „${name}“ löschen?`,
  deleteBody:
    "Auch seine Werte in allen Datensätzen werden gelöscht. Admins können es aus dem Papierkorb wiederherstellen.",
  menu: (name: string) => `Aktionen für das Feld „${name}“`,
  description: "Beschreibung",
  descriptionHint: "Erscheint, wenn der Mauszeiger auf dem Namen der Spalte steht.",
  required: "Pflichtfeld",
  unique: "Jeder Wert darf nur einmal vorkommen",
  options: "Optionen",
  optionName: "Name der Option",
  addOption: "Option hinzufügen",
  createOption: (name: string) => `„${name}“ erstellen`,
  removeOption: (name: string) => `Option „${name}“ entfernen`,
  optionColor: (name: string) => (name ? `Farbe von „${name}“` : "Farbe der neuen Option"),
  precision: "Nachkommastellen",
  thousands: (example: string) => `Tausender trennen, wie in ${example}`,
  negative: "Unter null",
  negatives: (example: string, red: boolean) => (red ? `${example} in Rot` : example),
  symbol: "Währungssymbol",
  max: "Höchste Bewertung",
  format: "Format",
  textFormats: { plain: "Reiner Text", markdown: "Formatierter Text (Markdown)" } as Record<string, string | undefined>,
  dateFormat: "Datumsformat",
  timeFormat: "Zeitformat",
  timeZone: "Zeitzone",
  timeZoneOfBase: "Die der Base",
  linkedTable: "Verknüpfte Tabelle",
  linkHint: "Die andere Tabelle erhält ein Feld, das die Verknüpfung von ihrer Seite zeigt.",
  multiple: "Mehrere Datensätze können verknüpft werden",
  multipleUsers: "Mehrere Personen können gewählt werden",
  label: "Beschriftung",
  url: "Adresse",
  urlHint:
    "Wird geöffnet, wenn die Schaltfläche gedrückt wird. {Feldname} wird durch den Wert des Datensatzes ersetzt.",
  primary: "Primärfeld",
  group: {
    text: "Text",
    number: "Zahl",
    choice: "Auswahl",
    date: "Datum und Uhrzeit",
    relation: "Personen, Verknüpfungen und Dateien",
    computed: "Aus anderen Feldern berechnet",
    automatic: "Von Rowhouse ausgefüllt",
  },
  readOnly: {
    computed: (name: string) => `„${name}“ wird berechnet und kann nicht bearbeitet werden`,
    formula: "Die Werte ergeben sich aus der Formel. Ändern Sie die Formel oder ein Feld, das sie liest.",
    linked: "Die Werte stammen aus verknüpften Datensätzen. Ändern Sie diese, oder wählen Sie andere.",
    automatic: (name: string) => `„${name}“ wird von Rowhouse ausgefüllt und kann nicht bearbeitet werden`,
    locked: (name: string) => `Sie dürfen „${name}“ lesen, aber nicht bearbeiten`,
    lockedBy: "Die Ersteller der Base legen fest, wer dieses Feld bearbeiten darf.",
  },
  invalid: {
    number: (input: string) => `„${input}“ ist keine Zahl`,
    numberAs: (input: string, example: string) =>
      `„${input}“ lässt sich nicht als Zahl lesen; schreiben Sie sie wie ${example}`,
    precision: (input: string) =>
      `„${input}“ hat mehr Stellen, als eine Zahl behalten kann; ein Textfeld behält alle`,
    date: (input: string) => `„${input}“ ist kein Datum; schreiben Sie es wie 2025-01-31`,
    datetime: (input: string) => `„${input}“ ist kein Datum mit Uhrzeit; schreiben Sie es wie 2025-01-31 14:30`,
    openDate: (input: string, day: string, month: string) =>
      `„${input}“ kann mit dem Tag beginnen, wie „${day}“, oder mit dem Monat, wie „${month}“`,
    openNumber: (input: string, point: string, comma: string) =>
      `„${input}“ kann einen Dezimalpunkt haben, wie „${point}“, oder ein Dezimalkomma, wie „${comma}“`,
    incompleteDate: "Dieses Datum ist nicht vollständig",
    incompleteTimestamp: "Datum und Uhrzeit sind nicht vollständig",
    duration: (input: string) => `„${input}“ ist keine Dauer; schreiben Sie sie wie 1:30 (Stunden und Minuten)`,
    checkbox: (input: string) => `„${input}“ ist weder Ja noch Nein`,
    option: (input: string, options: string) => `„${input}“ ist keine Option; die Optionen sind ${options}`,
    rating: (max: number) => `Eine Bewertung ist eine ganze Zahl von 0 bis ${max}`,
    json: "Das ist kein gültiges JSON",
    user: (input: string) => `Niemand in dieser Organisation heißt „${input}“`,
    readOnly: "In dieses Feld kann nicht geschrieben werden",
    email: (input: string) => `„${input}“ ist keine E-Mail-Adresse`,
  },
  none: "Keine Auswahl",
  choose: "Auswählen…",
  searchOptions: "Option suchen",
  noOptions: "Keine passenden Optionen.",
  searchRecords: "Datensatz suchen",
  noRecords: "Keine passenden Datensätze.",
  linkRecord: "Datensätze verknüpfen",
  linkTitle: (table: string) => `Datensätze aus „${table}“ verknüpfen`,
  unlink: (name: string) => `Verknüpfung mit „${name}“ lösen`,
  linkedCount: (count: number) => (count === 1 ? "1 Datensatz verknüpft" : `${count} Datensätze verknüpft`),
  searchPeople: "Person suchen",
  stars: (value: number, max: number) => `${value} von ${max}`,
  open: "Öffnen",
  checked: "Ja",
  unchecked: "Nein",
  retypeHint: "Die Werte werden umgewandelt. Wo das nicht möglich ist, erfahren Sie es, bevor sich etwas ändert.",
  optionsFromValues: "Ohne Angabe werden die Optionen aus den Werten übernommen.",
  loss: (count: number, kind: string) =>
    count === 1
      ? `1 Wert passt nicht zum Typ „${kind}“ und würde gelöscht:`
      : `${count} Werte passen nicht zum Typ „${kind}“ und würden gelöscht:`,
  lossOfOptions: (count: number) =>
    `${count === 1 ? "1 Datensatz enthält" : `${count} Datensätze enthalten`} eine Option, die entfernt wird. Sie ` +
    "würde dort gelöscht.",
  lossOfViews: (count: number) =>
    count === 1
      ? "Der Filter von 1 Ansicht würde nicht mehr passen. Sie würde nichts anzeigen, bis er repariert ist:"
      : `Die Filter von ${count} Ansichten würden nicht mehr passen. Sie würden nichts anzeigen, bis sie repariert ` +
        "sind:",
  deleteViews: (names: string[]) =>
    names.length === 1
      ? `Diese Ansicht filtert danach und zeigt nichts an, bis der Filter repariert ist: ${names.join(", ")}.`
      : `Diese Ansichten filtern danach und zeigen nichts an, bis der Filter repariert ist: ${names.join(", ")}.`,
  lossOfFields: (count: number) =>
    count === 1
      ? "1 Feld wird daraus berechnet und würde Fehler anzeigen:"
      : `${count} Felder werden daraus berechnet und würden Fehler anzeigen:`,
  deleteReaders: (names: string[]) =>
    names.length === 1
      ? `Dieses Feld wird daraus berechnet und zeigt Fehler an, bis es wiederhergestellt ist: ${names.join(", ")}.`
      : `Diese Felder werden daraus berechnet und zeigen Fehler an, bis es wiederhergestellt ist: ${names.join(", ")}.`,
  deleteReadersUnknown:
    "Welche Felder daraus berechnet werden, ließ sich nicht feststellen. Diese werden Fehler anzeigen.",
  broken: (reason: string) => `Dieses Feld hat zurzeit keine Werte: ${reason}.`,
  lossNothingYet: "Es wurde noch nichts geändert.",
  discard: "Speichern und Werte verlieren",
  saveAnyway: "Trotzdem speichern",
};
