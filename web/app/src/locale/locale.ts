import { createContext, useContext } from "react";

/** The languages that the application's texts exist in. */
export type Language = "en";

/** A text in every language. */
export type Translated = Record<Language, string>;

/**
 * How a person reads: the language of the texts, and the BCP 47 tag by which numbers and dates are
 * written.
 */
export type Locale = { tag: string; language: Language };

export const english: Locale = { tag: "en", language: "en" };

/**
 * The locale that the application is shown in: the browser's. A tag that Intl does not know is read
 * as English.
 */
export function currentLocale(): Locale {
  try {
    return { tag: Intl.getCanonicalLocales(navigator.language)[0] ?? english.tag, language: "en" };
  } catch {
    return english;
  }
}

/** The locale that components are shown in. */
export const LocaleContext = createContext<Locale>(english);

export function useLocale(): Locale {
  return useContext(LocaleContext);
}
