import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { navigate } from "../route/router.ts";
import { deleteOrg } from "../api/change.ts";
import { retentionQuery } from "../api/query.ts";
import type { Org } from "../api/type.ts";
import { useOrgText } from "../text/org.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Section } from "../ui/settings.tsx";
import { complain, notify } from "../ui/toast.ts";

/** Deletes the organization, after its name was typed. */
export function DeleteOrg({ org }: { org: Org }) {
  const t = useOrgText();
  const retention = useQuery(retentionQuery(org.id));
  const [confirming, setConfirming] = useState(false);
  const body = t.deleteBody(retention.data?.trashDays);
  return (
    <Section title={t.deleteTitle}>
      <div className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-surface p-4">
        <p className="max-w-[50ch] text-muted">{body}</p>
        <Button look="danger-quiet" className="border border-line-strong" onClick={() => setConfirming(true)}>
          {t.delete}
        </Button>
      </div>
      <Confirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t.deleteAsk(org.name)}
        body={body}
        action={t.delete}
        typed={org.name}
        onConfirm={async () => {
          try {
            await deleteOrg({ orgId: org.id }, { beforeRefresh: () => navigate({ to: "/" }) });
          } catch (error) {
            complain(error);
            throw error;
          }
          notify(t.deleted(org.name));
        }}
      />
    </Section>
  );
}
