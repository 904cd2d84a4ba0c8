import { useQuery } from "@tanstack/react-query";
import { Building2, FolderPlus, LayoutGrid, LayoutTemplate, Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { Link } from "../route/link.tsx";
import { basesQuery, deletedOrgsQuery, orgsQuery, profileQuery, workspacesQuery } from "../api/query.ts";
import type { BaseSummary, Org, Workspace } from "../api/type.ts";
import { atLeast } from "../access/role.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { EntityIcon } from "../ui/icon.tsx";
import { Empty, Failed } from "../ui/state.tsx";
import { toneFrom } from "../ui/tone.ts";
import type { Source } from "./newbase.tsx";
import { OwnBases } from "./ownbases.tsx";
import { BaseMenu, WorkspaceMenu } from "./tilemenu.tsx";
import { join } from "../ui/class.ts";
import { preloadable } from "../ui/preloadable.tsx";

const NewBase = preloadable(async () => (await import("./newbase.tsx")).default, null);
const NewWorkspace = preloadable(async () => (await import("./newworkspace.tsx")).default, null);
const DeletedOrgs = preloadable(async () => (await import("./deletedorg.tsx")).default, null);
const NewOrg = preloadable(async () => (await import("./neworg.tsx")).default, null);

/** The first page: every organization with its workspaces and bases. */
export function HomePage() {
  const text = useText();
  const t = text.home;
  const orgs = useQuery(orgsQuery);
  const profile = useQuery(profileQuery);
  const deleted = useQuery(deletedOrgsQuery);
  const [making, setMaking] = useState(false);
  if (orgs.isError) return <Failed error={orgs.error} retry={() => void orgs.refetch()} />;
  return (
    <div className="mx-auto max-w-[1120px] px-5 py-8 sm:px-8 sm:py-10">
      <title>{`${t.title} · ${text.name}`}</title>
      <h1 className="mb-8 text-[26px] leading-tight">{t.greeting(profile.data?.name?.split(" ")[0] ?? "")}</h1>
      {orgs.isPending ? (
        <Skeletons />
      ) : orgs.data.length === 0 ? (
        <Empty
          icon={<Building2 size={22} aria-hidden />}
          title={t.noOrgTitle}
          body={t.noOrgBody}
          action={
            <Button look="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setMaking(true)}>
              {t.createOrg}
            </Button>
          }
        />
      ) : (
        <>
          <OwnBases />
          {orgs.data.map((org) => (
            <OrgSection key={org.id} org={org} />
          ))}
          <Button look="quiet" icon={<Building2 size={16} aria-hidden />} onClick={() => setMaking(true)}>
            {t.newOrg}
          </Button>
        </>
      )}
      {deleted.data && deleted.data.length > 0 && (
        <Suspense>
          <DeletedOrgs orgs={deleted.data} />
        </Suspense>
      )}
      <Suspense>{making && <NewOrg onClose={() => setMaking(false)} />}</Suspense>
    </div>
  );
}

function Skeletons() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(240px,1fr))] gap-3" aria-hidden>
      {[0, 1, 2, 3].map((n) => (
        <div key={n} className="skeleton h-22" />
      ))}
    </div>
  );
}

