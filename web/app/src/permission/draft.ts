import type { Audience, BaseRole, Body, Field, RowRule, TablePermissions } from "../api/type.ts";

/** What may be done with the records of a table. */
export const actions = ["read", "create", "edit", "delete"] as const;
export type Action = (typeof actions)[number];

/** The role that an action needs where the table says nothing. */
export const usualRole: Record<Action, BaseRole> = {
  read: "viewer",
  create: "editor",
  edit: "editor",
  delete: "editor",
};

/** Who may do something in addition to the creators of the base; null leaves it to the role in the base. */
export type Who = Audience | null;
/** Who sees and who writes a field, null leaves it to the table; and whether its result is revealed. */
export type FieldWho = { read: Who; edit: Who; reveal?: boolean };

/** Permissions of a table while somebody changes them. */
export type Draft = { actions: Record<Action, Who>; fields: Record<string, FieldWho>; rules: readonly RowRule[] };

export type Patch = NonNullable<Body<"set_table_permissions">>;

export function draftOf({ fields, rules, ...table }: TablePermissions): Draft {
  return {
    actions: { read: table.read, create: table.create, edit: table.edit, delete: table.delete },
    fields: Object.fromEntries(fields.map(({ fieldId, read, edit, reveal }) => [fieldId, { read, edit, reveal }])),
    rules: rules as RowRule[],
  };
}

const usual: FieldWho = { read: null, edit: null };

/** Who sees and writes a field of a draft. */
export const fieldOf = (draft: Draft, { id }: Pick<Field, "id">): FieldWho => draft.fields[id] ?? usual;

/** What those may do with a field who are not named as exceptions. */
export const states = ["edit", "read", "hidden"] as const;
export type FieldState = (typeof states)[number];

export function stateOf({ read, edit }: FieldWho): FieldState {
  return read ? "hidden" : edit ? "read" : "edit";
}

/** A field in another state. Who is excepted stays where that is possible. */
export function withState(who: FieldWho, state: FieldState): FieldWho {
  if (state === "edit") return { ...usual, reveal: who.reveal };
  if (state === "read") return { ...who, read: null, edit: who.edit ?? {} };
  return { ...who, read: who.read ?? {} };
}

/** An audience as text, the same for the same people in another order. */
const canonical = (who: Who) =>
  who && JSON.stringify([who.role ?? null, (who.groupIds ?? []).toSorted(), (who.userIds ?? []).toSorted()]);

/** What changes audiences by name; undefined if they say the same. */
function changed<Name extends string>(names: readonly Name[], from: Record<Name, Who>, to: Record<Name, Who>) {
  const different = names.filter((name) => canonical(from[name]) !== canonical(to[name]));
  if (different.length === 0) return undefined;
  const reset = different.filter((name) => to[name] === null);
  const set = Object.fromEntries(different.flatMap((name) => (to[name] ? [[name, to[name]]] : [])));
  return { ...set, ...(reset.length > 0 ? { reset } : {}) };
}

/** What makes one draft of another; undefined if they say the same. */
export function patchOf(before: Draft, after: Draft): Patch | undefined {
  const table = changed(actions, before.actions, after.actions);
  const fields = Object.keys({ ...before.fields, ...after.fields }).flatMap((fieldId) => {
    const [from, to] = [fieldOf(before, { id: fieldId }), fieldOf(after, { id: fieldId })];
    const one = changed(["read", "edit"], from, to);
    const reveal = Boolean(to.reveal) === Boolean(from.reveal) ? undefined : Boolean(to.reveal);
    return one || reveal !== undefined ? [{ fieldId, ...one, ...(reveal === undefined ? {} : { reveal }) }] : [];
  });
  const ruled = JSON.stringify(before.rules) !== JSON.stringify(after.rules);
  if (!table && fields.length === 0 && !ruled) return undefined;
  return { ...table, ...(fields.length > 0 ? { fields } : {}), ...(ruled ? { rules: [...after.rules] } : {}) };
}

/** The ids of the fields whose results a patch reveals. */
export const revealedBy = (patch: Patch) =>
  (patch.fields ?? []).filter(({ reveal }) => reveal).map(({ fieldId }) => fieldId);
