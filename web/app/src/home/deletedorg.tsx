import { Building2 } from "lucide-react";
import { useState } from "react";
import { purgeOrg, restoreOrg } from "../api/change.ts";
import type { DeletedOrg } from "../api/type.ts";
import { PurgeQuestion, TrashRow } from "../change/trashrow.tsx";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { Rows } from "../ui/settings.tsx";
import { complain, notify } from "../ui/toast.ts";

/** The deleted organizations of their former owner, and the ways to get them back or be rid of them. */
export default function DeletedOrgs({ orgs }: { orgs: DeletedOrg[] }) {
  const text = useText();
  const changes = useChangeText();
  const [busy, setBusy] = useState<string>();
  const [purging, setPurging] = useState<DeletedOrg>();
  const restore = async (org: DeletedOrg) => {
    setBusy(org.id);
    try {
      await restoreOrg({ deletedOrgId: org.id });
      notify(changes.trashPage.restored(org.name));
    } catch (error) {
      complain(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <section className="mt-12" aria-label={text.home.deletedOrgs}>
      <h2 className="mb-3 text-[14px] text-muted">{text.home.deletedOrgs}</h2>
      <Rows>
        {orgs.map((org) => (
          <TrashRow
            key={org.id}
            item={org}
            icon={Building2}
            name={org.name}
            busy={busy === org.id}
            onRestore={() => void restore(org)}
            onPurge={() => setPurging(org)}
          />
        ))}
      </Rows>
      <PurgeQuestion
        name={purging?.name}
        onClose={() => setPurging(undefined)}
        purge={async () => purging && purgeOrg({ deletedOrgId: purging.id })}
      />
    </section>
  );
}
