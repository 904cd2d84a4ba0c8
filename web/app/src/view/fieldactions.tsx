import { type ReactNode, useState } from "react";
import { useBase } from "../access/base.ts";
import { updateField } from "../api/change.ts";
import type { Field, Table } from "../api/type.ts";
import { DeleteField } from "../field/delete.tsx";
import { FieldForm } from "../field/lazyform.ts";
import { Conditions, SortPanel } from "../filter/lazy.ts";
import { leafFor } from "../filter/op.ts";
import type { RowQuery } from "../record/source.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import { NameDialog } from "../ui/lazyrename.tsx";
import { Menu, Popover } from "../ui/lazypopup.tsx";
import type { Anchor } from "../ui/menu.tsx";
import { complain, notify } from "../ui/toast.ts";
import { canGroup, colorsRecords, groupFields, maxGroupings } from "./group.ts";
import { FieldMenu, ReplaceDialog } from "./lazy.ts";
import type { ViewState } from "./state.ts";

/** Where a new field is put: before a field, or behind it. */
type Neighbour = { field: Field; behind: boolean };

type Actions = {
  openMenu: (field: Field, at: Anchor) => void;
  addField: (at: Anchor) => void;
  rename: (field: Field) => void;
  /** Finds and replaces in the values of a field. */
  replace: (field: Field | undefined) => void;
  /** The menus and dialogs, to be drawn by the view. */
  parts: ReactNode;
};

/** What is done with the fields of a grid from its column heads. `onEnd` is called when a form is left. */
export function useFieldActions(table: Table, state: ViewState, query: RowQuery, onEnd: () => void): Actions {
  const text = useText();
  const words = useGridText();
  const { canShape } = useBase();
  const [menu, setMenu] = useState<{ field: Field; at: Anchor }>();
  const [editing, setEditing] = useState<{ field?: Field; neighbour?: Neighbour; at: Anchor }>();
  const [renamed, setRenamed] = useState<Field>();
  const [replacing, setReplacing] = useState<{ field: Field | undefined }>();
  const [deleting, setDeleting] = useState<Field>();
  const groups = groupFields(table.fields, state.config);

  const put = (fieldId: string, { field, behind }: Neighbour) => {
    const ids = state.ordered.map((one) => one.id).filter((id) => id !== fieldId);
    ids.splice(Math.max(1, ids.indexOf(field.id) + (behind ? 1 : 0)), 0, fieldId);
    state.set({ fieldOrder: ids });
  };
  const duplicate = async (field: Field, values: boolean) => {
    try {
      const { duplicateField } = await import("../field/duplicate.ts");
      put(await duplicateField(table, field, values, words.copySuffix), { field, behind: true });
      notify(words.duplicated(field.name));
      onEnd();
    } catch (error) {
      complain(error);
    }
  };
  const regroup = (fields: Field[]) => state.set({ groupBy: fields.map((field) => field.id) });

  const parts = (
    <>
      <Menu
        open={menu !== undefined}
        onOpenChange={(open) => !open && setMenu(undefined)}
        anchor={menu?.at}
        align="end"
      >
        {menu && (
          <FieldMenu
            field={menu.field}
            canShape={canShape}
            onEdit={() => setEditing({ field: menu.field, at: menu.at })}
            onRename={() => setRenamed(menu.field)}
            onInsert={(behind) => setEditing({ neighbour: { field: menu.field, behind }, at: menu.at })}
            onDuplicate={(values) => void duplicate(menu.field, values)}
            onSort={(dir) =>
              state.set({
                sorts: [
                  { fieldId: menu.field.id, dir },
                  ...state.sorts.filter((sort) => sort.fieldId !== menu.field.id),
                ],
              })
            }
            onFilter={() => state.set({ filters: [...state.filters, leafFor(menu.field)] })}
            grouped={groups.includes(menu.field)}
            onGroup={
              groups.includes(menu.field) || groups.length === maxGroupings || !canGroup(menu.field)
                ? undefined
                : () => regroup([...groups, menu.field])
            }
            onUngroup={() => regroup(groups.filter((field) => field !== menu.field))}
            colors={state.config.colorFieldId === menu.field.id}
            onColor={
              colorsRecords(menu.field)
                ? () =>
                    state.set({
                      colorFieldId: state.config.colorFieldId === menu.field.id ? undefined : menu.field.id,
                    })
                : undefined
            }
            onHide={() =>
              state.set({
                hiddenFields: [
                  ...state.ordered.filter((field) => !state.visible.includes(field)).map((field) => field.id),
                  menu.field.id,
                ],
              })
            }
            onFreeze={() => state.set({ frozenColumns: state.visible.indexOf(menu.field) + 1 })}
            onDelete={() => setDeleting(menu.field)}
          />
        )}
      </Menu>
      <Popover
        label={editing?.field ? text.field.edit : text.field.add}
        open={editing !== undefined}
        onOpenChange={(open) => !open && setEditing(undefined)}
        anchor={editing?.at}
        align="end"
        steady
      >
        {editing && (
          <FieldForm
            key={editing.field?.id ?? "new"}
            table={table}
            field={editing.field}
            Conditions={Conditions}
            Sorts={SortPanel}
            onCancel={() => setEditing(undefined)}
            onDone={(fieldId) => {
              if (editing.neighbour) put(fieldId, editing.neighbour);
              setEditing(undefined);
              onEnd();
            }}
          />
        )}
      </Popover>
      <NameDialog
        open={renamed !== undefined}
        onClose={() => setRenamed(undefined)}
        title={words.renameField}
        label={text.field.name}
        name={renamed?.name}
        onSave={async (name) => {
          if (renamed && name !== renamed.name) await updateField({ fieldId: renamed.id, body: { name } });
        }}
      />
      {replacing && (
        <ReplaceDialog
          table={table}
          query={query}
          field={replacing.field}
          onClose={() => {
            setReplacing(undefined);
            onEnd();
          }}
        />
      )}
      <DeleteField field={deleting} onClose={() => setDeleting(undefined)} />
    </>
  );
  return {
    openMenu: (field, at) => setMenu({ field, at }),
    addField: (at) => setEditing({ at }),
    rename: setRenamed,
    replace: (field) => setReplacing({ field }),
    parts,
  };
}
