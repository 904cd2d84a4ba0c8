import type { file as english } from "../en/file.ts";

export const file: typeof english = {
  add: "Ajouter des fichiers",
  drop: "ou déposez-les ou collez-les ici",
  dropNow: "Déposez pour ajouter",
  none: "Aucun fichier",
  pasted: "collé",
  remove: (name: string) => `Retirer ${name}`,
  download: (name: string) => `Télécharger ${name}`,
  preview: (name: string) => `Afficher ${name}`,
  uploading: (name: string) => `Envoi de «\u00a0${name}\u00a0»`,
  stop: (name: string) => `Arrêter l’envoi de «\u00a0${name}\u00a0»`,
  dismiss: (name: string) => `Masquer l’échec de «\u00a0${name}\u00a0»`,
  again: "Réessayer",
  pending: "Attendez que les fichiers soient arrivés, ou retirez ceux qui ne le sont pas.",
  notUploaded: (name: string) => `«\u00a0${name}\u00a0» n’a pas été envoyé`,
  tooLarge: (name: string, megabytes: number) =>
    `«\u00a0${name}\u00a0» dépasse ${megabytes}\u00a0Mo, la taille maximale acceptée.`,
  lost: (name: string) => `La connexion a été perdue pendant l’envoi de «\u00a0${name}\u00a0». Réessayez.`,
  before: "Image précédente",
  after: "Image suivante",
  of: (place: number, count: number) => `${place} sur ${count}`,
};
