import { Ellipsis, FolderInput, Pencil, Smile, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { patch, remove } from "../api/client.ts";
import { cache } from "../api/query.ts";
import type { BaseSummary, Icon, Workspace } from "../api/type.ts";
import { text } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { Confirm, NameDialog } from "../ui/ask.tsx";
import { Menu, MenuHeading, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { complain, tell } from "../ui/toast.ts";

const IconDialog = lazy(() => import("./icondialog.tsx"));
const t = text.home;

/** What an admin can do with a base from its tile. */
export function BaseMenu({ base, workspaces }: { base: BaseSummary; workspaces: Workspace[] }) {
  const [dialog, setDialog] = useState<"rename" | "icon" | "delete" | null>(null);
  const close = () => setDialog(null);
  const change = async (body: { name?: string; icon?: Icon; workspaceId?: string }) => {
    await patch(`/bases/${base.id}`, body);
    await Promise.all([cache.invalidateQueries({ queryKey: ["bases"] }), cache.invalidateQueries({ queryKey: ["base", base.id] })]);
  };
  const others = workspaces.filter((workspace) => workspace.id !== base.workspaceId);
  return (
    <>
      <div className="absolute top-1/2 right-2.5 -translate-y-1/2">
        <Menu
          align="end"
          trigger={
            <IconButton label={t.baseMenu(base.name)}>
              <Ellipsis size={17} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem icon={<Pencil size={15} />} onSelect={() => setDialog("rename")}>
            {t.rename}
          </MenuItem>
          <MenuItem icon={<Smile size={15} />} onSelect={() => setDialog("icon")}>
            {t.changeIcon}
          </MenuItem>
          {others.length > 0 && (
            <>
              <MenuSeparator />
              <MenuHeading>{t.moveTo}</MenuHeading>
              {others.map((workspace) => (
                <MenuItem key={workspace.id} icon={<FolderInput size={15} />} onSelect={() => void change({ workspaceId: workspace.id }).catch(complain)}>
                  {workspace.name}
                </MenuItem>
              ))}
            </>
          )}
          <MenuSeparator />
          <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setDialog("delete")}>
            {t.deleteBase}
          </MenuItem>
        </Menu>
      </div>
      <NameDialog open={dialog === "rename"} onClose={close} title={t.renameBase} label={t.baseName} name={base.name} onSave={(name) => change({ name })} />
      <Suspense>
        {dialog === "icon" && <IconDialog onClose={close} icon={base.icon} name={base.name} onSave={(icon) => change({ icon })} />}
      </Suspense>
      <Confirm
        open={dialog === "delete"}
        onClose={close}
        title={t.deleteBaseTitle(base.name)}
        body={t.deleteBaseBody}
        action={t.deleteBase}
        typed={base.name}
        onConfirm={async () => {
          try {
            await remove(`/bases/${base.id}`);
          } catch (error) {
            complain(error);
            throw error;
          }
          tell(t.deleted(base.name));
          await cache.invalidateQueries({ queryKey: ["bases"] });
        }}
      />
    </>
  );
}
