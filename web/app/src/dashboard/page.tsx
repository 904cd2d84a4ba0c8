import { useQuery } from "@tanstack/react-query";
import { Check, Ellipsis, LayoutDashboard, Pencil, PencilRuler, Plus, Trash2, Type } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { Link } from "../route/link.tsx";
import { navigate, useParams } from "../route/router.ts";
import { useBase } from "../access/base.ts";
import { deleteDashboard, updateDashboard } from "../api/change.ts";
import { dashboardsQuery } from "../api/query.ts";
import type { Base, Dashboard, Table, Tile, View } from "../api/type.ts";
import { useDashboardText } from "../text/dashboard.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Textarea } from "../ui/form.tsx";
import { Confirm } from "../ui/lazyconfirm.tsx";
import { Menu, MenuHeading, MenuItem, MenuSeparator } from "../ui/lazypopup.tsx";
import { NameDialog } from "../ui/lazyrename.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { complain } from "../ui/toast.ts";
import { viewKind } from "../view/kind.ts";
import { ViewContent } from "./content.tsx";
import { arrange, bottom, columns, maxTiles, readingOrder, stepped, within } from "./layout.ts";
import { gap, rowHeight, TileFrame, type TileFrameProps } from "./tile.tsx";
import { useNarrow } from "./narrow.ts";
import { useTiles } from "./tiles.ts";

/** A dashboard of the open base. */
export function DashboardPage() {
  const t = useDashboardText();
  const { base } = useBase();
  const { dashboardId } = useParams("/base/$baseId/dashboard/$dashboardId");
  const { data, error, refetch } = useQuery(dashboardsQuery(base.id));
  const found = data?.find(({ id }) => id === dashboardId);
  if (found) return <ShownDashboard key={found.id} dashboard={found} />;
  if (data) return <Empty icon={<LayoutDashboard size={22} aria-hidden />} title={t.goneTitle} body={t.goneBody} />;
  return error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting />;
}

type Viewed = { table: Table; view: View };

function viewOf(base: Base, viewId: string | undefined): Viewed | undefined {
  for (const table of base.tables) {
    const view = table.views.find(({ id }) => id === viewId);
    if (view) return { table, view };
  }
  return undefined;
}

type Dragged = { index: number; resizing: boolean; x: number; y: number; from: Tile; start: Tile[] };

function ShownDashboard({ dashboard }: { dashboard: Dashboard }) {
  const t = useDashboardText();
  const { base, canWrite } = useBase();
  const [editing, setEditing] = useState(false);
  const narrow = useNarrow();
  const { tiles, set, flush } = useTiles(base.id, dashboard);
  const place = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<Dragged>();
  const [said, setSaid] = useState("");
  const nameOf = (tile: Tile) => viewOf(base, tile.viewId)?.view.name ?? t.textTile;
  const say = ({ column, row, width, height }: Tile, name: string) =>
    setSaid(t.tile(name, column + 1, row + 1, width, height));

  const hold = (index: number) => (event: PointerEvent, resizing: boolean) => {
    if (event.button !== 0 || narrow) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged({ index, resizing, x: event.clientX, y: event.clientY, from: tiles[index]!, start: tiles });
  };
  const drag = (event: PointerEvent) => {
    if (!dragged || !place.current) return;
    const cell = (place.current.clientWidth + gap) / columns;
    const x = Math.round((event.clientX - dragged.x) / cell);
    const y = Math.round((event.clientY - dragged.y) / (rowHeight + gap));
    const { from } = dragged;
    const next = dragged.resizing
      ? { ...from, width: Math.min(columns - from.column, from.width + x), height: from.height + y }
      : { ...from, column: from.column + x, row: from.row + y };
    set(arrange(dragged.start.with(dragged.index, within(next)), dragged.index), true);
  };
  const drop = () => {
    if (!dragged) return;
    setDragged(undefined);
    set(tiles);
  };
  const press = (index: number) => (event: KeyboardEvent, resizing: boolean) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = stepped(tiles, index, event.key, resizing);
    set(next);
    say(next[index]!, nameOf(next[index]!));
  };
  const add = (part: Pick<Tile, "viewId" | "text">, size: Pick<Tile, "width" | "height">) =>
    set(arrange([...tiles, { ...part, ...size, column: 0, row: bottom(tiles) }]));
  const remove = (index: number) => set(arrange(tiles.toSpliced(index, 1)));
  const edit = () => {
    if (editing) flush();
    setEditing(!editing);
  };
  return (
    <div className="flex h-full min-h-0 flex-col overflow-y-auto bg-canvas">
      <title>{`${dashboard.name} · ${base.name}`}</title>
      <header className="sticky top-0 z-20 flex min-h-13 shrink-0 items-center gap-1.5 bg-canvas px-4 py-2 max-sm:px-3">
        <h2 className="min-w-0 flex-1 truncate text-[18px]">{dashboard.name}</h2>
        {canWrite && (
          <>
            {editing && <AddTile full={tiles.length >= maxTiles} onAdd={add} />}
            <Button
              size="sm"
              look={editing ? "primary" : "quiet"}
              icon={editing ? <Check size={15} aria-hidden /> : <PencilRuler size={15} aria-hidden />}
              onClick={edit}
            >
              {editing ? t.done : t.edit}
            </Button>
            <DashboardMenu dashboard={dashboard} />
          </>
        )}
      </header>
      <p role="status" className="sr-only">
        {said}
      </p>
      {tiles.length === 0 ? (
        <Empty
          icon={<LayoutDashboard size={22} aria-hidden />}
          title={t.emptyTitle}
          body={canWrite ? t.emptyBody : t.emptyViewer}
          action={canWrite && !editing && <Button onClick={edit}>{t.edit}</Button>}
        />
      ) : (
        <div
          ref={place}
          className={narrow ? "flex flex-col gap-3 px-3 pb-6" : "mx-4 mb-6 grid grid-cols-12 gap-3"}
          style={narrow ? undefined : { gridAutoRows: rowHeight }}
          onPointerMove={drag}
          onPointerUp={drop}
          onPointerCancel={drop}
        >
          {/* Elements that changed places would lose the focus and the pointer. */}
          {(editing ? tiles.map((_, index) => index) : readingOrder(tiles)).map((index) => {
            const tile = tiles[index]!;
            const found = viewOf(base, tile.viewId);
            const frame = {
              tile,
              narrow,
              editing,
              dragged: dragged?.index === index,
              name: nameOf(tile),
              onHold: hold(index),
              onKey: press(index),
              onRemove: () => remove(index),
            };
            // Of the same view or the same text there may be several.
            const key = `${tile.viewId ?? "text"}/${index}`;
            if (found) return <ViewTile key={key} {...found} frame={frame} />;
            if (tile.viewId) return null; // it was deleted since
            const write = (text: string) => set(tiles.with(index, { ...tile, text }));
            return <TextTile key={key} text={tile.text ?? ""} frame={frame} onWrite={write} />;
          })}
        </div>
      )}
    </div>
  );
}

