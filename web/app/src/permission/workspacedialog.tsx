import { useQuery } from "@tanstack/react-query";
import { setWorkspaceAccess } from "../api/change.ts";
import { meQuery, workspaceAccessQuery } from "../api/query.ts";
import type { Schemas, Workspace } from "../api/type.ts";
import { usePermissionText } from "../text/permission.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { type AccessChange, AddGrant, Grants, OpenSwitch } from "./grants.tsx";
import { useSubjects } from "./subject.ts";

type Props = { orgId: string; workspace: Workspace; onClose: () => void };

/** Who has which role in all bases of a workspace. */
export default function WorkspaceAccessDialog({ orgId, workspace, onClose }: Props) {
  const t = usePermissionText().workspace;
  const access = useQuery(workspaceAccessQuery(workspace.id));
  return (
    <Dialog open onClose={onClose} title={t.title(workspace.name)} description={t.body} size="md">
      {access.isPending ? (
        <Waiting />
      ) : access.isError ? (
        <Failed error={access.error} retry={() => void access.refetch()} />
      ) : (
        <People orgId={orgId} workspaceId={workspace.id} access={access.data} />
      )}
    </Dialog>
  );
}

type PeopleProps = { orgId: string; workspaceId: string; access: Schemas["WorkspaceAccess"] };

function People({ orgId, workspaceId, access: { restricted, grants } }: PeopleProps) {
  const t = usePermissionText().workspace;
  const subjects = useSubjects(orgId);
  const you = useQuery(meQuery).data?.id ?? "";
  const change = (body: AccessChange) => setWorkspaceAccess({ workspaceId, body });
  return (
    <>
      <OpenSwitch
        restricted={restricted}
        change={change}
        hint={restricted ? t.restrictedHint : t.openHint}
        restrictTitle={t.restrictTitle}
        openTitle={t.openTitle}
      />
      {grants.length > 0 ? (
        <ul
          aria-label={t.people}
          className="mt-4 max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line"
        >
          <Grants grants={grants} you={you} change={change} changed={t.changed} removed={t.removed} />
        </ul>
      ) : (
        <p className="mt-4 rounded-lg border border-dashed border-line-strong px-4 py-4 text-center text-muted">
          {t.none}
        </p>
      )}
      <AddGrant grants={grants} all={subjects} change={change} changed={t.changed} />
    </>
  );
}
