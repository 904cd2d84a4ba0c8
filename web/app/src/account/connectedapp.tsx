import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { useState } from "react";
import type { ConnectedApp } from "../api/account.ts";
import { revokeConnectedApp } from "../api/change.ts";
import { appsQuery } from "../api/query.ts";
import { ago, day } from "../locale/time.ts";
import { useAccountText } from "../text/account.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { EntityIcon } from "../ui/icon.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { ScopeList } from "./scopelist.tsx";
import { useLocale } from "../locale/locale.ts";

/** The domain that confirms an application's name, as on the consent screen. */
function VerifiedDomain({ domain }: { domain: string | undefined }) {
  const t = useAccountText().app;
  const tone = domain ? "bg-accent-soft text-accent-ink" : "bg-warn-soft text-warn";
  return (
    <span
      title={domain ? t.confirmed(domain) : t.unverifiedHint}
      className={`max-w-full truncate rounded-full px-2 py-0.5 text-[12px] ${tone}`}
    >
      {domain || t.unverified}
    </span>
  );
}

/** The applications that may act as the person. */
export function AppPage() {
  const t = useAccountText().app;
  const locale = useLocale();
  const apps = useQuery(appsQuery);
  const [revoking, setRevoking] = useState<ConnectedApp>();
  return (
    <Section title={t.title} body={t.body}>
      {apps.isPending ? (
        <Waiting />
      ) : apps.isError ? (
        <Failed error={apps.error} retry={() => void apps.refetch()} />
      ) : apps.data.length === 0 ? (
        <div className="rounded-lg border border-dashed border-line-strong">
          <Empty icon={<Plug size={22} aria-hidden />} title={t.emptyTitle} body={t.emptyBody} />
        </div>
      ) : (
        <Rows>
          {apps.data.map((app) => (
            <li key={app.id} className="flex flex-wrap items-center gap-4 px-4 py-3.5">
              <EntityIcon name={app.clientName} size={34} />
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-2">
                  <bdi className="min-w-0 truncate font-[560]">{app.clientName}</bdi>
                  <VerifiedDomain domain={app.domain} />
                </p>
                <p className="text-[13px] text-muted">
                  {t.first(day(app.firstAuthorizedTime, locale))}
                  {app.lastUsedTime && `, ${t.last(ago(app.lastUsedTime, locale))}`}
                </p>
                <ScopeList scopes={app.scopes} />
              </div>
              <Button size="sm" onClick={() => setRevoking(app)}>
                {t.revoke}
              </Button>
            </li>
          ))}
        </Rows>
      )}
      <Confirm
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={t.revokeTitle(revoking?.clientName ?? "")}
        body={t.revokeBody}
        action={t.revoke}
        onConfirm={async () => {
          if (!revoking) return;
          try {
            await revokeConnectedApp({ appId: revoking.id });
          } catch (error) {
            complain(error);
            throw error;
          }
          notify(t.revoked(revoking.clientName));
        }}
      />
    </Section>
  );
}
