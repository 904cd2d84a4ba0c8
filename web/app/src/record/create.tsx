import { type FormEvent, useState } from "react";
import { post, Problem } from "../api/client.ts";
import { useOnce } from "../api/once.ts";
import type { Answer, Body, Field, Row, Table, Values } from "../api/type.ts";
import { kindOf } from "../field/kind.ts";
import { isEmpty } from "../field/value.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { RecordForm } from "./form.tsx";

type Props = { table: Table; fields: Field[]; start?: Values; onClose: () => void; onMade: (row: Row) => void };

/** The values as they are sent for a new record: what was left empty is left out, so that defaults apply. */
export function newRecord(fields: Field[], values: Values): Values {
  return Object.fromEntries(fields.filter((field) => !isEmpty(values[field.name])).map((field) => [field.name, values[field.name]]));
}

/** Finds the fields that an answer of the service complains about, by their names in its paths. */
export function fieldErrors(problem: Problem, fields: Field[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const item of problem.items) {
    const field = fields.toSorted((a, b) => b.name.length - a.name.length).find((one) => item.path.includes(`fields.${one.name}`) || item.path.includes(`fields["${one.name}"]`));
    if (field) errors[field.id] = item.message;
  }
  return errors;
}

/** A dialog with the record form for a new record. */
export function NewRecord({ table, fields, start = {}, onClose, onMade }: Props) {
  const [values, setValues] = useState<Values>(start);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const once = useOnce();
  const writable = fields.filter((field) => !kindOf(field.type).readOnly && field.type !== "button" && field.type !== "attachment");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const body: Body<"create_records"> = { fields: newRecord(writable, values) };
      const answer = await post<Answer<"create_records">>(`/tables/${table.id}/records`, body, once.header(body));
      once.done();
      if (answer.records[0]) onMade(answer.records[0]);
      onClose();
    } catch (error) {
      const problem = Problem.from(error);
      const found = fieldErrors(problem, writable);
      setErrors(found);
      if (Object.keys(found).length === 0) setFailure(problem.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} title={text.base.newRecord} size="md" keepOnOutsidePress>
      <form onSubmit={(event) => void submit(event)}>
        <RecordForm
          fields={writable}
          values={values}
          errors={errors}
          onEdit={(field, value) => {
            setValues((now) => ({ ...now, [field.name]: value }));
            setErrors((now) => Object.fromEntries(Object.entries(now).filter(([id]) => id !== field.id)));
          }}
        />
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
    </Dialog>
  );
}
