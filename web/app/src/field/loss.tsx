import type { Problem } from "../api/problem.ts";
import { useBase } from "../access/base.ts";
import { useFieldNames } from "./usage.ts";
import { useLocale } from "../locale/locale.ts";
import { useText } from "../text/index.ts";
import type { Field, FieldType } from "../api/type.ts";
import { typeName } from "./value.ts";

const shown = 5;

/** Reports whether the service refused a change because values would be lost by it. */
export const losesValues = (problem: Problem | undefined): problem is Problem =>
  problem !== undefined &&
  (problem.code === "values_would_be_lost" || (problem.status === 409 && /discard/.test(problem.message)));

const isOfSchema = (path: string) => /^(viw|fld|whk)_/.test(path);

/** Reports whether views and fields would break, and no value would be lost. */
export const keepsValues = ({ items }: Problem) => items.length > 0 && items.every(({ path }) => isOfSchema(path));

/** Says which values a change would lose, before anything is changed. */
export function Loss({ problem, field, type }: { problem: Problem; field: Field; type: FieldType }) {
  const t = useText().field;
  const locale = useLocale();
  const { base } = useBase();
  const nameOf = useFieldNames(base.tables.find(({ fields }) => fields.some(({ id }) => id === field.id))?.id);
  const views = problem.items.filter((item) => item.path.startsWith("viw_"));
  const broken = problem.items.filter((item) => item.path.startsWith("fld_"));
  const values = problem.items.filter((item) => !isOfSchema(item.path));
  const count = !keepsValues(problem) ? Number.parseInt(problem.message, 10) || values.length : 0;
  const samples = [...new Set(values.map((item) => item.message))].slice(0, shown);
  return (
    <div role="alert" className="rounded-lg border border-danger/30 bg-danger-soft px-3 py-2.5 text-[13px] text-danger">
      {count > 0 && (
        <p className="font-[560]">
          {type === field.type ? t.lossOfOptions(count) : t.loss(count, typeName(type, locale))}
        </p>
      )}
      <Messages list={samples} />
      {views.length > 0 && <p className="mt-1.5 font-[560]">{t.lossOfViews(views.length)}</p>}
      <Messages list={views.map((item) => item.message)} />
      {broken.length > 0 && <p className="mt-1.5 font-[560]">{t.lossOfFields(broken.length)}</p>}
      <Messages list={problem.items.filter(({ path }) => path.startsWith("whk_")).map(({ message }) => message)} />
      <Messages list={broken.map(({ path, message }) => nameOf(path) ?? message)} />
      <p className="mt-1.5">{t.lossNothingYet}</p>
    </div>
  );
}

function Messages({ list }: { list: string[] }) {
  if (list.length === 0) return null;
  return (
    <ul className="mt-1.5 list-disc pl-4">
      {list.map((message) => (
        <li key={message} className="break-words">
          {message}
        </li>
      ))}
    </ul>
  );
}
