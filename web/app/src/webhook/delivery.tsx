import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { useBase } from "../access/base.ts";
import { sendWebhookDelivery } from "../api/change.ts";
import { deliveriesQuery, newestDeliveriesQuery } from "../api/query.ts";
import { type Delivery, type DeliveryState, deliveryStates, type Webhook } from "../api/type.ts";
import { useLocale } from "../locale/locale.ts";
import { ago, moment } from "../locale/time.ts";
import { useWebhookText } from "../text/webhook.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Dialog } from "../ui/dialog.tsx";
import { KindSelect, Pages } from "../ui/pages.tsx";
import { Rows } from "../ui/settings.tsx";
import { Empty } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { nameOf, withNewest } from "./webhook.ts";

/** What a webhook sent, how it was answered, and the way to send it again. */
export function DeliveryDialog({ hook, onClose }: { hook: Webhook; onClose: () => void }) {
  const t = useWebhookText().delivery;
  const { base } = useBase();
  const [state, setState] = useState<DeliveryState>();
  const list = useInfiniteQuery(deliveriesQuery(base.id, hook.id, state));
  const more = (list.data?.pages.length ?? 0) > 1;
  const newest = useQuery({ ...newestDeliveriesQuery(base.id, hook.id, state), enabled: more });
  const read = list.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const deliveries = more ? withNewest(read, newest.data ?? []) : read;
  const send = async ({ id }: Delivery) => {
    try {
      await sendWebhookDelivery({ baseId: base.id, webhookId: hook.id, deliveryId: id });
      notify(t.sent);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Dialog open onClose={onClose} title={t.title(nameOf(hook))} description={t.body} size="lg">
      <KindSelect
        className="mb-4 max-w-56"
        label={t.state}
        all={t.all}
        kinds={deliveryStates}
        names={t.states}
        value={state}
        onChange={setState}
      />
      <Pages
        list={list}
        empty={
          deliveries.length === 0 && (
            <Empty icon={<Send size={22} aria-hidden />} title={state ? t.noneFound : t.empty} />
          )
        }
      >
        <Rows>
          {deliveries.map((one) => (
            <Item key={one.id} delivery={one} onSend={hook.enabled ? () => send(one) : undefined} />
          ))}
        </Rows>
      </Pages>
    </Dialog>
  );
}

const look: Record<DeliveryState, string> = {
  pending: "bg-warn-soft text-warn",
  delivered: "bg-accent-soft text-accent-ink",
  failed: "bg-danger-soft text-danger",
};

function Item({ delivery, onSend }: { delivery: Delivery; onSend?: () => Promise<void> }) {
  const texts = useWebhookText();
  const t = texts.delivery;
  const locale = useLocale();
  const [busy, setBusy] = useState(false);
  const { state, attempts, status, failure, nextAttemptAt } = delivery;
  const send = state === "pending" ? t.sendNow : t.send;
  const unanswered = failure ?? (attempts === 0 ? t.none : "");
  const came = status === null ? unanswered : t.answered(status, delivery.milliseconds ?? undefined);
  const facts = [
    attempts > 0 && t.attempts(attempts),
    state === "pending" && nextAttemptAt !== null && texts.next(moment(nextAttemptAt, locale)),
  ].filter(Boolean);
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <span className={join("rounded px-1.5 py-px text-[12.5px]", look[state])}>{t.states[state]}</span>
          <span>{t.changes(delivery.changes)}</span>
          <time dateTime={delivery.createdAt} title={moment(delivery.createdAt, locale)} className="text-muted">
            {ago(delivery.createdAt, locale)}
          </time>
        </p>
        <p className="mt-0.5 text-[13px] break-words text-muted">{[came, ...facts].filter(Boolean).join(" · ")}</p>
        <p className="truncate font-mono text-[12px] text-faint">{delivery.id}</p>
        {delivery.answer && (
          <pre
            // A region that scrolls has to be reachable by keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            aria-label={t.answer}
            className="mt-1.5 max-h-28 overflow-auto rounded bg-sunken p-2 font-mono text-[12px] whitespace-pre-wrap"
          >
            {delivery.answer}
          </pre>
        )}
      </div>
      {onSend && (
        <Button
          size="sm"
          look="quiet"
          busy={busy || delivery.sendAgain}
          aria-label={t.sendThis(send, delivery.id)}
          icon={<Send size={14} aria-hidden />}
          onClick={async () => {
            setBusy(true);
            await onSend();
            setBusy(false);
          }}
        >
          {send}
        </Button>
      )}
    </li>
  );
}
