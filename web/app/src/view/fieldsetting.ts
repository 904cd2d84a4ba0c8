import type { Field, Table, ViewConfig } from "../api/type.ts";
import type { ViewRole } from "../field/catalogue.ts";
import type { FieldKind } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { linkedTable } from "../field/linked.ts";
import { canServe } from "../field/value.ts";
import type { Catalogue } from "../text/index.ts";

/** A field that a view is built on, which is chosen in the toolbar. */
export type FieldSetting = {
  key: "coverFieldId" | "stackFieldId" | "startFieldId" | "endFieldId" | "laneFieldId" | "dependsOnFieldId";
  label: (text: Catalogue) => string;
  /** What the field is for. */
  role?: ViewRole;
  /** Reports whether a field can be chosen; those that can have the role unless given. */
  serves?: (field: Field, table: Table) => boolean;
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

export const laneField: FieldSetting = {
  key: "laneFieldId",
  label: (text) => text.view.lanes,
  none: (text) => text.view.noLanes,
  serves: (field) => field.type === "link" || canServe(field, "stack"),
  initial: (kind) => kind.stack?.first === true,
};

export const dependsOnField: FieldSetting = {
  key: "dependsOnFieldId",
  label: (text) => text.view.dependsOn,
  none: (text) => text.view.noDependencies,
  serves: (field, table) => field.type === "link" && linkedTable(field) === table.id,
};

/** The fields among which a setting chooses. */
export function choices({ role, serves }: FieldSetting, table: Table): Field[] {
  return table.fields.filter((field) => (serves ? serves(field, table) : role !== undefined && canServe(field, role)));
}

/** The field that a setting has chosen, while the table has it and it fits. */
export function chosenField(setting: FieldSetting, table: Table, config: ViewConfig): Field | undefined {
  return choices(setting, table).find((field) => field.id === config[setting.key]);
}

/** The field that a new view begins with. */
export function initialField({ initial }: FieldSetting, table: Table): Field | undefined {
  return initial && table.fields.find((field) => initial(kindOf(field.type)));
}
