import { Check } from "lucide-react";
import { useState } from "react";
import { useAgentText } from "../text/agent.ts";
import { BarChart, barsOf } from "../ui/barchart.tsx";
import { Button } from "../ui/button.tsx";
import { ResultTable } from "../ui/resulttable.tsx";
import { gridOf, type Plan, planOf } from "./answer.ts";

export type Answer = { tool: string; input: Record<string, unknown>; structured: Record<string, unknown> };

/** Makes the planned change, and throws an Error that says why it was refused. */
export type Apply = (answer: Answer, token: string) => Promise<void>;

// A height of its own: the frame takes its height from the page, so that a share of the frame's would shrink with it.
const height = "max-h-105";

/** What a tool has answered: a plan with its button, or a table that can be a chart. */
export function AnswerPage({ answer, apply }: { answer: Answer; apply: Apply | undefined }) {
  const t = useAgentText();
  const plan = planOf(answer.structured, answer.input);
  if (plan) return <PlanPart plan={plan} apply={apply && ((token) => apply(answer, token))} />;
  const grid = gridOf(answer.structured);
  if (!grid) return <p className="text-muted">{t.nothing}</p>;
  return <GridPart grid={grid} answer={answer} />;
}

function GridPart({ grid, answer }: { grid: NonNullable<ReturnType<typeof gridOf>>; answer: Answer }) {
  const t = useAgentText();
  const bars = barsOf(grid.rows);
  const [charted, setCharted] = useState(answer.tool === "aggregate_records");
  const { total } = answer.structured;
  return (
    <section aria-label={t.answer} className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <p className="text-[13px] text-muted">
          {typeof total === "number" && t.shownOf(grid.rows.length, total)}
        </p>
        {bars && (
          <Button size="sm" onClick={() => setCharted(!charted)}>
            {charted ? t.table : t.chart}
          </Button>
        )}
      </div>
      {bars && charted ? (
        <BarChart label={t.answer} bars={bars} />
      ) : (
        <ResultTable columns={grid.columns} rows={grid.rows} empty={t.empty} className={height} />
      )}
    </section>
  );
}

type State = "open" | "busy" | "applied" | { failed: string };

function PlanPart({ plan, apply }: { plan: Plan; apply: ((token: string) => Promise<void>) | undefined }) {
  const t = useAgentText();
  const [state, setState] = useState<State>("open");
  const { token } = plan;
  const run = async () => {
    if (!apply || !token) return;
    setState("busy");
    try {
      await apply(token);
      setState("applied");
    } catch (error) {
      setState({ failed: error instanceof Error ? error.message : String(error) });
    }
  };
  const changes = plan.sample.some(({ fields }) => fields.some((one) => "after" in one));
  const columns = [t.record, t.field, t.before, ...(changes ? [t.after] : [])].map((name) => ({ name }));
  const rows = plan.sample.flatMap(({ record, fields }) =>
    fields.map((one, index) => [index === 0 ? record : "", one.name, one.before, ...(changes ? [one.after] : [])]),
  );
  return (
    <section aria-label={t.plan} className="flex flex-col gap-3">
      {state !== "applied" && <p className="font-[560]">{t.plan}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-[13px]">
        {plan.facts.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {rows.length > 0 && (
        <div>
          <p className="mb-1 text-[13px] text-muted">{t.sample}</p>
          <ResultTable columns={columns} rows={rows} empty={t.empty} className={height} />
        </div>
      )}
      {plan.refusals && (
        <div>
          <p className="mb-1 text-[13px] text-muted">{t.refusals}</p>
          <ResultTable columns={plan.refusals.columns} rows={plan.refusals.rows} empty={t.empty} className={height} />
        </div>
      )}
      {typeof state === "object" && (
        <p role="alert" className="rounded-md border border-danger p-3 text-[13px]">
          <b className="font-[560] text-danger">{t.failed}.</b> {state.failed}
        </p>
      )}
      {state === "applied" && (
        <p role="status" className="flex items-center gap-2 font-[560]">
          <Check size={16} aria-hidden /> {t.applied}
        </p>
      )}
      {token && apply && (state === "open" || state === "busy") && (
        <div className="flex flex-wrap items-center gap-3">
          <Button look="primary" busy={state === "busy"} onClick={() => void run()}>
            {t.apply}
          </Button>
          {plan.expiresAt && (
            <span className="text-[13px] text-muted">
              {t.expires(new Date(plan.expiresAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }))}
            </span>
          )}
        </div>
      )}
    </section>
  );
}
