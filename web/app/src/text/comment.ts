import { type Language, type Locale, useLocale } from "../locale/locale.ts";
import { comment } from "./en/comment.ts";

/** The texts of comments and of the page of the inbox, with which they are loaded. */
const catalogues: Record<Language, typeof comment> = { en: comment };

function commentTextOf(locale: Locale): typeof comment {
  return catalogues[locale.language];
}

export function useCommentText(): typeof comment {
  return commentTextOf(useLocale());
}
