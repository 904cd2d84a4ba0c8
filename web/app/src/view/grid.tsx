import type { Rectangle } from "@glideapps/glide-data-grid";
import { Suspense, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { Field, Row, Values } from "../api/type.ts";
import { useBase, useRights } from "../access/base.ts";
import { buttonAddress } from "../field/button.ts";
import { linkAt } from "../field/follow.ts";
import { kindOf } from "../field/kind/index.ts";
import { LinkDialog } from "../field/lazylink.ts";
import { linkedOf } from "../field/linked.ts";
import { format, isWritable } from "../field/value.ts";
import type { Pasted } from "../grid/action.ts";
import type { Head } from "../grid/grouped.ts";
import { LeftCells } from "../grid/lazyleft.ts";
import type { GridHandle } from "../grid/contract.ts";
import { RecordGrid } from "../grid/recordgrid.tsx";
import type { SelectedCells } from "../grid/sums.ts";
import { countTicked, noneTicked, rowsTicked, type Ticked } from "../grid/ticked.ts";
import { columnWidth, markerWidth } from "../grid/width.ts";
import { MergeDialog } from "../record/lazymerge.ts";
import { valuesToCopy } from "../record/duplicate.ts";
import { deleteFound } from "../record/selected.ts";
import { undoOf } from "../change/undo.ts";
import type { RecordViewProps } from "./contract.ts";
import { useExtension } from "./extension.tsx";
import { useFieldActions } from "./fieldactions.tsx";
import { Footer, totalsOf } from "./footer.tsx";
import { groupFields } from "./group.ts";
import { groupValues, useFolded, useGrouped, valuesOf } from "./grouping.ts";
import { HeadMenu, RowMenu, SelectionBar, SelectionSums } from "./lazy.ts";
import { type Destination, isMovable, moveTo } from "./order.ts";
import { useRowTone } from "./tone.ts";
import { useText } from "../text/index.ts";
import { Confirm } from "../ui/lazyconfirm.tsx";
import { Menu } from "../ui/lazypopup.tsx";
import { Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { useQuestion, useTask } from "./task.ts";

const long = 300; // records above which reading them is shown

type Place = { getBoundingClientRect: () => DOMRect };
const placeAt = (area: { x: number; y: number; width?: number; height?: number }): Place => ({
  getBoundingClientRect: () => new DOMRect(area.x, area.y, area.width ?? 0, area.height ?? 0),
});

/** The grid view: the grid with its toolbar, and the menus and dialogs that open from it. */
export function GridView({ table, view, state, source, empty, onOpen, onCreate, onSearch, ref }: RecordViewProps) {
  const text = useText();
  const t = text.base;
  const { base, canShape, people } = useBase();
  const rights = useRights(table);
  const grid = useRef<GridHandle>(null);
  const [selection, setSelection] = useState({ narrow: "", ticked: noneTicked });
  const { task, runTask } = useTask();
  const { question, ask } = useQuestion();
  const [pasted, setPasted] = useState<Pasted>();
  const [apart, setApart] = useState<{ row: Row; field: Field }>();
  const [headMenu, setHeadMenu] = useState<{ head: Head; at: Place }>();
  const [rowMenu, setRowMenu] = useState<{ row: Row; at: Place; link?: string }>();
  const [deletingRows, setDeletingRows] = useState<string[]>();
  const [merging, setMerging] = useState<Row[]>();
  const [deletingFound, setDeletingFound] = useState<{ count: number; except: string[] }>();
  // Ticks are dropped when filters or search change, because the person might not see them; sorting
  // keeps them.
  const narrow = JSON.stringify([source.query.filters, source.query.search]);
  const ticked = selection.narrow === narrow ? selection.ticked : noneTicked;
  const setTicked = (next: Ticked) => setSelection({ narrow, ticked: next });
  const total = source.total ?? 0;
  const { folded, setFolded } = useFolded(view.id);
  const groups = groupFields(table.fields, state.config);
  const toneOf = useRowTone(source, state);
  const aggregates = totalsOf(state.visible, state.config.aggregates);
  const grouped = useGrouped(source, groups, state.sorts, aggregates, folded);
  // Rows that are shown stay until there are groups; a view that is opened waits for them.
  const [opened, setOpened] = useState<string>();
  const ready = groups.length === 0 || grouped !== undefined || opened === view.id;
  if (ready && opened !== view.id) setOpened(view.id);
  const rows = grouped ?? source;
  const fold = (head: Head) => {
    const next = new Set(folded);
    if (!next.delete(head.path)) next.add(head.path);
    setFolded(next);
  };
  const needsForm = table.fields.some((field) => field.config?.required === true && field.config.default === undefined);
  const widths = useMemo(() => state.config.columnWidths ?? {}, [state.config.columnWidths]);
  const [dragged, setDragged] = useState<Record<string, number>>({});
  const shownWidths = useMemo(() => ({ ...widths, ...dragged }), [widths, dragged]);

  const frozen = Math.min(state.config.frozenColumns ?? 1, state.visible.length);
  const [cells, setCells] = useState<SelectedCells>();
  const place = useRef<HTMLDivElement>(null);

  const extension = useExtension(table);
  const field = useFieldActions(table, state, source.query, () => {
    grid.current?.refresh();
    grid.current?.focus();
  });

  const writes = rights.create || rights.edit || rights.delete;
  const undo = undoOf(base.id);
  const add = async (values: Values = {}): Promise<number | undefined> => {
    if (needsForm) {
      const named = table.fields.flatMap((field) => (field.id in values ? [[field.name, values[field.id]]] : []));
      onCreate(Object.fromEntries(named) as Values);
      return undefined;
    }
    try {
      const id = source.begin(values);
      grid.current?.showRow(id);
      return rows.indexOf(id);
    } catch (error) {
      complain(error);
      return undefined;
    }
  };
  useImperativeHandle(ref, () => ({ add: () => void add() }));
  const count = countTicked(ticked, total);
  // On a touch screen this is the way to open a record of the grid.
  const single = !ticked.all && count === 1 ? [...ticked.ids][0] : undefined;
  const askToDelete = () => {
    if (!ticked.all) return setDeletingRows([...ticked.ids]);
    if (count >= long) return setDeletingFound({ count, except: [...ticked.ids] });
    return rowsTicked(ticked, source).then(
      (list) => setDeletingRows(list.map((row) => row.id)),
      (error: unknown) => complain(error),
    );
  };
  const duplicateTicked = async () => {
    try {
      const list = await rowsTicked(ticked, source);
      void source.create(
        list.map((row) => valuesToCopy(row, table.fields)),
        crypto.randomUUID(),
      );
      setTicked(noneTicked);
    } catch (error) {
      complain(error);
    }
  };
  const askToMerge = async () => {
    try {
      await source.writer.settle();
      setMerging(await rowsTicked(ticked, source));
    } catch (error) {
      complain(error);
    }
  };
  const deleteSelected = async (selected: { count: number; except: string[] }) => {
    let done = 0;
    try {
      await source.writer.settle();
      done = await runTask(
        (part) => t.deleting(part, selected.count),
        (progress, signal) => deleteFound(table.id, source.query, selected.except, progress, signal),
      );
    } catch (error) {
      complain(error);
    }
    if (done > 0) notify(t.deletedRecords(done));
    setTicked(noneTicked);
    grid.current?.refresh();
  };
  const deleteRows = async (ids: string[]) => {
    let done = 0;
    try {
      done =
        ids.length < long
          ? await source.delete(ids)
          : await runTask(
              (part) => t.deleting(part, ids.length),
              (progress, signal) => source.delete(ids, progress, signal),
            );
    } catch (error) {
      complain(error);
    }
    const restore = { label: t.restore, run: () => void source.writer.restore(ids) };
    if (done > 0) notify(t.deletedRecords(done), undefined, ids.length < long ? restore : undefined);
    setTicked(noneTicked);
    grid.current?.refresh();
  };

  const movable = rights.edit && groups.length === 0 && isMovable(table, view, state.sorts);
  const move = async (ids: readonly string[], to: Destination) => {
    await moveTo(view, source, ids, to);
    grid.current?.focus();
  };
  /** A dragged row takes the others that are ticked along. */
  const moveRow = async (from: number, to: number) => {
    const [row, near] = [source.at(from), source.at(to)];
    if (!row || !near || from === to) return;
    const together = ticked.ids.has(row.id) && !ticked.all ? await rowsTicked(ticked, source) : [row];
    if (together.some(({ id }) => id === near.id)) return;
    await move(
      together.map(({ id }) => id),
      { near: near.id, behind: to > from },
    );
  };
  // The menu gives the focus back to the cell from which it was opened, and a new record takes it after that.
  const later = useRef<() => void>(undefined);
  const insert = async (row: Row, behind: boolean) => {
    if (needsForm) return onCreate();
    const changeSet = crypto.randomUUID();
    grid.current?.deselect();
    try {
      const [made] = await source.create([{}], changeSet);
      if (!made) return undefined;
      await moveTo(view, source, [made.id], { near: row.id, behind }, changeSet);
      grid.current?.showRow(made.id);
    } catch (error) {
      complain(error);
    }
    return undefined;
  };
  const neighbour = (row: Row, step: -1 | 1) => {
    const near = source.at(source.indexOf(row.id) + step);
    return near && (() => void move([row.id], { near: near.id, behind: step > 0 }));
  };

  if (!ready) return <Waiting />;
  return (
    <>
      <div ref={place} className="relative min-h-0 flex-1">
        <RecordGrid
          ref={grid}
          source={rows}
          name={`${table.name}, ${view.name}`}
          chosen={state.config.aggregates}
          onFold={fold}
          onHeadMenu={(head, at) => setHeadMenu({ head, at: placeAt(at) })}
          fields={state.visible}
          widths={shownWidths}
          frozen={frozen}
          rowHeight={state.config.rowHeight ?? "short"}
          context={people}
          editable={rights.edit}
          addable={rights.create}
          deletable={rights.delete}
          changeable={canShape}
          ticked={ticked}
          onTick={setTicked}
          onDeleteTicked={() => void askToDelete()}
          onAdd={() => add()}
          runTask={runTask}
          ask={ask}
          extend={extension.extend}
          addOptions={extension.addOptions}
          onLeft={setPasted}
          onOpen={(row) => onOpen(row.id)}
          onThread={onOpen}
          onEditApart={(row, field) =>
            kindOf(field.type).cell.opens === "links" && rights.edit && isWritable(field)
              ? setApart({ row, field })
              : onOpen(row.id)
          }
          onPress={(row, field) => {
            const address = buttonAddress(field, row.fields);
            if (address) window.open(address, "_blank", "noopener,noreferrer");
          }}
          onInsert={movable && rights.create ? (row) => void insert(row, true) : undefined}
          onFieldMenu={(one, at: Rectangle) => field.openMenu(one, placeAt(at))}
          onRename={field.rename}
          onRowMenu={(row, at, one) => setRowMenu({ row, at: placeAt(at), link: linkAt(row, one) })}
          toneOf={toneOf}
          onAddField={field.addField}
          onResize={(field, width, final) => {
            setDragged((now) =>
              final
                ? Object.fromEntries(Object.entries(now).filter(([id]) => id !== field.id))
                : { ...now, [field.id]: width },
            );
            if (final) state.set({ columnWidths: { ...widths, [field.id]: Math.max(40, Math.min(2000, width)) } });
          }}
          onMove={(from, to) => {
            if (from === 0 || to === 0) return;
            const shown = state.visible.map((field) => field.id);
            const [moved] = shown.splice(from, 1);
            if (!moved) return;
            shown.splice(to, 0, moved);
            const hidden = state.ordered.filter((field) => !shown.includes(field.id)).map((field) => field.id);
            state.set({ fieldOrder: [...shown, ...hidden] });
          }}
          onMoveRow={movable ? (from, to) => void moveRow(from, to) : undefined}
          onUndo={() => void (writes && undo.undo())}
          onRedo={() => void (writes && undo.redo())}
          onSearch={onSearch}
          onReplace={rights.edit ? field.replace : undefined}
          onSelect={setCells}
        />
        {total === 0 && (
          <div className="pointer-events-none absolute inset-x-0 top-24 [&_button]:pointer-events-auto">{empty}</div>
        )}
        {cells && cells.columns.length * cells.height > 1 && count === 0 && !task && (
          <SelectionSums source={rows} fields={state.visible} cells={cells} context={people} />
        )}
        {(task || (count > 0 && writes)) && (
          <SelectionBar
            task={task}
            count={count}
            rights={rights}
            onOpen={single === undefined ? undefined : () => onOpen(single)}
            onDuplicate={() => void duplicateTicked()}
            onMerge={() => void askToMerge()}
            onDelete={() => void askToDelete()}
            onClear={() => setTicked(noneTicked)}
          />
        )}
      </div>
      {total > 0 && (
        <Footer
          source={source}
          fields={state.visible}
          widths={state.visible.map((field) => columnWidth(field, shownWidths))}
          head={markerWidth}
          frozen={frozen}
          chosen={state.config.aggregates}
          context={people}
          place={place}
          onChoose={(field, name) => {
            const { [field.id]: _, ...others } = state.config.aggregates ?? {};
            state.set({ aggregates: name ? { ...others, [field.id]: name } : others });
          }}
          onReach={(column) => grid.current?.showColumn(column)}
        />
      )}

      {field.parts}
      {extension.dialog}
      <Menu
        open={headMenu !== undefined}
        onOpenChange={(open) => !open && setHeadMenu(undefined)}
        anchor={headMenu?.at}
      >
        {headMenu && (
          <HeadMenu
            folded={headMenu.head.folded}
            onFold={() => fold(headMenu.head)}
            onAdd={rights.create ? () => void add(valuesOf(headMenu.head, table)) : undefined}
            onFoldAll={() => setFolded(grouped?.paths() ?? new Set())}
            onUnfoldAll={() => setFolded(new Set())}
          />
        )}
      </Menu>
      <Menu
        open={rowMenu !== undefined}
        onOpenChange={(open) => !open && setRowMenu(undefined)}
        onClosed={() => {
          later.current?.();
          later.current = undefined;
        }}
        anchor={rowMenu?.at}
      >
        {rowMenu && (
          <RowMenu
            row={rowMenu.row}
            link={rowMenu.link}
            rights={rights}
            onOpen={() => onOpen(rowMenu.row.id)}
            onDuplicate={() => void add(valuesToCopy(rowMenu.row, table.fields))}
            onAdd={groups.length > 0 ? () => void add(groupValues(rowMenu.row, groups)) : undefined}
            onInsert={movable ? (behind) => (later.current = () => void insert(rowMenu.row, behind)) : undefined}
            onMoveUp={movable ? neighbour(rowMenu.row, -1) : undefined}
            onMoveDown={movable ? neighbour(rowMenu.row, 1) : undefined}
            onDelete={() => setDeletingRows([rowMenu.row.id])}
          />
        )}
      </Menu>
      <Suspense>
        {apart && (
          <LinkDialog
            field={apart.field}
            selected={linkedOf(apart.row.fields[apart.field.name], people)}
            format={(value, field) => format(value, field, people)}
            onClose={() => {
              setApart(undefined);
              grid.current?.focus();
            }}
            onSave={(linked) => {
              const row = source.find(apart.row.id) ?? apart.row;
              source.edit([{ row, fields: { [apart.field.id]: linked.map((record) => record.id) } }]);
            }}
          />
        )}
      </Suspense>
      <Suspense>
        {pasted && (
          <LeftCells
            {...pasted}
            onClose={() => {
              setPasted(undefined);
              grid.current?.focus();
            }}
          />
        )}
      </Suspense>
      {merging && (
        <MergeDialog
          table={table}
          rows={merging}
          onClose={() => {
            setMerging(undefined);
            grid.current?.focus();
          }}
          onMerged={() => {
            notify(t.mergedRecords(merging.length));
            setTicked(noneTicked);
            grid.current?.refresh();
          }}
        />
      )}
      <Confirm
        open={deletingRows !== undefined}
        onClose={() => setDeletingRows(undefined)}
        title={t.deleteRecordsTitle(deletingRows?.length ?? 0)}
        body={t.deleteRecordsBody}
        action={t.deleteRecords(deletingRows?.length ?? 0)}
        onConfirm={() => {
          // The question goes at once: a long deletion shows how far it is below the grid.
          void deleteRows(deletingRows ?? []);
          return Promise.resolve();
        }}
      />
      <Confirm
        open={deletingFound !== undefined}
        onClose={() => setDeletingFound(undefined)}
        title={t.deleteRecordsTitle(deletingFound?.count ?? 0)}
        body={t.deleteRecordsBody}
        action={t.deleteRecords(deletingFound?.count ?? 0)}
        onConfirm={() => {
          if (deletingFound) void deleteSelected(deletingFound);
          return Promise.resolve();
        }}
      />
      <Confirm
        open={question !== undefined}
        onClose={() => question?.answer(false)}
        title={question?.title ?? ""}
        body={question?.body ?? ""}
        action={question?.action ?? ""}
        onConfirm={() => {
          question?.answer(true);
          return Promise.resolve();
        }}
      />
    </>
  );
}
