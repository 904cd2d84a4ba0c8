import { deleteField } from "../api/change.ts";
import type { Field } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { useText } from "../text/index.ts";
import { useReaders, viewsFilteringBy } from "./usage.ts";
import { Confirm } from "../ui/lazyconfirm.tsx";
import { complain } from "../ui/toast.ts";

type Props = { field: Field | undefined; onClose: () => void; onDeleted?: () => void };

/** Asks before a field and its values are deleted; open while there is a field. */
export function DeleteField({ field, onClose, onDeleted }: Props) {
  const text = useText();
  const { base } = useBase();
  const table = base.tables.find((one) => one.fields.some((other) => other.id === field?.id));
  const views = table && field ? viewsFilteringBy(table, field.id) : [];
  const readers = useReaders(field, table?.id);
  const body = [text.field.deleteBody];
  if (views.length > 0) body.push(text.field.deleteViews(views));
  if (readers.names.length > 0) body.push(text.field.deleteReaders(readers.names));
  if (readers.failed) body.push(text.field.deleteReadersUnknown);
  return (
    <Confirm
      open={field !== undefined && !readers.pending}
      onClose={onClose}
      title={text.field.deleteTitle(field?.name ?? "")}
      body={body.map((part) => (
        <p key={part} className="mt-2 first:mt-0">
          {part}
        </p>
      ))}
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
