import { useEffect, useMemo, useRef, useState } from "react";
import { navigate } from "../route/router.ts";
import { cancelJob } from "../api/change.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { invalidate } from "../api/invalidation.ts";
import { key } from "../api/key.ts";
import { Problem } from "../api/problem.ts";
import type { Table } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { revert } from "../change/revert.ts";
import { styleOf as numberStyleOf } from "../field/number.ts";
import { useLocale } from "../locale/locale.ts";
import { refreshRows } from "../record/refresh.ts";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Progress, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { Check, isRemarkable } from "./check.tsx";
import { ChooseFile } from "./choose.tsx";
import {
  beginImport,
  beginPart,
  check,
  type Checked,
  followPart,
  type Part,
  type Request,
  sendFile,
  type Target,
} from "./job.ts";
import { Mapping } from "./mapping.tsx";
import { type Column, othersOf, planFor, type Preview, type Style, styleOf, targetOf, usesOf } from "./plan.ts";
import type { Reading } from "./read.ts";
import { Report } from "./report.tsx";

/** How far an import is: by rows, or by tables where there are several. */
function RunProgress({ parts, rows }: { parts: Part[]; rows: number }) {
  const t = useCsvText();
  const [first] = parts;
  if (parts.length === 1) {
    const done = first?.job?.done ?? 0;
    return <Progress value={done} max={rows} label={t.progress(done, rows)} />;
  }
  const ended = parts.filter((part) => !isRunning(part)).length;
  return <Progress value={ended} max={parts.length} label={t.sheets(ended, parts.length)} />;
}

/** The name of a new table. The one that was proposed is left to the service, which finds one that is free. */
const nameOf = ({ name: proposed, preview }: Plan, name: string) =>
  name !== proposed ? { name } : othersOf(preview).length > 0 ? { sheet: preview.sheet } : {};

const isRunning = ({ job }: Part) => job !== undefined && job.endedAt === null;

const stop = (parts: Part[]) =>
  Promise.all(parts.filter(isRunning).map(({ job }) => cancelJob({ jobId: job!.id }))).catch((error: unknown) =>
    complain(error),
  );

/** The file that was sent, as the service reads it and as it is mapped. */
type Plan = {
  name: string;
  file: string;
  reading: Reading;
  preview: Preview;
  columns: Column[];
  chosen: (Style | undefined)[];
  upsertOn: string;
  /** The other sheets become tables, too. */
  withOthers: boolean;
};

type Stage =
  | { at: "choose" }
  | { at: "sending"; part: number }
  | { at: "reading" }
  | { at: "map"; plan: Plan }
  | { at: "check"; plan: Plan; name: string; checked: Checked }
  | { at: "run"; plan: Plan; parts: Part[] }
  | { at: "report"; parts: Part[] };

type Props = {
  /** The table that gets the records; a new one unless given. */
  table?: Table;
  /** The file, where it was chosen already. */
  file?: File;
  /** The file has cells that were pasted, which need no choice of how they are written. */
  pasted?: boolean;
  onClose: () => void;
};

/**
 * Imports a file: choose it, say where its columns go, see what does not fit, watch it run, and read
 * what was refused. The import is a job of the service, which goes on without the dialog.
 */
