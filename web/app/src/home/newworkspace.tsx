import { useState } from "react";
import { createWorkspace } from "../api/change.ts";
import type { Org } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { NameDialog } from "../ui/rename.tsx";
import type { Tone } from "../ui/tone.ts";
import { TonePicker } from "../ui/tonepicker.tsx";

/** Asks for a name and a colour, and makes the workspace. */
export default function NewWorkspace({ onClose, org }: { onClose: () => void; org: Org }) {
  const t = useText().home;
  const [color, setColor] = useState<Tone>("teal");
  return (
    <NameDialog
      open
      onClose={onClose}
      title={t.newWorkspace}
      label={t.workspaceName}
      placeholder={t.workspaceNamePlaceholder}
      action={t.createWorkspace}
      onSave={(name) => createWorkspace({ body: { orgId: org.id, name, color } })}
    >
      <TonePicker label={t.color} value={color} onChange={setColor} />
    </NameDialog>
  );
}
