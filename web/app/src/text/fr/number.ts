/** A whole number with its thousands set apart. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, "\u202f");

/** A count with what is counted. Zero and one are singular. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count < 2 ? one : many}`;
