import { Ellipsis, Pencil, Smile, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { patch, remove } from "../api/client.ts";
import { cache } from "../api/query.ts";
import type { Icon, Org, Workspace } from "../api/type.ts";
import { text } from "../text/index.ts";
import { Confirm, NameDialog } from "../ui/ask.tsx";
import { IconButton } from "../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { complain, tell } from "../ui/toast.ts";

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
