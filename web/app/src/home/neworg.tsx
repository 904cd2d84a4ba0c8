import { post } from "../api/client.ts";
import { cache } from "../api/query.ts";
import { text } from "../text/index.ts";
import { NameDialog } from "../ui/rename.tsx";

const t = text.home;

/** Asks for a name, and makes an organization that the person owns. */
export default function NewOrg({ onClose }: { onClose: () => void }) {
  return (
    <NameDialog
      open
      onClose={onClose}
      title={t.newOrg}
      label={t.orgName}
      placeholder={t.orgNamePlaceholder}
      action={t.createOrg}
      onSave={async (name) => {
        await post("/orgs", { name });
        await Promise.all(["me", "orgs", "bases"].map((key) => cache.invalidateQueries({ queryKey: [key] })));
      }}
    />
  );
}
