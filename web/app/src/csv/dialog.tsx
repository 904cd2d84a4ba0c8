import { useNavigate } from "@tanstack/react-router";
import { CircleAlert, FileUp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { Problem } from "../api/problem.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { Batch } from "../api/invalidation.ts";
import type { Table } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { type ColumnStyle, type NumberStyle, styleOf } from "../field/number.ts";
import { type Locale, useLocale } from "../locale/locale.ts";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Progress, Waiting } from "../ui/state.tsx";
import { complain, tell } from "../ui/toast.ts";
import { refreshRows } from "../record/refresh.ts";
import { Mapping } from "./mapping.tsx";
import { check, type Checked, type Column, columnStyles, configFor, decideStyles, planFor, targetOf } from "./plan.ts";
import { type Made, NotPrepared, prepare, removeRecords, type Spec, type Undone, unmake } from "./prepare.ts";
import { type Reading, readSheet } from "./read.ts";
import type { Sheet } from "./sheet.ts";
import { RefusedList, Report, UndoneText } from "./report.tsx";
import { importRows, type Outcome } from "./run.ts";

/** The chosen file, as it was read and as it is mapped. */
type Plan = {
  name: string;
  bytes: Uint8Array;
  sheet: Sheet;
  found: ColumnStyle[];
  chosen: (NumberStyle | undefined)[];
  columns: Column[];
};

/** The style in which each column is read. */
const stylesOf = (plan: Pick<Plan, "found" | "chosen">, locale: Locale) =>
  decideStyles(plan.found, styleOf(locale.tag), plan.chosen);

type Stage =
  | { at: "choose" }
  | { at: "reading" }
  | { at: "map"; plan: Plan }
  | { at: "check"; plan: Plan; name: string; checked: Checked }
  | { at: "run"; plan: Plan; done: number; paused?: Problem }
  | { at: "report"; plan: Plan; outcome: Outcome; made: Made; undone?: Undone };

/**
 * Imports a CSV file: choose it, say where its columns go, see what does not fit, watch it run, and
 * read what was refused.
 */
