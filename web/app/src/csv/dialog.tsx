import { useNavigate } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import Papa from "papaparse";
import { useMemo, useRef, useState } from "react";
import { get, post, Problem } from "../api/client.ts";
import { useOnce } from "../api/once.ts";
import { cache } from "../api/query.ts";
import type { Field, Table } from "../api/type.ts";
import { refreshBase, useOpened } from "../base/context.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Progress, Waiting } from "../ui/state.tsx";
import { complain } from "../ui/toast.ts";
import { Mapping } from "./mapping.tsx";
import { type Column, configFor, convert, planFor } from "./plan.ts";
import { Report } from "./report.tsx";
import { importRows, type Outcome, type Refused } from "./run.ts";

const t = text.base.csv;

type File_ = { name: string; header: string[]; rows: string[][] };
type Stage =
  | { at: "choose" }
  | { at: "reading" }
  | { at: "map"; file: File_; columns: Column[] }
  | { at: "run"; file: File_; done: number; paused?: Problem }
  | { at: "report"; file: File_; outcome: Outcome; tableId: string };

/** Imports a CSV file: choose it, say where its columns go, watch it run, and read what was refused. */
export default function ImportDialog({ table, onClose }: { table?: Table; onClose: () => void }) {
  const { base, people, canShape } = useOpened();
  const navigate = useNavigate();
  const [stage, setStage] = useState<Stage>({ at: "choose" });
  const [problem, setProblem] = useState<string>();
  const [over, setOver] = useState(false);
  const stop = useRef<AbortController>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const once = useOnce();
  const fields = useMemo(() => table?.fields ?? [], [table]);

  const read = (chosen: File | undefined) => {
    if (!chosen) return;
    setProblem(undefined);
    setStage({ at: "reading" });
    Papa.parse<string[]>(chosen, {
      skipEmptyLines: "greedy",
      complete: ({ data }) => {
        const [header, ...rows] = data;
        if (!header || rows.length === 0) {
          setProblem(t.empty);
          setStage({ at: "choose" });
          return;
        }
        const names = header.map((name, index) => (index === 0 ? name.replace(/^\ufeff/, "") : name));
        const file = { name: chosen.name.replace(/\.[^.]*$/, ""), header: names, rows };
        setStage({ at: "map", file, columns: planFor(names, rows, fields, canShape) });
      },
      error: () => {
        setProblem(t.unreadable);
        setStage({ at: "choose" });
      },
    });
  };

  /** Makes what the plan wants to be made, and returns the table with the field of each column. */
  const prepare = async (file: File_, columns: Column[], name: string): Promise<{ tableId: string; targets: (Field | undefined)[] }> => {
    const spec = (column: Column & { to: "new" }, index: number) => {
      const config = configFor(column.type, file.rows, index);
      return { name: column.name, type: column.type, ...(config ? { config } : {}) };
    };
    let tableId = table?.id;
    const made = columns.flatMap((column, index) => (column.to === "new" ? [spec(column, index)] : []));
    if (tableId) {
      for (const one of made) await post(`/tables/${tableId}/fields`, one, once.header(one));
    } else {
      const body = { name, fields: made };
      tableId = (await post<{ id: string }>(`/bases/${base.id}/tables`, body, once.header(body))).id;
    }
    const now = (await get<{ fields: Field[] }>(`/tables/${tableId}/fields`)).fields;
    const targets = columns.map((column) => {
      if (column.to === "skip") return undefined;
      return now.find((field) => (column.to === "field" ? field.id === column.fieldId : field.name === column.name));
    });
    return { tableId, targets };
  };

  const run = async (file: File_, columns: Column[], name: string) => {
    setStage({ at: "run", file, done: 0 });
    stop.current = new AbortController();
    try {
      const { tableId, targets } = await prepare(file, columns, name);
      const refused: Refused[] = [];
      const rows = file.rows.flatMap((row, index) => {
        const converted = convert(row, targets, people);
        const line = index + 2; // the header is line 1
        if ("reason" in converted) {
          refused.push({ line, reason: converted.reason });
          return [];
        }
        return [{ line, values: converted.values }];
      });
      const outcome = await importRows(tableId, rows, {
        signal: stop.current.signal,
        onProgress: (done) => setStage({ at: "run", file, done: done + refused.length }),
        onPause: (paused) => setStage((now) => (now.at === "run" ? { ...now, paused } : now)),
      });
      outcome.refused = [...refused, ...outcome.refused].toSorted((a, b) => a.line - b.line);
      await refreshBase(base.id);
      await cache.invalidateQueries({ queryKey: ["records", tableId] });
      window.dispatchEvent(new CustomEvent("rowhouse:deleted"));
      setStage({ at: "report", file, outcome, tableId });
    } catch (error) {
      complain(error);
      setProblem(Problem.from(error).message);
      setStage({ at: "map", file, columns });
      await refreshBase(base.id);
    }
  };
  const close = () => {
    stop.current?.abort();
    onClose();
  };

  return (
    <Dialog open onClose={close} title={t.title} size={stage.at === "map" ? "lg" : "md"} keepOnOutsidePress={stage.at !== "choose"}>
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
            read(event.dataTransfer.files[0]);
          }}
          className={join("flex flex-col items-center rounded-xl border border-dashed px-6 py-12 text-center", over ? "border-accent bg-accent-soft" : "border-line-strong bg-canvas")}
        >
          <FileUp size={28} className="mb-4 text-faint" aria-hidden />
          <div className="flex items-center gap-2">
            <Button look="primary" onClick={() => input.current?.click()}>
              {t.choose}
            </Button>
            <span className="text-muted">{t.drop}</span>
          </div>
          <p className="mt-3 text-[13px] text-faint">{t.hint}</p>
          <input ref={input} type="file" accept=".csv,.tsv,text/csv" hidden aria-label={t.choose} onChange={(event) => read(event.target.files?.[0])} />
        </div>
      )}
      {stage.at === "reading" && <Waiting label={t.reading} />}
      {problem && (stage.at === "choose" || stage.at === "map") && (
        <p role="alert" className="my-3 text-danger">
          {problem}
        </p>
      )}
      {stage.at === "map" && (
        <Mapping
          table={table}
          name={stage.file.name}
          header={stage.file.header}
          rows={stage.file.rows}
          columns={stage.columns}
          mayAdd={canShape}
          onChange={(columns) => setStage({ ...stage, columns })}
          onCancel={close}
          onStart={(name) => void run(stage.file, stage.columns, name)}
        />
      )}
      {stage.at === "run" && (
        <div className="py-2">
          <Progress value={stage.done} max={stage.file.rows.length} label={t.progress(stage.done, stage.file.rows.length)} />
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
          header={stage.file.header}
          rows={stage.file.rows}
          name={stage.file.name}
          onClose={close}
          onOpen={
            table
              ? undefined
              : () => {
                  close();
                  void navigate({ to: "/base/$baseId/$tableId", params: { baseId: base.id, tableId: stage.tableId }, search: {} });
                }
          }
        />
      )}
    </Dialog>
  );
}
