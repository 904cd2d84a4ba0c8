import { useLocale } from "../locale/locale.ts";
import { timeline } from "./en/timeline.ts";

const catalogues = { en: timeline };

/** The texts of timelines, which come with them. */
export const useTimelineText = () => catalogues[useLocale().language];
