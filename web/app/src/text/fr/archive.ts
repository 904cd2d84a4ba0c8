import type { archive as english } from "../en/archive.ts";
import { counted, grouped } from "./number.ts";

/** The texts of base archives, and of copies. */
export const archive: typeof english = {
  open: "Importer une archive de base",
  title: "Importer une archive de base",
  intro:
    "Une archive est ce que produit «\u00a0Exporter la base en archive\u00a0», ici ou dans un autre Rowhouse. Elle " +
    "devient une nouvelle base.",
  help: "Ce qui est repris, et ce qui ne l’est pas",
  file: "Archive",
  choose: "Choisir un fichier",
  drop: "Déposez l’archive ici",
  begin: "Importer",
  back: "Retour",
  name: "Nom de la base",
  nameHint: "Laissez vide pour reprendre le nom de l’archive.",
  uploading: "L’archive est en cours d’envoi",
  waiting: "En attente de son tour",
  working: (done: number, total: number | null) =>
    total === null ? "Lecture en cours" : `${grouped(done)} sur ${counted(total, "enregistrement")}`,
  goesOn: "L’opération continue quand vous fermez cette fenêtre.",
  close: "Fermer",
  failed: "Rien n’a été repris",
  failedHalf: "La base est incomplète",
  cancelled: "L’opération a été annulée",
  done: "Tout est là",
  doneWithout: "Tout est là, sauf ce qui est listé",
  openBase: "Ouvrir la base",
  openTable: "Ouvrir la table",
  counts: {
    tables: (n: number) => counted(n, "table"),
    records: (n: number) => counted(n, "enregistrement"),
    links: (n: number) => counted(n, "lien"),
    files: (n: number) => counted(n, "fichier"),
  },
  leftOut: "Ce qui n’a pas été repris",
  notMembers: "Personnes qui ne sont pas membres ici",
  more: (n: number) => `${grouped(n)} de plus`,
  templateOpen: "Utiliser un modèle",
  templates: "Commencer avec un modèle",
  templatesIntro: "Des tables, des vues et quelques enregistrements en exemple. Tout peut y être modifié.",
  duplicateTitle: (name: string) => `Dupliquer «\u00a0${name}\u00a0»`,
  copyName: (name: string) => `${name} (copie)`,
  copyLabel: "Nom de la copie",
  withRecords: "Avec ses enregistrements et ses fichiers",
  withRecordsHint: "Sinon, seulement ses champs et ses vues.",
  baseNote:
    "Les autorisations sont copiées. Les commentaires, l’historique, les liens partagés, les " +
    "clés et les webhooks ne le sont pas.",
  tableNote:
    "Ses liens mènent aux mêmes enregistrements\u202f; les tables liées reçoivent donc un champ pour la copie.",
  duplicate: "Dupliquer",
};
