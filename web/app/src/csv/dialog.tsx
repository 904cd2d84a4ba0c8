import { useNavigate } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Preview, previewFile } from "../api/importfile.ts";
import { Problem } from "../api/problem.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { Batch } from "../api/invalidation.ts";
import type { Table } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { styleOf as numberStyleOf } from "../field/number.ts";
import { useLocale } from "../locale/locale.ts";
import { useCsvText } from "../text/csv.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Dialog } from "../ui/dialog.tsx";
import { HelpLink } from "../ui/helplink.tsx";
import { Progress, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { refreshRows } from "../record/refresh.ts";
import { Check, isRemarkable } from "./check.tsx";
import { Mapping } from "./mapping.tsx";
import { checkForm, type Column, configFor, planFor, type Style, styleOf, targetOf } from "./plan.ts";
import { type Made, NotPrepared, prepare, removeRecords, type Spec, type Undone, unmake } from "./prepare.ts";
import type { Reading } from "./read.ts";
import { Report, UndoneText } from "./report.tsx";
import { type Form, importParts, type Outcome } from "./run.ts";

/** The chosen file, as the service reads it and as it is mapped. */
type Plan = {
  name: string;
  file: File;
  reading: Reading;
  preview: Preview;
  columns: Column[];
  chosen: (Style | undefined)[];
};

type Stage =
  | { at: "choose" }
  | { at: "reading" }
  | { at: "map"; plan: Plan }
  | { at: "check"; plan: Plan; name: string; checked: Preview }
  | { at: "run"; plan: Plan; done: number; paused?: Problem }
  | { at: "report"; plan: Plan; outcome: Outcome; made: Made; undone?: Undone };

type Props = {
  /** The table that gets the records; a new one unless given. */
  table?: Table;
  /** The file, where it was chosen already. */
  file?: File;
  onClose: () => void;
};

/**
 * Imports a CSV file: choose it, say where its columns go, see what does not fit, watch it run, and
 * read what was refused.
 */
export default function ImportDialog({ table, file, onClose }: Props) {
  const t = useCsvText();
  const { base, canShape } = useBase();
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

  const targetsOf = ({ preview, columns }: Plan) =>
    columns.map((column, index) => targetOf(column, index, fields, preview.columns[index]));
  const stylesOf = (plan: Plan) =>
    targetsOf(plan).map((target, index) =>
      styleOf(plan.preview.columns[index], target, plan.chosen[index], numberStyleOf(locale.tag)),
    );
  /** Sends the file and shows how it is read; the stage before comes back if it cannot be. */
  const read = async (file: File | undefined, reading: Reading, before: Stage) => {
    if (!file) return;
    setProblem(undefined);
    setStage({ at: "reading" });
    try {
      const preview = await previewFile(file, { ...reading, locale: locale.tag });
      const columns = planFor(preview, fields, canShape, locale);
      const name = file.name.replace(/\.[^.]*$/, "");
      setStage({ at: "map", plan: { name, file, reading, preview, columns, chosen: [] } });
    } catch (error) {
      setProblem({ message: error instanceof Problem ? error.message : t.unreadable });
      setStage(before);
    }
  };

  const given = useRef(file);
  useEffect(() => {
    const first = given.current;
    given.current = undefined;
    void read(first, {}, { at: "choose" });
    // oxlint-disable-next-line react/exhaustive-deps -- it is read once
  }, []);

  /** Has every value checked before anything is made, and begins when all of them fit as they are. */
  const start = async (plan: Plan, name: string) => {
    setProblem(undefined);
    setStage({ at: "reading" });
    try {
      const form = { ...plan.reading, encoding: plan.preview.encoding, header: plan.preview.hasHeader };
      const columns = checkForm(targetsOf(plan), stylesOf(plan));
      const checked = await previewFile(plan.file, { ...form, locale: locale.tag, columns });
      if (isRemarkable(checked)) setStage({ at: "check", plan, name, checked });
      else await run(plan, name);
    } catch (error) {
      setProblem({ message: error instanceof Problem ? error.message : t.unreadable });
      setStage({ at: "map", plan });
    }
  };

  const run = async (plan: Plan, name: string) => {
    setStage({ at: "run", plan, done: 0 });
    stop.current = new AbortController();
    const specs = plan.columns.flatMap((column, index): Spec[] => {
      if (column.to !== "new") return [];
      const config = configFor(column.type, plan.preview.columns[index]);
      return [{ name: column.name, type: column.type, ...(config ? { config } : {}) }];
    });
    const styles = stylesOf(plan);
    try {
      const made = await prepare(
        { tableId: table?.id, baseId: base.id, name: table?.name ?? name },
        specs,
        idempotency.keyFor,
        batch.current,
      );
      const form: Form = {
        encoding: plan.preview.encoding,
        delimiter: plan.preview.delimiter as Form["delimiter"],
        columns: plan.columns.map((column, index) =>
          column.to === "skip" ? {} : { field: column.to === "field" ? column.fieldId : column.name, ...styles[index] },
        ),
      };
      const outcome = await importParts(made.tableId, plan.file, plan.preview.parts, form, {
        signal: stop.current.signal,
        changeSet: made.changeSet,
        onProgress: (done) => setStage({ at: "run", plan, done }),
        onPause: (paused) => setStage((now) => (now.at === "run" ? { ...now, paused } : now)),
      });
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
    else notify(t.takenBack(outcome.imported));
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
            void read(event.dataTransfer.files[0], {}, stage);
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
          <HelpLink page="reference/csv" className="mt-1">
            {t.help}
          </HelpLink>
          <input
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            hidden
            aria-label={t.choose}
            onChange={(event) => void read(event.target.files?.[0], {}, stage)}
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
          preview={stage.plan.preview}
          columns={stage.plan.columns}
          targets={targetsOf(stage.plan)}
          styles={stylesOf(stage.plan)}
          mayAdd={canShape}
          onRead={(reading) => void read(stage.plan.file, { ...stage.plan.reading, ...reading }, stage)}
          onChange={(columns) => setStage({ at: "map", plan: { ...stage.plan, columns } })}
          onStyle={(index, style) => {
            const chosen = stage.plan.columns.map((_, at) =>
              at === index ? { ...stage.plan.chosen[at], ...style } : stage.plan.chosen[at],
            );
            setStage({ at: "map", plan: { ...stage.plan, chosen } });
          }}
          onCancel={close}
          onStart={(name) => void start(stage.plan, name)}
        />
      )}
      {stage.at === "check" && (
        <Check
          checked={stage.checked}
          names={stage.plan.columns.map((column) => column.name)}
          onBack={() => setStage({ at: "map", plan: stage.plan })}
          onStart={() => void run(stage.plan, stage.name)}
        />
      )}
      {stage.at === "run" && (
        <div className="py-2">
          <Progress
            value={stage.done}
            max={stage.plan.preview.rows}
            label={t.progress(stage.done, stage.plan.preview.rows)}
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
          header={stage.plan.preview.columns.map((column) => column.name)}
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
  return imported > 0 && (stopped || refused.length + left > 0);
}
