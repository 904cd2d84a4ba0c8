import { remove } from "../api/client.ts";
import type { Field } from "../api/type.ts";
import { refreshBase, useOpened } from "../base/context.ts";
import { text } from "../text/index.ts";
import { Confirm } from "../ui/ask.tsx";
import { complain } from "../ui/toast.ts";
import { viewsFilteringBy } from "../view/broken.ts";

type Props = { field: Field | undefined; onClose: () => void; onDeleted?: () => void };

/** Asks before a field and its values are deleted; open while there is a field. */
export function DeleteField({ field, onClose, onDeleted }: Props) {
  const { base } = useOpened();
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
          await remove(`/fields/${field?.id}`);
          await refreshBase(base.id);
          onDeleted?.();
        } catch (error) {
          complain(error);
          throw error;
        }
      }}
    />
  );
}
