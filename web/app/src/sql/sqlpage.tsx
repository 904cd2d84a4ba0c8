import { ChartColumn, Copy, Play } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { useBase } from "../access/base.ts";
import { Problem } from "../api/problem.ts";
import { querySql } from "../api/read.ts";
import type { Schemas } from "../api/type.ts";
import { writeRows } from "../csv/write.ts";
import { useText } from "../text/index.ts";
import { type SqlText, useSqlText } from "../text/sql.ts";
import { BarChart, barsOf } from "../ui/barchart.tsx";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { useCopy } from "../ui/copy.ts";
import { Row, Textarea } from "../ui/form.tsx";
import { HelpLink } from "../ui/helplink.tsx";
import { ResultTable, shown } from "../ui/resulttable.tsx";
import { placeOf, tablesOf, wordEnd } from "./statement.ts";

const maxCharacters = 10_000; // of a statement, as the service allows

type Outcome = { statement: string; result?: Schemas["SQLResult"]; problem?: Problem };

/** The page on which a base is asked with SQL: a statement, its result or what is wrong with it. */
export function SqlPage() {
  const text = useText();
  const t = useSqlText();
  const { base } = useBase();
  const tables = tablesOf(base.tables);
  const [statement, setStatement] = useState(() => (tables[0] ? t.example(tables[0].name) : "select 1"));
  const [outcome, setOutcome] = useState<Outcome>();
  const [busy, setBusy] = useState(false);
  const editor = useRef<HTMLTextAreaElement>(null);
  const latest = useRef(0);

  const over = [...statement].length - maxCharacters;

  const run = async () => {
    if (over > 0) return;
    const turn = ++latest.current;
    setBusy(true);
    let next: Outcome = { statement };
    try {
      next = { statement, result: await querySql({ baseId: base.id, body: { sql: statement } }) };
    } catch (error) {
      next = { statement, problem: Problem.from(error) };
    }
    if (turn !== latest.current) return;
    setOutcome(next);
    setBusy(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void run();
  };
  const place = outcome?.problem && placeOf(outcome.problem.message, outcome.statement);
  const show = () => {
    if (place === undefined || !editor.current) return;
    editor.current.focus();
    editor.current.setSelectionRange(place, wordEnd(statement, place));
  };
  return (
    <div className="h-full overflow-y-auto bg-surface">
      <title>{`${text.base.sql} · ${base.name}`}</title>
      <div className="mx-auto flex max-w-[1100px] flex-col gap-5 px-6 py-8">
        <div>
          <h2 className="text-[22px]">{text.base.sql}</h2>
          <p className="mt-1 text-muted">{t.body}</p>
          <HelpLink page="reference/sql" className="mt-1">
            {t.help}
          </HelpLink>
        </div>
        <Row label={t.statement} hint={t.runHint} error={over > 0 && t.tooLong(over)}>
          {(at) => (
            <Textarea
              {...at}
              ref={editor}
              rows={7}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              className="font-mono text-[13px]"
              value={statement}
              onChange={(event) => setStatement(event.target.value)}
              onKeyDown={onKeyDown}
            />
          )}
        </Row>
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            busy={busy}
            disabled={over > 0}
            icon={<Play size={15} aria-hidden />}
            onClick={() => void run()}
          >
            {t.run}
          </Button>
        </div>
        {outcome?.problem && (
          <div role="alert" className="rounded-md border border-danger p-3 text-[13px]">
            <p className="font-[560] text-danger">{t.failed}</p>
            <p className="mt-1 break-words">{outcome.problem.message.replace(/^sql: /, "")}</p>
            {place !== undefined && outcome.statement === statement && (
              <Button size="sm" className="mt-2" onClick={show}>
                {t.place}
              </Button>
            )}
          </div>
        )}
        {/* What is read out has to be there before its text is. */}
        <p role="status" className={join("text-[13px] text-muted", !outcome?.result && "sr-only")}>
          {outcome?.result && summary(outcome.result, t)}
        </p>
        {outcome?.result && <Result result={outcome.result} />}
        <details>
          <summary className="cursor-pointer text-[13px] font-[560]">{t.names}</summary>
          <p className="mt-2 text-[13px] text-muted">{t.namesBody}</p>
          <ul className="mt-2 flex flex-col gap-1 font-mono text-[12.5px]">
            {tables.map(({ name, columns }) => (
              <li key={name} className="break-words">
                <b>{name}</b> ({columns.join(", ")})
              </li>
            ))}
          </ul>
        </details>
      </div>
    </div>
  );
}

/** How many rows came, and how soon. */
function summary({ rows, truncated, milliseconds }: Schemas["SQLResult"], t: SqlText): string {
  const said = t.rows(rows.length, truncated, milliseconds);
  return truncated ? `${said} · ${t.more}` : said;
}

function Result({ result }: { result: Schemas["SQLResult"] }) {
  const t = useSqlText();
  const { copied, copy } = useCopy();
  const [charted, setCharted] = useState(false);
  const { columns } = result;
  const rows = result.rows as unknown[][];
  const bars = barsOf(rows);
  const csv = () => {
    const cells = rows.map((row) => row.map((value) => (typeof value === "number" ? value : shown(value))));
    return writeRows([columns.map(({ name }) => name), ...cells]);
  };
  return (
    <section aria-label={t.result} className="-mt-3">
      {rows.length > 0 && (
        <div className="mb-2 flex justify-end gap-2">
          {bars && (
            <Button
              size="sm"
              icon={<ChartColumn size={14} aria-hidden />}
              onClick={() => setCharted(!charted)}
            >
              {charted ? t.table : t.chart}
            </Button>
          )}
          <Button size="sm" icon={<Copy size={14} aria-hidden />} onClick={() => void copy(csv())}>
            {copied ? t.copied : t.copy}
          </Button>
        </div>
      )}
      {bars && charted ? (
        <BarChart label={t.result} bars={bars} />
      ) : (
        <ResultTable columns={columns} rows={rows} empty={t.empty} className="max-h-[60vh]" />
      )}
    </section>
  );
}
