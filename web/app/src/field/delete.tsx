import { deleteField } from "../api/change.ts";
import type { Field } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { useText } from "../text/index.ts";
import { viewsFilteringBy } from "./usage.ts";
import { Confirm } from "../ui/lazydialog.tsx";
import { complain } from "../ui/toast.ts";

type Props = { field: Field | undefined; onClose: () => void; onDeleted?: () => void };

/** Asks before a field and its values are deleted; open while there is a field. */
export function DeleteField({ field, onClose, onDeleted }: Props) {
  const text = useText();
  const { base } = useBase();
  const table = base.tables.find((one) => one.fields.some((other) => other.id === field?.id));
  const views = table && field ? viewsFilteringBy(table, field.id) : [];
  return (
    <Confirm
      open={field !== undefined}
      onClose={onClose}
      title={text.field.deleteTitle(field?.name ?? "")}
      body={views.length > 0 ? `${text.field.deleteBody} ${text.field.deleteViews(views)}` : text.field.deleteBody}
      action={text.field.delete}
      onConfirm={async () => {
        try {
          await deleteField({ fieldId: field?.id ?? "" });
          onDeleted?.();
        } catch (error) {
          complain(error);
          throw error;
        }
      }}
    />
  );
}
