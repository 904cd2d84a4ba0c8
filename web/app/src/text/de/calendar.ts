import type { calendar as english } from "../en/calendar.ts";

const two = (n: number) => String(n).padStart(2, "0");

export const calendar: typeof english = {
  needDate: "Eine Kalenderansicht braucht ein Datumsfeld.",
  scale: "Tage auf einmal",
  scales: { month: "Monat", week: "Woche", day: "Tag" },
  previous: { month: "Voriger Monat", week: "Vorige Woche", day: "Voriger Tag" },
  next: { month: "Nächster Monat", week: "Nächste Woche", day: "Nächster Tag" },
  hours: "Datensätze nach Stunden",
  days: "Datensätze nach Tagen",
  allDay: "Ganztägig",
  moreOnDay: (count: number) => `${count} weitere`,
  fewer: "Weniger anzeigen",
  addOn: (day: string) => `Datensatz am ${day} hinzufügen`,
  dayKeys:
    "Shift und eine Pfeiltaste verschieben den Datensatz um einen Tag oder eine Woche. Mit Ctrl verschieben sie sein " +
    "Ende.",
  hourKeys:
    "Shift und eine Pfeiltaste verschieben den Datensatz um einen Tag oder 15 Minuten. Mit Ctrl verschieben die " +
    "Pfeile nach oben und unten sein Ende.",
  range: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
  at: (day: string, time: string) => `${day}, ${time}`,
  moved: (name: string, range: string) => `${name}: ${range}`,
  /** A time of the day as a clock of 24 or of 12 hours shows it. */
  clock: (minute: number, twelve: boolean) => {
    const [hour, rest] = [Math.floor(minute / 60) % 24, two(minute % 60)];
    return twelve ? `${hour % 12 || 12}:${rest} ${hour < 12 ? "AM" : "PM"}` : `${two(hour)}:${rest}`;
  },
};
