import type { board as english } from "../en/board.ts";

export const board: typeof english = {
  column: (name: string) => `Colonne ${name}`,
  limit: "Limiter les cartes…",
  changeLimit: "Modifier la limite…",
  limitTitle: (column: string) => `Limite de ${column}`,
  limitLabel: "Nombre maximal de cartes",
  limitHint: "La colonne est signalée au-delà. Rien n’est refusé. Laissez vide pour ne pas fixer de limite.",
  limitWrong: "Une limite est un nombre entier de 1 à 100000.",
  counted: (count: number, limit: number) => `${count} sur ${limit} au plus`,
  over: "Limite dépassée",
  sum: "Somme en tête des colonnes",
  none: "Aucune",
};
