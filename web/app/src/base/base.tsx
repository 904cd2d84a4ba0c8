import { useQuery } from "@tanstack/react-query";
import { Archive, Ellipsis, FileDown, History, Lock, Plug, Share2, Terminal, Trash2, Webhook } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { Link } from "../route/link.tsx";
import { Outlet } from "../route/outlet.tsx";
import { useParams, usePath } from "../route/router.ts";
import { isLost } from "../api/lost.ts";
import { Problem } from "../api/problem.ts";
import { baseQuery, basesQuery, membersQuery } from "../api/query.ts";
import type { Field, Table } from "../api/type.ts";
import { useLocale } from "../locale/locale.ts";
import { atLeastInBase } from "../access/role.ts";
import { useLinkNames } from "../record/linkname.ts";
import { useLive } from "../record/live.ts";
import { useText } from "../text/index.ts";
import { UndoKeys } from "../change/undokeys.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Menu, MenuItem, MenuLink } from "../ui/lazypopup.tsx";
import { EntityIcon } from "../ui/icon.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { type OpenBase, BaseContext } from "../access/base.ts";
import { beginBaseExport } from "../job/begin.ts";
import { JobTray } from "../job/tray.tsx";
import { useJobText } from "../text/job.ts";
import { Favorite } from "./favorite.tsx";
import { PresentPeople } from "./present.tsx";
import { PasteTable } from "./pastetable.tsx";
import { DropImport } from "./dropimport.tsx";
import { TableTabs } from "./tabs.tsx";
import { ViewAsBar } from "./viewasbar.tsx";
import { preloadable } from "../ui/preloadable.tsx";

const ShareMenu = preloadable(async () => (await import("./share.tsx")).default, null);

/** Finds a field of some tables by its id. */
function fieldFinder(tables: Table[]): (id: string) => Field | undefined {
  const fields = new Map(tables.flatMap((table) => table.fields.map((field) => [field.id, field])));
  return (id) => fields.get(id);
}

/**
 * An open base: its name and actions on top, its tables as tabs, and what the route shows below.
 */
export function BasePage() {
  const text = useText();
  const t = useJobText();
  const { baseId } = useParams("/base/$baseId");
  const base = useQuery(baseQuery(baseId));
  const bases = useQuery(basesQuery);
  const summary = bases.data?.find((one) => one.id === baseId);
  const orgId = summary?.orgId ?? null;
  const members = useQuery({ ...membersQuery(orgId ?? ""), enabled: orgId !== null });
  const [sharing, setSharing] = useState(false);
  const page = usePath().split("/")[3];
  const on = "bg-accent-soft text-accent-ink!";

  const locale = useLocale();
  useLive(base.data?.id);
  const { names, version } = useLinkNames(base.data);
  const opened = useMemo<OpenBase | null>(
    () =>
      base.data && names
        ? {
            base: base.data,
            orgId,
            role: base.data.role,
            names,
            people: {
              locale,
              timeZone: base.data.timeZone,
              people: (members.data ?? []).map((member) => ({
                id: member.userId,
                name: member.name,
                email: member.email,
              })),
              nameOf: (recordId) => names.get(recordId),
              fieldOf: fieldFinder(base.data.tables),
            },
          }
        : null,
    // The version represents the content of the store of names.
    // oxlint-disable-next-line react/exhaustive-deps
    [base.data, locale, members.data, names, version, orgId],
  );
  const home = (
    <Button render={<Link to="/" />}>
      {text.failure.home}
    </Button>
  );
  // It was open before.
  if (isLost(base) && base.data && Problem.from(base.error).status === 404)
    return (
      <Empty
        icon={<Lock size={22} aria-hidden />}
        title={text.base.noAccess}
        body={text.base.noAccessBody}
        action={home}
      />
    );
  if (isLost(base))
    return (
      <Failed
        error={base.error}
        retry={() => void base.refetch()}
        action={home}
      />
    );
  if (!opened) return <Waiting />;
  return (
    <BaseContext value={opened}>
      <div className="flex h-full min-w-0 flex-col">
        <ViewAsBar />
        <header className="flex h-13 shrink-0 items-center gap-3 border-b border-line bg-canvas px-4">
          <EntityIcon icon={summary?.icon} name={opened.base.name} size={26} />
          <h1 className="min-w-0 flex-1 truncate text-[16px]">{opened.base.name}</h1>
          <Favorite baseId={baseId} />
          <PresentPeople />
          <JobTray />
          <Button
            look="quiet"
            render={<Link to="/base/$baseId/api" params={{ baseId }} />}
            className={page === "api" ? on : ""}
            icon={<Plug size={15} aria-hidden />}
          >
            <span className="max-sm:sr-only">{text.base.api}</span>
          </Button>
          <Menu
            align="end"
            trigger={
              <IconButton
                label={text.base.more}
                className={["changes", "trash", "webhooks", "sql"].includes(page ?? "") ? on : ""}
              >
                <Ellipsis size={16} aria-hidden />
              </IconButton>
            }
          >
            <MenuLink icon={<History size={15} />} render={<Link to="/base/$baseId/changes" params={{ baseId }} />}>
              {text.base.recent}
            </MenuLink>
            <MenuLink icon={<Trash2 size={15} />} render={<Link to="/base/$baseId/trash" params={{ baseId }} />}>
              {text.base.trash}
            </MenuLink>
            <MenuLink icon={<Terminal size={15} />} render={<Link to="/base/$baseId/sql" params={{ baseId }} />}>
              {text.base.sql}
            </MenuLink>
            {atLeastInBase(opened.role, "creator") && (
              <MenuLink icon={<Webhook size={15} />} render={<Link to="/base/$baseId/webhooks" params={{ baseId }} />}>
                {text.base.webhooks}
              </MenuLink>
            )}
            <MenuItem icon={<FileDown size={15} />} onSelect={() => void beginBaseExport(baseId, "xlsx", t)}>
              {t.exportBase}
            </MenuItem>
            <MenuItem icon={<Archive size={15} />} onSelect={() => void beginBaseExport(baseId, "archive", t)}>
              {t.exportArchive}
            </MenuItem>
          </Menu>
          <Button onClick={() => setSharing(true)} icon={<Share2 size={15} aria-hidden />}>
            <span className="max-sm:sr-only">{text.base.share}</span>
          </Button>
        </header>
        <DropImport>
          <TableTabs />
          <div className="min-h-0 flex-1">
            <Outlet />
          </div>
        </DropImport>
      </div>
      <UndoKeys />
      {(page === undefined || page.startsWith("tbl_")) && <PasteTable />}
      <Suspense>{sharing && <ShareMenu onClose={() => setSharing(false)} />}</Suspense>
    </BaseContext>
  );
}
