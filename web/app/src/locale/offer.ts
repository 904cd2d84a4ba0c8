/** The tags that people choose from: those in which numbers and dates are written with 0 to 9, from left to right. */
const offered = (
  "en-US en-GB en-AU en-CA en-IE en-IN en-NZ en-ZA bg-BG cs-CZ da-DK de-AT de-CH de-DE el-GR es-ES es-MX et-EE " +
  "fi-FI fr-BE fr-CA fr-CH fr-FR hi-IN hr-HR hu-HU id-ID is-IS it-CH it-IT ja-JP ko-KR lt-LT lv-LV ms-MY nb-NO " +
  "nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI sv-SE tr-TR uk-UA vi-VN zh-CN zh-HK zh-TW"
).split(" ");

/** What a tag is called in a language. */
export function nameOfTag(language: string, tag: string): string {
  const names = new Intl.DisplayNames(language, { type: "language", languageDisplay: "standard" });
  return names.of(tag) ?? tag;
}

/** The tags and their names, with the one that is chosen although it is not offered. */
export function localeOffers(language: string, chosen: string): { tag: string; name: string }[] {
  const tags = !chosen || offered.includes(chosen) ? offered : [chosen, ...offered];
  return tags.map((tag) => ({ tag, name: nameOfTag(language, tag) }));
}
