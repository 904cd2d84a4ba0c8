import { UserPlus } from "lucide-react";
import { Suspense, useState } from "react";
import { deleteWorkspace, updateWorkspace } from "../api/change.ts";
import type { Workspace } from "../api/type.ts";
import { type Catalogue, useText } from "../text/index.ts";
import type { MenuPlace } from "../ui/lazymenu.tsx";
import { EntityMenu } from "./entitymenu.tsx";
import { preloadable } from "../ui/preloadable.tsx";

const AccessDialog = preloadable(async () => (await import("../permission/workspacedialog.tsx")).default, null);

const textsOf = (t: Catalogue["home"]) => ({
  rename: t.renameWorkspace,
  label: t.workspaceName,
  remove: t.deleteWorkspace,
  removeTitle: t.deleteWorkspaceTitle,
  removeBody: t.deleteWorkspaceBody,
});

type Props = { place: MenuPlace; orgId: string; workspace: Workspace; empty: boolean };

/** What can be done with a workspace, in the menu next to its name. */
export default function WorkspaceActions({ place, orgId, workspace, empty }: Props) {
  const t = useText().home;
  const [sharing, setSharing] = useState(false);
  return (
    <>
      <EntityMenu
        place={place}
        entity={workspace}
        texts={textsOf(t)}
        change={(body) => updateWorkspace({ workspaceId: workspace.id, body })}
        more={[{ icon: <UserPlus size={15} />, label: t.shareWorkspace, onSelect: () => setSharing(true) }]}
        remove={empty ? () => deleteWorkspace({ workspaceId: workspace.id }) : undefined}
      />
      <Suspense>
        {sharing && <AccessDialog orgId={orgId} workspace={workspace} onClose={() => setSharing(false)} />}
      </Suspense>
    </>
  );
}
