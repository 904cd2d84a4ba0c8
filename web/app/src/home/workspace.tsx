import { Ellipsis, Pencil, Smile, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { patch, post, Problem, remove } from "../api/client.ts";
import { cache } from "../api/query.ts";
import type { Icon, Org, Workspace } from "../api/type.ts";
import { text } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm, Dialog } from "../ui/dialog.tsx";
import { Input, Row } from "../ui/form.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { NameDialog } from "../ui/rename.tsx";
import { complain, tell } from "../ui/toast.tsx";
import type { Tone } from "../ui/tone.ts";
import { TonePicker } from "../ui/tonepicker.tsx";

const IconDialog = lazy(() => import("./icondialog.tsx"));
const t = text.home;

const refresh = (org: Org) => cache.invalidateQueries({ queryKey: ["workspaces", org.id] });

export function WorkspaceMenu({ org, workspace, empty }: { org: Org; workspace: Workspace; empty: boolean }) {
  const [dialog, setDialog] = useState<"rename" | "icon" | "delete" | null>(null);
  const close = () => setDialog(null);
  const change = async (body: { name?: string; icon?: Icon }) => {
    await patch(`/workspaces/${workspace.id}`, body);
    await refresh(org);
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={t.baseMenu(workspace.name)}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={15} />} onSelect={() => setDialog("rename")}>
          {t.rename}
        </MenuItem>
        <MenuItem icon={<Smile size={15} />} onSelect={() => setDialog("icon")}>
          {t.changeIcon}
        </MenuItem>
        {empty && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setDialog("delete")}>
              {t.deleteWorkspace}
            </MenuItem>
          </>
        )}
      </Menu>
      <NameDialog open={dialog === "rename"} onClose={close} title={t.renameWorkspace} label={t.workspaceName} name={workspace.name} onSave={(name) => change({ name })} />
      <Suspense>
        {dialog === "icon" && <IconDialog onClose={close} icon={workspace.icon} name={workspace.name} onSave={(icon) => change({ icon })} />}
      </Suspense>
      <Confirm
        open={dialog === "delete"}
        onClose={close}
        title={t.deleteWorkspaceTitle(workspace.name)}
        body={t.deleteWorkspaceBody}
        action={t.deleteWorkspace}
        onConfirm={async () => {
          try {
            await remove(`/workspaces/${workspace.id}`);
          } catch (error) {
            complain(error);
            throw error;
          }
          tell(t.deleted(workspace.name));
          await refresh(org);
        }}
      />
    </>
  );
}

export function NewWorkspace({ open, onClose, org }: { open: boolean; onClose: () => void; org: Org }) {
  return (
    <Dialog open={open} onClose={onClose} title={t.newWorkspace}>
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
          await refresh(org);
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
