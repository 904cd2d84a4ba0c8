/** A whole number with its thousands set apart. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ".");
