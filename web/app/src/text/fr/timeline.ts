import type { timeline as english } from "../en/timeline.ts";
import { counted } from "./number.ts";

export const timeline: typeof english = {
  needDate: "Une chronologie a besoin d’un champ de date.",
  empty: "Aucun enregistrement n’a ses jours ici.",
  bars: "Enregistrements selon leurs jours",
  scale: "Échelle",
  scales: { day: "Jours", week: "Semaines", month: "Mois", quarter: "Trimestres" },
  zoomIn: "Zoom avant",
  zoomOut: "Zoom arrière",
  earlier: "Plus tôt",
  later: "Plus tard",
  unscheduled: "Non planifiés",
  unscheduledNone: "Tous les enregistrements ont un début.",
  unscheduledHint: "Faites glisser un enregistrement vers un jour.",
  putOnToday: (name: string) => `Placer ${name} à aujourd’hui`,
  close: "Fermer la liste",
  keys:
    "Maj et la flèche gauche ou droite déplacent l’enregistrement d’un jour. Avec Ctrl, elles déplacent sa fin.",
  laneKeys: "Maj et la flèche vers le haut ou vers le bas le déplacent dans un autre couloir.",
  range: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
  moved: (name: string, range: string) => `${name}\u00a0: ${range}`,
  early: (count: number) =>
    count < 2
      ? "Un enregistrement qui en dépend commence avant sa fin"
      : `${count} enregistrements qui en dépendent commencent trop tôt`,
  push: (by: number) => `Déplacer aussi de ${counted(by, "jour")}`,
  criticalPath: "Chemin critique",
  critical: (bar: string) => `${bar}, critique`,
  ends: (count: number, end: string) =>
    `Tout se termine le ${end}. ` +
    (count < 2
      ? "Un enregistrement ne tolère aucun retard."
      : `${count} enregistrements ne tolèrent aucun retard.`),
  noPath: "Aucun enregistrement avec un début ne dépend d’un autre.",
  dependency: (before: string, after: string) => `${after} dépend de «\u00a0${before}\u00a0»`,
};