type Frame = Omit<TileFrameProps, "title" | "children">;

function ViewTile({ table, view, frame }: Viewed & { frame: Frame }) {
  const { base } = useBase();
  const to = "/base/$baseId/$tableId";
  const params = { baseId: base.id, tableId: table.id };
  return (
    <TileFrame
      {...frame}
      title={
        <>
          <h3 className="min-w-0 truncate text-[14px]">
            <Link to={to} params={params} search={{ view: view.id }} className="rounded hover:underline">
              {view.name}
            </Link>
          </h3>
          <span className="min-w-0 flex-1 truncate text-[13px] text-muted">{table.name}</span>
        </>
      }
    >
      <ViewContent
        table={table}
        view={view}
        onOpen={(record) => void navigate({ to, params, search: { view: view.id, record } })}
      />
    </TileFrame>
  );
}

function TextTile({ text, frame, onWrite }: { text: string; frame: Frame; onWrite: (text: string) => void }) {
  const t = useDashboardText();
  if (!frame.editing)
    return (
      <TileFrame {...frame}>
        <p className="min-h-0 flex-1 overflow-y-auto px-1 pt-3 whitespace-pre-line">{text}</p>
      </TileFrame>
    );
  return (
    <TileFrame {...frame} title={<span className="text-[13px] text-muted">{t.textTile}</span>}>
      <Textarea
        aria-label={t.text}
        placeholder={t.textPlaceholder}
        maxLength={1000}
        value={text}
        onChange={(event) => onWrite(event.target.value)}
        className="pointer-events-auto min-h-0 flex-1 resize-none!"
      />
    </TileFrame>
  );
}

type AddProps = {
  full: boolean;
  onAdd: (part: Pick<Tile, "viewId" | "text">, size: Pick<Tile, "width" | "height">) => void;
};

/** The size of a new tile. */
const sizeOf = ({ type, config }: View) =>
  type === "chart" && config.chart?.kind === "number" ? { width: 3, height: 3 } : { width: 6, height: 6 };

function AddTile({ full, onAdd }: AddProps) {
  const t = useDashboardText();
  const { base } = useBase();
  return (
    <Menu
      align="end"
      className="max-h-[min(480px,70vh)] w-72 overflow-y-auto"
      trigger={
        <Button size="sm" disabled={full} icon={<Plus size={15} aria-hidden />}>
          {t.addTile}
        </Button>
      }
    >
      <MenuItem icon={<Type size={15} />} onSelect={() => onAdd({ text: t.addTextHint }, { width: 6, height: 2 })}>
        {t.addText}
      </MenuItem>
      {base.tables.map((table) => (
        <div key={table.id} role="group" aria-label={table.name}>
          <MenuSeparator />
          <MenuHeading>{table.name}</MenuHeading>
          {table.views
            .toSorted((a, b) => Number(b.type === "chart") - Number(a.type === "chart"))
            .map((view) => {
              const Symbol = viewKind(view.type).icon;
              return (
                <MenuItem
                  key={view.id}
                  icon={<Symbol size={15} />}
                  onSelect={() => onAdd({ viewId: view.id }, sizeOf(view))}
                >
                  {view.name}
                </MenuItem>
              );
            })}
        </div>
      ))}
    </Menu>
  );
}

function DashboardMenu({ dashboard }: { dashboard: Dashboard }) {
  const text = useText();
  const t = useDashboardText();
  const { base } = useBase();
  const [dialog, setDialog] = useState<"rename" | "delete">();
  const at = { baseId: base.id, dashboardId: dashboard.id };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton size="sm" label={t.more(dashboard.name)}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={15} />} onSelect={() => setDialog("rename")}>
          {t.rename}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setDialog("delete")}>
          {t.delete}
        </MenuItem>
      </Menu>
      <NameDialog
        open={dialog === "rename"}
        onClose={() => setDialog(undefined)}
        title={t.rename}
        label={text.base.dashboard.name}
        name={dashboard.name}
        onSave={(name) => updateDashboard({ ...at, body: { name } })}
      />
      <Confirm
        open={dialog === "delete"}
        onClose={() => setDialog(undefined)}
        title={t.deleteTitle(dashboard.name)}
        body={t.deleteBody}
        action={t.delete}
        onConfirm={async () => {
          try {
            const leave = () => navigate({ to: "/base/$baseId", params: { baseId: base.id } });
            await deleteDashboard(at, { beforeRefresh: leave });
          } catch (error) {
            complain(error);
            throw error;
          }
        }}
      />
    </>
  );
}
