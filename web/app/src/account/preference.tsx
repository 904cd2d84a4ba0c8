import { useState } from "react";
import { updateProfile } from "../api/change.ts";
import { browserLanguage, languages, type Preference, useLocale } from "../locale/locale.ts";
import { localeOffers, nameOfTag } from "../locale/offer.ts";
import { firstDayOf, firstDays } from "../locale/week.ts";
import { useAccountText } from "../text/account.ts";
import { Row, Select } from "../ui/form.tsx";
import { Section } from "../ui/settings.tsx";
import { complain } from "../ui/toast.ts";

const dayNames = (language: string) => {
  const format = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
  return (day: number) => format.format(Date.UTC(2023, 0, 1 + day)); // a Sunday, and those after it
};

/** How the application writes for the person. */
export function PreferenceForm({ locale, firstDay, language: chosen, timeZone }: Preference) {
  const t = useAccountText().preference;
  const { tag, language } = useLocale();
  const [saving, setSaving] = useState(false);
  const save = (body: Partial<Preference>) => {
    setSaving(true);
    updateProfile({ body })
      .catch(complain)
      .finally(() => setSaving(false));
  };
  const nameOf = dayNames(language);
  const browser = Intl.getCanonicalLocales(navigator.language)[0] ?? language;
  const offers = localeOffers(language, locale);
  const moment = new Intl.DateTimeFormat(tag, { dateStyle: "short", timeStyle: "short" }).format(
    new Date(2026, 11, 24, 18, 30),
  );
  return (
    <Section title={t.title}>
      <div className="flex max-w-[460px] flex-col gap-5">
        <Row label={t.language} hint={t.languageHint}>
          {(at) => (
            <Select
              {...at}
              value={chosen}
              disabled={saving}
              onChange={(event) => save({ language: event.target.value })}
            >
              <option value="">{t.browser(languages[browserLanguage()])}</option>
              {Object.entries(languages).map(([tag, name]) => (
                <option key={tag} value={tag} lang={tag}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Row>
        <Row label={t.locale} hint={t.sample(moment, new Intl.NumberFormat(tag).format(1234567.89))}>
          {(at) => (
            <Select {...at} value={locale} disabled={saving} onChange={(event) => save({ locale: event.target.value })}>
              <option value="">{t.browser(nameOfTag(language, browser))}</option>
              {offers.map((offer) => (
                <option key={offer.tag} value={offer.tag}>
                  {offer.name}
                </option>
              ))}
            </Select>
          )}
        </Row>
        <Row label={t.firstDay} hint={t.firstDayHint}>
          {(at) => (
            <Select
              {...at}
              value={firstDay}
              disabled={saving}
              onChange={(event) => save({ firstDay: event.target.value })}
            >
              <option value="">{t.ofLocale(nameOf(firstDayOf(tag, "")))}</option>
              {Object.entries(firstDays).map(([name, day]) => (
                <option key={name} value={name}>
                  {nameOf(day)}
                </option>
              ))}
            </Select>
          )}
        </Row>
        <Row label={t.timeZone} hint={t.timeZoneHint}>
          {(at) => (
            <Select
              {...at}
              value={timeZone}
              disabled={saving}
              onChange={(event) => save({ timeZone: event.target.value })}
            >
              <option value="">{t.ofBase}</option>
              {[...new Set([timeZone || "UTC", "UTC", ...Intl.supportedValuesOf("timeZone")])].map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </Select>
          )}
        </Row>
      </div>
    </Section>
  );
}
