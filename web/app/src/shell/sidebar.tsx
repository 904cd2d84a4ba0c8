import { useQuery } from "@tanstack/react-query";
import { BookOpen, ChevronRight, CircleHelp, House, Search, Settings } from "lucide-react";
import { useState } from "react";
import { Link } from "../route/link.tsx";
import { basesQuery, orgsQuery, workspacesQuery } from "../api/query.ts";
import type { BaseSummary, Org, Workspace } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { join } from "../ui/class.ts";
import { EntityIcon } from "../ui/icon.tsx";
import { Mark } from "../ui/mark.tsx";
import { InboxIcon, Unread, useUnread } from "../comment/unread.tsx";
import { AccountMenu } from "./accountmenu.tsx";
import { mod } from "./shortcut.ts";
import type { Overlay } from "./overlay.ts";

const row = join(
  "flex h-8 items-center gap-2.5 rounded-md px-2.5 text-muted hover:bg-hover hover:text-ink",
  "data-[status=active]:bg-accent-soft data-[status=active]:text-accent-ink",
);

type Props = { className?: string; onOverlay: (overlay: Overlay) => void };

/** The way around: home, organizations, their workspaces and bases. */
export function Sidebar({ className, onOverlay }: Props) {
  const text = useText();
  const orgs = useQuery(orgsQuery);
  const bases = useQuery(basesQuery);
  const unread = useUnread();
  return (
    <nav
      aria-label={text.shell.navigation}
      className={join("flex h-full w-62 shrink-0 flex-col border-r border-line bg-sunken", className)}
    >
      <div className="flex h-14 items-center px-4">
        <Link to="/" className="flex items-center gap-2.5 rounded-md text-[16px] font-[650] tracking-tight">
          <Mark size={26} />
          {text.name}
        </Link>
      </div>
      <div className="px-3">
        <button
          type="button"
          onClick={() => onOverlay("palette")}
          className={join(
            "mb-2 flex h-8.5 w-full items-center gap-2 rounded-md border border-line bg-",
            "surface px-2.5 text-faint shadow-low hover:border-line-strong",
          )}
        >
          <Search size={15} aria-hidden />
          <span className="min-w-0 flex-1 truncate text-left">{text.shell.search}</span>
          <kbd className="font-sans text-[12px]">{mod} K</kbd>
        </button>
        <Link to="/" className={row}>
          <House size={16} aria-hidden />
          {text.shell.home}
        </Link>
        <Link to="/inbox" className={row}>
          <InboxIcon size={16} />
          <span className="sr-only">{text.inbox.open(unread)}</span>
          <span aria-hidden className="flex-1">
            {text.inbox.title}
          </span>
          <Unread count={unread} />
        </Link>
        <a href="/docs" className={row}>
          <BookOpen size={16} aria-hidden />
          {text.shell.reference}
        </a>
        <a href="/help/" className={row}>
          <CircleHelp size={16} aria-hidden />
          {text.shell.help}
        </a>
      </div>
      <div className="mt-3 min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        {orgs.data?.map((org) => (
          <OrgGroup key={org.id} org={org} bases={bases.data?.filter((base) => base.orgId === org.id) ?? []} />
        ))}
      </div>
      <div className="border-t border-line p-2.5">
        <AccountMenu onOverlay={onOverlay} />
      </div>
    </nav>
  );
}

function OrgGroup({ org, bases }: { org: Org; bases: BaseSummary[] }) {
  const text = useText();
  const workspaces = useQuery(workspacesQuery(org.id));
  return (
    <section className="mb-4">
      <div className="group flex h-7 items-center gap-1 pr-1 pl-2.5">
        <h2 className="min-w-0 flex-1 truncate text-[12.5px] font-[560] text-faint">{org.name}</h2>
        <Link
          to="/org/$orgId"
          params={{ orgId: org.id }}
          aria-label={`${text.shell.orgSettings}: ${org.name}`}
          title={text.shell.orgSettings}
          className="grid size-6 place-items-center rounded-md text-faint hover:bg-hover hover:text-ink"
        >
          <Settings size={14} aria-hidden />
        </Link>
      </div>
      {workspaces.data?.map((workspace) => (
        <WorkspaceGroup
          key={workspace.id}
          workspace={workspace}
          bases={bases.filter((base) => base.workspaceId === workspace.id)}
        />
      ))}
    </section>
  );
}

function WorkspaceGroup({ workspace, bases }: { workspace: Workspace; bases: BaseSummary[] }) {
  const [open, setOpen] = useState(true);
  return (
    <div className="mb-0.5">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={join(row, "w-full gap-2! pl-1.5! text-left")}
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={join("shrink-0 text-faint transition-transform", open && "rotate-90")}
        />
        <span className="min-w-0 flex-1 truncate">{workspace.name}</span>
        <span className="text-[12px] text-faint tabular-nums">{bases.length}</span>
      </button>
      {open && (
        <ul>
          {bases.map((base) => (
            <li key={base.id}>
              <Link to="/base/$baseId" params={{ baseId: base.id }} className={join(row, "pl-7!")}>
                <EntityIcon icon={base.icon} name={base.name} size={18} />
                <span className="min-w-0 flex-1 truncate">{base.name}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The narrow form of the sidebar, for pages that need the width. */
export function Rail({ onOverlay }: { onOverlay: (overlay: Overlay) => void }) {
  const text = useText();
  const unread = useUnread();
  const item = "relative grid size-9 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink";
  return (
    <nav
      aria-label={text.shell.navigation}
      className="flex w-13 shrink-0 flex-col items-center gap-1 border-r border-line bg-sunken py-2.5 max-md:hidden"
    >
      <Link
        to="/"
        aria-label={text.shell.home}
        title={text.shell.home}
        className="mb-2 grid size-9 place-items-center rounded-md hover:bg-hover"
      >
        <Mark size={26} />
      </Link>
      <Link to="/" aria-label={text.shell.home} title={text.shell.home} className={item}>
        <House size={18} aria-hidden />
      </Link>
      <button
        type="button"
        aria-label={text.shell.searchShort}
        title={`${text.shell.searchShort} (${mod} K)`}
        className={item}
        onClick={() => onOverlay("palette")}
      >
        <Search size={18} aria-hidden />
      </button>
      <Link
        to="/inbox"
        aria-label={text.inbox.open(unread)}
        title={text.inbox.title}
        className={item}
        activeClass="bg-accent-soft text-accent-ink"
      >
        <InboxIcon size={18} />
        <Unread count={unread} badge />
      </Link>
      <a href="/docs" aria-label={text.shell.reference} title={text.shell.reference} className={item}>
        <BookOpen size={18} aria-hidden />
      </a>
      <a href="/help/" aria-label={text.shell.help} title={text.shell.help} className={item}>
        <CircleHelp size={18} aria-hidden />
      </a>
      <span className="flex-1" />
      <AccountMenu onOverlay={onOverlay} narrow />
    </nav>
  );
}
