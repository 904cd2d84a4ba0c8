import "@glideapps/glide-data-grid/dist/index.css";
import {
  booleanCellRenderer,
  CompactSelection,
  DataEditorCore,
  type DataEditorRef,
  emptyGridSelection,
  type GridCell,
  GridCellKind,
  type GridColumn,
  type GridSelection,
  type InternalCellRenderer,
  type InnerGridCell,
  type Item,
  loadingCellRenderer,
  newRowCellRenderer,
  textCellRenderer,
} from "@glideapps/glide-data-grid";
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { follow, linkAt } from "../field/follow.ts";
import { kindOf } from "../field/kind/index.ts";
import { isWritable } from "../field/value.ts";
import { useTheme } from "../ui/theme.ts";
import { useText } from "../text/index.ts";
import { useTakenOnLeave } from "../ui/leave.ts";
import { complain } from "../ui/toast.ts";
import { useAccess, useSelectionSaid } from "./access.ts";
import { clear, fill, fillRight, type Picked, refuseEdit, type ActionTarget } from "./action.ts";
import { useCurrent } from "./anchor.ts";
import { cellOf, fieldRenderer } from "./cell.ts";
import { useClipboard } from "./clipevent.ts";
import { useErrorTip } from "./errortip.tsx";
import { useCompose } from "./inputmethod.ts";
import { AddField, useColumns, useHeaderIcons } from "./header.tsx";
import { headRenderer, pagesIn, useDiscussed, usePassMark } from "./comment.ts";
import { boundedTo, heightToFill, inGroup } from "./bounds.ts";
import type { GridProps } from "./contract.ts";
import { headAt, headCell, headCellRenderer, headIn, headTheme } from "./head.ts";
import { drawTone } from "./rowtone.ts";
import { takeKey } from "./key.ts";
import { drawMark, markAt } from "./mark.ts";
import { drawExpand, expandWidth } from "./expand.ts";
import { followRow, isCurrent, isOneCell, onlyCell, useDoubleClick } from "./pointer.ts";
import { drawHolder, placeOf, usePresentCells } from "./present.ts";
import { selectedCells } from "./sums.ts";
import { useTabStart } from "./tabstart.ts";
import { cellPalette, gridTheme } from "./theme.ts";
import { onThumbnail } from "./thumbnail.ts";
import { placesTicked, tick } from "./ticked.ts";
import { markerWidth } from "./width.ts";
import { writeCells } from "./write.ts";
import { isUnsaved } from "../record/command.ts";
import { useVersion } from "../record/rows.ts";

const renderers = [
  // A click on a box ticks it, and selects its cell as a click on any other cell does.
  { ...booleanCellRenderer, onSelect: undefined },
  loadingCellRenderer,
  newRowCellRenderer,
  textCellRenderer,
] as unknown as InternalCellRenderer<InnerGridCell>[];

// The grid draws no images from addresses, so the loader is never called.
const noImages = { setWindow: () => undefined, loadOrGetImage: () => undefined, setCallback: () => undefined };

const rowHeights: Record<string, number> = { short: 34, medium: 58, tall: 92 };

const cellEditor = () => document.querySelector("#portal .gdg-style");

