import { createContext, useContext } from "react";
import { firstDayOf } from "./week.ts";

/** The languages that the application's texts exist in, and how each calls itself. */
export const languages = { en: "English", de: "Deutsch", fr: "Français" };

export type Language = keyof typeof languages;

/** A text in every language. */
export type Translated = Record<Language, string>;

/**
 * How a person reads: the language of the texts, the BCP 47 tag by which numbers and dates are
 * written, the day on which weeks begin, 0 being Sunday, and the IANA time zone of the clock that shows
 * times, if it is not that of each base.
 */
export type Locale = { tag: string; language: Language; firstDay: number; zone?: string };

export const english: Locale = { tag: "en", language: "en", firstDay: 1 };

/** What a person chose, in their profile. Empty: as the browser has it. */
export type Preference = { locale: string; firstDay: string; language: string; timeZone: string };

/** A choice, and the id of whose it is. */
type Chosen = Preference & { id?: string };

const none: Preference = { locale: "", firstDay: "", language: "", timeZone: "" };

const key = "rowhouse.locale";
const listeners = new Set<() => void>();
let present: Locale | undefined;

// The choice is the account's, and this browser remembers it, so that a page begins with it.
function remembered(): Chosen {
  try {
    return { ...none, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Chosen>) };
  } catch {
    return none;
  }
}

const isLanguage = (tag: string): tag is Language => tag in languages;

/** The first language of the browser's that texts exist in, or English. */
export function browserLanguage(): Language {
  return navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]!).find(isLanguage) ?? "en";
}

/** The language of a choice. */
export function languageOf({ language }: Preference): Language {
  return isLanguage(language) ? language : browserLanguage();
}

/** A time zone, if the browser knows it. */
function knownZone(name: string): string | undefined {
  try {
    return name ? new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone : undefined;
  } catch {
    return undefined;
  }
}

/** The locale of a choice. A tag that Intl does not know is read as English. */
function localeOf(preference: Preference): Locale {
  const { locale, firstDay } = preference;
  const zone = knownZone(preference.timeZone);
  const language = languageOf(preference);
  try {
    const tag = new Intl.Locale(locale || navigator.language).baseName; // fields name a calendar and digits
    return { tag, language, firstDay: firstDayOf(tag, firstDay), zone };
  } catch {
    return { ...english, language, zone };
  }
}

/** The locale that the application is shown in. */
export function currentLocale(): Locale {
  present ??= localeOf(remembered());
  return present;
}

/** Shows the application as a person chose, in this page and in those that begin later. */
export function prefer({ locale, firstDay, language, timeZone, id }: Chosen) {
  const chosen = JSON.stringify({ locale, firstDay, language, timeZone, id });
  if (chosen === JSON.stringify(remembered())) return;
  present = localeOf({ locale, firstDay, language, timeZone });
  try {
    localStorage.setItem(key, chosen);
  } catch {
    // Storage can be forbidden; the choice is then read again with the profile.
  }
  for (const listener of listeners) listener();
}

export function followLocale(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The locale that components are shown in. */
export const LocaleContext = createContext<Locale>(english);

export function useLocale(): Locale {
  return useContext(LocaleContext);
}

/** Reports whether the choice that this browser remembers is that of a person. */
export const remembers = (id: string) => remembered().id === id;
