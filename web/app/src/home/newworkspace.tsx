import { useState } from "react";
import { post } from "../api/client.ts";
import { cache } from "../api/query.ts";
import type { Org } from "../api/type.ts";
import { text } from "../text/index.ts";
import { NameDialog } from "../ui/rename.tsx";
import type { Tone } from "../ui/tone.ts";
import { TonePicker } from "../ui/tonepicker.tsx";

const t = text.home;

/** Asks for a name and a colour, and makes the workspace. */
export default function NewWorkspace({ onClose, org }: { onClose: () => void; org: Org }) {
  const [color, setColor] = useState<Tone>("teal");
  return (
    <NameDialog
      open
      onClose={onClose}
      title={t.newWorkspace}
      label={t.workspaceName}
      placeholder={t.workspaceNamePlaceholder}
      action={t.createWorkspace}
      onSave={async (name) => {
        await post("/workspaces", { orgId: org.id, name, color });
        await cache.invalidateQueries({ queryKey: ["workspaces", org.id] });
      }}
    >
      <TonePicker label={t.color} value={color} onChange={setColor} />
    </NameDialog>
  );
}
