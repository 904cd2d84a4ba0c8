import type { csv as english } from "../en/csv.ts";
import { counted, grouped } from "./number.ts";

/** The texts of importing and exporting. */
export const csv: typeof english = {
  title: "Importer un fichier",
  pastedTitle: "Créer une table avec ce que vous avez collé",
  choose: "Choisir un fichier",
  drop: "ou déposez-le ici",
  hint:
    "CSV, TSV, Excel (XLSX), JSON, NDJSON, Parquet, vCard ou iCalendar, aussi avec gzip ou zstd, ou un export de " +
    "Notion (zip) ou de Trello (JSON).",
  help: "Comment les fichiers sont lus",
  sending: (part: number) => `Envoi du fichier\u00a0: ${Math.round(part * 100)}\u00a0%`,
  reading: "Lecture du fichier…",
  rows: (count: number) => counted(count, "ligne"),
  target: "Dans",
  mapTitle: "Colonnes et champs",
  column: "Colonne",
  sample: "Premières valeurs",
  field: "Champ",
  skip: "Ne pas importer",
  newField: (type: string) => `Nouveau champ (${type})`,
  newLink: (table: string) => `Nouveau champ (lien vers ${table})`,
  named: (matched: number, values: number, table: string) =>
    `${grouped(matched)} ${matched < 2 ? "valeur" : "valeurs"} sur ${grouped(values)} ` +
    `${matched < 2 ? "correspond" : "correspondent"} à des noms d’enregistrements de «\u00a0${table}\u00a0».`,
  unnamedRows: (examples: string, count: number) =>
    count === 1
      ? `L’autre est ${examples}\u202f; les lignes qui la contiennent sont écartées et listées.`
      : `Les lignes qui contiennent les autres, comme ${examples}, sont écartées et listées.`,
  start: (count: number) => `Importer ${counted(count, "ligne")}`,
  progress: (done: number, total: number) => `${grouped(done)} sur ${counted(total, "ligne")}`,
  stop: "Arrêter",
  goesOn: "L’import continue",
  goesOnDetail:
    "Il continue quand vous fermez cette fenêtre. La liste des imports et exports montre où il en est.",
  finished: "Import terminé",
  stopped: "Import arrêté",
  nothing: "Rien n’a été importé",
  brokenOff: "Import interrompu",
  imported: (count: number) => counted(count, "ligne a été importée.", "lignes ont été importées."),
  refused: (count: number) =>
    count === 0
      ? "Aucune ligne n’a été refusée."
      : counted(count, "ligne a été refusée.", "lignes ont été refusées."),
  updated: (count: number) =>
    counted(count, "enregistrement a été modifié.", "enregistrements ont été modifiés."),
  left: (count: number) => counted(count, "ligne n’a pas été traitée.", "lignes n’ont pas été traitées."),
  line: "Ligne",
  reason: "Raison",
  download: "Télécharger les lignes écartées",
  moreRefused: (count: number) => `et ${grouped(count)} de plus`,
  open: "Ouvrir la table",
  unreadable: "Le fichier n’a pas pu être lu.",
  unnamed: (index: number) => `Colonne ${index}`,
  others: (sheets: string[]) =>
    sheets.length === 1
      ? `Faire aussi une table de «\u00a0${sheets[0]}\u00a0»`
      : `Faire aussi des tables des ${sheets.length} autres`,
  sheets: (done: number, of: number) => `Tables importées\u00a0: ${done} sur ${of}`,
  downloadOf: (table: string) => `Lignes écartées de «\u00a0${table}\u00a0»`,
  sheet: "Feuille ou table",
  upsert: "Lignes déjà présentes",
  upsertNone: "Importer chaque ligne comme nouvel enregistrement",
  upsertBy: (field: string) => `Modifier l’enregistrement dont «\u00a0${field}\u00a0» est identique`,
  encoding: "Encodage",
  encodings: {
    "utf-8": "UTF-8",
    "windows-1252": "Occidental (Windows-1252)",
    "windows-1250": "Europe centrale (Windows-1250)",
    "windows-1251": "Cyrillique (Windows-1251)",
    "windows-1253": "Grec (Windows-1253)",
    "windows-1254": "Turc (Windows-1254)",
    "windows-1255": "Hébreu (Windows-1255)",
    "windows-1256": "Arabe (Windows-1256)",
    "iso-8859-2": "Europe centrale (ISO 8859-2)",
    "iso-8859-15": "Occidental (ISO 8859-15)",
    macintosh: "Occidental (Mac OS Roman)",
    shift_jis: "Japonais (Shift JIS)",
    "euc-jp": "Japonais (EUC-JP)",
    gb18030: "Chinois (GB 18030)",
    big5: "Chinois (Big5)",
    "euc-kr": "Coréen (EUC-KR)",
    "utf-16le": "UTF-16 (petit-boutiste)",
    "utf-16be": "UTF-16 (gros-boutiste)",
  },
  header: "La première ligne contient les noms des colonnes",
  noRows: "Il n’y a aucune ligne sous les noms des colonnes.",
  undecodable: (count: number) =>
    count < 2
      ? "1 caractère du fichier ne peut pas être lu dans cet encodage et serait perdu. Choisissez-en un autre."
      : `${grouped(count)} caractères du fichier ne peuvent pas être lus dans cet encodage et seraient perdus. ` +
        "Choisissez-en un autre.",
  numbersOf: (column: string) => `Nombres de «\u00a0${column}\u00a0»`,
  numbersAs: (example: string) => `Nombres comme ${example}`,
  chooseNumbers: "Choisir la notation…",
  decimals: { point: "point", comma: "virgule" },
  ambiguous: (example: string, sign: string) =>
    `«\u00a0${example}\u00a0» peut se lire de deux façons\u202f; le signe décimal retenu est\u00a0: ${sign}.`,
  delimiter: "Séparateur",
  delimiters: { comma: "Virgule", semicolon: "Point-virgule", tab: "Tabulation", pipe: "Barre verticale" },
  skipped: (count: number) =>
    counted(
      count,
      "ligne au-dessus des noms des colonnes ne sera pas importée.",
      "lignes au-dessus des noms des colonnes ne seront pas importées.",
    ),
  datesOf: (column: string) => `Dates de «\u00a0${column}\u00a0»`,
  chooseDates: "Choisir l’ordre…",
  dateOrders: { DMY: "Le jour d’abord (31/12)", MDY: "Le mois d’abord (12/31)" },
  openDates: (example: string) =>
    `Aucune valeur n’indique l’ordre du jour et du mois, comme dans «\u00a0${example}\u00a0».`,
  conflict: (point: string, comma: string) =>
    `«\u00a0${point}\u00a0» et «\u00a0${comma}\u00a0» ne concordent pas. Les lignes qui ` +
    "ne suivent pas votre choix sont refusées.",
  checkTitle: (count: number) =>
    counted(count, "ligne ne peut pas être importée", "lignes ne peuvent pas être importées"),
  checkBody:
    "Rien n’a encore été modifié. Corrigez le fichier ou les colonnes, ou importez les autres lignes.",
  newOptions: (count: number) => counted(count, "option sera ajoutée", "options seront ajoutées"),
  optionsBody:
    "Rien n’a encore été modifié. Certaines valeurs ne figurent pas parmi les options de leurs champs.",
  startOthers: (count: number) =>
    count === 1 ? "Importer l’autre ligne" : `Importer les ${grouped(count)} autres lignes`,
  takeBack: "Annuler l’import",
  takenBack: "L’import a été annulé",
  refusedRows: "Lignes refusées",
  exporting: (done: number, total: number) => `Export\u00a0: ${grouped(done)} sur ${counted(total, "enregistrement")}`,
  exported: "Le fichier a été enregistré",
  defused: (count: number) =>
    `${counted(count, "texte commence", "textes commencent")} comme une formule. Une apostrophe initiale empêche les ` +
    "tableurs de l’exécuter\u202f; un import dans Rowhouse retire l’apostrophe.",
};
