import {
  ChevronDown,
  Copy,
  FileUp,
  LayoutDashboard,
  Pencil,
  Plus,
  ShieldCheck,
  Smile,
  Table2,
  Trash2,
} from "lucide-react";
import { Suspense, useState } from "react";
import { Link } from "../route/link.tsx";
import { navigate, useParams } from "../route/router.ts";
import { createTable, deleteTable, updateTable } from "../api/change.ts";
import type { Icon, Table } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Confirm } from "../ui/lazyconfirm.tsx";
import { EntityIcon } from "../ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/lazypopup.tsx";
import { NameDialog } from "../ui/lazyrename.tsx";
import { complain, notify } from "../ui/toast.ts";
import { DashboardTabs, NewDashboard } from "../dashboard/tab.tsx";
import { useBase } from "../access/base.ts";
import { preloadable } from "../ui/preloadable.tsx";

const ImportDialog = preloadable(async () => (await import("../csv/dialog.tsx")).default, null);
const TablePermissionDialog = preloadable(async () => (await import("../permission/tabledialog.tsx")).default, null);
const DuplicateDialog = preloadable(async () => (await import("../job/duplicate.tsx")).default, null);
const IconDialog = preloadable(async () => (await import("../ui/icondialog.tsx")).default, null);

/** The base's tables as tabs, with what can be done to the one that is open. */
export function TableTabs() {
  const t = useText().base;
  const { base, canShape, canWrite } = useBase();
  const { tableId } = useParams();
  const [dialog, setDialog] = useState<"new" | "csv" | "dashboard" | null>(null);
  return (
    <nav
      aria-label={t.tables}
      className="flex h-10.5 shrink-0 items-end gap-0.5 overflow-x-auto border-b border-line bg-sunken px-3"
    >
      {base.tables.map((table) => (
        <Tab key={table.id} table={table} active={table.id === tableId} />
      ))}
      <DashboardTabs />
      {canWrite && (
        <Menu
          trigger={
            <IconButton label={canShape ? t.addTable : t.dashboard.add} className="mb-1 ml-1">
              <Plus size={17} aria-hidden />
            </IconButton>
          }
        >
          {canShape && (
            <>
              <MenuItem icon={<Table2 size={15} />} onSelect={() => setDialog("new")}>
                {t.addTable}
              </MenuItem>
              <MenuItem icon={<FileUp size={15} />} onSelect={() => setDialog("csv")}>
                {t.importTable}
              </MenuItem>
            </>
          )}
          <MenuItem icon={<LayoutDashboard size={15} />} onSelect={() => setDialog("dashboard")}>
            {t.dashboard.add}
          </MenuItem>
        </Menu>
      )}
      <NewDashboard open={dialog === "dashboard"} onClose={() => setDialog(null)} />
      <NewTable open={dialog === "new"} onClose={() => setDialog(null)} />
      <Suspense>{dialog === "csv" && <ImportDialog onClose={() => setDialog(null)} />}</Suspense>
    </nav>
  );
}

export function NewTable({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText().base;
  const { base } = useBase();
  return (
    <NameDialog
      open={open}
      onClose={onClose}
      title={t.addTable}
      label={t.tableName}
      placeholder={t.tableNamePlaceholder}
      action={t.createTable}
      onSave={async (name) => {
        const { id } = await createTable({ baseId: base.id, body: { name } });
        await navigate({ to: "/base/$baseId/$tableId", params: { baseId: base.id, tableId: id }, search: {} });
      }}
    />
  );
}

function Tab({ table, active }: { table: Table; active: boolean }) {
  const text = useText();
  const t = text.base;
  const { base, canShape } = useBase();
  const [dialog, setDialog] = useState<"rename" | "icon" | "permissions" | "copy" | "delete" | null>(null);
  const close = () => setDialog(null);
  const change = async (body: { name?: string; icon?: Icon }) => {
    await updateTable({ tableId: table.id, body });
  };
  return (
    <div
      className={join(
        "flex h-9 shrink-0 items-center rounded-t-md border border-b-0",
        active ? "-mb-px border-line bg-surface" : "border-transparent text-muted hover:bg-hover hover:text-ink",
      )}
    >
      <Link
        to="/base/$baseId/$tableId"
        params={{ baseId: base.id, tableId: table.id }}
        search={{}}
        className={join("flex h-full items-center gap-2 pl-3 font-[560]", active && canShape ? "pr-1" : "pr-3")}
        aria-current={active ? "page" : undefined}
      >
        {table.icon && <EntityIcon icon={table.icon} name={table.name} size={18} />}
        <span className="max-w-48 truncate">{table.name}</span>
      </Link>
      {active && canShape && (
        <Menu
          trigger={
            <IconButton size="sm" label={t.tableMenu(table.name)} className="mr-1">
              <ChevronDown size={15} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem icon={<Pencil size={15} />} onSelect={() => setDialog("rename")}>
            {t.renameTable}
          </MenuItem>
          <MenuItem icon={<Smile size={15} />} onSelect={() => setDialog("icon")}>
            {text.home.changeIcon}
          </MenuItem>
          <MenuItem icon={<ShieldCheck size={15} />} onSelect={() => setDialog("permissions")}>
            {t.permissions}
          </MenuItem>
          <MenuItem icon={<Copy size={15} />} onSelect={() => setDialog("copy")}>
            {t.duplicateTable}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setDialog("delete")}>
            {t.deleteTable}
          </MenuItem>
        </Menu>
      )}
      <NameDialog
        open={dialog === "rename"}
        onClose={close}
        title={t.renameTable}
        label={t.tableName}
        name={table.name}
        onSave={(name) => change({ name })}
      />
      <Suspense>
        {dialog === "permissions" && <TablePermissionDialog table={table} onClose={close} />}
        {dialog === "copy" && <DuplicateDialog of={{ tableId: table.id, name: table.name }} onClose={close} />}
        {dialog === "icon" && (
          <IconDialog onClose={close} icon={table.icon} name={table.name} onSave={(icon) => change({ icon })} />
        )}
      </Suspense>
      <Confirm
        open={dialog === "delete"}
        onClose={close}
        title={t.deleteTableTitle(table.name)}
        body={t.deleteTableBody}
        action={t.deleteTable}
        typed={table.name}
        onConfirm={async () => {
          try {
            const leave = () => navigate({ to: "/base/$baseId", params: { baseId: base.id } });
            await deleteTable({ tableId: table.id }, { beforeRefresh: leave });
          } catch (error) {
            complain(error);
            throw error;
          }
          notify(text.home.deleted(table.name));
        }}
      />
    </div>
  );
}
