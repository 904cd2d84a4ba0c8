import {
  ArrowUpDown,
  CircleCheck,
  Ellipsis,
  EyeOff,
  FileDown,
  FileUp,
  Group,
  ListFilter,
  Palette,
  Plus,
  Replace,
  Rows3,
  Search,
  X,
} from "lucide-react";
import { type ReactNode, type Ref, Suspense, useState } from "react";
import type { Table, View } from "../api/type.ts";
import { FilterPanel, SortPanel } from "../filter/lazy.ts";
import { countLeaves, ready } from "../filter/op.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Menu, MenuHeading, MenuItem, Popover } from "../ui/lazypopup.tsx";
import { useBase, useRights } from "../access/base.ts";
import { type RowQuery } from "../record/source.ts";
import { Saving } from "../record/saving.tsx";
import { FieldChoice } from "./fieldchoice.tsx";
import { choices } from "./fieldsetting.ts";
import type { ToolbarKind } from "./contract.ts";
import { canSaveView, type ViewState } from "./state.ts";
import { colorsRecords, groupFields } from "./group.ts";
import { ColorPanel, ExportItems, FieldPanel, GroupPanel, ReplaceDialog } from "./lazy.ts";
import { PastChoice } from "./past.tsx";
import { ViewSwitch } from "./viewlist.tsx";
import { preloadable } from "../ui/preloadable.tsx";

// What opens from the toolbar is loaded when it is first opened.
const ImportDialog = preloadable(async () => (await import("../csv/dialog.tsx")).default, null);
const ExportDialog = preloadable(async () => (await import("../csv/export.tsx")).default, null);

type Panel = "fields" | "filter" | "sort" | "group" | "color";

type Props = {
  kind: ToolbarKind;
  table: Table;
  view: View;
  state: ViewState;
  /** The query of the rows that are shown, which an export uses too. */
  query: RowQuery;
  total: number | undefined;
  search: string;
  onSearch: (search: string) => void;
  searchRef?: Ref<HTMLInputElement>;
  /** Makes a record, where the kind of view offers it. */
  onAdd?: () => void;
  asOf: string | undefined;
  onAsOf: (asOf: string | undefined) => void;
  /** What only this kind of view offers. */
  options?: ReactNode;
};

/**
 * What is shown and how, as far as the kind of view has it: fields, filter, sort, search; and what
 * is not saved.
 */
