import type { Delivery, Webhook } from "../api/type.ts";
import { ago, moment } from "../locale/time.ts";
import type { Locale } from "../locale/locale.ts";
import type { WebhookText } from "../text/webhook.ts";

/** What a webhook is called. */
export const nameOf = ({ name, url }: Pick<Webhook, "name" | "url">) => name || url;

/** What a webhook sends, in a few words. */
export function scope(hook: Webhook, tables: readonly { id: string; name: string }[], text: WebhookText): string {
  const t = text.scope;
  const named = hook.tables.map((id) => tables.find((table) => table.id === id)?.name ?? t.goneTable);
  return [
    named.length > 0 ? named.join(", ") : t.all,
    hook.kinds.length > 0 && t.kinds,
    hook.fields.length > 0 && t.fields,
    hook.filters.length > 0 && t.records,
    hook.includeValues && t.values,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Deliveries that were read some time ago, the newest first, with the newest as they are now. */
export function withNewest(read: readonly Delivery[], newest: readonly Delivery[]): Delivery[] {
  const known = new Set(read.map(({ id }) => id));
  const now = new Map(newest.map((one) => [one.id, one]));
  return [...newest.filter(({ id }) => !known.has(id)), ...read.map((one) => now.get(one.id) ?? one)];
}

export type Tone = "good" | "warn" | "bad" | "off";
export type Condition = { tone: Tone; words: string; more?: string };

/** How a webhook is, in a few words. */
export function condition(hook: Webhook, t: WebhookText, locale: Locale): Condition {
  if (!hook.enabled) {
    const words = t.disabled[hook.disabledReason ?? ""] ?? t.unknownReason;
    return { tone: hook.disabledReason === "paused" ? "off" : "bad", words };
  }
  if (hook.failingSince === null) return { tone: "good", words: t.works };
  return {
    tone: "warn",
    words: t.failing(ago(hook.failingSince, locale)),
    more: hook.nextAttemptAt === null ? undefined : t.next(moment(hook.nextAttemptAt, locale)),
  };
}
