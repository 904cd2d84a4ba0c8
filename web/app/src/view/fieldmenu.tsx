import {
  ArrowDownAZ,
  ArrowLeftToLine,
  ArrowRightToLine,
  ArrowUpAZ,
  Copy,
  CopyPlus,
  EyeOff,
  Group,
  KeyRound,
  ListFilter,
  PaintBucket,
  PanelLeft,
  Pencil,
  TextCursorInput,
  Trash2,
} from "lucide-react";
import { updateField } from "../api/change.ts";
import type { Field } from "../api/type.ts";
import { copiesValues } from "../field/duplicable.ts";
import { factsOf } from "../field/facts.ts";
import { canFilter, canSort } from "../filter/op.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import { MenuItem, MenuSeparator } from "../ui/lazypopup.tsx";
import { complain } from "../ui/toast.ts";

export type FieldMenuProps = {
  field: Field;
  canShape: boolean;
  onEdit: () => void;
  onRename: () => void;
  /** Makes a field before this one, or behind it. */
  onInsert: (behind: boolean) => void;
  onDuplicate: (values: boolean) => void;
  onSort: (dir: "asc" | "desc") => void;
  onFilter: () => void;
  /** The rows are grouped by the field. */
  grouped: boolean;
  /** Undefined where the field cannot be grouped by, or there are as many groups as there may be. */
  onGroup: (() => void) | undefined;
  onUngroup: () => void;
  /** Its options color the records. */
  colors: boolean;
  /** Undefined where the field cannot color records. */
  onColor: (() => void) | undefined;
  onHide: () => void;
  onFreeze: () => void;
  onDelete: () => void;
};

/** What can be done with a field of a grid, from the menu of its header. */
export function FieldMenu(props: FieldMenuProps) {
  const { field, canShape, onEdit, onRename, onInsert, onDuplicate, onSort, onFilter } = props;
  const { grouped, onGroup, onUngroup, colors, onColor, onHide, onFreeze, onDelete } = props;
  const text = useText();
  const words = useGridText();
  const t = text.base;
  return (
    <>
      {field.config?.description && (
        <p className="max-w-72 px-2.5 pt-1.5 pb-1 text-[13px] whitespace-pre-line text-muted">
          {field.config.description}
        </p>
      )}
      {canShape && (
        <>
          <MenuItem icon={<Pencil size={15} />} onSelect={onEdit}>
            {text.field.edit}
          </MenuItem>
          <MenuItem icon={<TextCursorInput size={15} />} onSelect={onRename}>
            {words.renameField}
          </MenuItem>
          <MenuSeparator />
          {!field.isPrimary && (
            <MenuItem icon={<ArrowLeftToLine size={15} />} onSelect={() => onInsert(false)}>
              {words.insertLeft}
            </MenuItem>
          )}
          <MenuItem icon={<ArrowRightToLine size={15} />} onSelect={() => onInsert(true)}>
            {words.insertRight}
          </MenuItem>
          <MenuItem icon={<Copy size={15} />} onSelect={() => onDuplicate(false)}>
            {words.duplicateField}
          </MenuItem>
          {copiesValues(field) && (
            <MenuItem icon={<CopyPlus size={15} />} onSelect={() => onDuplicate(true)}>
              {words.duplicateWithValues}
            </MenuItem>
          )}
          <MenuSeparator />
        </>
      )}
      {canSort(field) && (
        <>
          <MenuItem icon={<ArrowUpAZ size={15} />} onSelect={() => onSort("asc")}>
            {t.sortAsc}
          </MenuItem>
          <MenuItem icon={<ArrowDownAZ size={15} />} onSelect={() => onSort("desc")}>
            {t.sortDesc}
          </MenuItem>
        </>
      )}
      {canFilter(field) && (
        <MenuItem icon={<ListFilter size={15} />} onSelect={onFilter}>
          {t.filterBy}
        </MenuItem>
      )}
      {(grouped || onGroup) && (
        <MenuItem icon={<Group size={15} />} onSelect={() => (grouped ? onUngroup() : onGroup?.())}>
          {grouped ? words.ungroup : words.groupBy}
        </MenuItem>
      )}
      {onColor && (
        <MenuItem icon={<PaintBucket size={15} />} onSelect={onColor}>
          {colors ? words.uncolor : words.color}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<PanelLeft size={15} />} onSelect={onFreeze}>
        {field.isPrimary ? t.unfreeze : t.freeze}
      </MenuItem>
      {!field.isPrimary && (
        <MenuItem icon={<EyeOff size={15} />} onSelect={onHide}>
          {t.hide}
        </MenuItem>
      )}
      {canShape && !field.isPrimary && (
        <>
          <MenuSeparator />
          {canBePrimary(field) && (
            <MenuItem icon={<KeyRound size={15} />} onSelect={() => void makePrimary(field)}>
              {text.field.makePrimary}
            </MenuItem>
          )}
          <MenuItem icon={<Trash2 size={15} />} danger onSelect={onDelete}>
            {text.field.delete}
          </MenuItem>
        </>
      )}
    </>
  );
}

/** Reports whether the values of a field may name the records. The service refuses formulas of more than the record. */
function canBePrimary(field: Field): boolean {
  if (field.type === "formula") return field.config?.resultType === "text" && !field.problem;
  return factsOf(field.type).primary;
}

async function makePrimary(field: Field) {
  try {
    await updateField({ fieldId: field.id, body: { isPrimary: true } });
  } catch (error) {
    complain(error);
  }
}
