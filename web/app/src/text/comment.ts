import { useLocale } from "../locale/locale.ts";
import { comment } from "./en/comment.ts";
import { translated } from "./translation.ts";

/** The texts of comments and of the page of the inbox, with which they are loaded. */
const commentTextOf = translated("comment", comment);

export const useCommentText = () => commentTextOf(useLocale());
