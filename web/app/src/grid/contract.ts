import type { Rectangle } from "@glideapps/glide-data-grid";
import type { Ref } from "react";
import type { Field, Row } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import type { Tone } from "../ui/tone.ts";
import type { ActionTarget } from "./action.ts";
import type { Head } from "./grouped.ts";
import type { GridRows } from "./gridrows.ts";
import type { SelectedCells } from "./sums.ts";
import type { Ticked } from "./ticked.ts";

export type GridHandle = {
  focus: () => void;
  refresh: () => void;
  /** Brings a column into view. */
  showColumn: (column: number) => void;
  /** Selects no cell, so that what is typed goes into none. */
  deselect: () => void;
  /** Selects the first cell of a record, and takes the focus. */
  showRow: (recordId: string) => void;
};

export type GridProps = {
  source: GridRows;
  /** What the grid is called: the names of its table and its view. */
  name: string;
  /** The visible fields, in order. */
  fields: Field[];
  widths: Record<string, number>;
  frozen: number;
  /** The function that each column shows of a group. */
  chosen: Record<string, string> | undefined;
  rowHeight: string;
  context: Context;
  editable: boolean;
  addable: boolean;
  deletable: boolean;
  changeable: boolean;
  onOpen: (row: Row) => void;
  /** Called for the mark of a record with comments. */
  onThread: (recordId: string, threadId: string) => void;
  /** Called for cells whose editor is larger than the cell: links, attachments. */
  onEditApart: (row: Row, field: Field) => void;
  onPress: (row: Row, field: Field) => void;
  /** Makes a record below one; undefined where rows have no manual order, and for those who may not. */
  onInsert: ((row: Row) => void) | undefined;
  onFieldMenu: (field: Field, at: Rectangle) => void;
  onRename: (field: Field) => void;
  onRowMenu: (row: Row, at: { x: number; y: number }, field: Field | undefined) => void;
  /** The colour of a record. */
  toneOf: (row: Row) => Tone | undefined;
  /** Folds a group, or unfolds it. */
  onFold: (head: Head) => void;
  onHeadMenu: (head: Head, at: { x: number; y: number }) => void;
  onAddField: (anchor: Element) => void;
  onResize: (field: Field, width: number, final: boolean) => void;
  onMove: (from: number, to: number) => void;
  /** Puts a row at the place of another one; undefined where rows have no manual order. */
  onMoveRow: ((from: number, to: number) => void) | undefined;
  ticked: Ticked;
  onTick: (ticked: Ticked) => void;
  /** Called for the key that deletes when records are ticked. */
  onDeleteTicked: () => void;
  /** Makes a record. Returns its position once it was made. */
  onAdd: () => Promise<number | undefined>;
  runTask: ActionTarget["runTask"];
  ask: ActionTarget["ask"];
  extend: ActionTarget["extend"];
  addOptions: ActionTarget["addOptions"];
  onLeft: ActionTarget["list"];
  onUndo: () => void;
  onRedo: () => void;
  onSearch: () => void;
  /** Finds and replaces in a field, or in one that is chosen then; undefined for those who may not. */
  onReplace: ((field: Field | undefined) => void) | undefined;
  /** Called with the selected cells. */
  onSelect: (cells: SelectedCells | undefined) => void;
  ref?: Ref<GridHandle>;
};
