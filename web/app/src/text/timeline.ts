import { useLocale } from "../locale/locale.ts";
import { timeline } from "./en/timeline.ts";
import { translated } from "./translation.ts";

/** The texts of timelines, which come with them. */
const timelineTextOf = translated("timeline", timeline);

export const useTimelineText = () => timelineTextOf(useLocale());
