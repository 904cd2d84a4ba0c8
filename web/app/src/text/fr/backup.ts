import type { backup as english } from "../en/backup.ts";
import { counted } from "./number.ts";

/** The page about backups of an organization. */
export const backup: typeof english = {
  title: "Sauvegardes",
  body: [
    "Chaque nuit, chaque base est envoyée sous forme d’archive dans un bucket S3 qui vous appartient. Rowhouse la",
    "relit, la restaure là où personne ne la voit, et compare tous les nombres et toutes les empreintes. Les",
    "administrateurs trouvent les échecs dans leur boîte de réception.",
  ].join(" "),
  off: "Sauvegardes désactivées",
  next: (when: string) => `Les prochaines sauvegardes commencent le ${when}`,
  endpoint: "Point de terminaison",
  endpointHint: "L’adresse de l’API S3 de votre fournisseur",
  region: "Région",
  regionHint: "Vide\u00a0: elle est demandée au fournisseur",
  bucket: "Bucket",
  prefix: "Dossier",
  accessKey: "Clé d’accès",
  secretKey: "Clé secrète",
  secretKept: "Vide\u00a0: la clé secrète enregistrée est gardée",
  secretHint: "La clé doit permettre d’écrire, de lire et de supprimer des objets dans le bucket.",
  keepDays: "Jours de conservation",
  keepHint: "La dernière sauvegarde réussie d’une base n’est jamais supprimée.",
  recipient: "Chiffrer pour",
  recipientHint: [
    "La clé publique d’une identité age, age1…\u202f; quiconque a l’identité ouvre les archives, et personne d’autre.",
    "Vide\u00a0: elles ne sont pas chiffrées.",
  ].join(" "),
  attachments: "Avec les pièces jointes",
  test: "Tester la destination",
  tested: "Un objet a été écrit, lu et supprimé",
  save: "Enregistrer",
  saved: "Sauvegardes configurées",
  switchOff: "Désactiver",
  switchOffTitle: "Désactiver les sauvegardes\u202f?",
  switchOffBody: "La clé est oubliée. Ce qui est dans le bucket y reste, et rien n’en est plus supprimé.",
  switchedOff: "Sauvegardes désactivées",
  runs: "Dernières sauvegardes",
  runsBody:
    "La plus récente d’abord. Une sauvegarde réussie a été restaurée, et correspond à ce que dit son manifeste.",
  now: "Sauvegarder",
  begun: (count: number) =>
    count === 0
      ? "Toutes les bases sont déjà en cours de sauvegarde"
      : counted(count, "sauvegarde a commencé", "sauvegardes ont commencé"),
  empty: "Aucune sauvegarde pour l’instant",
  states: { running: "En cours", ok: "Réussie", failed: "Échec" } as Record<string, string | undefined>,
  counts: (tables: number, records: number, files: number) =>
    [counted(tables, "table"), counted(records, "enregistrement"), counted(files, "fichier")].join(", "),
  encrypted: "chiffrée",
  deleted: "supprimée du bucket",
};
