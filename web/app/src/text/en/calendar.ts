const two = (n: number) => String(n).padStart(2, "0");

export const calendar = {
  needDate: "A calendar view needs a date field.",
  scale: "Days at once",
  scales: { month: "Month", week: "Week", day: "Day" },
  previous: { month: "Previous month", week: "Previous week", day: "Previous day" },
  next: { month: "Next month", week: "Next week", day: "Next day" },
  hours: "Records by their hours",
  days: "Records by their days",
  allDay: "All day",
  moreOnDay: (count: number) => `${count} more`,
  fewer: "Show fewer",
  addOn: (day: string) => `Add a record on ${day}`,
  dayKeys: "Shift and an arrow key move the record by a day or a week. With Ctrl, they move its end.",
  hourKeys: "Shift and an arrow key move the record by a day or 15 minutes. With Ctrl, up and down move its end.",
  range: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
  at: (day: string, time: string) => `${day}, ${time}`,
  moved: (name: string, range: string) => `${name}: ${range}`,
  /** A time of the day as a clock of 24 or of 12 hours shows it. */
  clock: (minute: number, twelve: boolean) => {
    const [hour, rest] = [Math.floor(minute / 60) % 24, two(minute % 60)];
    return twelve ? `${hour % 12 || 12}:${rest} ${hour < 12 ? "AM" : "PM"}` : `${two(hour)}:${rest}`;
  },
};
