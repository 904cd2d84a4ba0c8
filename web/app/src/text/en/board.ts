/** The columns of a board. */
export const board = {
  column: (name: string) => `Column ${name}`,
  limit: "Limit the cards…",
  changeLimit: "Change the limit…",
  limitTitle: (column: string) => `Limit of ${column}`,
  limitLabel: "At most this many cards",
  limitHint: "The column is marked when it has more. Nothing is refused. Leave it empty for no limit.",
  limitWrong: "A limit is a whole number from 1 to 100000.",
  counted: (count: number, limit: number) => `${count} of at most ${limit}`,
  over: "Over its limit",
  sum: "Sum of each column",
  none: "None",
};
