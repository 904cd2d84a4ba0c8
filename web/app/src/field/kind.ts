import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import type { Attachment, Field, FieldConfig, FieldType, Filter, Option, Sort, Table, Values } from "../api/type.ts";
import type { Translated } from "../locale/locale.ts";
import type { Tone } from "../ui/tone.ts";
import type { Context, Parsed } from "./context.ts";

/** The groups under which menus list the types of field. */
export type Group = "text" | "number" | "choice" | "date" | "relation" | "computed" | "automatic";

/** A value that is shown as a label: coloured for options and people, and plain without a tone. */
export type Label = { id: string; label: string; tone?: Tone };

/** What a cell of the grid can be drawn with. */
export type Pen = {
  /** Writes a text on one line, or on several where the row is high enough. */
  text(shown: string, look?: { link?: boolean; danger?: boolean }): void;
  labels(labels: Label[]): void;
  /** Draws images as they look, and the names of the other files. */
  files(files: Attachment[]): void;
  stars(count: number, max: number): void;
  button(label: string): void;
};

/** What ties a control to its label, its description and its error. */
export type At = { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean; "aria-required"?: boolean };

/** Writes a value of any field, as for the name of a linked record. */
export type Format = (value: unknown, field: Field) => string;

export type ControlProps = {
  kind: FieldKind;
  field: Field;
  value: unknown;
  /** All values of the record, by field name. */
  values: Values;
  context: Context;
  format: Format;
  at: At;
  disabled?: boolean;
  onChange: (value: unknown) => void;
  /**
   * Called with the reason when the control holds what cannot be read, and without one when it does
   * not any more.
   */
  onError: (reason: string | undefined) => void;
  /** Called when uploads of the field begin or need a decision, and when none do any more. */
  onUploading?: (field: Field, uploading: boolean) => void;
};

/** Where the selection of the grid goes after an edit: columns and rows. */
export type Movement = readonly [-1 | 0 | 1, -1 | 0 | 1];

export type EditorProps = {
  kind: FieldKind;
  field: Field;
  value: unknown;
  context: Context;
  /** The height of the cell in pixels. */
  height: number;
  /**
   * What was typed to open the editor; undefined when it was opened to edit the value that is
   * there.
   */
  initial?: string;
  /** Changes the value and keeps the editor open. */
  onChange: (value: unknown) => void;
  /** Writes the value and closes the editor. */
  onDone: (value: unknown, movement?: Movement) => void;
  /** Closes the editor and writes nothing. */
  onCancel: () => void;
};

/** An option being edited; previousName is what it was called when the dialog was opened. */
export type OptionDraft = Option & { key: string; previousName?: string };

/** A configuration in the dialog of a field, where options are still being written. */
export type ConfigDraft = Omit<FieldConfig, "options"> & { options?: OptionDraft[] };

/** The limits of a key of a field's configuration, as far as there are any. */
export type Limits = { enum?: readonly string[]; minimum?: number; maximum?: number; maxLength?: number };

export type ConfigProps = {
  config: ConfigDraft;
  onChange: (change: ConfigDraft) => void;
  /** The field that is changed; undefined for a new one. */
  field?: Field;
  /** The field has another type than the one it is being given. */
  retyped: boolean;
  /** The limits of the configuration's keys. */
  limits: Record<string, Limits>;
  tables: Table[];
  /** The table of the field. */
  table: Table;
  kindOf: KindOf;
  /** Edits conditions on records, which are of a module above this one. */
  Conditions: ComponentType<ConditionsProps>;
  /** Edits the order of records, likewise. */
  Sorts: ComponentType<SortsProps>;
};

/** Conditions on the records of a table. Those that are still being written are not handed over. */
export type ConditionsProps = { table: Table; filters: Filter[]; onChange: (filters: Filter[]) => void };

/** An order of the records of a table, and what is said where there is none. */
export type SortsProps = { table: Table; sorts: Sort[]; none?: string; onChange: (sorts: Sort[]) => void };

/** Finds the kind of a type of field. */
export type KindOf = (type: FieldType) => FieldKind;

/** A component whose code is loaded when it is first shown, or before by `preload`. */
export type Loaded<Props> = ComponentType<Props> & { preload?: () => Promise<void> };

/** A column of a kanban view. */
export type StackColumn = { id: string; label: string; tone: Tone; value: unknown };