/** The grid: the only place that knows which library draws it. */
export function RecordGrid(props: GridProps) {
  const text = useText();
  const { source, fields, widths, context, editable, addable, deletable, changeable, rowHeight, chosen } = props;
  const version = useVersion(source);
  const { shown } = useTheme();
  const icons = useHeaderIcons(source.total !== undefined);
  const grid = useRef<DataEditorRef>(null);
  const view = useRef({ from: 0, to: 40 });
  const place = useRef<HTMLDivElement>(null);
  const ticking = useRef(0);
  const [current, setCurrent] = useCurrent(source, fields, version);
  const [chosenFields, setChosenFields] = useState<ReadonlySet<string>>(new Set());
  const columnsSelected = useMemo(
    () => CompactSelection.fromArray(fields.flatMap((field, index) => (chosenFields.has(field.id) ? [index] : []))),
    [chosenFields, fields],
  );
  // Colours are read from the page, which has the theme's by the time of an effect.
  const [colours, setColours] = useState(() => ({ theme: gridTheme(), palette: cellPalette() }));
  useEffect(() => setColours({ theme: gridTheme(), palette: cellPalette() }), [shown]);

  useImperativeHandle(props.ref, () => ({
    focus: () => grid.current?.focus(),
    refresh: () => source.refresh(view.current.from, view.current.to),
    showColumn: (column) => grid.current?.scrollTo(column, 0, "horizontal"),
    deselect: () => setCurrent(undefined),
    showRow: (recordId) => {
      const index = source.indexOf(recordId);
      if (index < 0) return;
      // A grid that gets the focus before it knows its current cell takes the first one.
      flushSync(() => {
        setCurrent(onlyCell([0, index]));
        setChosenFields(new Set());
      });
      grid.current?.scrollTo(0, index);
      grid.current?.focus();
      followRow(grid, place, index);
    },
  }));

  const columns = useColumns(fields, widths);
  const getCellContent = useCallback(
    ([column, index]: Item): GridCell => {
      const field = fields[column];
      if (!field) return { kind: GridCellKind.Loading, allowOverlay: false };
      const head = headAt(source, index);
      if (head) return headCell({ head, field, first: column === 0, chosen, context, palette: colours.palette });
      return cellOf({
        field,
        row: source.at(index),
        context,
        palette: colours.palette,
        editable,
        wrap: rowHeight !== "short",
        expands: column === 0,
      });
    },
    // A new version makes a new function, which makes the grid draw again.
    // oxlint-disable-next-line react/exhaustive-deps
    [fields, source, version, context, colours.palette, editable, rowHeight, chosen],
  );

  const [pages, setPages] = useState(() => pagesIn(0, 40));
  const discussed = useDiscussed(source, version, pages);
  const shownRenderers = useMemo(
    () => [...renderers, headRenderer(source, discussed, colours.palette)],
    [source, discussed, colours.palette],
  );
  const passMark = usePassMark(grid, view, source, discussed, props.onThread);

  const errors = useErrorTip(source, fields, current?.cell, version, grid);
  const present = usePresentCells(source, fields, current?.cell, version, colours.palette);

  const target: ActionTarget = {
    source,
    fields,
    context,
    runTask: props.runTask,
    ask: props.ask,
    extend: props.extend,
    addOptions: props.addOptions,
    list: props.onLeft,
  };
  const { ticked, onTick } = props;
  const { onSelect, onReplace } = props;
  const cells = selectedCells(current?.range, columnsSelected, source.total);
  const selected = JSON.stringify(cells);
  // oxlint-disable-next-line react/exhaustive-deps -- the cells as a text are the cells
  useEffect(() => onSelect(cells), [onSelect, selected]);
  const picked: Picked = { area: current?.range, columns: columnsSelected.toArray(), ticked };
  // oxlint-disable-next-line react/exhaustive-deps -- a new version is what moves rows
  const shownTicks = useMemo(() => placesTicked(ticked, source), [ticked, source, version]);

  useClipboard(place, picked, target, editable, () => grid.current?.focus());

  const moved = useRef<string>(undefined); // the field of the column that is being moved
  const tabStart = useTabStart(place, current?.cell);
  const choose = (next: GridSelection) => {
    const column = tabStart(next.current?.cell);
    const to = column === undefined || !next.current ? next.current : onlyCell([column, next.current.cell[1]]);
    setCurrent(boundedTo(to, source));
    // After a move the grid selects the position that the column should have by then.
    const ids = next.columns.toArray().flatMap((index) => fields[index]?.id ?? []);
    setChosenFields(new Set(moved.current === undefined ? ids : [moved.current]));
    moved.current = undefined;
    if (next.rows.equals(shownTicks)) return;
    // A click on the row head of a group's head.
    const pressed = next.rows.length <= shownTicks.length + 1 ? headIn(next.rows, source) : undefined;
    if (pressed) return props.onFold(pressed);
    const turn = ++ticking.current;
    tick(ticked, next.rows, source).then(
      (now) => turn === ticking.current && onTick(now),
      (error: unknown) => complain(error, text.base.notSelected),
    );
  };

  const access = useAccess({ source, fields, editable, name: props.name });
  const said = useSelectionSaid(cells);

  const resizing = useRef(false);
  const overHandle = useRef(false); // of the selection, which is dragged to fill
  const fillToNeighbour = () => {
    if (!overHandle.current || !editable || !current) return;
    const { range } = current;
    const height = heightToFill(range, source, fields);
    if (height > range.height) void fill(range, inGroup({ ...range, height }, range.y, source), target);
  };
  useCompose(place, editable);
  useTakenOnLeave(cellEditor);
  useEffect(() => onThumbnail((column, row) => grid.current?.updateCells([{ cell: [column, row] }])), []);

  const isPressed = ([column, index]: Item) => {
    const field = fields[column];
    if (headAt(source, index)) return true;
    const isBoxCell = () => getCellContent([column, index]).kind === GridCellKind.Boolean;
    return !field || kindOf(field.type).cell.opens === "address" || isBoxCell();
  };
  useDoubleClick(
    grid,
    place,
    (cell) => !isPressed(cell) && isCurrent(current, cell),
    (column) => {
      const field = fields[column];
      if (field && changeable) props.onRename(field);
    },
  );

  const activate = ([column, index]: Item) => {
    const field = fields[column];
    const row = source.at(index);
    const head = headAt(source, index);
    if (head) props.onFold(head);
    if (!field || !row) return;
    const { opens } = kindOf(field.type).cell;
    if (opens === "address") props.onPress(row, field);
    else if (opens !== undefined) props.onEditApart(row, field);
    else if (editable && !isWritable(field)) refuseEdit(field, target);
  };

  return (
    // A double click on the handle of the selection is a second way; keys fill too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={place}
      className="h-full min-h-0 w-full"
      data-testid="grid"
      role="region"
      aria-label={text.view.kind.grid}
      onPointerDownCapture={passMark}
      onPointerUpCapture={passMark}
      onClickCapture={passMark}
      onDoubleClick={fillToNeighbour}
    >
      <DataEditorCore
        ref={grid}
        width="100%"
        height="100%"
        theme={colours.theme}
        renderers={shownRenderers}
        customRenderers={[fieldRenderer, headCellRenderer]}
        getRowThemeOverride={(index) => {
          const head = headAt(source, index);
          return head && headTheme(head, colours.theme);
        }}
        headerIcons={icons}
        imageWindowLoader={noImages}
        columns={columns}
        highlightRegions={present.frames}
        drawCell={(args, drawContent) => {
          const colored = source.at(args.row);
          const tone = colored && props.toneOf(colored);
          if (tone) drawTone(args, colours.palette.tones[tone]);
          drawContent();
          if (headAt(source, args.row)) return;
          if (args.col === 0 && source.at(args.row)) drawExpand(args);
          const mark = markAt(source, args.row, fields[args.col]);
          if (mark) drawMark(args, mark, colours.palette);
          const holder = present.holders.get(placeOf(args.col, args.row));
          if (holder) drawHolder(args, holder, args.theme.fontFamily);
        }}
        experimental={access}
        rows={source.total ?? 0}
        rowHeight={rowHeights[rowHeight] ?? 34}
        headerHeight={38}
        rowMarkers={{ kind: "both", width: markerWidth }}
        freezeColumns={props.frozen}
        smoothScrollX
        smoothScrollY
        verticalBorder
        fillHandle={editable}
        allowedFillDirections="vertical"
        getCellContent={getCellContent}
        getCellsForSelection={true}
        gridSelection={{ ...emptyGridSelection, current, rows: shownTicks, columns: columnsSelected }}
        onGridSelectionChange={choose}
        rangeSelect="rect"
        rowSelect={editable || deletable ? "multi" : "none"}
        columnSelect="multi"
        onVisibleRegionChanged={(area) => {
          view.current = { from: area.y, to: area.y + area.height };
          setPages(pagesIn(area.y, area.y + area.height));
          errors.onScroll();
          source.ensure(area.y - 30, area.y + area.height + 30);
        }}
        onItemHovered={(at) => {
          overHandle.current = at.kind === "cell" && at.isFillHandle;
          errors.onHover(at);
        }}
        onCellsEdited={(edits) => {
          if (editable) writeCells(edits, source, fields);
          return true;
        }}
        onFillPattern={(event) => {
          event.preventDefault();
          if (editable) {
            const { patternSource: from, fillDestination: to } = event;
            void fill(from, inGroup(to, from.y, source), target);
          }
        }}
        onCellActivated={activate}
        onCellClicked={(cell, event) => {
          const field = fields[cell[0]];
          const row = source.at(cell[1]);
          if (row && cell[0] === 0 && event.localEventX > event.bounds.width - expandWidth) props.onOpen(row);
          const link = row && (event.ctrlKey || event.metaKey) ? linkAt(row, field) : undefined;
          if (link) follow(link);
          // The library takes the focus only with a cell that was not selected before.
          if (!event.isTouch) grid.current?.focus();
          // It also keeps a range whose first cell is clicked, where any other click ends the range.
          if (isCurrent(current, cell) && !isOneCell(current) && !event.isFillHandle) setCurrent(onlyCell(cell));
          if (headAt(source, cell[1]) || (field && kindOf(field.type).cell.opens === "address")) activate(cell);
          // Typing replaces the value of a clicked cell, however often clicked; a finger has no keys.
          if (!event.isTouch && !isPressed(cell)) event.preventDefault();
        }}
        onCellContextMenu={([column, index], event) => {
          event.preventDefault();
          const at = { x: event.bounds.x + event.localEventX, y: event.bounds.y + event.localEventY };
          const row = source.at(index);
          const head = headAt(source, index);
          if (head) props.onHeadMenu(head, at);
          else if (row) props.onRowMenu(row, at, fields[column]);
        }}
        onHeaderMenuClick={(column, at) => {
          const field = fields[column];
          if (field) props.onFieldMenu(field, at);
        }}
        onHeaderContextMenu={(column, event) => {
          event.preventDefault();
          const field = fields[column];
          if (field) props.onFieldMenu(field, event.bounds);
        }}
        onColumnResizeStart={() => (resizing.current = true)}
        // A double click on the edge of a column fits its width, without a start or an end.
        onColumnResize={(column, width) => resized(column, width, !resizing.current)}
        onColumnResizeEnd={(column, width) => {
          resizing.current = false;
          resized(column, width, true);
        }}
        onColumnMoved={
          changeable || editable
            ? (from, to) => {
                moved.current = fields[from]?.id;
                props.onMove(from, to);
              }
            : undefined
        }
        onRowMoved={props.onMoveRow}
        onRowAppended={addable ? props.onAdd : undefined}
        trailingRowOptions={
          addable ? { sticky: true, tint: false, hint: text.base.newRecord, targetColumn: 0 } : undefined
        }
        // The clipboard and the keys that empty cells must reach rows not read yet; see action.ts.
        keybindings={{
          activateCell: "Enter|F2|shift+Enter",
          downFill: false,
          search: false,
          copy: false,
          cut: false,
          paste: false,
          delete: false,
        }}
        onKeyDown={(event) =>
          takeKey(event, {
            editable,
            deletable,
            open: (index) => {
              const row = source.at(index);
              const head = headAt(source, index);
              if (head) props.onFold(head);
              else if (row) props.onOpen(row);
            },
            insert: (index) => {
              const row = source.at(index);
              if (!row || isUnsaved(row.id) || !props.onInsert) return false;
              props.onInsert(row);
              return true;
            },
            now: ([column, index]) => {
              const field = fields[column];
              const row = source.at(index);
              const value = field && isWritable(field) ? kindOf(field.type).present?.(context) : undefined;
              if (editable && row && field && value) source.edit([{ row, fields: { [field.id]: value } }]);
              return value !== undefined;
            },
            menu: (location) => {
              const at = grid.current?.getBounds(...location);
              const row = source.at(location[1]);
              const head = headAt(source, location[1]);
              const below = at && { x: at.x + 8, y: at.y + at.height };
              if (below && head) props.onHeadMenu(head, below);
              else if (below && row) props.onRowMenu(row, below, fields[location[0]]);
            },
            empty: () => {
              if (current || columnsSelected.length > 0) void (editable && clear(picked, target));
              else if (deletable && (ticked.all || ticked.ids.size > 0)) props.onDeleteTicked();
            },
            fillDown: () => {
              const range = current?.range;
              if (range && range.height > 1) void fill({ ...range, height: 1 }, range, target, true);
            },
            fillRight: () => {
              const range = current?.range;
              if (!range || range.width < 2) return false;
              void fillRight(range, target);
              return true;
            },
            undo: props.onUndo,
            redo: props.onRedo,
            search: props.onSearch,
            replace: onReplace && ((column) => onReplace(column === undefined ? undefined : fields[column])),
            refuse: (column) => {
              const field = fields[column];
              if (field && !isWritable(field)) refuseEdit(field, target);
            },
          })
        }
        rightElement={changeable ? <AddField onAdd={props.onAddField} /> : undefined}
        rightElementProps={{ fill: false, sticky: false }}
      />
      {errors.tip}
      <div role="status" className="sr-only">
        {said}
      </div>
    </div>
  );

  function resized(column: GridColumn, width: number, final: boolean) {
    const field = fields.find((one) => one.id === column.id);
    if (field) props.onResize(field, Math.round(width), final);
  }
}
