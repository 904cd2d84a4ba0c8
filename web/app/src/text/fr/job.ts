import type { job as english } from "../en/job.ts";
import { counted, grouped } from "./number.ts";

const rows = (count: number) => counted(count, "ligne");

/** The texts of jobs. */
export const job: typeof english = {
  title: "Imports et exports",
  none: "Les imports et les exports apparaissent ici. Ils continuent quand vous fermez la page.",
  running: (count: number) => (count < 2 ? "1 import ou export en cours" : `${count} imports et exports en cours`),
  kind: {
    export_table: "Export d’une table",
    export_base: "Export de la base",
    import_table: "Import dans une table",
    import_base: "Import dans une nouvelle table",
    import_airtable: "Import depuis Airtable",
    import_product: "Import depuis NocoDB ou Baserow",
    import_archive: "Import d’une archive de base",
    duplicate_base: "Copie de la base",
    duplicate_table: "Copie d’une table",
  } as Record<string, string>,
  state: {
    queued: "En attente",
    running: "En cours",
    done: "Terminé",
    failed: "Échec",
    cancelled: "Annulé",
  },
  progress: (done: number, total: number | null) =>
    total === null ? rows(done) : `${grouped(done)} sur ${rows(total)}`,
  rows,
  refused: (count: number) => counted(count, "ligne a été refusée", "lignes ont été refusées"),
  emptied: (count: number) => counted(count, "cellule est restée vide", "cellules sont restées vides"),
  line: (line: number, field: string | undefined, message: string) =>
    `Ligne ${line}${field ? `, ${field}` : ""}\u00a0: ${message}`,
  more: (count: number) => `${grouped(count)} de plus`,
  download: (name: string) => `Télécharger ${name}`,
  open: "Ouvrir la table",
  cancel: "Annuler",
  begun: "L’export a commencé",
  begunDetail: "Il continue quand vous fermez la page. Son fichier sera dans la liste des imports et exports.",
  importing: (name: string) => `«\u00a0${name}\u00a0» est en cours d’envoi`,
  importBegun: (name: string) => `L’import de «\u00a0${name}\u00a0» a commencé`,
  importDetail: "Il continue quand vous fermez la page.",
  drop: "Déposez un fichier pour en faire une table",
  dropHint: "CSV, Excel, JSON, Parquet, vCard, iCalendar, ou un export de Notion ou de Trello",
  exportXlsx: "Exporter vers Excel",
  exportNdjson: "Exporter en NDJSON",
  exportParquet: "Exporter en Parquet",
  print: "Imprimer",
  exportBase: "Exporter la base vers Excel",
  exportArchive: "Exporter la base en archive",
};
