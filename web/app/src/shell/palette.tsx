import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import {
  BookOpen,
  CircleHelp,
  House,
  Keyboard,
  KeyRound,
  LayoutDashboard,
  LayoutGrid,
  LogOut,
  MonitorSmartphone,
  ListTree,
  Moon,
  Plug,
  Search,
  Sun,
  Table2,
  UserRound,
  Users,
} from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { navigate, useParams } from "../route/router.ts";
import { useMembersOf, useSchemas } from "../api/overview.ts";
import { basesQuery, dashboardsQuery, orgsQuery } from "../api/query.ts";
import { offeredViews } from "../view/permission.ts";
import { rightsIn } from "../access/base.ts";
import { useText } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { EntityIcon } from "../ui/icon.tsx";
import { useFound } from "./found.ts";
import { signOut } from "./session.ts";
import { chooseTheme } from "../ui/theme.ts";
import { join } from "../ui/class.ts";

type Command = {
  id: string;
  label: string;
  hint?: string;
  group: string;
  icon: ReactNode;
  /** Found by the service, which knows better than the text of the label whether it matches. */
  found?: boolean;
  run: () => void;
};
type Group = { value: string; items: Command[] };

type Props = { onClose: () => void; onHelp: () => void };

/** Everything that can be reached, by typing a part of its name. */
export default function Palette({ onClose, onHelp }: Props) {
  const text = useText();
  const { baseId } = useParams();
  const [query, setQuery] = useState("");
  const bases = useQuery(basesQuery);
  const orgs = useQuery(orgsQuery);
  // The tables of the open base are offered at once; tables of other bases when something is
  // searched.
  const looking = query.trim().length >= 2;
  const searched = useMemo(() => {
    const open = (bases.data ?? []).filter((one) => one.id === baseId);
    return looking ? [...open, ...(bases.data ?? []).filter((one) => one.id !== baseId).toReversed()] : open;
  }, [baseId, bases.data, looking]);
  const schemas = useSchemas(searched);
  const members = useMembersOf(orgs.data);
  const { data: dashboards } = useQuery({ ...dashboardsQuery(baseId ?? ""), enabled: baseId !== undefined });
  const found = useFound(baseId, query);
  const { contains } = Autocomplete.useFilter({ sensitivity: "base" });

  const groups = useMemo<Group[]>(() => {
    const close = (then: () => void) => () => {
      onClose();
      then();
    };
    const g = text.palette.groups;
    const views: Command[] = [];
    const tables: Command[] = [];
    // The tables of the open base come first, and only its views are offered: there may be very
    // many.
    for (const base of schemas.toSorted((a, b) => Number(b.id === baseId) - Number(a.id === baseId))) {
      const here = base.id === baseId;
      for (const table of base.tables) {
        const params = { baseId: base.id, tableId: table.id };
        tables.push({
          id: table.id,
          label: table.name,
          hint: here ? undefined : base.name,
          group: g.table,
          icon: <Table2 size={16} />,
          run: close(() => void navigate({ to: "/base/$baseId/$tableId", params, search: {} })),
        });
        for (const view of here ? offeredViews(table, rightsIn(base.role, table).create) : []) {
          views.push({
            id: view.id,
            label: `${table.name}: ${view.name}`,
            group: g.view,
            icon: <LayoutGrid size={16} />,
            run: close(() => void navigate({ to: "/base/$baseId/$tableId", params, search: { view: view.id } })),
          });
        }
      }
    }
    const people = members.map((member): Command => {
      const org = orgs.data?.find((one) => one.id === member.orgId);
      return {
        id: `${member.orgId}/${member.userId}`,
        label: member.name,
        hint: [member.email, orgs.data && orgs.data.length > 1 ? org?.name : undefined].filter(Boolean).join(" · "),
        group: g.member,
        icon: <Avatar name={member.name} id={member.userId} size={20} />,
        run: close(() => void navigate({ to: "/org/$orgId/members", params: { orgId: member.orgId } })),
      };
    });
    const go = (id: string, label: string, icon: ReactNode, then: () => void): Command => ({
      id,
      label,
      icon,
      group: g.action,
      run: close(then),
    });
    return [
      { value: g.table, items: tables },
      { value: g.view, items: views.length > 1 ? views : [] },
      {
        value: g.dashboard,
        items: (baseId === undefined ? [] : (dashboards ?? [])).map(({ id, name }) => ({
          id,
          label: name,
          group: g.dashboard,
          icon: <LayoutDashboard size={16} />,
          run: close(
            () =>
              void navigate({
                to: "/base/$baseId/dashboard/$dashboardId",
                params: { baseId: baseId ?? "", dashboardId: id },
              }),
          ),
        })),
      },
      {
        value: g.base,
        items: (bases.data ?? []).map((one) => ({
          id: one.id,
          label: one.name,
          group: g.base,
          icon: <EntityIcon icon={one.icon} name={one.name} size={18} />,
          run: close(() => void navigate({ to: "/base/$baseId", params: { baseId: one.id } })),
        })),
      },
      {
        value: g.action,
        items: [
          go("home", text.shell.home, <House size={16} />, () => void navigate({ to: "/" })),
          ...(baseId
            ? [
                go(
                  "api",
                  text.base.code.title,
                  <Plug size={16} />,
                  () => void navigate({ to: "/base/$baseId/api", params: { baseId } }),
                ),
              ]
            : []),
          ...(orgs.data ?? []).map((org) =>
            go(
              `members/${org.id}`,
              text.palette.membersOf(org.name),
              <Users size={16} />,
              () => void navigate({ to: "/org/$orgId/members", params: { orgId: org.id } }),
            ),
          ),
          go("keys", text.shell.keys, <KeyRound size={16} />, () => void navigate({ to: "/settings/keys" })),
          go("profile", text.shell.settings, <UserRound size={16} />, () => void navigate({ to: "/settings/profile" })),
          go("docs", text.shell.reference, <BookOpen size={16} />, () => location.assign("/docs")),
          go("manual", text.shell.help, <CircleHelp size={16} />, () => location.assign("/help/")),
          go("light", `${text.shell.theme}: ${text.shell.light}`, <Sun size={16} />, () => chooseTheme("light")),
          go("dark", `${text.shell.theme}: ${text.shell.dark}`, <Moon size={16} />, () => chooseTheme("dark")),
          go("system", `${text.shell.theme}: ${text.shell.system}`, <MonitorSmartphone size={16} />, () =>
            chooseTheme("system"),
          ),
          { id: "help", label: text.shell.shortcuts, icon: <Keyboard size={16} />, group: g.action, run: onHelp },
          go("signout", text.shell.signOut, <LogOut size={16} />, () => void signOut()),
        ],
      },
      { value: g.member, items: people },
      // The service finds them by any of their words, while the others have what was typed in their names.
      {
        value: g.record,
        items: found.map((record) => ({
          id: record.id,
          label: record.title || text.palette.untitled,
          hint: [record.table, record.snippet].filter(Boolean).join(" · "),
          group: g.record,
          icon: <ListTree size={16} />,
          found: true,
          run: close(
            () =>
              void navigate({
                to: "/base/$baseId/$tableId",
                params: { baseId: baseId ?? "", tableId: record.tableId },
                search: { record: record.id },
              }),
          ),
        })),
      },
    ].filter((group) => group.items.length > 0);
  }, [baseId, bases.data, dashboards, found, members, onClose, onHelp, orgs.data, schemas, text]);

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Dialog.Popup
          aria-label={text.palette.title}
          className={join(
            "pop fixed inset-x-3 top-[12vh] z-50 mx-auto flex max-h-[70vh] max-w-[600px] flex-col",
            "overflow-hidden rounded-xl border border-line bg-surface shadow-high outline-none",
          )}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            value={query}
            onValueChange={setQuery}
            itemToStringValue={(command: Command) => [command.label, command.hint].filter(Boolean).join(" ")}
            filter={(command: Command, typed, write) => command.found === true || contains(command, typed, write)}
            autoHighlight="always"
            keepHighlight
          >
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search size={17} className="text-faint" aria-hidden />
              <Autocomplete.Input
                aria-label={text.palette.title}
                placeholder={text.palette.placeholder}
                className="h-13 flex-1 bg-transparent text-[16px] outline-none placeholder:text-faint"
              />
            </div>
            <Autocomplete.Empty className="px-4 text-muted empty:hidden">
              <p className="py-8 text-center">{text.palette.none}</p>
            </Autocomplete.Empty>
            <Autocomplete.List className="min-h-0 overflow-y-auto p-2 empty:hidden">
              {(group: Group) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-[12px] font-[560] text-faint">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.id}
                        value={command}
                        onClick={command.run}
                        className={join(
                          "flex h-9.5 items-center gap-3 rounded-md px-2.5",
                          "data-[highlighted]:bg-accent-soft data-[highlighted]:text-accent-",
                          "ink",
                        )}
                      >
                        <span className="grid size-5 place-items-center text-muted">{command.icon}</span>
                        <span className="truncate">{command.label}</span>
                        {command.hint && (
                          <span className="ml-auto truncate pl-3 text-[12.5px] text-muted">{command.hint}</span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
