import { useQuery } from "@tanstack/react-query";
import { Ellipsis, ListChecks, Pause, Pencil, Play, Plus, RefreshCw, Trash2, Webhook as Icon } from "lucide-react";
import { useState } from "react";
import { useBase } from "../access/base.ts";
import { deleteWebhook, rotateWebhookSecret, updateWebhook } from "../api/change.ts";
import { webhooksQuery } from "../api/query.ts";
import type { Webhook } from "../api/type.ts";
import { useLocale } from "../locale/locale.ts";
import { moment } from "../locale/time.ts";
import { useText } from "../text/index.ts";
import { useWebhookText } from "../text/webhook.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Confirm } from "../ui/confirm.tsx";
import { HelpLink } from "../ui/helplink.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Rows } from "../ui/settings.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { DeliveryDialog } from "./delivery.tsx";
import { WebhookDialog } from "./form.tsx";
import { type Secret, SecretDialog } from "./secret.tsx";
import { condition, nameOf, scope, type Tone } from "./webhook.ts";

type Chosen = { hook: Webhook; to: "edit" | "rotate" | "remove" | "look" };

/** The webhooks of a base: how each is, what it delivered, and the ways to make and change them. */
export function WebhookPage() {
  const text = useText();
  const t = useWebhookText();
  const { base, canShape } = useBase();
  const hooks = useQuery({ ...webhooksQuery(base.id), enabled: canShape });
  const [creating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<Chosen>();
  const [secret, setSecret] = useState<Secret>();
  const close = () => setChosen(undefined);
  const looked = chosen?.to === "look" && (hooks.data?.find(({ id }) => id === chosen.hook.id) ?? chosen.hook);
  const create = (
    <Button look="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  );

  const enable = async (hook: Webhook, enabled: boolean) => {
    // What it has missed is gone, so it can only go on from now.
    const cursor = enabled && hook.disabledReason === "history" ? "now" : undefined;
    try {
      await updateWebhook({ baseId: base.id, webhookId: hook.id, body: { enabled, cursor } });
      notify(enabled ? t.enabled(nameOf(hook)) : t.paused(nameOf(hook)));
    } catch (error) {
      complain(error);
    }
  };
  const confirmed = async (act: (hook: Webhook) => Promise<void>) => {
    if (!chosen) return;
    try {
      await act(chosen.hook);
    } catch (error) {
      complain(error);
      throw error;
    }
  };
  return (
    <div className="h-full overflow-y-auto bg-surface">
      <title>{`${text.base.webhooks} · ${base.name}`}</title>
      <div className="mx-auto max-w-[900px] px-6 py-8">
        <div className="mb-5 flex flex-wrap items-end justify-between gap-3">
          <div className="min-w-0">
            <h2 className="text-[22px]">{text.base.webhooks}</h2>
            <p className="mt-1 text-muted">{t.body}</p>
            <HelpLink page="how-to/receive-webhooks" className="mt-1">
              {t.help}
            </HelpLink>
          </div>
          {hooks.data && hooks.data.length > 0 && create}
        </div>
        {!canShape ? (
          <Empty icon={<Icon size={22} aria-hidden />} title={t.notAdmin} />
        ) : hooks.isPending ? (
          <Waiting />
        ) : hooks.isError ? (
          <Failed error={hooks.error} retry={() => void hooks.refetch()} />
        ) : hooks.data.length === 0 ? (
          <div className="rounded-lg border border-dashed border-line-strong">
            <Empty icon={<Icon size={22} aria-hidden />} title={t.emptyTitle} body={t.emptyBody} action={create} />
          </div>
        ) : (
          <Rows>
            {hooks.data.map((hook) => (
              <Item
                key={hook.id}
                hook={hook}
                onChoose={(to) => setChosen({ hook, to })}
                onEnable={(on) => enable(hook, on)}
              />
            ))}
          </Rows>
        )}
      </div>
      {(creating || chosen?.to === "edit") && (
        <WebhookDialog
          hook={chosen?.hook}
          onClose={() => {
            setCreating(false);
            close();
          }}
          onMade={(made) => {
            setCreating(false);
            setSecret(made);
          }}
        />
      )}
      {looked && <DeliveryDialog hook={looked} onClose={close} />}
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
      <Confirm
        open={chosen?.to === "rotate"}
        onClose={close}
        title={t.rotateTitle(chosen ? nameOf(chosen.hook) : "")}
        body={t.rotateBody}
        action={t.rotate}
        onConfirm={() =>
          confirmed(async (hook) => {
            const { secret: value } = await rotateWebhookSecret({ baseId: base.id, webhookId: hook.id });
            setSecret({ value, rotated: true });
          })
        }
      />
      <Confirm
        open={chosen?.to === "remove"}
        onClose={close}
        title={t.removeTitle(chosen ? nameOf(chosen.hook) : "")}
        body={t.removeBody}
        action={t.remove}
        onConfirm={() =>
          confirmed(async (hook) => {
            await deleteWebhook({ baseId: base.id, webhookId: hook.id });
            notify(t.removed(nameOf(hook)));
          })
        }
      />
    </div>
  );
}

const dot: Record<Tone, string> = { good: "bg-accent", warn: "bg-warn", bad: "bg-danger", off: "bg-line-strong" };

type ItemProps = {
  hook: Webhook;
  onChoose: (to: Chosen["to"]) => void;
  onEnable: (enabled: boolean) => Promise<void>;
};

function Item({ hook, onChoose, onEnable }: ItemProps) {
  const text = useText();
  const t = useWebhookText();
  const locale = useLocale();
  const [busy, setBusy] = useState(false);
  const { base } = useBase();
  const { tone, words, more } = condition(hook, t, locale);
  const enable = async (enabled: boolean) => {
    setBusy(true);
    await onEnable(enabled);
    setBusy(false);
  };
  const about = [
    hook.owner.name && t.owner(hook.owner.name),
    hook.oldSecretUntil !== null && t.oldSecret(moment(hook.oldSecretUntil, locale)),
  ].filter(Boolean);
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="truncate font-[560]">{nameOf(hook)}</p>
        {hook.name && <p className="truncate font-mono text-[12.5px] text-muted">{hook.url}</p>}
        <p className="text-[13px] break-words text-muted">{scope(hook, base.tables, t)}</p>
        <p className="mt-1 flex items-start gap-2 text-[13px]">
          <span className={join("mt-1.5 size-2 shrink-0 rounded-full", dot[tone])} aria-hidden />
          <span className={tone === "bad" ? "text-danger" : tone === "warn" ? "text-warn" : "text-muted"}>
            {[words, more].filter(Boolean).join(" · ")}
          </span>
        </p>
        {about.length > 0 && <p className="mt-0.5 text-[13px] text-faint">{about.join(" · ")}</p>}
      </div>
      <div className="flex shrink-0 items-center gap-1">
        {!hook.enabled && (
          <Button size="sm" busy={busy} icon={<Play size={14} aria-hidden />} onClick={() => void enable(true)}>
            {hook.disabledReason === "history" ? t.enableNow : t.enable}
          </Button>
        )}
        <Button
          size="sm"
          look="quiet"
          aria-label={t.delivery.openOf(nameOf(hook))}
          icon={<ListChecks size={14} aria-hidden />}
          onClick={() => onChoose("look")}
        >
          {t.delivery.open}
        </Button>
        <Menu
          align="end"
          trigger={
            <IconButton size="sm" label={t.actions(nameOf(hook))}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem icon={<Pencil size={15} />} onSelect={() => onChoose("edit")}>
            {text.action.edit}
          </MenuItem>
          {hook.enabled && (
            <MenuItem icon={<Pause size={15} />} onSelect={() => void enable(false)}>
              {t.pause}
            </MenuItem>
          )}
          <MenuItem icon={<RefreshCw size={15} />} onSelect={() => onChoose("rotate")}>
            {t.rotate}
          </MenuItem>
          <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => onChoose("remove")}>
            {t.remove}
          </MenuItem>
        </Menu>
      </div>
    </li>
  );
}
