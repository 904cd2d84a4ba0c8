import { expect, test } from "vitest";
import { type Draft, draftOf, fieldOf, patchOf, revealedBy, stateOf, withState } from "../../src/permission/draft.ts";

const usual: Draft = { actions: { read: null, create: null, edit: null, delete: null }, fields: {}, rules: [] };

test("the permissions of a table are read, and a field without any is the table's", () => {
  const draft = draftOf({
    read: null,
    create: { role: "editor", userIds: ["usr_1"] },
    edit: null,
    delete: {},
    fields: [{ fieldId: "fld_1", name: "Salary", read: {}, edit: null }],
    rules: [],
  });
  expect(draft.actions).toEqual({ read: null, create: { role: "editor", userIds: ["usr_1"] }, edit: null, delete: {} });
  expect(fieldOf(draft, { id: "fld_1" })).toEqual({ read: {}, edit: null });
  expect(fieldOf(draft, { id: "fld_2" })).toEqual({ read: null, edit: null });
});

test("a field is hidden, read only or edited, and keeps who is excepted", () => {
  const open = { read: null, edit: null };
  expect(stateOf(open)).toBe("edit");
  const locked = withState(open, "read");
  expect(locked).toEqual({ read: null, edit: {} });
  const some = { read: null, edit: { groupIds: ["grp_1"] } };
  expect(stateOf(some)).toBe("read");
  const hidden = withState(some, "hidden");
  expect(hidden).toEqual({ read: {}, edit: { groupIds: ["grp_1"] } });
  expect(stateOf(hidden)).toBe("hidden");
  expect(withState(hidden, "read")).toEqual(some);
  expect(withState(hidden, "edit")).toEqual(open);
});

test("only what differs is sent, and what is left to the role in the base is reset", () => {
  expect(patchOf(usual, usual)).toBeUndefined();
  const before: Draft = {
    actions: { ...usual.actions, create: { role: "editor" }, delete: { groupIds: ["grp_1", "grp_2"] } },
    fields: { fld_1: { read: {}, edit: {} }, fld_2: { read: null, edit: {} } },
    rules: [],
  };
  const reordered: Draft = { ...before, actions: { ...before.actions, delete: { groupIds: ["grp_2", "grp_1"] } } };
  expect(patchOf(before, reordered)).toBeUndefined();
  const after: Draft = {
    actions: { ...before.actions, create: null, edit: { userIds: ["usr_1"] } },
    fields: { ...before.fields, fld_1: { read: null, edit: { role: "editor" } }, fld_3: { read: {}, edit: null } },
    rules: [{ role: "viewer", edit: true, filter: [{ fieldId: "fld_4", op: "has_any", value: { me: true } }] }],
  };
  expect(patchOf(before, after)).toEqual({
    edit: { userIds: ["usr_1"] },
    rules: after.rules,
    reset: ["create"],
    fields: [
      { fieldId: "fld_1", edit: { role: "editor" }, reset: ["read"] },
      { fieldId: "fld_3", read: {} },
    ],
  });
});

test("a result is revealed, and no longer, whatever the state of its field", () => {
  const shown: Draft = { ...usual, fields: { fld_1: { read: null, edit: null, reveal: true } } };
  const reveal = patchOf(usual, shown);
  expect(reveal).toEqual({ fields: [{ fieldId: "fld_1", reveal: true }] });
  expect(revealedBy(reveal!)).toEqual(["fld_1"]);
  expect(patchOf(shown, usual)).toEqual({ fields: [{ fieldId: "fld_1", reveal: false }] });
  expect(withState(withState(fieldOf(shown, { id: "fld_1" }), "hidden"), "edit").reveal).toBe(true);
});
