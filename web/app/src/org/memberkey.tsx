import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useParams } from "../route/router.ts";
import { ScopeList } from "../account/scopelist.tsx";
import type { MemberKey } from "../api/account.ts";
import { revokeMemberKey } from "../api/change.ts";
import { memberKeysQuery } from "../api/query.ts";
import { ago, day } from "../locale/time.ts";
import { useAccountText } from "../text/account.ts";
import { useOrgText } from "../text/org.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { useLocale } from "../locale/locale.ts";

/**
 * The members' keys that reach the organization, and the way to end those that reach nothing else.
 */
export function OrgKeys() {
  const own = useAccountText().key;
  const t = useOrgText().key;
  const { orgId } = useParams("/org/$orgId/keys");
  const keys = useQuery(memberKeysQuery(orgId));
  const [revoking, setRevoking] = useState<MemberKey>();
  return (
    <Section title={t.title} body={t.body}>
      {keys.isPending ? (
        <Waiting />
      ) : keys.isError ? (
        <Failed error={keys.error} retry={() => void keys.refetch()} />
      ) : keys.data.length === 0 ? (
        <div className="rounded-lg border border-dashed border-line-strong">
          <Empty icon={<KeyRound size={22} aria-hidden />} title={t.emptyTitle} body={t.emptyBody} />
        </div>
      ) : (
        <Rows>
          {keys.data.map((key) => (
            <KeyRow key={key.id} shown={key} onRevoke={() => setRevoking(key)} />
          ))}
        </Rows>
      )}
      <Confirm
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={t.revokeTitle(revoking?.name ?? "", revoking?.userName ?? "")}
        body={own.revokeBody}
        action={own.revoke}
        onConfirm={async () => {
          if (!revoking) return;
          try {
            await revokeMemberKey({ orgId, keyId: revoking.id });
          } catch (error) {
            complain(error);
            throw error;
          }
          notify(own.revoked(revoking.name));
        }}
      />
    </Section>
  );
}

function KeyRow({ shown, onRevoke }: { shown: MemberKey; onRevoke: () => void }) {
  const own = useAccountText().key;
  const t = useOrgText().key;
  const locale = useLocale();
  const used = shown.lastUsedTime ? t.used(ago(shown.lastUsedTime, locale)) : t.unused;
  const expires = shown.expiresTime ? t.expires(day(shown.expiresTime, locale)) : t.endless;
  const { viewId, baseIds, orgId } = shown;
  const within = baseIds ? t.bases(baseIds.length) : orgId ? t.here : t.everywhere(shown.userName);
  const reach = viewId ? t.view : within;
  return (
    <li className="flex flex-wrap items-start gap-3.5 px-4 py-3.5">
      <Avatar name={shown.userName} id={shown.userId} size={34} />
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <span className="font-[560]">{shown.name}</span>
          <span className="text-muted"> · {shown.userName}</span>
        </p>
        <p className="text-[13px] text-muted">
          <span className="font-mono text-[12.5px]">
            {shown.prefix}…{shown.lastFour}
          </span>{" "}
          · {used} · {expires}
        </p>
        <ScopeList scopes={shown.scopes} />
        <p className="mt-1 text-[12.5px] text-faint">{reach}</p>
      </div>
      {shown.revocable && (
        <Button size="sm" aria-label={t.revokeOf(shown.name, shown.userName)} onClick={onRevoke}>
          {own.revoke}
        </Button>
      )}
    </li>
  );
}
