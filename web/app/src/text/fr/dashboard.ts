import type { dashboard as english } from "../en/dashboard.ts";
import { counted, grouped } from "./number.ts";

export const dashboard: typeof english = {
  edit: "Modifier",
  done: "Terminé",
  more: (name: string) => `Actions pour le tableau de bord ${name}`,
  rename: "Renommer le tableau de bord",
  delete: "Supprimer le tableau de bord",
  deleteTitle: (name: string) => `Supprimer le tableau de bord «\u00a0${name}\u00a0»\u202f?`,
  deleteBody: "Les vues qu’il contient restent. Le tableau de bord lui-même ne peut pas être restauré.",
  emptyTitle: "Ce tableau de bord est vide",
  emptyBody: "Placez côte à côte des graphiques et d’autres vues de cette base.",
  emptyViewer: "Rien ne vous y est visible, ou personne n’y a encore rien placé.",
  goneTitle: "Ce tableau de bord n’existe pas",
  goneBody: "Il a été supprimé, ou l’adresse est erronée.",
  addTile: "Ajouter un bloc",
  addText: "Un texte",
  addTextHint: "Dites de quoi parle ce tableau de bord",
  noViews: "Il n’y a aucune vue à ajouter.",
  text: "Texte du bloc",
  textPlaceholder: "Écrivez quelque chose…",
  textTile: "Texte",
  tile: (name: string, column: number, row: number, width: number, height: number) =>
    `${name}\u00a0: colonne ${column}, ligne ${row}, largeur ${width}, hauteur ${height}`,
  move: (name: string) => `Déplacer ${name}`,
  moveHint: "Les flèches déplacent le bloc, Maj et les flèches changent sa taille.",
  resize: (name: string) => `Changer la taille de «\u00a0${name}\u00a0»`,
  remove: (name: string) => `Retirer ${name} du tableau de bord`,
  open: (name: string) => `Ouvrir ${name}`,
  first: (shown: number, total: number) =>
    `Les ${grouped(shown)} premiers sur ${counted(total, "enregistrement")}`,
  noRecords: "Aucun enregistrement",
  fillIn: "Ouvrir le formulaire",
  broken: "Le filtre de cette vue doit être réparé.",
};
