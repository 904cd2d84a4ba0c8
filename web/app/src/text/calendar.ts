import { useLocale } from "../locale/locale.ts";
import { calendar } from "./en/calendar.ts";
import { translated } from "./translation.ts";

/** The texts of calendars, which come with them. */
const calendarTextOf = translated("calendar", calendar);

export const useCalendarText = () => calendarTextOf(useLocale());
