import { useEffect, useRef, useState } from "react";
import type { Field, Row, Table, Values } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useUnsaved } from "../ui/unsaved.tsx";
import { isWritable } from "../field/value.ts";
import { useDraft } from "./draft.ts";
import { RecordForm } from "./form.tsx";
import { useWriter } from "./rows.ts";

export type NewRecordProps = {
  table: Table;
  fields: Field[];
  start?: Values;
  onClose: () => void;
  onMade: (row: Row) => void;
};

/** A dialog with the record form for a new record. */
export function NewRecord(props: NewRecordProps) {
  const text = useText();
  return (
    <Dialog open onClose={props.onClose} title={text.base.newRecord} size="md" keepOnOutsidePress>
      <NewRecordForm {...props} />
    </Dialog>
  );
}

function NewRecordForm({ table, fields, start, onClose, onMade }: NewRecordProps) {
  const text = useText();
  const writable = fields.filter(isWritable);
  const writer = useWriter(table);
  const leave = useRef<() => void>(undefined);
  useEffect(() => () => leave.current?.(), []); // after the form is closed, the list shows what is refused
  const { failure, busy, changed, submit, ...form } = useDraft({
    table,
    fields: writable,
    start,
    make: (after) => {
      const entry = writer.enter(after);
      leave.current = entry.leave;
      return entry.made;
    },
    onMade: (row) => {
      if (row) onMade(row);
      onClose();
    },
  });
  const [written, setWritten] = useState(false);
  useUnsaved((written || changed) && !busy); // what is sent is kept
  return (
    <form noValidate onSubmit={(event) => void submit(event)} onInput={() => setWritten(true)}>
      <RecordForm {...form} />
      {failure && (
        <p role="alert" className="mt-4 text-danger">
          {failure}
        </p>
      )}
      <div className="mt-6 flex justify-end gap-2">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {text.base.record.create}
        </Button>
      </div>
    </form>
  );
}
