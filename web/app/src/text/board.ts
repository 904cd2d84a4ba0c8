import { useLocale } from "../locale/locale.ts";
import { board } from "./en/board.ts";
import { translated } from "./translation.ts";

/** The texts of the columns of boards, which come with them. */
const boardTextOf = translated("board", board);

export const useBoardText = () => boardTextOf(useLocale());
