import type { Field, FormCondition, FormPage, FormWhen, ViewConfig, Values } from "../api/type.ts";
import { isWritable } from "../field/value.ts";
import { isHidden } from "./state.ts";

/** A field that a form asks for. */
export type Question = {
  field: Field;
  label: string;
  help: string | undefined;
  required: boolean;
  urlOnly: boolean;
  when: FormWhen;
  /** It is asked for whatever the conditions of its page say. */
  always: boolean;
  /** Its page, which the questions of one page have in common; none where the form has no pages before it. */
  page: FormPage | undefined;
};

/** The fields of a form in its order. The primary field is the first unless the order says otherwise. */
export function formOrder(fields: Field[], config: ViewConfig): Field[] {
  const order = config.fieldOrder ?? [];
  const place = (field: Field) => {
    const at = order.indexOf(field.id);
    return at >= 0 ? at : field.isPrimary ? -1 : order.length + field.order;
  };
  return fields.filter(isWritable).toSorted((a, b) => place(a) - place(b));
}

/** What a form asks for, as the service reads its configuration. */
export function questionsOf(fields: Field[], config: ViewConfig): Question[] {
  let page: FormPage | undefined;
  return formOrder(fields, config)
    .filter((field) => !isHidden(field, config))
    .map((field, at) => {
      const own = config.formFields?.[field.id];
      const always = field.config?.required === true;
      if (own?.page) page = at > 0 ? own.page : { ...own.page, condition: [] };
      return {
        field,
        label: own?.label || field.name,
        help: own?.help || undefined,
        required: config.requiredFields?.includes(field.id) === true || always,
        urlOnly: own?.urlOnly === true,
        when: always || !own ? {} : own,
        always,
        page,
      };
    });
}

const texts = (value: unknown): string[] => {
  if (value === undefined || value === null || value === "") return [];
  return (Array.isArray(value) ? value : [value]).map((one) => String(one).normalize("NFC"));
};

function holds(condition: FormCondition, answer: string[]): boolean {
  const values = texts(condition.value);
  const equal = answer.some((text) => values.includes(text));
  const part = values[0]?.toLowerCase();
  const contains = part !== undefined && answer.some((text) => text.toLowerCase().includes(part));
  switch (condition.op) {
    case "eq":
    case "has_any":
      return equal;
    case "neq":
    case "has_none":
      return !equal;
    case "contains":
      return contains;
    case "not_contains":
      return !contains;
    case "is_empty":
      return answer.length === 0;
    case "is_not_empty":
      return answer.length > 0;
  }
  return false;
}

function isMet({ condition = [], match }: FormWhen, answerTo: (id: string) => string[]): boolean {
  const one = (of: FormCondition) => holds(of, answerTo(of.fieldId));
  return condition.length === 0 || (match === "any" ? condition.some(one) : condition.every(one));
}

/** The questions that are asked after the answers given so far, by name of the field. */
export function askedOf(questions: Question[], values: Values): Question[] {
  const answers = new Map<string, string[]>();
  const boxes = new Set(questions.filter(({ field }) => field.type === "checkbox").map(({ field }) => field.id));
  const answerTo = (id: string) => answers.get(id) ?? (boxes.has(id) ? ["false"] : []);
  let page: FormPage | undefined;
  let open = true;
  return questions.filter((question) => {
    if (question.page !== page) {
      page = question.page;
      open = !page || isMet(page, answerTo);
    }
    const asked = !question.urlOnly && (question.always || (open && isMet(question.when, answerTo)));
    if (asked) {
      const given = texts(values[question.field.name]);
      if (given.length > 0) answers.set(question.field.id, given);
    }
    return asked;
  });
}

/** Questions by their pages. */
export function pagesOf(questions: Question[]): Question[][] {
  const pages: Question[][] = [];
  for (const question of questions) {
    const last = pages.at(-1);
    if (last && last[0]?.page === question.page) last.push(question);
    else pages.push([question]);
  }
  return pages;
}

/** The kinds of field for which the page of a public form can ask. */
const asked = new Set([
  "text",
  "long_text",
  "email",
  "url",
  "phone",
  "number",
  "currency",
  "percent",
  "rating",
  "duration",
  "checkbox",
  "date",
  "datetime",
  "single_select",
  "multi_select",
  "attachment",
]);

/** Reports whether the page of a public form asks for a field; another one only members are asked for. */
export const isPublic = (field: Field): boolean => asked.has(field.type);