function OrgSection({ org }: { org: Org }) {
  const text = useText();
  const t = text.home;
  const workspaces = useQuery(workspacesQuery(org.id));
  const bases = useQuery(basesQuery);
  const [dialog, setDialog] = useState<"base" | "workspace" | null>(null);
  const [into, setInto] = useState<Workspace>();
  const [from, setFrom] = useState<Source>();
  const admin = atLeast(org.role, "admin");
  const list = bases.data?.filter((base) => base.orgId === org.id) ?? [];
  return (
    <section className="mb-12" aria-label={org.name}>
      <header className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-3 sm:gap-x-3 border-b border-line pb-3">
        <h2 className="flex min-w-0 flex-1 basis-full items-center gap-2.5 text-[16px] sm:basis-0">
          {org.icon ? (
            <EntityIcon icon={org.icon} name={org.name} size={24} />
          ) : (
            <Building2 size={17} className="shrink-0 text-faint" aria-hidden />
          )}
          <span className="truncate">{org.name}</span>
          <span className="rounded-full bg-sunken px-2 text-[12px] font-normal text-muted">
            {text.shell.role[org.role]}
          </span>
        </h2>
        {org.role !== "guest" && (
          <Button
            look="quiet"
            render={<Link to="/org/$orgId/members" params={{ orgId: org.id }} />}
          >
            {text.home.members}
          </Button>
        )}
        {admin && (
          <>
            <Button
              className="max-sm:[&_svg]:hidden"
              icon={<FolderPlus size={16} aria-hidden />}
              onClick={() => setDialog("workspace")}
            >
              {t.newWorkspace}
            </Button>
            <Button
              look="primary"
              icon={<Plus size={16} aria-hidden />}
              onClick={() => {
                setInto(undefined);
                setFrom(undefined);
                setDialog("base");
              }}
            >
              {t.newBase}
            </Button>
          </>
        )}
      </header>
      {workspaces.isError && <Failed error={workspaces.error} retry={() => void workspaces.refetch()} />}
      {(workspaces.isPending || bases.isPending) && <Skeletons />}
      {bases.isSuccess && workspaces.data?.length === 0 && org.role === "guest" && (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-6 text-center text-muted">
          {t.emptyGuest}
        </p>
      )}
      {bases.isSuccess &&
        workspaces.data?.map((workspace) => (
          <WorkspaceSection
            key={workspace.id}
            org={org}
            workspace={workspace}
            workspaces={workspaces.data}
            bases={list.filter((base) => base.workspaceId === workspace.id)}
            onNewBase={(source) => {
              setInto(workspace);
              setFrom(source);
              setDialog("base");
            }}
          />
        ))}
      <Suspense>
        {dialog === "base" && (
          <NewBase onClose={() => setDialog(null)} workspaces={workspaces.data ?? []} into={into} from={from} />
        )}
        {dialog === "workspace" && <NewWorkspace onClose={() => setDialog(null)} org={org} />}
      </Suspense>
    </section>
  );
}

type SectionProps = {
  org: Org;
  workspace: Workspace;
  workspaces: Workspace[];
  bases: BaseSummary[];
  onNewBase: (source?: Source) => void;
};

function WorkspaceSection({ org, workspace, workspaces, bases, onNewBase }: SectionProps) {
  const t = useText().home;
  const admin = atLeast(org.role, "admin");
  return (
    <section className="mb-8" aria-label={workspace.name}>
      <div className="mb-3 flex h-8 items-center gap-2">
        <EntityIcon icon={workspace.icon} name={workspace.name} tone={toneFrom(workspace.color)} size={22} />
        <h3 className="truncate text-[14px]">{workspace.name}</h3>
        {admin && <WorkspaceMenu orgId={org.id} workspace={workspace} empty={bases.length === 0} />}
      </div>
      {bases.length === 0 && !admin ? (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-6 text-center text-muted">
          {t.emptyViewer}
        </p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(240px,100%),1fr))] gap-3">
          {bases.map((base) => (
            <li key={base.id} className="group relative">
              <Link
                to="/base/$baseId"
                params={{ baseId: base.id }}
                className={join(
                  "flex h-20 items-center gap-3.5 rounded-lg border border-line bg-surface",
                  "pr-10 pl-4 shadow-low transition-colors hover:border-line-strong",
                )}
              >
                <EntityIcon icon={base.icon} name={base.name} size={42} />
                <span className="line-clamp-2 min-w-0 font-[560]">{base.name}</span>
              </Link>
              {admin && <BaseMenu base={base} workspaces={workspaces} />}
            </li>
          ))}
          {admin && (
            <li>
              <button
                type="button"
                onClick={() => onNewBase()}
                className={join(
                  "flex h-20 w-full items-center gap-3.5 rounded-lg border border-dashed border-line-strong",
                  "px-4 text-left text-muted transition-colors hover:border-accent hover:text-ink",
                )}
              >
                <span className="grid size-10.5 place-items-center rounded-lg bg-sunken">
                  {bases.length === 0 ? <LayoutGrid size={18} aria-hidden /> : <Plus size={18} aria-hidden />}
                </span>
                <span>
                  <span className="block font-[560]">{t.newBase}</span>
                  {bases.length === 0 && <span className="block text-[12.5px] text-faint">{t.emptyTitle}</span>}
                </span>
              </button>
            </li>
          )}
          {admin && bases.length === 0 && (
            <li>
              <button
                type="button"
                onClick={() => onNewBase("template")}
                className={join(
                  "flex h-20 w-full items-center gap-3.5 rounded-lg border border-dashed border-line-strong",
                  "px-4 text-left text-muted transition-colors hover:border-accent hover:text-ink",
                )}
              >
                <span className="grid size-10.5 place-items-center rounded-lg bg-sunken">
                  <LayoutTemplate size={18} aria-hidden />
                </span>
                <span>
                  <span className="block font-[560]">{t.template}</span>
                  <span className="block text-[12.5px] text-faint">{t.templateHint}</span>
                </span>
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
