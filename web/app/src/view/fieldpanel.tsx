import { ArrowDown, ArrowUp, Pencil, Plus } from "lucide-react";
import { useEffect, useState } from "react";
import type { Field, Table } from "../api/type.ts";
import { DeleteField } from "../field/delete.tsx";
import { FieldForm } from "../field/lazyform.ts";
import { kindOf } from "../field/kind/index.ts";
import { Conditions, SortPanel } from "../filter/lazy.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Switch } from "../ui/form.tsx";
import { useBase } from "../access/base.ts";
import { refreshRows } from "../record/refresh.ts";
import { isHidden, type ViewState } from "./state.ts";
import { join } from "../ui/class.ts";

export type FieldPanelProps = { table: Table; state: ViewState };

/**
 * Which fields the view shows, and in which order. Keyboard users also create, change and delete
 * fields here.
 */
export function FieldPanel({ table, state }: FieldPanelProps) {
  const text = useText();
  const t = text.base;
  const { canShape } = useBase();
  const [form, setForm] = useState<{ field?: Field }>();
  const [deleting, setDeleting] = useState<Field>();
  const hiddenNow = state.ordered.filter((field) => isHidden(field, state.config)).map((field) => field.id);
  const show = (field: Field, shown: boolean) =>
    state.set({ hiddenFields: shown ? hiddenNow.filter((id) => id !== field.id) : [...hiddenNow, field.id] });
  // The form takes the place of the button that opens it at once, or the focus would be lost.
  useEffect(() => void FieldForm.preload().catch(() => undefined), []);
  const move = (field: Field, step: -1 | 1) => {
    const ids = state.ordered.map((one) => one.id);
    const from = ids.indexOf(field.id);
    const to = from + step;
    if (to < 1 || to >= ids.length) return;
    [ids[from], ids[to]] = [ids[to]!, ids[from]!];
    state.set({ fieldOrder: ids });
  };
  if (form) {
    const { field } = form;
    return (
      <>
        <FieldForm
          key={field?.id ?? "new"}
          table={table}
          field={field}
          Conditions={Conditions}
          Sorts={SortPanel}
          onCancel={() => setForm(undefined)}
          onDone={() => {
            setForm(undefined);
            refreshRows();
          }}
          onDelete={field && !field.isPrimary ? () => setDeleting(field) : undefined}
        />
        <DeleteField field={deleting} onClose={() => setDeleting(undefined)} onDeleted={() => setForm(undefined)} />
      </>
    );
  }
  return (
    <div className="w-76 p-2">
      <ul className="max-h-80 overflow-y-auto">
        {state.ordered.map((field, index) => {
          const Symbol = kindOf(field.type).icon;
          return (
            <li key={field.id} className="group flex h-8.5 items-center gap-2 rounded-md pr-1 pl-2 hover:bg-hover">
              <Symbol size={15} className="shrink-0 text-faint" aria-hidden />
              <div className="min-w-0 flex-1">
                <Switch
                  label={field.name}
                  checked={!isHidden(field, state.config)}
                  disabled={field.isPrimary}
                  onChange={(shown) => show(field, shown)}
                />
              </div>
              <span
                className={join(
                  "flex opacity-0 group-hover:opacity-100 group-focus-",
                  "within:opacity-100 pointer-coarse:opacity-100",
                )}
              >
                {canShape && (
                  <IconButton size="sm" label={text.field.editNamed(field.name)} onClick={() => setForm({ field })}>
                    <Pencil size={14} aria-hidden />
                  </IconButton>
                )}
                <IconButton size="sm" label={`↑ ${field.name}`} disabled={index < 2} onClick={() => move(field, -1)}>
                  <ArrowUp size={14} aria-hidden />
                </IconButton>
                <IconButton
                  size="sm"
                  label={`↓ ${field.name}`}
                  disabled={index === 0 || index === state.ordered.length - 1}
                  onClick={() => move(field, 1)}
                >
                  <ArrowDown size={14} aria-hidden />
                </IconButton>
              </span>
            </li>
          );
        })}
      </ul>
      <div className="mt-1 flex gap-1 border-t border-line pt-2">
        <Button size="sm" look="quiet" onClick={() => state.set({ hiddenFields: [] })}>
          {t.showAll}
        </Button>
        <Button
          size="sm"
          look="quiet"
          onClick={() =>
            state.set({ hiddenFields: state.ordered.filter((field) => !field.isPrimary).map((field) => field.id) })
          }
        >
          {t.hideAll}
        </Button>
        <span className="flex-1" />
        {canShape && (
          <Button size="sm" look="quiet" icon={<Plus size={14} aria-hidden />} onClick={() => setForm({})}>
            {text.field.add}
          </Button>
        )}
      </div>
    </div>
  );
}
