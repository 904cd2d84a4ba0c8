import "@glideapps/glide-data-grid/dist/index.css";
import {
  booleanCellRenderer,
  CompactSelection,
  DataEditorCore,
  type DataEditorRef,
  emptyGridSelection,
  type EditableGridCell,
  type GridCell,
  GridCellKind,
  type GridColumn,
  type GridSelection,
  type InternalCellRenderer,
  type InnerGridCell,
  type Item,
  loadingCellRenderer,
  markerCellRenderer,
  newRowCellRenderer,
  type Rectangle,
  textCellRenderer,
} from "@glideapps/glide-data-grid";
import { Plus } from "lucide-react";
import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { Field, Row, Values } from "../api/type.ts";
import { kindOf } from "../field/kind.ts";
import type { Context } from "../field/value.ts";
import { useTheme } from "../shell/theme.ts";
import { text } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { complain, tell } from "../ui/toast.ts";
import { type CellData, cellOf, fieldRenderer } from "./cell.ts";
import { carry, type Copied, copied, layOver } from "./clip.ts";
import { useHeaderIcons } from "./header.tsx";
import type { RowSource } from "./source.ts";
import { cellPalette, gridTheme } from "./theme.ts";
import { onThumbnail } from "./thumbnail.ts";
import { useVersion } from "./use.ts";

const renderers = [booleanCellRenderer, loadingCellRenderer, markerCellRenderer, newRowCellRenderer, textCellRenderer] as unknown as InternalCellRenderer<InnerGridCell>[];

// The grid draws no images from addresses; the loader is never asked.
const noImages = { setWindow: () => undefined, loadOrGetImage: () => undefined, setCallback: () => undefined };

export const rowHeights: Record<string, number> = { short: 34, medium: 58, tall: 92 };

export type GridHandle = { focus: () => void; refresh: () => void; showRow: (index: number) => void };

type Props = {
  source: RowSource;
  /** The visible fields in their order. */
  fields: Field[];
  widths: Record<string, number>;
  frozen: number;
  rowHeight: string;
  context: Context;
  editable: boolean;
  changeable: boolean;
  onOpen: (row: Row) => void;
  /** Called for cells whose editor is larger than the cell: links, attachments. */
  onEditApart: (row: Row, field: Field) => void;
  onPress: (row: Row, field: Field) => void;
  onFieldMenu: (field: Field, at: Rectangle) => void;
  onRowMenu: (row: Row, at: { x: number; y: number }) => void;
  onAddField: (anchor: Element) => void;
  onResize: (field: Field, width: number, final: boolean) => void;
  onMove: (from: number, to: number) => void;
  onSelect: (selected: CompactSelection) => void;
  selectedRows: CompactSelection;
  onUndo: () => void;
  onRedo: () => void;
  onSearch: () => void;
  ref?: Ref<GridHandle>;
};