export function Toolbar(props: Props) {
  const text = useText();
  const t = text.base;
  const { kind, table, view, state, query, total, search, onSearch, searchRef, onAdd, asOf, onAsOf, options } = props;
  const { role } = useBase();
  const rights = useRights(table);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [dialog, setDialog] = useState<"import" | "export" | "replace" | null>(null);
  const hidden = state.ordered.length - state.visible.length;
  const groups = groupFields(table.fields, state.config).length;
  const colored =
    (state.config.colorRules ?? []).length > 0 ||
    table.fields.some((field) => field.id === state.config.colorFieldId && colorsRecords(field));
  const filters = countLeaves(ready(state.filters, table.fields));
  const isManual = state.sorts.length === 1 && table.orders?.includes(state.sorts[0]?.fieldId ?? "");
  const sortedBy = isManual
    ? text.filter.manual
    : state.sorts.length > 0
      ? text.filter.sorted(state.sorts.length)
      : text.filter.sort;
  const toggle = (name: Panel) => (open: boolean) => setPanel(open ? name : null);
  const on = "bg-accent-soft! text-accent-ink!";
  return (
    <div
      role="toolbar"
      aria-label={t.toolbar}
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-1 border-b border-line px-2 py-1"
    >
      <ViewSwitch table={table} view={view} />
      {kind.creates && rights.create && total !== undefined && (
        <Button size="sm" look="primary" icon={<Plus size={15} aria-hidden />} onClick={onAdd} className="mr-1">
          {t.newRecord}
        </Button>
      )}
      {options}
      {kind.settings.map((setting) => (
        <FieldChoice
          key={setting.key}
          label={setting.label(text)}
          none={setting.none?.(text)}
          fields={choices(setting, table)}
          value={state.config[setting.key]}
          onChange={(fieldId) => state.set({ [setting.key]: fieldId })}
        />
      ))}
      {kind.fields && (
        <Popover
          label={t.fields}
          open={panel === "fields"}
          onOpenChange={toggle("fields")}
          trigger={
            <Button look="quiet" size="sm" icon={<EyeOff size={15} aria-hidden />} className={hidden > 0 ? on : ""}>
              <span className="max-sm:sr-only">{t.hiddenFields(hidden)}</span>
            </Button>
          }
        >
          <FieldPanel table={table} state={state} />
        </Popover>
      )}
      {kind.filters && (
        <Popover
          label={text.filter.title}
          open={panel === "filter"}
          onOpenChange={toggle("filter")}
          trigger={
            <Button
              look="quiet"
              size="sm"
              icon={<ListFilter size={15} aria-hidden />}
              className={filters > 0 ? on : ""}
            >
              <span className="max-sm:sr-only">{filters > 0 ? text.filter.active(filters) : text.filter.title}</span>
            </Button>
          }
        >
          <FilterPanel table={table} filters={state.filters} onChange={(next) => state.set({ filters: next })} />
        </Popover>
      )}
      {kind.sorts && (
        <Popover
          label={text.filter.sort}
          open={panel === "sort"}
          onOpenChange={toggle("sort")}
          trigger={
            <Button
              look="quiet"
              size="sm"
              icon={<ArrowUpDown size={15} aria-hidden />}
              className={state.sorts.length > 0 ? on : ""}
            >
              <span className="max-sm:sr-only">
                {sortedBy}
              </span>
            </Button>
          }
        >
          <SortPanel table={table} sorts={state.sorts} onChange={(next) => state.set({ sorts: next })} />
        </Popover>
      )}
      {kind.groups && (
        <Popover
          label={text.group.title}
          open={panel === "group"}
          onOpenChange={toggle("group")}
          trigger={
            <Button look="quiet" size="sm" icon={<Group size={15} aria-hidden />} className={groups > 0 ? on : ""}>
              <span className="max-sm:sr-only">{groups > 0 ? text.group.active(groups) : text.group.title}</span>
            </Button>
          }
        >
          <GroupPanel table={table} state={state} />
        </Popover>
      )}
      {kind.colors && canSaveView(role, view) && (
        <Popover
          label={text.view.colors}
          open={panel === "color"}
          onOpenChange={toggle("color")}
          trigger={
            <Button
              look="quiet"
              size="sm"
              icon={<Palette size={15} aria-hidden />}
              className={join("max-sm:order-2", colored && on)}
            >
              <span className="max-sm:sr-only">{text.view.colors}</span>
            </Button>
          }
        >
          <ColorPanel table={table} view={view} state={state} />
        </Popover>
      )}
      {kind.rowHeights && (
        <Menu
          trigger={
            <IconButton size="sm" label={t.rowHeight} className="max-sm:order-2">
              <Rows3 size={15} aria-hidden />
            </IconButton>
          }
        >
          <MenuHeading>{t.rowHeight}</MenuHeading>
          {(["short", "medium", "tall"] as const).map((height) => (
            <MenuItem
              key={height}
              icon={(state.config.rowHeight ?? "short") === height ? <CircleCheck size={15} /> : <span />}
              onSelect={() => state.set({ rowHeight: height })}
            >
              {t.heights[height]}
            </MenuItem>
          ))}
        </Menu>
      )}
      {state.changed && (
        <div
          className={join(
            "ml-1 flex items-center gap-1 border-l border-line pl-2 max-",
            "sm:order-2 max-sm:ml-0 max-sm:border-0 max-sm:pl-0",
          )}
          title={t.unsavedView}
        >
          {canSaveView(role, view) && (
            <Button size="sm" look="secondary" onClick={() => void state.save()}>
              {t.saveView}
            </Button>
          )}
          <Button size="sm" look="quiet" onClick={state.reset}>
            {t.resetView}
          </Button>
        </div>
      )}
      <span className="flex-1 max-sm:order-1 max-sm:h-0 max-sm:basis-full" />
      <Saving />
      {total !== undefined && (
        <span className="px-2 text-[13px] text-faint tabular-nums max-md:hidden">{t.records(total)}</span>
      )}
      <PastChoice asOf={asOf} onChange={onAsOf} />
      <SearchBox value={search} onChange={onSearch} ref={searchRef} />
      <Menu
        align="end"
        trigger={
          <IconButton size="sm" label={text.action.more} className="max-sm:order-2">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        {rights.edit && asOf === undefined && (
          <MenuItem icon={<Replace size={15} />} onSelect={() => setDialog("replace")}>
            {text.filter.replace}
          </MenuItem>
        )}
        {rights.create && (
          <MenuItem icon={<FileUp size={15} />} onSelect={() => setDialog("import")}>
            {t.importFile}
          </MenuItem>
        )}
        <MenuItem icon={<FileDown size={15} />} onSelect={() => setDialog("export")}>
          {t.exportCsv}
        </MenuItem>
        <ExportItems table={table} view={view} query={query} />
      </Menu>
      <Suspense>
        {dialog === "replace" && <ReplaceDialog table={table} query={query} onClose={() => setDialog(null)} />}
        {dialog === "import" && <ImportDialog table={table} onClose={() => setDialog(null)} />}
        {dialog === "export" && (
          <ExportDialog
            table={table}
            name={`${table.name} - ${view.name}`}
            fields={state.visible}
            query={query}
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
    </div>
  );
}

function SearchBox({
  value,
  onChange,
  ref,
}: {
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
}) {
  const text = useText();
  const t = text.base;
  return (
    <label
      className={join(
        "flex h-7.5 w-44 items-center gap-1.5 rounded-md border border-line bg-surface px-2",
        "focus-within:border-line-strong max-sm:order-2 max-sm:w-24 max-sm:flex-1",
      )}
    >
      <Search size={14} className="shrink-0 text-faint" aria-hidden />
      <input
        ref={ref}
        type="search"
        value={value}
        aria-label={t.search}
        placeholder={text.shell.searchShort}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onChange("")}
        className={join(
          "w-full min-w-0 bg-transparent text-[13px] outline-none",
          "placeholder:text-faint [&::-webkit-search-cancel-button]:hidden",
        )}
      />
      {value !== "" && (
        <button
          type="button"
          aria-label={text.action.clear}
          onClick={() => onChange("")}
          className="rounded text-faint hover:text-ink"
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </label>
  );
}
