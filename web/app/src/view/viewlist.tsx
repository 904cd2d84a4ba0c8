import {
  Check,
  Copy,
  Ellipsis,
  Lock,
  PanelLeftClose,
  PanelLeftOpen,
  Pencil,
  Plus,
  Share2,
  Trash2,
  TriangleAlert,
  UserRound,
} from "lucide-react";
import { Suspense, useState } from "react";
import { Link } from "../route/link.tsx";
import { navigate } from "../route/router.ts";
import { Batch } from "../api/invalidation.ts";
import { createView, deleteView, updateView } from "../api/change.ts";
import { type Table, type View, type ViewAccess, type ViewConfig, type ViewType, viewTypes } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Confirm } from "../ui/lazyconfirm.tsx";
import { Menu, MenuHeading, MenuItem, MenuSeparator } from "../ui/lazypopup.tsx";
import { NameDialog } from "../ui/lazyrename.tsx";
import { complain } from "../ui/toast.ts";
import { filterProblems } from "./filterproblem.ts";
import { initialConfig, viewKind } from "./kind.ts";
import { canSaveView } from "./state.ts";
import { useBase } from "../access/base.ts";
import { preloadable } from "../ui/preloadable.tsx";

const ViewShare = preloadable(async () => (await import("./share.tsx")).default, null);

type Access = ViewAccess;
const accesses: Access[] = ["collaborative", "personal", "locked"];
const openKey = "rowhouse.views";

function remembered(): boolean {
  try {
    return localStorage.getItem(openKey) !== "closed";
  } catch {
    return true;
  }
}

/**
 * The table's views next to the one that is shown. In a narrow window they are a menu instead of
 * the toolbar.
 */
export function ViewList({ table, view }: { table: Table; view: View }) {
  const text = useText();
  const [open, setOpen] = useState(remembered);
  const toggle = () => {
    setOpen(!open);
    try {
      localStorage.setItem(openKey, open ? "closed" : "open");
    } catch {
      // Then it opens again next time.
    }
  };
  if (!open) {
    return (
      <div className="border-r border-line bg-canvas p-1.5 max-lg:hidden">
        <IconButton label={text.base.views} onClick={toggle}>
          <PanelLeftOpen size={17} aria-hidden />
        </IconButton>
      </div>
    );
  }
  return (
    <nav
      aria-label={text.base.views}
      className="flex w-52 shrink-0 flex-col border-r border-line bg-canvas max-lg:hidden"
    >
      <div className="flex h-11 items-center gap-1 pr-1.5 pl-4">
        <h2 className="flex-1 text-[13px] font-[560] text-muted">{text.base.views}</h2>
        <AddView table={table} />
        <IconButton label={text.shell.collapse} onClick={toggle}>
          <PanelLeftClose size={17} aria-hidden />
        </IconButton>
      </div>
      <ul className="min-h-0 flex-1 overflow-y-auto px-2">
        {table.views.map((one) => (
          <ViewItem key={one.id} table={table} view={one} active={one.id === view.id} />
        ))}
      </ul>
    </nav>
  );
}

/** Moves to a view, as the address says it. */
function useShowView(table: Table) {
  const { base } = useBase();
  return (viewId?: string) =>
    navigate({
      to: "/base/$baseId/$tableId",
      params: { baseId: base.id, tableId: table.id },
      search: viewId ? { view: viewId } : {},
    });
}

function AddView({ table }: { table: Table }) {
  const t = useText().view;
  const { canWrite } = useBase();
  const show = useShowView(table);
  const [type, setType] = useState<ViewType>();
  if (!canWrite) return null;
  return (
    <>
      <Menu
        className="w-72"
        trigger={
          <IconButton label={t.add}>
            <Plus size={17} aria-hidden />
          </IconButton>
        }
      >
        <MenuHeading>{t.add}</MenuHeading>
        {viewTypes.map((one) => {
          const Symbol = viewKind(one).icon;
          return (
            <MenuItem key={one} icon={<Symbol size={16} />} onSelect={() => setType(one)}>
              {t.kind[one]}
            </MenuItem>
          );
        })}
      </Menu>
      <NameDialog
        open={type !== undefined}
        onClose={() => setType(undefined)}
        title={t.add}
        label={t.name}
        name={type ? t.kind[type] : ""}
        action={t.create}
        onSave={async (name) => {
          if (type) await show(await makeView(table, type, name, initialConfig(type, table)));
        }}
      />
    </>
  );
}

/** Makes a view with a configuration, and answers its id once the page knows it. */
async function makeView(table: Table, type: ViewType, name: string, config: ViewConfig): Promise<string> {
  const batch = new Batch();
  const changeSet = crypto.randomUUID(); // one undo takes both back
  const { id } = await createView({ tableId: table.id, body: { type, name } }, { batch, changeSet });
  try {
    if (Object.keys(config).length > 0) await updateView({ viewId: id, body: { config } }, { batch, changeSet });
  } finally {
    await batch.refresh();
  }
  return id;
}

