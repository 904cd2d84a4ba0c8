import { Ellipsis } from "lucide-react";
import { lazy } from "react";
import { patch, remove } from "../api/client.ts";
import { cache } from "../api/query.ts";
import type { BaseSummary, Icon, Org, Workspace } from "../api/type.ts";
import { text } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { LateMenu } from "../ui/latemenu.tsx";

const load = () => import("./entitymenu.tsx");
const EntityMenu = lazy(load);
const t = text.home;

const baseWords = { rename: t.renameBase, label: t.baseName, remove: t.deleteBase, removeTitle: t.deleteBaseTitle, removeBody: t.deleteBaseBody };
const workspaceWords = { rename: t.renameWorkspace, label: t.workspaceName, remove: t.deleteWorkspace, removeTitle: t.deleteWorkspaceTitle, removeBody: t.deleteWorkspaceBody };

/** The menu on a base's tile. */
export function BaseMenu({ base, workspaces }: { base: BaseSummary; workspaces: Workspace[] }) {
  const change = async (body: { name?: string; icon?: Icon; workspaceId?: string }) => {
    await patch(`/bases/${base.id}`, body);
    await Promise.all([cache.invalidateQueries({ queryKey: ["bases"] }), cache.invalidateQueries({ queryKey: ["base", base.id] })]);
  };
  return (
    <div className="absolute top-1/2 right-2.5 -translate-y-1/2">
      <LateMenu
        ahead={() => void load()}
        trigger={
          <IconButton label={t.baseMenu(base.name)}>
            <Ellipsis size={17} aria-hidden />
          </IconButton>
        }
      >
        {(place) => (
          <EntityMenu
            place={place}
            align="end"
            entity={base}
            words={baseWords}
            change={change}
            moves={workspaces
              .filter((workspace) => workspace.id !== base.workspaceId)
              .map(({ id, name }) => ({ id, name, move: () => change({ workspaceId: id }) }))}
            typed
            remove={async () => {
              await remove(`/bases/${base.id}`);
              await cache.invalidateQueries({ queryKey: ["bases"] });
            }}
          />
        )}
      </LateMenu>
    </div>
  );
}

/** The menu beside a workspace's name. It can be deleted while it is empty. */
export function WorkspaceMenu({ org, workspace, empty }: { org: Org; workspace: Workspace; empty: boolean }) {
  const refresh = () => cache.invalidateQueries({ queryKey: ["workspaces", org.id] });
  return (
    <LateMenu
      ahead={() => void load()}
      trigger={
        <IconButton size="sm" label={t.baseMenu(workspace.name)}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    >
      {(place) => (
        <EntityMenu
          place={place}
          entity={workspace}
          words={workspaceWords}
          change={async (body) => {
            await patch(`/workspaces/${workspace.id}`, body);
            await refresh();
          }}
          remove={
            empty
              ? async () => {
                  await remove(`/workspaces/${workspace.id}`);
                  await refresh();
                }
              : undefined
          }
        />
      )}
    </LateMenu>
  );
}
