import { useState } from "react";
import { post, Problem } from "../api/client.ts";
import { cache } from "../api/query.ts";
import type { Org } from "../api/type.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row } from "../ui/form.tsx";
import type { Tone } from "../ui/tone.ts";
import { TonePicker } from "../ui/tonepicker.tsx";

const t = text.home;

/** Asks for a name and a colour, and makes the workspace. */
export default function NewWorkspace({ onClose, org }: { onClose: () => void; org: Org }) {
  return (
    <Dialog open onClose={onClose} title={t.newWorkspace}>
      <NewWorkspaceForm onClose={onClose} org={org} />
    </Dialog>
  );
}

function NewWorkspaceForm({ onClose, org }: { onClose: () => void; org: Org }) {
  const [name, setName] = useState("");
  const [color, setColor] = useState<Tone>("teal");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={async (event) => {
        event.preventDefault();
        if (!name.trim() || busy) return;
        setBusy(true);
        try {
          await post("/workspaces", { orgId: org.id, name: name.trim(), color });
          await cache.invalidateQueries({ queryKey: ["workspaces", org.id] });
          onClose();
        } catch (failure) {
          setError(Problem.from(failure).message);
        } finally {
          setBusy(false);
        }
      }}
    >
      <Row label={t.workspaceName} error={error}>
        {(at) => <Input {...at} autoComplete="off" maxLength={200} value={name} placeholder={t.workspaceNamePlaceholder} onChange={(e) => setName(e.target.value)} />}
      </Row>
      <TonePicker label={t.color} value={color} onChange={setColor} />
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" disabled={!name.trim()} busy={busy}>
          {t.createWorkspace}
        </Button>
      </div>
    </form>
  );
}
