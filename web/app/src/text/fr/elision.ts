/** A name after "de", as in "de Paul" and "d’Anna". An h is taken to be sounded. */
export const of = (name: string): string => `${/^[aeiouàâäæéèêëîïôöœùûü]/i.test(name) ? "d’" : "de "}${name}`;
