import { Ellipsis } from "lucide-react";
import { lazy } from "react";
import type { BaseSummary, Workspace } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { LazyMenu } from "../ui/lazymenu.tsx";

const loadBase = () => import("./baseactions.tsx");
const BaseActions = lazy(loadBase);
const loadWorkspace = () => import("./workspaceactions.tsx");
const WorkspaceActions = lazy(loadWorkspace);

/** The menu on a base's tile. */
export function BaseMenu({ base, workspaces }: { base: BaseSummary; workspaces: Workspace[] }) {
  const t = useText().home;
  const trigger = (
    <IconButton label={t.baseMenu(base.name)}>
      <Ellipsis size={17} aria-hidden />
    </IconButton>
  );
  return (
    <div className="absolute top-1/2 right-2.5 -translate-y-1/2">
      <LazyMenu preload={() => void loadBase()} trigger={trigger}>
        {(place) => <BaseActions place={place} base={base} workspaces={workspaces} />}
      </LazyMenu>
    </div>
  );
}

/** The menu next to a workspace's name. A workspace can be deleted while it is empty. */
export function WorkspaceMenu({ orgId, workspace, empty }: { orgId: string; workspace: Workspace; empty: boolean }) {
  const t = useText().home;
  const trigger = (
    <IconButton size="sm" label={t.baseMenu(workspace.name)}>
      <Ellipsis size={16} aria-hidden />
    </IconButton>
  );
  return (
    <LazyMenu preload={() => void loadWorkspace()} trigger={trigger}>
      {(place) => <WorkspaceActions place={place} orgId={orgId} workspace={workspace} empty={empty} />}
    </LazyMenu>
  );
}
