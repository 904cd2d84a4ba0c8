import { useState } from "react";
import { tableOf, useOpened } from "../base/context.ts";
import { linkedOf } from "../field/value.ts";
import { text } from "../text/index.ts";
import { join } from "../ui/class.ts";
import { inputClass } from "../ui/form.tsx";
import { PickRecords } from "./link.tsx";

/** A button that chooses records of another table, for conditions on links. */
export function RecordChoice({ tableId, value, onChange }: { tableId: string; value: string[]; onChange: (ids: string[]) => void }) {
  const { base, people } = useOpened();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className={join(inputClass, "h-8.5 truncate text-left", value.length === 0 && "text-faint!")}>
        {value.length === 0 ? text.field.choose : text.field.linkedCount(value.length)}
      </button>
      {open && (
        <PickRecords
          title={text.field.linkTitle(tableOf(base, tableId)?.name ?? "")}
          tableId={tableId}
          selected={linkedOf(value, people)}
          multiple
          onClose={() => setOpen(false)}
          onSave={(records) => onChange(records.map((record) => record.id))}
        />
      )}
    </>
  );
}
