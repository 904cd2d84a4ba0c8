const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);

export const timeline = {
  needDate: "A timeline needs a date field.",
  empty: "No record has its days here.",
  bars: "Records by their days",
  scale: "Scale",
  scales: { day: "Days", week: "Weeks", month: "Months", quarter: "Quarters" },
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  earlier: "Earlier",
  later: "Later",
  unscheduled: "Unscheduled",
  unscheduledNone: "Every record has a start.",
  unscheduledHint: "Drag a record to a day.",
  putOnToday: (name: string) => `Put ${name} on today`,
  close: "Close the list",
  keys: "Shift and the left or right arrow key move the record by a day. With Ctrl, they move its end.",
  laneKeys: "Shift and the up or down arrow key move it to another lane.",
  range: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
  moved: (name: string, range: string) => `${name}: ${range}`,
  early: (count: number) =>
    count === 1
      ? "A record that depends on it begins before it ends"
      : `${count} records that depend on it begin too early`,
  push: (by: number) => `Move by ${days(by)} as well`,
  criticalPath: "Critical path",
  critical: (bar: string) => `${bar}, critical`,
  ends: (count: number, end: string) =>
    count === 1
      ? `All of it ends on ${end}. One record leaves no room for delay.`
      : `All of it ends on ${end}. ${count} records leave no room for delay.`,
  noPath: "No records with a start depend on each other.",
  dependency: (before: string, after: string) => `${after} depends on ${before}`,
};
