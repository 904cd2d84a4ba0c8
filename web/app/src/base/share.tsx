import { useQuery } from "@tanstack/react-query";
import { Check, Copy, ExternalLink, Globe, Lock, RefreshCw } from "lucide-react";
import { useState } from "react";
import { Link } from "../route/link.tsx";
import { disablePublicShare, setPublicShare } from "../api/change.ts";
import { shareQuery } from "../api/query.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useCopy } from "../ui/copy.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input } from "../ui/form.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { useBase } from "../access/base.ts";
import { atLeast, useRole } from "../access/role.ts";
import { BasePeople } from "../permission/people.tsx";

/** Makes the base readable for everybody with a link, replaces the link, and ends it. */
export default function ShareMenu({ onClose }: { onClose: () => void }) {
  const text = useText();
  const t = text.base.shareMenu;
  const { base, orgId, canShape } = useBase();
  const admin = atLeast(useRole(orgId), "admin");
  const share = useQuery(shareQuery(base.id));
  const [confirming, setConfirming] = useState<"regenerate" | "disable" | null>(null);
  const [busy, setBusy] = useState(false);
  const { copied, copy } = useCopy();
  const link = share.data ? `${location.origin}/share/${share.data}` : "";

  const change = async (request: () => Promise<unknown>, said: string) => {
    setBusy(true);
    try {
      await request();
      notify(said);
    } catch (error) {
      complain(error);
      throw error;
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} title={t.title} size="md">
      {canShape && <BasePeople />}
      <h3 className="font-[560]">{t.public}</h3>
      <p className="mt-0.5 mb-3 text-muted">{t.body}</p>
      {share.isPending ? (
        <Waiting />
      ) : share.isError ? (
        <Failed error={share.error} retry={() => void share.refetch()} />
      ) : share.data ? (
        <>
          <p className="mb-2 flex items-center gap-2 font-[560]">
            <Globe size={16} className="text-accent" aria-hidden />
            {t.link}
          </p>
          <div className="flex gap-2">
            <Input
              readOnly
              value={link}
              aria-label={t.link}
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
          {canShape && (
            <div className="mt-5 flex justify-between border-t border-line pt-4">
              <Button
                look="quiet"
                icon={<RefreshCw size={15} aria-hidden />}
                onClick={() => setConfirming("regenerate")}
              >
                {t.regenerate}
              </Button>
              <Button look="danger-quiet" onClick={() => setConfirming("disable")}>
                {t.disable}
              </Button>
            </div>
          )}
        </>
      ) : (
        <div className="flex items-center gap-3 rounded-lg border border-line bg-canvas p-4">
          <Lock size={18} className="shrink-0 text-faint" aria-hidden />
          <p className="min-w-0 flex-1 text-muted">{t.private}</p>
          {canShape && (
            <Button
              look="primary"
              busy={busy}
              onClick={() => {
                change(() => setPublicShare({ baseId: base.id }), t.on).catch(() => undefined);
              }}
            >
              {t.enable}
            </Button>
          )}
        </div>
      )}
      {orgId && admin && (
        <p className="mt-4">
          <Link to="/org/$orgId/members" params={{ orgId }} className="text-accent-ink underline underline-offset-2">
            {t.members}
          </Link>
        </p>
      )}
      <Confirm
        open={confirming === "regenerate"}
        onClose={() => setConfirming(null)}
        title={t.regenerateTitle}
        body={t.regenerateBody}
        action={t.regenerate}
        onConfirm={() => change(() => setPublicShare({ baseId: base.id, body: { regenerate: true } }), t.on)}
      />
      <Confirm
        open={confirming === "disable"}
        onClose={() => setConfirming(null)}
        title={t.disableTitle}
        body={t.disableBody}
        action={t.disable}
        onConfirm={() => change(() => disablePublicShare({ baseId: base.id }), t.off)}
      />
    </Dialog>
  );
}