export default function ImportDialog({ table, file, pasted, onClose }: Props) {
  const t = useCsvText();
  const text = useText();
  const { base, canShape } = useBase();
  const locale = useLocale();
  const [stage, setStage] = useState<Stage>({ at: "choose" });
  const [problem, setProblem] = useState<string>();
  const closing = useRef(new AbortController());
  const idempotency = useIdempotencyKeys();
  const fields = useMemo(() => table?.fields ?? [], [table]);
  const target: Target = table ? { tableId: table.id } : { baseId: base.id };

  const targetsOf = ({ preview, columns }: Plan) =>
    columns.map((column, index) => targetOf(column, index, fields, preview.columns[index]));
  const stylesOf = (plan: Plan) =>
    targetsOf(plan).map((target, index) =>
      styleOf(plan.preview.columns[index], target, plan.chosen[index], numberStyleOf(locale.tag)),
    );

  /** Does what may fail; then the problem is shown, and the stage before comes back. */
  const attempt = async (before: Stage, work: () => Promise<void>) => {
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      if (closing.current.signal.aborted) return;
      setProblem(error instanceof Problem ? error.message : t.unreadable);
      setStage(before);
    }
  };

  /** Shows how the file is read. */
  const read = async (name: string, sent: string, reading: Reading, withOthers = true) => {
    setStage({ at: "reading" });
    const request = { file: sent, locale: locale.tag, ...reading };
    const preview = await check(target, request, closing.current.signal, locale);
    const columns = planFor(preview, fields, canShape, locale);
    const others = othersOf(preview).length > 0;
    const own = others && preview.sheet ? preview.sheet : name;
    const plan = { name: own, file: sent, reading, preview, columns, chosen: [], upsertOn: "" };
    setStage({ at: "map", plan: { ...plan, withOthers: !table && others && withOthers } });
  };

  const send = (chosen: File | undefined) => {
    if (!chosen) return;
    void attempt({ at: "choose" }, async () => {
      setStage({ at: "sending", part: 0 });
      const sent = await sendFile(target, chosen, closing.current.signal, (part) => setStage({ at: "sending", part }));
      await read(chosen.name.replace(/(\.gz)?$/i, "").replace(/\.[^.]*$/, ""), sent, {});
    });
  };

  const given = useRef(file);
  useEffect(() => {
    const first = given.current;
    given.current = undefined;
    if (first) send(first);
    // oxlint-disable-next-line react/exhaustive-deps -- it is sent once
  }, []);

  const requestOf = (plan: Plan, name: string): Request => ({
    file: plan.file,
    locale: locale.tag,
    ...plan.reading,
    ...(plan.preview.form === "csv" ? { encoding: plan.preview.encoding } : {}),
    header: plan.preview.hasHeader,
    columns: usesOf(plan.columns, plan.preview.columns, stylesOf(plan)),
    ...(table ? (plan.upsertOn ? { upsertOn: [plan.upsertOn] } : {}) : nameOf(plan, name)),
  });

  /** Has every value checked before anything is made, and begins when all of them fit as they are. */
  const start = (plan: Plan, name: string) =>
    attempt({ at: "map", plan }, async () => {
      setStage({ at: "reading" });
      const checked = await check(target, requestOf(plan, name), closing.current.signal, locale);
      if (isRemarkable(checked)) setStage({ at: "check", plan, name, checked });
      else await run(plan, name, checked);
    });

  /** Imports what was checked. The service refuses it if the fields of the table have changed since. */
  const run = (plan: Plan, name: string, { planToken }: Checked) =>
    attempt({ at: "map", plan }, async () => {
      const request = { ...requestOf(plan, name), apply: planToken };
      const begun = await beginImport(target, request, idempotency.keyFor(request));
      idempotency.done();
      // From here on there is no way back to the columns, whatever fails.
      await runAll(plan, { name: plan.name, job: begun });
    });

  /** Begins the other sheets at once, so that they go on without the dialog, too, and follows all of them. */
  const runAll = async (plan: Plan, first: Part) => {
    const { signal } = closing.current;
    const parts = [first];
    const show = () => setStage({ at: "run", plan, parts: [...parts] });
    show();
    for (const sheet of plan.withOthers ? othersOf(plan.preview) : []) {
      const request = { file: plan.file, locale: locale.tag, sheet };
      // oxlint-disable-next-line no-await-in-loop -- the tables come in the order of the sheets
      parts.push(await beginPart(target, request, parts, signal, t.unreadable));
      show();
    }
    for (const [at, part] of parts.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- what is followed is shown
      parts[at] = await followPart(part, signal, t.unreadable, (now) => {
        parts[at] = now;
        show();
      });
    }
    await refresh().catch((error: unknown) => complain(error));
    setStage({ at: "report", parts });
  };

  const refresh = async () => {
    await invalidate([key.base(base.id), key.records(), key.jobs]);
    refreshRows();
  };

  const takeBack = async (parts: Part[]) => {
    try {
      await revert(base.id, { changeSets: parts.flatMap(({ job }) => job?.changes ?? []) });
      notify(t.takenBack);
      refreshRows();
      onClose();
    } catch (error) {
      complain(error);
    }
  };

  const openFirst = (parts: Part[]) => {
    const tableId = parts.find(({ job }) => job?.tableId)?.job?.tableId;
    if (!tableId) return undefined;
    return () => {
      close();
      void navigate({ to: "/base/$baseId/$tableId", params: { baseId: base.id, tableId }, search: {} });
    };
  };

  const close = () => {
    closing.current.abort();
    if (stage.at === "run") notify(t.goesOn, t.goesOnDetail);
    onClose();
  };

  return (
    <Dialog
      open
      onClose={close}
      title={pasted ? t.pastedTitle : t.title}
      size={stage.at === "map" || stage.at === "report" ? "lg" : "md"}
      keepOnOutsidePress={stage.at !== "choose"}
    >
      {stage.at === "choose" && <ChooseFile onChoose={send} />}
      {stage.at === "sending" && <Progress value={stage.part} max={1} label={t.sending(stage.part)} />}
      {stage.at === "reading" && <Waiting label={t.reading} />}
      {problem && (stage.at === "choose" || stage.at === "map") && (
        <p role="alert" className="my-3 text-danger">
          {problem}
        </p>
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
          pasted={pasted}
          upsertOn={stage.plan.upsertOn}
          onRead={(reading) => {
            const { plan } = stage;
            const withOthers = plan.withOthers || othersOf(plan.preview).length === 0;
            void attempt(stage, () => read(plan.name, plan.file, { ...plan.reading, ...reading }, withOthers));
          }}
          onChange={(columns) => setStage({ at: "map", plan: { ...stage.plan, columns } })}
          onStyle={(index, style) => {
            const chosen = stage.plan.columns.map((_, at) =>
              at === index ? { ...stage.plan.chosen[at], ...style } : stage.plan.chosen[at],
            );
            setStage({ at: "map", plan: { ...stage.plan, chosen } });
          }}
          onUpsert={(upsertOn) => setStage({ at: "map", plan: { ...stage.plan, upsertOn } })}
          withOthers={stage.plan.withOthers}
          onOthers={(withOthers) => setStage({ at: "map", plan: { ...stage.plan, withOthers } })}
          onCancel={close}
          onStart={(name) => void start(stage.plan, name)}
        />
      )}
      {stage.at === "check" && (
        <Check
          checked={stage.checked}
          names={stage.plan.columns.map((column) => column.name)}
          onBack={() => setStage({ at: "map", plan: stage.plan })}
          onStart={() => void run(stage.plan, stage.name, stage.checked)}
        />
      )}
      {stage.at === "run" && (
        <div className="py-2">
          <RunProgress parts={stage.parts} rows={stage.plan.preview.rows} />
          <p className="mt-3 text-muted">{t.goesOnDetail}</p>
          <div className="mt-5 flex justify-end gap-2">
            <Button onClick={() => void stop(stage.parts)}>{t.stop}</Button>
            <Button look="primary" onClick={close}>
              {text.action.close}
            </Button>
          </div>
        </div>
      )}
      {stage.at === "report" && (
        <Report
          parts={stage.parts}
          onClose={close}
          onUndo={() => takeBack(stage.parts)}
          onOpen={table ? undefined : openFirst(stage.parts)}
        />
      )}
    </Dialog>
  );
}