export type FieldKind = {
  name: Translated;
  group: Group;
  icon: LucideIcon;
  /** The service computes the values from other fields; each may be an error. */
  computed?: boolean;
  /** The width in pixels of a column that nobody resized. */
  width: number;

  /** Writes a value that is not empty, as people read it. */
  format(value: unknown, field: Field, context: Context): string;
  /** What is shown in place of an empty value. */
  placeholder?(field: Field): string;
  /**
   * Writes a value that is not empty in full, as it stands in an editor; as `format` does unless
   * given.
   */
  entry?(value: unknown, field: Field, context: Context): string;
  /**
   * Reads an entry without the space around it; `raw` has it. A kind without this is not written as
   * text.
   */
  parse?(entry: string, field: Field, context: Context, raw: string): Parsed;
  /** The value of an empty entry, and what clearing a cell writes; null unless given. */
  empty?: unknown;
  /** A value for the examples of the API; undefined where nobody could know one. */
  example?(field: Field): unknown;
  /**
   * The text that the clipboard gets, which `parse` reads again; as `format` writes it unless
   * given.
   */
  copy?(value: unknown, field: Field, context: Context): string;
  /**
   * What makes a value that is not empty the same as another, where two answers of the service may
   * write one value differently; the value itself unless given.
   */
  identity?(value: unknown): unknown;
  /** The address that a value is a link to; undefined where it is none. */
  linkOf?(value: string): string | undefined;
  /** Kinds with the same family hold the same values. A kind without one is a family of its own. */
  family?: string;
  /**
   * Reports whether the field takes a copied value of a field of its family as it is; it does
   * unless given.
   */
  accepts?(from: Field, field: Field): boolean;
  /** The values are numbers, and are read and sorted as such. */
  numeric?: boolean;
  /** The operator that a new condition begins with; the first one unless given. */
  usualOp?: string;
  /** How the directions of a sort are called. */
  order?: "text" | "number";

  cell: {
    /** Draws a value; `format` as text unless given. */
    draw?(pen: Pen, value: unknown, field: Field, context: Context): void;
    align?: "right" | ((field: Field) => "right" | undefined);
    /** The cell is a box to be ticked. */
    box?: boolean | ((value: unknown) => boolean);
    /** What opening the cell does where there is no editor in it. */
    opens?: "links" | "record" | "address";
    Editor?: Loaded<EditorProps>;
    /** The least width in pixels of the editor. */
    editorWidth?: number;
    /** Pixels that a column fitted to its values gets beyond the text. */
    padding?: number;
  };

  Control: Loaded<ControlProps>;
  /** A value on a card; a kind without one is not shown there. */
  Card?: ComponentType<{ value: unknown; field: Field; context: Context }>;
  Config?: Loaded<ConfigProps>;
  /** The settings of the kind need a wide form. */
  wide?: boolean;
  /** Reports whether a field can be created with the configuration; it can unless given. */
  complete?(config: ConfigDraft): boolean;

  /** CSV files, which the service reads and writes. A kind without this stands in none. */
  csv?: {
    /** The type is offered for new fields. */
    offered?: boolean;
    /** The configuration that the different values of a column ask for. */
    config?(values: string[]): FieldConfig | undefined;
  };

  /** The columns of a kanban view. */
  stack?: {
    /** The column of cards without a value, and the others in their order. */
    columns(field: Field, context: Context, values: unknown[]): { none?: StackColumn; named: StackColumn[] };
    /** The ids of the columns that a card stands in. */
    idsOf(value: unknown): string[];
    /** The value of a card that was moved; the column's own unless given. */
    move?(field: Field, value: unknown, from: string, to: StackColumn): unknown;
    /** A new kanban view begins with a field of this kind. */
    first?: boolean;
  };
  /** The present day, or moment, as a value. */
  present?(context: Context): string | undefined;
  /** The place of a record in a calendar. */
  calendar?: {
    /** The day of a value, as 2025-01-31. */
    dayOf(value: string, field: Field, context: Context): string | undefined;
    /** The value of a record that is made on a day. */
    on?(day: string, field: Field, context: Context): string;
  };
  /** The address of a picture for the head of a card. */
  cover?: { addressOf(value: unknown): string | undefined; first?: boolean };
  /** The values are ids of records of this table. */
  linkedTable?(field: Field): string | undefined;
};

/** Reports whether there is no value. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Reports whether a value of a kind is shown as a box. */
export function isBox({ cell: { box } }: FieldKind, value: unknown): boolean {
  return typeof box === "function" ? box(value) : box === true;
}

export function formatBy(kind: FieldKind, value: unknown, field: Field, context: Context): string {
  return isEmpty(value) ? (kind.placeholder?.(field) ?? "") : kind.format(value, field, context);
}

export function entryBy(kind: FieldKind, value: unknown, field: Field, context: Context): string {
  if (isEmpty(value)) return "";
  return (kind.entry ?? kind.format)(value, field, context);
}