/** The grid: the only place that knows which library draws it. */
export function RecordGrid(props: Props) {
  const { source, fields, widths, context, editable, changeable, rowHeight } = props;
  const version = useVersion(source);
  const { shown } = useTheme();
  const icons = useHeaderIcons(source.total !== undefined);
  const grid = useRef<DataEditorRef>(null);
  const view = useRef({ from: 0, to: 40 });
  const clip = useRef<Copied>(undefined);
  const [current, setCurrent] = useState<GridSelection["current"]>();
  const [columnsSelected, setColumnsSelected] = useState(CompactSelection.empty());
  // Colours are read from the page, which has the theme's by the time of an effect.
  const [colours, setColours] = useState(() => ({ theme: gridTheme(), palette: cellPalette() }));
  useEffect(() => setColours({ theme: gridTheme(), palette: cellPalette() }), [shown]);

  useImperativeHandle(props.ref, () => ({
    focus: () => grid.current?.focus(),
    refresh: () => source.refresh(view.current.from, view.current.to),
    showRow: (index) => {
      setCurrent({ cell: [0, index], range: { x: 0, y: index, width: 1, height: 1 }, rangeStack: [] });
      grid.current?.scrollTo(0, index);
    },
  }));

  const columns = useMemo<GridColumn[]>(
    () =>
      fields.map((field) => ({
        id: field.id,
        title: field.name,
        width: widths[field.id] ?? field.width ?? kindOf(field.type).width,
        icon: field.type,
        hasMenu: true,
      })),
    [fields, widths],
  );

  const getCellContent = useCallback(
    ([column, index]: Item): GridCell => {
      const field = fields[column];
      if (!field) return { kind: GridCellKind.Loading, allowOverlay: false };
      return cellOf({ field, row: source.at(index), context, palette: colours.palette, editable, wrap: rowHeight !== "short" });
    },
    // A new version makes a new function, which makes the grid draw anew.
    // oxlint-disable-next-line react/exhaustive-deps
    [fields, source, version, context, colours.palette, editable, rowHeight],
  );

  const getCellsForSelection = useCallback(
    (area: Rectangle) => async () => {
      const wanted = fields.slice(area.x, area.x + area.width);
      await source.range(area.y, area.y + area.height - 1);
      const rows = Array.from({ length: area.height }, (_, y) => source.at(area.y + y));
      const cells = rows.map((_row, y) => wanted.map((_field, x) => getCellContent([area.x + x, area.y + y])));
      clip.current = copied(rows, wanted, cells.map((line) => line.map((cell) => cell.copyData ?? "")));
      return cells;
    },
    [fields, getCellContent, source],
  );

  const write = (edits: { location: Item; value: EditableGridCell }[]) => {
    const byRow = new Map<number, Values>();
    let refused = 0;
    for (const { location, value } of edits) {
      const field = fields[location[0]];
      if (!field || kindOf(field.type).readOnly || !editable) continue;
      const from = value.kind === GridCellKind.Custom ? (value.data as CellData) : undefined;
      const read =
        value.kind === GridCellKind.Boolean
          ? { value: value.data === true }
          : from?.field.id === field.id
            ? { value: from.value }
            : carry(from, value.copyData ?? "", field, context);
      if (read.error !== undefined) refused++;
      else byRow.set(location[1], { ...byRow.get(location[1]), [field.name]: read.value });
    }
    const changes = [...byRow].flatMap(([index, values]) => {
      const row = source.at(index);
      if (!row) return [];
      const changed = Object.entries(values).filter(([name, next]) => JSON.stringify(row.fields[name] ?? null) !== JSON.stringify(next ?? null));
      return changed.length > 0 ? [{ row, fields: Object.fromEntries(changed) }] : [];
    });
    if (changes.length > 0) source.edit(changes);
    if (refused > 0) complain(new Error(text.base.notPasted(refused)), text.base.notPasted(refused));
    return true;
  };

  const paste = async (target: Item, texts: readonly (readonly string[])[]) => {
    if (!editable) return;
    const total = source.total ?? 0;
    // One copied cell fills the whole selection, as in a spreadsheet.
    const range = current?.range;
    const single = texts.length === 1 && texts[0]?.length === 1;
    const spread =
      single && range && range.width * range.height > 1
        ? Array.from({ length: range.height }, () => Array.from({ length: range.width }, () => texts[0]?.[0] ?? ""))
        : texts;
    const start: Item = spread === texts ? target : [range?.x ?? target[0], range?.y ?? target[1]];
    const last = Math.min(total - 1, start[1] + spread.length - 1);
    try {
      if (last >= start[1]) await source.range(start[1], last);
      const block = layOver(spread, clip.current, { fields, column: start[0], row: start[1], total, context });
      source.edit(
        block.edits.flatMap(({ index, fields: values }) => {
          const row = source.at(index);
          return row ? [{ row, fields: values }] : [];
        }),
      );
      if (block.creates.length > 0) await source.create(block.creates);
      if (block.refused > 0) complain(new Error(text.base.notPasted(block.refused)), text.base.pasted(block.pasted));
      else if (block.pasted > 1) tell(text.base.pasted(block.pasted));
    } catch (error) {
      complain(error);
    }
  };

  useEffect(() => onThumbnail((column, row) => grid.current?.updateCells([{ cell: [column, row] }])), []);

  const activate = ([column, index]: Item) => {
    const field = fields[column];
    const row = source.at(index);
    if (!field || !row) return;
    const shape = kindOf(field.type).shape;
    if (shape === "none") props.onPress(row, field);
    else if (shape === "link" || shape === "attachment") props.onEditApart(row, field);
  };

  return (
    <div className="h-full min-h-0 w-full" data-testid="grid" role="region" aria-label={text.view.kind.grid}>
      <DataEditorCore
        ref={grid}
        width="100%"
        height="100%"
        theme={colours.theme}
        renderers={renderers}
        customRenderers={[fieldRenderer]}
        headerIcons={icons}
        imageWindowLoader={noImages}
        columns={columns}
        rows={source.total ?? 0}
        rowHeight={rowHeights[rowHeight] ?? 34}
        headerHeight={38}
        rowMarkers={{ kind: "both", width: 52 }}
        freezeColumns={props.frozen}
        smoothScrollX
        smoothScrollY
        verticalBorder
        fillHandle={editable}
        allowedFillDirections="vertical"
        getCellContent={getCellContent}
        getCellsForSelection={getCellsForSelection}
        gridSelection={{ ...emptyGridSelection, current, rows: props.selectedRows, columns: columnsSelected }}
        onGridSelectionChange={(next) => {
          setCurrent(next.current);
          setColumnsSelected(next.columns);
          props.onSelect(next.rows);
        }}
        rangeSelect="rect"
        rowSelect={editable ? "multi" : "none"}
        columnSelect="multi"
        onVisibleRegionChanged={(area) => {
          view.current = { from: area.y, to: area.y + area.height };
          source.ensure(area.y - 30, area.y + area.height + 30);
        }}
        onCellsEdited={(edits) => write([...edits])}
        onPaste={(target, texts) => {
          void paste(target, texts);
          return false;
        }}
        onCellActivated={activate}
        onCellClicked={(cell) => {
          const field = fields[cell[0]];
          if (field && kindOf(field.type).shape === "none") activate(cell);
        }}
        onCellContextMenu={([, index], event) => {
          event.preventDefault();
          const row = source.at(index);
          if (row) props.onRowMenu(row, { x: event.bounds.x + event.localEventX, y: event.bounds.y + event.localEventY });
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
        onColumnResize={(column, width) => resized(column, width, false)}
        onColumnResizeEnd={(column, width) => resized(column, width, true)}
        onColumnMoved={changeable || editable ? (from, to) => props.onMove(from, to) : undefined}
        onRowAppended={
          editable
            ? async () => {
                try {
                  await source.create([{}]);
                  return "bottom";
                } catch (error) {
                  complain(error);
                  return undefined;
                }
              }
            : undefined
        }
        trailingRowOptions={{ sticky: true, tint: false, hint: text.base.newRecord, targetColumn: 0 }}
        keybindings={{ activateCell: "Enter|F2|shift+Enter", downFill: true, search: false }}
        onKeyDown={(event) => {
          const command = event.ctrlKey || event.metaKey;
          const key = event.key.toLowerCase();
          if (key === " " && !event.shiftKey && !command && event.location) {
            event.cancel();
            event.preventDefault();
            const row = source.at(event.location[1]);
            if (row) props.onOpen(row);
          } else if (command && key === "z") {
            event.cancel();
            event.preventDefault();
            if (event.shiftKey) props.onRedo();
            else props.onUndo();
          } else if (command && key === "y") {
            event.cancel();
            event.preventDefault();
            props.onRedo();
          } else if (command && key === "f") {
            event.cancel();
            event.preventDefault();
            props.onSearch();
          }
        }}
        rightElement={
          changeable ? (
            <div className="flex h-9.5 w-11 items-center justify-center border-b border-line bg-canvas">
              <IconButton label={text.field.add} size="sm" onClick={(event) => props.onAddField(event.currentTarget)}>
                <Plus size={16} aria-hidden />
              </IconButton>
            </div>
          ) : undefined
        }
        rightElementProps={{ fill: false, sticky: false }}
      />
    </div>
  );

  function resized(column: GridColumn, width: number, final: boolean) {
    const field = fields.find((one) => one.id === column.id);
    if (field) props.onResize(field, Math.round(width), final);
  }
}
