import type { Field, Table, ViewConfig } from "../api/type.ts";
import type { ViewRole } from "../field/catalogue.ts";
import type { FieldKind } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { canServe } from "../field/value.ts";
import type { Catalogue } from "../text/index.ts";

/** A field that a view is built on, which is chosen in the toolbar. */
export type FieldSetting = {
  key: "coverFieldId" | "stackFieldId" | "startFieldId" | "endFieldId";
  label: (text: Catalogue) => string;
  /** What the field is for. */
  role: ViewRole;
  /** What the choice of no field is called; absent when there has to be one. */
  none?: (text: Catalogue) => string;
  /** The kinds with which a new view begins, when the table has such a field. */
  initial?: (kind: FieldKind) => boolean;
};

export const coverField: FieldSetting = {
  key: "coverFieldId",
  label: (text) => text.view.cover,
  none: (text) => text.view.noCover,
  role: "cover",
  initial: (kind) => kind.cover?.first === true,
};

export const stackField: FieldSetting = {
  key: "stackFieldId",
  label: (text) => text.view.stack,
  role: "stack",
  initial: (kind) => kind.stack?.first === true,
};

export const startField: FieldSetting = {
  key: "startFieldId",
  label: (text) => text.view.start,
  role: "start",
  initial: (kind) => kind.calendar?.on !== undefined,
};

export const endField: FieldSetting = {
  key: "endFieldId",
  label: (text) => text.view.end,
  none: (text) => text.view.noEnd,
  role: "end",
};

/** The fields among which a setting chooses. */
export function choices(setting: FieldSetting, table: Table): Field[] {
  return table.fields.filter((field) => canServe(field, setting.role));
}

/** The field that a setting has chosen, while the table has it and it fits. */
export function chosenField(setting: FieldSetting, table: Table, config: ViewConfig): Field | undefined {
  return choices(setting, table).find((field) => field.id === config[setting.key]);
}

/** The field that a new view begins with. */
export function initialField({ initial }: FieldSetting, table: Table): Field | undefined {
  return initial && table.fields.find((field) => initial(kindOf(field.type)));
}
