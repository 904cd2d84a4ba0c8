import { useLocale } from "../locale/locale.ts";
import { webhook } from "./en/webhook.ts";
import { translated } from "./translation.ts";

export type WebhookText = typeof webhook;

/** The texts of the page of webhooks, with which they are loaded. */
const webhookTextOf = translated("webhook", webhook);

export const useWebhookText = () => webhookTextOf(useLocale());