export default function ImportDialog({ table, onClose }: { table?: Table; onClose: () => void }) {
  const text = useText();
  const t = useCsvText();
  const { base, people, canShape } = useBase();
  const navigate = useNavigate();
  const locale = useLocale();
  const [stage, setStage] = useState<Stage>({ at: "choose" });
  const [problem, setProblem] = useState<{ message: string; undone?: Undone }>();
  const [over, setOver] = useState(false);
  const stop = useRef<AbortController>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const idempotency = useIdempotencyKeys();
  const batch = useRef(new Batch());
  const fields = useMemo(() => table?.fields ?? [], [table]);

  const planOf = (name: string, bytes: Uint8Array, reading?: Reading): Plan => {
    const sheet = readSheet(bytes, locale, reading);
    const cells = sheet.rows.map((row) => row.cells);
    const found = columnStyles(cells, sheet.header.length);
    const columns = planFor(sheet.header, cells, fields, canShape, stylesOf({ found, chosen: [] }, locale), locale);
    return { name, bytes, sheet, found, chosen: [], columns };
  };
  const read = async (chosen: File | undefined) => {
    if (!chosen) return;
    setProblem(undefined);
    setStage({ at: "reading" });
    try {
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      setStage({ at: "map", plan: planOf(chosen.name.replace(/\.[^.]*$/, ""), bytes) });
    } catch (error) {
      setProblem({
        message: error instanceof Error && !(error instanceof DOMException) ? error.message : t.unreadable,
      });
      setStage({ at: "choose" });
    }
  };
  const readAgain = (plan: Plan, reading: Reading) => {
    setProblem(undefined);
    try {
      setStage({ at: "map", plan: planOf(plan.name, plan.bytes, reading) });
    } catch (error) {
      setProblem({ message: error instanceof Error ? error.message : t.unreadable });
    }
  };

  /** Reads every row before anything is made, and begins when all of them fit. */
  const start = (plan: Plan, name: string) => {
    setProblem(undefined);
    const cells = plan.sheet.rows.map((row) => row.cells);
    const checked = check(
      plan.sheet.rows,
      plan.columns.map((column, index) => targetOf(column, index, fields, cells)),
      people,
      stylesOf(plan, locale),
    );
    if (checked.refused.length > 0) setStage({ at: "check", plan, name, checked });
    else void run(plan, name, checked);
  };

  const run = async (plan: Plan, name: string, { ready, refused }: Checked) => {
    setStage({ at: "run", plan, done: refused.length });
    stop.current = new AbortController();
    const cells = plan.sheet.rows.map((row) => row.cells);
    const specs = plan.columns.flatMap((column, index): Spec[] => {
      if (column.to !== "new") return [];
      const config = configFor(column.type, cells, index);
      return [{ name: column.name, type: column.type, ...(config ? { config } : {}) }];
    });
    try {
      const made = await prepare(
        { tableId: table?.id, baseId: base.id, name: table?.name ?? name },
        specs,
        idempotency.keyFor,
        batch.current,
      );
      const outcome = await importRows(made.tableId, ready, {
        signal: stop.current.signal,
        changeSet: made.changeSet,
        onProgress: (done) => setStage({ at: "run", plan, done: done + refused.length }),
        onPause: (paused) => setStage((now) => (now.at === "run" ? { ...now, paused } : now)),
      });
      outcome.refused = [...refused, ...outcome.refused].toSorted((a, b) => a.line - b.line);
      // What was made for rows that did not come in serves nothing.
      const undone = outcome.imported === 0 ? await unmake(made, name, batch.current) : undefined;
      await refresh();
      idempotency.done();
      setStage({ at: "report", plan, outcome, made, undone });
    } catch (error) {
      const failed =
        error instanceof NotPrepared ? error : new NotPrepared(Problem.from(error), { removed: [], kept: [] });
      idempotency.done();
      setProblem({ message: `${failed.problem.message} ${t.nothingDone}`, undone: failed.undone });
      setStage({ at: "map", plan });
      await batch.current.refresh();
    }
  };
  const refresh = async () => {
    await batch.current.refresh();
    refreshRows();
  };
  /** Deletes what came in, and then what was made for it. */
  const takeBack = async ({ plan, outcome, made }: Stage & { at: "report" }) => {
    const name = table?.name ?? plan.name;
    const records = made.newTable
      ? { gone: outcome.ids.length }
      : await removeRecords(made.tableId, outcome.ids, batch.current);
    const left = outcome.ids.slice(records.gone);
    const undone = left.length === 0 ? await unmake(made, name, batch.current) : undefined;
    if (records.problem) complain(records.problem);
    else tell(t.takenBack(outcome.imported));
    await refresh();
    setStage({ at: "report", plan, made, undone, outcome: { ...outcome, imported: left.length, ids: left } });
  };
  const close = () => {
    stop.current?.abort();
    onClose();
  };

  return (
    <Dialog
      open
      onClose={close}
      title={t.title}
      size={stage.at === "map" || stage.at === "report" ? "lg" : "md"}
      keepOnOutsidePress={stage.at !== "choose"}
      // A running import is ended by its own button, which says what was done until then.
      explicit={stage.at === "run"}
    >
      {stage.at === "choose" && (
        <div
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            void read(event.dataTransfer.files[0]);
          }}
          className={join(
            "flex flex-col items-center rounded-xl border border-dashed px-6 py-12 text-center",
            over ? "border-accent bg-accent-soft" : "border-line-strong bg-canvas",
          )}
        >
          <FileUp size={28} className="mb-4 text-faint" aria-hidden />
          <div className="flex items-center gap-2">
            <Button look="primary" onClick={() => input.current?.click()}>
              {t.choose}
            </Button>
            <span className="text-muted">{t.drop}</span>
          </div>
          <p className="mt-3 text-[13px] text-faint">{t.hint}</p>
          <input
            ref={input}
            type="file"
            accept=".csv,.tsv,text/csv"
            hidden
            aria-label={t.choose}
            onChange={(event) => void read(event.target.files?.[0])}
          />
        </div>
      )}
      {stage.at === "reading" && <Waiting label={t.reading} />}
      {problem && (stage.at === "choose" || stage.at === "map") && (
        <div role="alert" className="my-3 text-danger">
          <p>{problem.message}</p>
          {problem.undone && <UndoneText undone={problem.undone} />}
        </div>
      )}
      {stage.at === "map" && (
        <Mapping
          table={table}
          name={stage.plan.name}
          sheet={stage.plan.sheet}
          columns={stage.plan.columns}
          found={stage.plan.found}
          styles={stylesOf(stage.plan, locale)}
          mayAdd={canShape}
          onRead={(reading) => readAgain(stage.plan, reading)}
          onChange={(columns) => setStage({ at: "map", plan: { ...stage.plan, columns } })}
          onStyle={(index, style) => {
            const chosen = stage.plan.columns.map((_, at) => (at === index ? style : stage.plan.chosen[at]));
            setStage({ at: "map", plan: { ...stage.plan, chosen } });
          }}
          onCancel={close}
          onStart={(name) => start(stage.plan, name)}
        />
      )}
      {stage.at === "check" && (
        <div>
          <p className="flex items-center gap-2 text-[16px] font-[580]">
            <CircleAlert size={19} className="text-warn" aria-hidden />
            {t.checkTitle(stage.checked.refused.length)}
          </p>
          <p className="mt-2 text-muted">{t.checkBody}</p>
          <RefusedList refused={stage.checked.refused} />
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Button onClick={() => setStage({ at: "map", plan: stage.plan })}>{text.action.back}</Button>
            <Button
              look="primary"
              disabled={stage.checked.ready.length === 0}
              onClick={() => void run(stage.plan, stage.name, stage.checked)}
            >
              {t.startOthers(stage.checked.ready.length)}
            </Button>
          </div>
        </div>
      )}
      {stage.at === "run" && (
        <div className="py-2">
          <Progress
            value={stage.done}
            max={stage.plan.sheet.rows.length}
            label={t.progress(stage.done, stage.plan.sheet.rows.length)}
          />
          {stage.paused && (
            <p role="alert" className="mt-4 rounded-lg bg-warn-soft px-3 py-2 text-warn">
              {stage.paused.status === 401 ? t.pausedSession : t.paused}
            </p>
          )}
          <div className="mt-5 flex justify-end">
            <Button onClick={() => stop.current?.abort()}>{t.stop}</Button>
          </div>
        </div>
      )}
      {stage.at === "report" && (
        <Report
          outcome={stage.outcome}
          sheet={stage.plan.sheet}
          name={stage.plan.name}
          undone={stage.undone}
          onClose={close}
          onUndo={
            incomplete(stage.outcome) && stage.outcome.ids.length === stage.outcome.imported
              ? () => takeBack(stage)
              : undefined
          }
          onOpen={
            table || stage.undone
              ? undefined
              : () => {
                  close();
                  void navigate({
                    to: "/base/$baseId/$tableId",
                    params: { baseId: base.id, tableId: stage.made.tableId },
                    search: {},
                  });
                }
          }
        />
      )}
    </Dialog>
  );
}

/**
 * Reports whether some rows came in and others did not, which is when a person may want none of
 * them.
 */
function incomplete({ imported, refused, left, stopped }: Outcome): boolean {
  return imported > 0 && (stopped || refused.length + left.length > 0);
}
