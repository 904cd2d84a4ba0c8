/** The days on which weeks begin somewhere, and their numbers, 0 being Sunday. */
export const firstDays = { monday: 1, sunday: 0, saturday: 6 };

type WeekInfo = { firstDay: number };

/** The day on which weeks begin: the one that was chosen, or that of a tag's region. */
export function firstDayOf(tag: string, chosen: string): number {
  if (chosen in firstDays) return firstDays[chosen as keyof typeof firstDays];
  const locale = new Intl.Locale(tag) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? firstDays.monday) % 7;
}
