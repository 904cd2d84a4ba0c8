import { type Language, type Locale, useLocale } from "../locale/locale.ts";
import { webhook } from "./en/webhook.ts";

export type WebhookText = typeof webhook;

/** The texts of the page of webhooks, with which they are loaded. */
const catalogues: Record<Language, WebhookText> = { en: webhook };

function webhookTextOf(locale: Locale): WebhookText {
  return catalogues[locale.language];
}

export function useWebhookText(): WebhookText {
  return webhookTextOf(useLocale());
}
