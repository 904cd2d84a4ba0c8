import { useQuery } from "@tanstack/react-query";
import { Check, Copy, ExternalLink, Lock } from "lucide-react";
import { useState } from "react";
import { disableViewShare, setViewShare } from "../api/change.ts";
import { viewShareQuery } from "../api/query.ts";
import type { View } from "../api/type.ts";
import { useFormText } from "../text/form.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useCopy } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox, Input, Row, Textarea } from "../ui/form.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";

const dayLong = 86_400_000;

/** Makes one view readable for everybody with a link, until a day and with a password if somebody wants that. */
export default function ViewShareDialog({ view, onClose }: { view: View; onClose: () => void }) {
  const text = useText();
  const t = text.view.share;
  const share = useQuery(viewShareQuery(view.id));
  const [busy, setBusy] = useState(false);
  const [tomorrow] = useState(() => dayOf(Date.now() + dayLong));
  const change = async (request: () => Promise<unknown>, said: string) => {
    setBusy(true);
    try {
      await request();
      notify(said);
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  const own = useFormText().share;
  const form = view.type === "form";
  const shared = share.data?.publicShareId ?? null;
  const set = (body: {
    password?: string;
    expiresTime?: string;
    embed?: boolean;
    edit?: boolean;
    regenerate?: boolean;
  }) => {
    const said = form ? own.saved : shared && !body.regenerate ? t.changed : t.saved;
    void change(() => setViewShare({ viewId: view.id, body }), said);
  };
  return (
    <Dialog open onClose={onClose} title={t.title(view.name)} size="md">
      <p className="mb-3 text-muted">{form ? own.body : t.body}</p>
      {share.isPending ? (
        <Waiting />
      ) : share.isError ? (
        <Failed error={share.error} retry={() => void share.refetch()} />
      ) : shared === null ? (
        <div className="flex items-center gap-3 rounded-lg border border-line bg-canvas p-4">
          <Lock size={18} className="shrink-0 text-faint" aria-hidden />
          <p className="min-w-0 flex-1 text-muted">{form ? own.none : t.none}</p>
          <Button look="primary" busy={busy} onClick={() => set({})}>
            {t.enable}
          </Button>
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          <Address label={form ? own.link : t.link} link={`${location.origin}/share/${shared}`} />
          <p className="-mt-2 text-[13px] text-muted">
            {t.visits(share.data.visits)}
            {form && ` · ${own.answers(share.data.answers)}`}
          </p>
          <Password has={share.data.hasPassword} busy={busy} onSave={(password) => set({ password })} />
          <Row label={t.until} hint={t.untilHint}>
            {(at) => (
              <Input
                {...at}
                type="date"
                min={tomorrow}
                value={share.data.expiresTime ? dayOf(Date.parse(share.data.expiresTime)) : ""}
                onChange={(event) => {
                  const day = event.target.value;
                  set({ expiresTime: day === "" ? "" : new Date(`${day}T23:59:59`).toISOString() });
                }}
              />
            )}
          </Row>
          {!form && view.type !== "chart" && (
            <div>
              <Checkbox label={t.edit} checked={share.data.edit} onChange={(edit) => set({ edit })} />
              <p className="mt-1 ml-6.5 text-[13px] text-muted">{t.editHint}</p>
            </div>
          )}
          {form && <Embed share={shared} name={view.name} on={share.data.embed} onChange={(embed) => set({ embed })} />}
          <div className="flex justify-between border-t border-line pt-4">
            <Button look="quiet" disabled={busy} onClick={() => set({ regenerate: true })}>
              {t.regenerate}
            </Button>
            <Button
              look="danger-quiet"
              disabled={busy}
              onClick={() => void change(() => disableViewShare({ viewId: view.id }), form ? own.off : t.off)}
            >
              {t.disable}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

const two = (n: number) => String(n).padStart(2, "0");

/** The day of a time where the person is, as a date field has it. */
function dayOf(time: number): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

type EmbedProps = { share: string; name: string; on: boolean; onChange: (on: boolean) => void };

/** Whether other sites may show the form, and what they write for that. */
function Embed({ share, name, on, onChange }: EmbedProps) {
  const text = useText();
  const t = useFormText().share;
  const { copied, copy } = useCopy();
  const title = name.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const address = `${location.origin}/share/${share}?embed=1`;
  const code = `<iframe src="${address}" title="${title}" width="100%" height="700" style="border:0"></iframe>`;
  return (
    <div className="flex flex-col gap-2.5">
      <Checkbox label={t.embed} checked={on} onChange={onChange} />
      {on && (
        <div className="flex items-start gap-2">
          <Textarea readOnly rows={4} value={code} aria-label={t.embedCode} className="font-mono text-[13px]" />
          <Button
            icon={copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
            onClick={() => void copy(code)}
          >
            {copied ? text.action.copied : text.action.copy}
          </Button>
        </div>
      )}
    </div>
  );
}

function Address({ label, link }: { label: string; link: string }) {
  const text = useText();
  const t = text.view.share;
  const { copied, copy } = useCopy();
  return (
    <div className="flex gap-2">
      <Input
        readOnly
        value={link}
        aria-label={label}
        onFocus={(event) => event.target.select()}
        className="font-mono text-[13px]"
      />
      <Button
        look="primary"
        icon={copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
        onClick={() => void copy(link)}
      >
        {copied ? text.action.copied : text.action.copy}
      </Button>
      <IconButton
        label={t.open}
        look="secondary"
        render={<a href={link} target="_blank" rel="noopener noreferrer" aria-label={t.open} />}
      >
        <ExternalLink size={15} aria-hidden />
      </IconButton>
    </div>
  );
}

type PasswordProps = { has: boolean; busy: boolean; onSave: (password: string) => void };

function Password({ has, busy, onSave }: PasswordProps) {
  const t = useText().view.share;
  const [password, setPassword] = useState("");
  return (
    <form
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(password);
        setPassword("");
      }}
    >
      <div className="min-w-0 flex-1">
        <Row label={t.password} hint={has ? t.hasPassword : t.noPassword}>
          {(at) => (
            <Input
              {...at}
              type="password"
              autoComplete="new-password"
              minLength={8}
              maxLength={200}
              placeholder={has ? "••••••••" : ""}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Row>
      </div>
      <Button type="submit" className="mt-6.5" busy={busy} disabled={password.length < 8}>
        {has ? t.replacePassword : t.setPassword}
      </Button>
      {has && (
        <Button look="quiet" className="mt-6.5" disabled={busy} onClick={() => onSave("")}>
          {t.removePassword}
        </Button>
      )}
    </form>
  );
}
