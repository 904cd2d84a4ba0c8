import { createOrg } from "../api/change.ts";
import { useText } from "../text/index.ts";
import { NameDialog } from "../ui/rename.tsx";

/** Asks for a name, and makes an organization that the person owns. */
export default function NewOrg({ onClose }: { onClose: () => void }) {
  const t = useText().home;
  return (
    <NameDialog
      open
      onClose={onClose}
      title={t.newOrg}
      label={t.orgName}
      placeholder={t.orgNamePlaceholder}
      action={t.createOrg}
      onSave={(name) => createOrg({ body: { name } })}
    />
  );
}
