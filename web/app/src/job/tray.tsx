import { useQuery } from "@tanstack/react-query";
import { ArrowDownUp, Download } from "lucide-react";
import { Suspense, useEffect, useRef } from "react";
import { Link } from "../route/link.tsx";
import { useBase } from "../access/base.ts";
import { cancelJob } from "../api/change.ts";
import { invalidate } from "../api/invalidation.ts";
import { key } from "../api/key.ts";
import { jobsQuery } from "../api/query.ts";
import type { Job } from "../api/type.ts";
import { useJobText } from "../text/job.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Popover } from "../ui/lazypopup.tsx";
import { Progress } from "../ui/state.tsx";
import { complain } from "../ui/toast.ts";
import { preloadable } from "../ui/preloadable.tsx";

const ProductReport = preloadable(async () => (await import("./productreport.tsx")).default, null);

const listed = 20; // mistakes of a file

/** The imports and exports of the organization that the person may see: how far they are, their reports and files. */
export function JobTray() {
  const t = useJobText();
  const { base, orgId } = useBase();
  const query = useQuery({ ...jobsQuery(orgId ?? ""), enabled: orgId !== null });
  const jobs = query.data ?? [];
  const running = jobs.filter((job) => job.endedAt === null).length;
  useReread(jobs, base.id);
  return (
    <Popover
      align="end"
      label={t.title}
      className="w-[min(420px,92vw)] p-3"
      trigger={
        <IconButton
          label={running > 0 ? t.running(running) : t.title}
          className={running > 0 ? "text-accent-ink!" : ""}
        >
          <ArrowDownUp size={16} className={running > 0 ? "animate-pulse" : ""} aria-hidden />
        </IconButton>
      }
    >
      <h2 className="mb-2 text-[14px] font-[580]">{t.title}</h2>
      {jobs.length === 0 && <p className="text-muted">{t.none}</p>}
      <ul className="max-h-[60vh] space-y-3 overflow-y-auto">
        {jobs.map((job) => (
          <JobItem key={job.id} job={job} />
        ))}
      </ul>
    </Popover>
  );
}

/** A job that makes tables or records. */
const isMaking = ({ kind }: Job) => kind.startsWith("import") || kind.startsWith("duplicate");

/** Reads the base again when an import in it has made its table, or has ended. */
function useReread(jobs: Job[], baseId: string) {
  const known = useRef<Map<string, string>>(undefined);
  useEffect(() => {
    const now = new Map(jobs.map((job) => [job.id, `${job.tableId ?? job.report?.tables?.length} ${job.state}`]));
    const before = known.current;
    known.current = now;
    if (!before) return;
    const changed = jobs.some(
      (job) => job.baseId === baseId && isMaking(job) && before.get(job.id) !== now.get(job.id),
    );
    if (changed) void invalidate([key.base(baseId), key.records()]);
  }, [jobs, baseId]);
}

function JobItem({ job }: { job: Job }) {
  const t = useJobText();
  const table = job.report?.tables?.length === 1 ? job.report.tables[0]?.name : undefined;
  const name = t.kind[job.kind] ?? job.kind;
  return (
    <li className="rounded-lg border border-line px-3 py-2" data-job={job.state}>
      <p className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate font-[560]">{table ? `${name}: ${table}` : name}</span>
        <span className={job.state === "failed" ? "text-danger" : "text-muted"}>{t.state[job.state]}</span>
      </p>
      {job.endedAt === null && (
        <div className="mt-2">
          <Progress value={job.done} max={job.total ?? 1} label={t.progress(job.done, job.total)} />
          <Button
            className="mt-2"
            onClick={() => void cancelJob({ jobId: job.id }).catch((error: unknown) => complain(error))}
          >
            {t.cancel}
          </Button>
        </div>
      )}
      {job.endedAt !== null && <JobReport job={job} />}
    </li>
  );
}

/** What a job did, what it left out and why, and its file. */
function JobReport({ job }: { job: Job }) {
  const t = useJobText();
  const tables = job.report?.tables ?? [];
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const refusals = tables.flatMap((table) => table.refusals ?? []);
  const unlisted = tables.reduce((sum, table) => sum + (table.moreRefusals ?? 0), 0);
  const isMoved = job.airtableBaseId !== undefined || job.from !== undefined;
  const more = unlisted + Math.max(0, refusals.length - listed);
  return (
    <div className="mt-1 space-y-1 text-[13px]">
      {job.report?.problem && <p className="text-danger">{job.report.problem}</p>}
      {job.state === "done" && <p className="text-muted">{t.rows(rows)}</p>}
      {isMoved && (
        <Suspense>
          <ProductReport job={job} />
        </Suspense>
      )}
      {!isMoved &&
        tables.map((table) => (
          <div key={table.id ?? table.name}>
            {(table.refused ?? 0) > 0 && <p className="text-warn">{t.refused(table.refused ?? 0)}</p>}
            {(table.emptied ?? 0) > 0 && <p className="text-warn">{t.emptied(table.emptied ?? 0)}</p>}
          </div>
        ))}
      {refusals.length > 0 && (
        <ul className="max-h-32 overflow-y-auto text-muted">
          {refusals.slice(0, listed).map(({ line, field, message }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a line may have several mistakes
            <li key={index}>{t.line(line, field, message)}</li>
          ))}
          {more > 0 && <li>{t.more(more)}</li>}
        </ul>
      )}
      {(isMoved ? [] : (job.report?.notes ?? [])).map((note) => (
        <p key={note} className="text-muted">
          {note}
        </p>
      ))}
      {job.file && (
        <a className="inline-flex items-center gap-1.5 text-accent-ink underline" href={job.file.url} download>
          <Download size={14} aria-hidden />
          {t.download(job.file.name)}
        </a>
      )}
      {isMaking(job) && job.baseId && job.tableId && (
        <Link
          className="text-accent-ink underline"
          to="/base/$baseId/$tableId"
          params={{ baseId: job.baseId, tableId: job.tableId }}
          search={{}}
        >
          {t.open}
        </Link>
      )}
    </div>
  );
}
