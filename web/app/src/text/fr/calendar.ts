import type { calendar as english } from "../en/calendar.ts";

const two = (n: number) => String(n).padStart(2, "0");

export const calendar: typeof english = {
  needDate: "Une vue calendrier a besoin d’un champ de date.",
  scale: "Jours affichés",
  scales: { month: "Mois", week: "Semaine", day: "Jour" },
  previous: { month: "Mois précédent", week: "Semaine précédente", day: "Jour précédent" },
  next: { month: "Mois suivant", week: "Semaine suivante", day: "Jour suivant" },
  hours: "Enregistrements selon leurs heures",
  days: "Enregistrements selon leurs jours",
  allDay: "Journée",
  moreOnDay: (count: number) => `${count} de plus`,
  fewer: "Afficher moins",
  addOn: (day: string) => `Ajouter un enregistrement le ${day}`,
  dayKeys:
    "Maj et une flèche déplacent l’enregistrement d’un jour ou d’une semaine. Avec Ctrl, elles déplacent sa fin.",
  hourKeys:
    "Maj et une flèche déplacent l’enregistrement d’un jour ou de 15 minutes. Avec Ctrl, haut et bas déplacent sa fin.",
  range: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
  at: (day: string, time: string) => `${day}, ${time}`,
  moved: (name: string, range: string) => `${name}\u00a0: ${range}`,
  /** A time of the day as a clock of 24 or of 12 hours shows it. */
  clock: (minute: number, twelve: boolean) => {
    const [hour, rest] = [Math.floor(minute / 60) % 24, two(minute % 60)];
    return twelve ? `${hour % 12 || 12}:${rest} ${hour < 12 ? "AM" : "PM"}` : `${two(hour)}:${rest}`;
  },
};
