import type { Problem } from "../api/client.ts";
import { text } from "../text/index.ts";
import type { Field, FieldType } from "../api/type.ts";

const t = text.field;
const shown = 5;

/** Reports whether the service refused a change because values would be lost by it. */
export const losesValues = (problem: Problem | undefined): problem is Problem =>
  problem !== undefined && (problem.code === "values_would_be_lost" || (problem.status === 409 && /discard/.test(problem.message)));

/** Says which values a change would lose, before anything is changed. */
export function Loss({ problem, field, type }: { problem: Problem; field: Field; type: FieldType }) {
  const count = Number.parseInt(problem.message, 10) || problem.items.length;
  const samples = [...new Set(problem.items.map((item) => item.message))].slice(0, shown);
  return (
    <div role="alert" className="rounded-lg border border-danger/30 bg-danger-soft px-3 py-2.5 text-[13px] text-danger">
      <p className="font-[560]">{type === field.type ? t.lossOfOptions(count) : t.loss(count, t.kind[type])}</p>
      {samples.length > 0 && (
        <ul className="mt-1.5 list-disc pl-4">
          {samples.map((sample) => (
            <li key={sample} className="break-words">
              {sample}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-1.5">{t.lossNothingYet}</p>
    </div>
  );
}
