import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { BookOpen, House, Keyboard, KeyRound, LayoutGrid, MonitorSmartphone, Moon, Plug, Search, Sun, Table2, UserRound } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { baseQuery, basesQuery } from "../api/query.ts";
import { text } from "../text/index.ts";
import { EntityIcon } from "../ui/icon.tsx";
import { chooseTheme } from "./theme.ts";

type Command = { id: string; label: string; group: string; icon: ReactNode; run: () => void };
type Group = { value: string; items: Command[] };

type Props = { onClose: () => void; onHelp: () => void };

/** Everything that can be reached, by typing a part of its name. */
export default function Palette({ onClose, onHelp }: Props) {
  const navigate = useNavigate();
  const { baseId } = useParams({ strict: false });
  const bases = useQuery(basesQuery);
  const base = useQuery({ ...baseQuery(baseId ?? ""), enabled: baseId !== undefined });
  const [query, setQuery] = useState("");

  const groups = useMemo<Group[]>(() => {
    const close = (then: () => void) => () => {
      onClose();
      then();
    };
    const g = text.palette.groups;
    const views: Command[] = [];
    const tables = (base.data?.tables ?? []).map((table): Command => {
      for (const view of table.views) {
        views.push({
          id: view.id,
          label: `${table.name}: ${view.name}`,
          group: g.view,
          icon: <LayoutGrid size={16} />,
          run: close(() => void navigate({ to: "/base/$baseId/$tableId", params: { baseId: baseId ?? "", tableId: table.id }, search: { view: view.id } })),
        });
      }
      return {
        id: table.id,
        label: table.name,
        group: g.table,
        icon: <Table2 size={16} />,
        run: close(() => void navigate({ to: "/base/$baseId/$tableId", params: { baseId: baseId ?? "", tableId: table.id }, search: {} })),
      };
    });
    const go = (id: string, label: string, icon: ReactNode, then: () => void): Command => ({ id, label, icon, group: g.action, run: close(then) });
    return [
      { value: g.table, items: tables },
      { value: g.view, items: views.length > 1 ? views : [] },
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
          ...(baseId ? [go("api", text.base.code.title, <Plug size={16} />, () => void navigate({ to: "/base/$baseId/api", params: { baseId } }))] : []),
          go("keys", text.shell.keys, <KeyRound size={16} />, () => void navigate({ to: "/settings/keys" })),
          go("profile", text.shell.settings, <UserRound size={16} />, () => void navigate({ to: "/settings/profile" })),
          go("docs", text.shell.reference, <BookOpen size={16} />, () => location.assign("/docs")),
          go("light", `${text.shell.theme}: ${text.shell.light}`, <Sun size={16} />, () => chooseTheme("light")),
          go("dark", `${text.shell.theme}: ${text.shell.dark}`, <Moon size={16} />, () => chooseTheme("dark")),
          go("system", `${text.shell.theme}: ${text.shell.system}`, <MonitorSmartphone size={16} />, () => chooseTheme("system")),
          { id: "help", label: text.shell.shortcuts, icon: <Keyboard size={16} />, group: g.action, run: onHelp },
        ],
      },
    ].filter((group) => group.items.length > 0);
  }, [base.data, baseId, bases.data, navigate, onClose, onHelp]);

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Dialog.Popup
          aria-label={text.palette.title}
          className="pop fixed inset-x-3 top-[12vh] z-50 mx-auto flex max-h-[70vh] max-w-[600px] flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-high outline-none"
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            value={query}
            onValueChange={setQuery}
            itemToStringValue={(command: Command) => command.label}
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
                  <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-[12px] font-[560] text-faint">{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.id}
                        value={command}
                        onClick={command.run}
                        className="flex h-9.5 items-center gap-3 rounded-md px-2.5 data-[highlighted]:bg-accent-soft data-[highlighted]:text-accent-ink"
                      >
                        <span className="grid size-5 place-items-center text-muted">{command.icon}</span>
                        <span className="truncate">{command.label}</span>
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
