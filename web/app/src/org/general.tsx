import { useQuery } from "@tanstack/react-query";
import { type FormEvent, Suspense, useState } from "react";
import { navigate, useParams } from "../route/router.ts";
import { isLost } from "../api/lost.ts";
import { leaveOrg, updateOrg } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { orgsQuery } from "../api/query.ts";
import type { Icon, Org } from "../api/type.ts";
import { DeleteOrg } from "./deleteorg.tsx";
import { useOrgText } from "../text/org.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Input, Row } from "../ui/form.tsx";
import { EntityIcon } from "../ui/icon.tsx";
import { preloadable } from "../ui/preloadable.tsx";
import { Section } from "../ui/settings.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";

const IconDialog = preloadable(async () => (await import("../ui/icondialog.tsx")).default, null);

export function OrgGeneral() {
  const text = useText();
  const { orgId } = useParams("/org/$orgId");
  const orgs = useQuery(orgsQuery);
  if (orgs.isPending) return <Waiting />;
  if (isLost(orgs) || !orgs.data) return <Failed error={orgs.error} retry={() => void orgs.refetch()} />;
  const org = orgs.data.find((one) => one.id === orgId);
  if (!org) return <Failed error={new Problem(404, "not_found", text.failure.pageTitle, text.failure.page)} />;
  return (
    <>
      <NameForm key={org.name} org={org} />
      <Leave org={org} />
      {org.role === "owner" && <DeleteOrg org={org} />}
    </>
  );
}

function NameForm({ org }: { org: Org }) {
  const text = useText();
  const t = useOrgText();
  const [name, setName] = useState(org.name);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await updateOrg({ orgId: org.id, body: { name: name.trim() } });
      notify(t.nameSaved);
    } catch (failure) {
      setError(Problem.from(failure).message);
    } finally {
      setBusy(false);
    }
  };
  const owner = org.role === "owner";
  return (
    <Section title={t.tabs.general}>
      <form onSubmit={(event) => void submit(event)} className="flex max-w-[460px] flex-col gap-5">
        <OrgIcon org={org} changes={owner} />
        <Row label={t.name} error={error}>
          {(at) => (
            <Input
              {...at}
              readOnly={!owner}
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Row>
        <Row label={t.id} hint={t.idHint}>
          {(at) => (
            <Input
              {...at}
              readOnly
              value={org.id}
              className="font-mono text-[13px]"
              onFocus={(event) => event.target.select()}
            />
          )}
        </Row>
        {owner && (
          <div>
            <Button type="submit" look="primary" busy={busy} disabled={!name.trim() || name.trim() === org.name}>
              {text.action.save}
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}

/** The icon or picture of the organization, which its owners change. */
function OrgIcon({ org, changes }: { org: Org; changes: boolean }) {
  const t = useText().home;
  const [choosing, setChoosing] = useState(false);
  const save = (icon: Icon) => updateOrg({ orgId: org.id, body: { icon } });
  return (
    <div className="flex items-center gap-4">
      <EntityIcon icon={org.icon} name={org.name} size={56} />
      {changes && <Button onClick={() => setChoosing(true)}>{t.changeIcon}</Button>}
      <Suspense>
        {choosing && (
          <IconDialog onClose={() => setChoosing(false)} icon={org.icon} name={org.name} onSave={save} />
        )}
      </Suspense>
    </div>
  );
}

function Leave({ org }: { org: Org }) {
  const t = useOrgText();
  const [confirming, setConfirming] = useState(false);
  return (
    <Section title={t.dangerTitle}>
      <div className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-surface p-4">
        <p className="max-w-[50ch] text-muted">{t.leaveBody}</p>
        <Button look="danger-quiet" className="border border-line-strong" onClick={() => setConfirming(true)}>
          {t.leave}
        </Button>
      </div>
      <Confirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t.leaveTitle(org.name)}
        body={t.leaveBody}
        action={t.leave}
        typed={org.name}
        onConfirm={async () => {
          try {
            await leaveOrg({ orgId: org.id }, { beforeRefresh: () => navigate({ to: "/" }) });
          } catch (error) {
            complain(error);
            throw error;
          }
          notify(t.left);
        }}
      />
    </Section>
  );
}
