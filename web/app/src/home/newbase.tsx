import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post, Problem } from "../api/client.ts";
import { useOnce } from "../api/once.ts";
import { cache } from "../api/query.ts";
import type { Answer, Body, Workspace } from "../api/type.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row, Select } from "../ui/form.tsx";

const t = text.home;

type Props = { onClose: () => void; workspaces: Workspace[]; into?: Workspace };

/** Asks for a name and a workspace, makes the base and opens it. */
export default function NewBase(props: Props) {
  return (
    <Dialog open onClose={props.onClose} title={t.newBase}>
      <NewBaseForm {...props} />
    </Dialog>
  );
}

function NewBaseForm({ onClose, workspaces, into }: Props) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [workspaceId, setWorkspaceId] = useState(into?.id ?? workspaces[0]?.id ?? "");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const once = useOnce();
  const create = async () => {
    setBusy(true);
    try {
      const body: Body<"create_base"> = { name: name.trim(), workspaceId };
      const { id } = await post<Answer<"create_base">>("/bases", body, once.header(body));
      await cache.invalidateQueries({ queryKey: ["bases"] });
      onClose();
      await navigate({ to: "/base/$baseId", params: { baseId: id } });
    } catch (error) {
      setProblem(Problem.from(error));
      setBusy(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() && !busy) void create();
      }}
    >
      <Row label={t.baseName} error={problem?.message}>
        {(at) => <Input {...at} autoComplete="off" maxLength={200} value={name} placeholder={t.baseNamePlaceholder} onChange={(e) => setName(e.target.value)} />}
      </Row>
      {workspaces.length > 1 && (
        <Row label={t.workspace}>
          {(at) => (
            <Select {...at} value={workspaceId} onChange={(e) => setWorkspaceId(e.target.value)}>
              {workspaces.map((workspace) => (
                <option key={workspace.id} value={workspace.id}>
                  {workspace.name}
                </option>
              ))}
            </Select>
          )}
        </Row>
      )}
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" disabled={!name.trim()} busy={busy}>
          {t.createBase}
        </Button>
      </div>
    </form>
  );
}