function ViewItem({ table, view, active }: { table: Table; view: View; active: boolean }) {
  const { base, role } = useBase();
  const Symbol = viewKind(view.type).icon;
  return (
    <li
      className={join(
        "group flex h-8.5 items-center rounded-md",
        active ? "bg-accent-soft text-accent-ink" : "text-muted hover:bg-hover hover:text-ink",
      )}
    >
      <Link
        to="/base/$baseId/$tableId"
        params={{ baseId: base.id, tableId: table.id }}
        search={{ view: view.id }}
        aria-current={active ? "page" : undefined}
        className="flex h-full min-w-0 flex-1 items-center gap-2.5 rounded-md px-2"
      >
        <Symbol size={16} className="shrink-0" aria-hidden />
        <span className="truncate">{view.name}</span>
        <Marks view={view} />
      </Link>
      {canSaveView(role, view) && active && <ViewMenu table={table} view={view} />}
    </li>
  );
}

/** Says what is special about a view: who may use it, and that its filter needs repair. */
function Marks({ view }: { view: View }) {
  const t = useText().view;
  const Access = view.access === "personal" ? UserRound : view.access === "locked" ? Lock : undefined;
  return (
    <>
      {Access && (
        <Access
          size={13}
          className="shrink-0 text-faint"
          role="img"
          aria-label={t.accessMark[view.access ?? "collaborative"]}
        />
      )}
      {filterProblems(view).length > 0 && (
        <TriangleAlert size={14} className="shrink-0 text-danger" role="img" aria-label={t.brokenMark} />
      )}
    </>
  );
}

function ViewMenu({ table, view }: { table: Table; view: View }) {
  const text = useText();
  const t = text.view;
  const { canShape } = useBase();
  const show = useShowView(table);
  const [dialog, setDialog] = useState<"rename" | "delete" | "share" | null>(null);
  const setAccess = async (access: Access) => {
    try {
      await updateView({ viewId: view.id, body: { access } });
    } catch (error) {
      complain(error);
    }
  };
  const duplicate = async () => {
    try {
      await show(await makeView(table, view.type, `${view.name} 2`, view.config));
    } catch (error) {
      complain(error);
    }
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={text.base.viewMenu(view.name)} className="mr-1">
            <Ellipsis size={15} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={15} />} onSelect={() => setDialog("rename")}>
          {t.rename}
        </MenuItem>
        <MenuItem icon={<Copy size={15} />} onSelect={() => void duplicate()}>
          {t.duplicate}
        </MenuItem>
        {canShape && view.access !== "personal" && (
          <MenuItem icon={<Share2 size={15} />} onSelect={() => setDialog("share")}>
            {view.type === "form" ? t.share.formAction : t.share.action}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuHeading>{t.access}</MenuHeading>
        {accesses
          .filter((access) => access !== "locked" || canShape)
          .map((access) => (
            <MenuItem
              key={access}
              icon={(view.access ?? "collaborative") === access ? <Check size={15} /> : <span />}
              onSelect={() => void setAccess(access)}
            >
              {t.accessKind[access]}
            </MenuItem>
          ))}
        <MenuSeparator />
        <MenuItem
          icon={<Trash2 size={15} />}
          danger
          disabled={table.views.length < 2}
          onSelect={() => setDialog("delete")}
        >
          {t.delete}
        </MenuItem>
      </Menu>
      <Suspense>{dialog === "share" && <ViewShare view={view} onClose={() => setDialog(null)} />}</Suspense>
      <NameDialog
        open={dialog === "rename"}
        onClose={() => setDialog(null)}
        title={t.rename}
        label={t.name}
        name={view.name}
        onSave={(name) => updateView({ viewId: view.id, body: { name } })}
      />
      <Confirm
        open={dialog === "delete"}
        onClose={() => setDialog(null)}
        title={t.deleteTitle(view.name)}
        body={t.deleteBody}
        action={t.delete}
        onConfirm={async () => {
          try {
            await deleteView({ viewId: view.id }, { beforeRefresh: () => show() });
          } catch (error) {
            complain(error);
            throw error;
          }
        }}
      />
    </>
  );
}

/** The views as a menu, for narrow windows. */
export function ViewSwitch({ table, view }: { table: Table; view: View }) {
  const show = useShowView(table);
  const Symbol = viewKind(view.type).icon;
  return (
    <div className="lg:hidden">
      <Menu
        trigger={
          <button
            type="button"
            className="flex h-8.5 max-w-40 items-center max-sm:max-w-34 gap-2 rounded-md px-2 font-[560] hover:bg-hover"
          >
            <Symbol size={16} className="shrink-0" aria-hidden />
            <span className="truncate">{view.name}</span>
          </button>
        }
      >
        {table.views.map((one) => {
          const Kind = viewKind(one.type).icon;
          return (
            <MenuItem key={one.id} icon={<Kind size={16} />} onSelect={() => void show(one.id)}>
              <span className="flex items-center gap-2">
                {one.name}
                <Marks view={one} />
              </span>
            </MenuItem>
          );
        })}
      </Menu>
    </div>
  );
}
