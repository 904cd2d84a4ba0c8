import { Suspense, useState } from "react";
import { tableOf, useBase } from "../../access/base.ts";
import { useText } from "../../text/index.ts";
import { join } from "../../ui/class.ts";
import { inputClass } from "../../ui/form.tsx";
import { PickRecords } from "../lazylink.ts";
import { linkedOf, linkedTable } from "../linked.ts";
import type { OperandProps } from "./props.ts";

/** A button that chooses records of the linked table. */
export function RecordsOperand({ field, value, context, format, onChange }: OperandProps) {
  const text = useText();
  const { base } = useBase();
  const [open, setOpen] = useState(false);
  const ids = Array.isArray(value) ? (value as string[]) : [];
  const tableId = linkedTable(field) ?? "";
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={join(inputClass, "h-8.5 truncate text-left", ids.length === 0 && "text-faint!")}
      >
        {ids.length === 0 ? text.field.choose : text.field.linkedCount(ids.length)}
      </button>
      <Suspense>
        {open && (
          <PickRecords
            title={text.field.linkTitle(tableOf(base, tableId)?.name ?? "")}
            tableId={tableId}
            selected={linkedOf(ids, context)}
            multiple
            format={format}
            onClose={() => setOpen(false)}
            onSave={(records) => onChange(records.map((record) => record.id))}
          />
        )}
      </Suspense>
    </>
  );
}
