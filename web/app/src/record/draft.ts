import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { Problem } from "../api/problem.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { answerForm, createRecords } from "../api/change.ts";
import type { Body, Field, Row, Table, Values } from "../api/type.ts";
import { isEmpty } from "../field/kind.ts";
import { useText } from "../text/index.ts";

/** The values to send for a new record: empty ones are left out, so that defaults apply. */
function sent(fields: Field[], values: Values): Values {
  return Object.fromEntries(
    fields.filter((field) => !isEmpty(values[field.name])).map((field) => [field.name, values[field.name]]),
  );
}

/** Values by the ids of their fields instead of the names. */
const byId = (fields: Field[], values: Values): Values =>
  Object.fromEntries(
    fields.filter(({ name }) => name in values).map(({ id, name }) => [id, values[name]]),
  );

/**
 * Finds the fields that a problem complains about, by their names in its paths, and the messages
 * without a field.
 */
function fieldErrors(problem: Problem, fields: Field[]): { errors: Record<string, string>; rest: string[] } {
  const errors: Record<string, string> = {};
  const rest: string[] = [];
  for (const item of problem.items) {
    const field = fields
      .toSorted((a, b) => b.name.length - a.name.length)
      .find((one) => item.path.includes(`fields.${one.name}`) || item.path.includes(`fields["${one.name}"]`));
    if (field) errors[field.id] = item.message;
    else rest.push(item.message);
  }
  return { errors, rest };
}

const without = (errors: Record<string, string>, field: Field): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).filter(([id]) => id !== field.id));

const focusable = "input:not([type=hidden]), select, textarea, button, [tabindex]";

/** Brings the first field of a form that has an error into sight, and moves the focus there. */
function showFirstError(form: HTMLElement) {
  const failed = form.querySelector<HTMLElement>("[data-failed]");
  failed?.scrollIntoView({ block: "center" });
  failed?.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true });
}

type Options = {
  table: Table;
  fields: Field[];
  start?: Values;
  required?: ReadonlySet<string>;
  /** The fields that are asked for after what was entered; all of them without it. */
  among?: (values: Values) => Field[];
  /** The id of the form that is answered. */
  form?: string;
  /** Makes the record of values by field id; without it, one request does that at once. */
  make?: (after: Values) => Promise<Row | undefined>;
  onMade: (row: Row | undefined) => void;
};

/**
 * A record that is being entered; `submit` makes it. It is not made while a required value is
 * missing, an entry cannot be read or a file has not arrived; `errors` appear next to their fields,
 * by id, and the first of them gets the focus. `failure` is an error without a field. Submitting
 * twice makes the record once.
 */
export function useDraft({ table, fields: all, start = {}, required, among, form: formId, make, onMade }: Options) {
  const text = useText();
  const { pending } = text.file;
  const [first] = useState(start);
  const [values, setValues] = useState<Values>(first);
  const fields = among ? among(values) : all;
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [uploading, setUploading] = useState<ReadonlySet<string>>(new Set());
  const idempotency = useIdempotencyKeys();
  const unreadable = useRef(new Map<string, string>());
  // The form that was submitted without success: its first error is shown once the errors are on
  // the page.
  const [refused, setRefused] = useState<{ form: HTMLElement }>();
  useEffect(() => {
    if (refused) showFirstError(refused.form);
  }, [refused]);

  const clear = (field: Field) => setErrors((now) => without(now, field));
  const send = async (body: Body<"answer_form">) => {
    const once = { idempotencyKey: idempotency.keyFor(body) };
    const answer = await (formId
      ? answerForm({ viewId: formId, body }, once)
      : createRecords({ tableId: table.id, body }, once));
    idempotency.done();
    return answer.records[0];
  };
  /** Shows next to some fields what keeps them from being sent, and reports whether nothing does. */
  const check = (form: HTMLElement, some: Field[]): boolean => {
    const wrong = some.filter((field) => unreadable.current.has(field.id));
    const empty = some.filter((field) => isEmpty(values[field.name]) && !uploading.has(field.id));
    const missing = empty.filter((field) => required?.has(field.id) && !wrong.includes(field));
    const waiting = some.filter((field) => uploading.has(field.id));
    setErrors(
      Object.fromEntries([
        ...missing.map((field) => [field.id, text.view.form.missing]),
        ...waiting.map((field) => [field.id, pending]),
        ...wrong.map((field) => [field.id, unreadable.current.get(field.id)]),
      ]),
    );
    setFailure(undefined);
    if (missing.length + waiting.length + wrong.length === 0) return true;
    setRefused({ form });
    return false;
  };
  const submit = async (event: FormEvent<HTMLElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    if (!check(form, fields)) return;
    setBusy(true);
    try {
      const entered = sent(fields, values);
      const row = await (make ? make(byId(fields, entered)) : send({ fields: entered }));
      setValues({});
      onMade(row);
    } catch (error) {
      const problem = Problem.from(error);
      const { errors: found, rest } = fieldErrors(problem, fields);
      setErrors(found);
      if (Object.keys(found).length === 0) setFailure(problem.message);
      else if (rest.length > 0) setFailure(rest.join(" "));
      setRefused({ form });
    } finally {
      setBusy(false);
    }
  };
  /** Called when files of a field are under way, or failed and are still to be decided on. */
  const onUploading = useCallback(
    (field: Field, under: boolean) => {
      setUploading((now) => {
        if (now.has(field.id) === under) return now;
        const next = new Set(now);
        if (under) next.add(field.id);
        else next.delete(field.id);
        return next;
      });
      if (!under) setErrors((now) => (now[field.id] === pending ? without(now, field) : now));
    },
    [pending],
  );
  const onUnreadable = useCallback((field: Field, reason: string | undefined) => {
    if (reason !== undefined) {
      unreadable.current.set(field.id, reason);
      return;
    }
    unreadable.current.delete(field.id);
    // What is said of the last entry goes with the first key, and not when the control is left: a button below it
    // would then move away under the click that leaves it.
    setErrors((now) => (field.id in now ? without(now, field) : now));
  }, []);
  return {
    fields,
    values,
    changed: values !== first,
    errors,
    failure,
    busy,
    check,
    submit,
    onUploading,
    onUnreadable,
    onEdit: (field: Field, value: unknown) => {
      setValues((now) => ({ ...now, [field.name]: value }));
      clear(field);
    },
  };
}
