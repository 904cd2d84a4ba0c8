import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useEffect } from "react";
import { navigate } from "../route/router.ts";
import { invalidate } from "../api/invalidation.ts";
import { key } from "../api/key.ts";
import { jobQuery } from "../api/query.ts";
import type { Job } from "../api/type.ts";
import { useArchiveText } from "../text/archive.ts";
import { Button } from "../ui/button.tsx";
import { Failed, Progress } from "../ui/state.tsx";

const listed = 8; // reasons, and people

type Props = {
  jobId: string;
  onClose: () => void;
  /** Says nothing of the archive where all of it came. */
  plain?: boolean;
};

/** How far a job is that makes a base or a table, and at its end what came, what did not, and the way there. */
export function JobWait({ jobId, onClose, plain }: Props) {
  const t = useArchiveText();
  const { data: job, error, refetch } = useQuery(jobQuery(jobId));
  const ended = job !== undefined && job.endedAt !== null;
  const baseId = job?.baseId;
  useEffect(() => {
    if (ended) void invalidate([key.jobs, key.bases, ...(baseId ? [key.base(baseId)] : [])]);
  }, [ended, baseId]);
  if (!job && error) return <Failed error={error} retry={() => void refetch()} />;
  if (!job || !ended) {
    return (
      <div className="flex flex-col gap-3">
        <Progress
          value={job?.done ?? 0}
          max={job?.total ?? 1}
          label={!job || job.state === "queued" ? t.waiting : t.working(job.done, job.total)}
        />
        <p className="text-[13px] text-muted">{t.goesOn}</p>
        <div className="flex justify-end">
          <Button onClick={onClose}>{t.close}</Button>
        </div>
      </div>
    );
  }
  const open = async () => {
    if (!baseId) return;
    onClose();
    if (job.tableId)
      await navigate({ to: "/base/$baseId/$tableId", params: { baseId, tableId: job.tableId }, search: {} });
    else await navigate({ to: "/base/$baseId", params: { baseId } });
  };
  return (
    <div className="flex flex-col gap-4">
      <Receipt job={job} plain={plain} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.close}</Button>
        {job.state === "done" && baseId && (
          <Button look="primary" onClick={() => void open()}>
            {job.tableId ? t.openTable : t.openBase}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What came, and what did not. */
function Receipt({ job, plain }: { job: Job; plain?: boolean }) {
  const t = useArchiveText();
  const report = job.report;
  const tables = report?.tables ?? [];
  const sum = (of: "created" | "links" | "files") => tables.reduce((all, table) => all + (table[of] ?? 0), 0);
  const counts = [
    t.counts.tables(tables.length),
    t.counts.records(sum("created")),
    ...(sum("links") > 0 ? [t.counts.links(sum("links"))] : []),
    ...(sum("files") > 0 ? [t.counts.files(sum("files"))] : []),
  ];
  const left = report?.leftOut ?? [];
  const people = report?.notMembers ?? [];
  const more = (report?.moreLeftOut ?? 0) + Math.max(0, left.length - listed);
  const good = job.state === "done";
  const whole = good && left.length === 0 && people.length === 0;
  const title = good
    ? whole
      ? t.done
      : t.doneWithout
    : job.state === "cancelled"
      ? t.cancelled
      : job.baseId && tables.length > 0
        ? t.failedHalf
        : t.failed;
  return (
    <div className="flex flex-col gap-3" data-job={job.state}>
      <p className="flex items-center gap-2 font-[560]">
        {good ? (
          <CircleCheck size={18} className={whole ? "text-accent-ink" : "text-warn"} aria-hidden />
        ) : (
          <CircleAlert size={18} className="text-danger" aria-hidden />
        )}
        {title}
      </p>
      {report?.problem && <p className="text-[13px] text-danger">{report.problem}</p>}
      {good && <p className="text-[13px] text-muted">{counts.join(" · ")}</p>}
      {(plain && whole ? [] : (report?.notes ?? [])).map((note) => (
        <p key={note} className="text-[13px] text-muted">
          {note}
        </p>
      ))}
      {left.length > 0 && (
        <div>
          <h3 className="mb-1 text-[13px] font-[560]">{t.leftOut}</h3>
          <ul className="max-h-40 space-y-1 overflow-y-auto text-[13px] text-muted">
            {left.slice(0, listed).map(({ table, field, count, why }) => (
              <li key={`${table} ${field ?? ""} ${why}`}>
                <span className="text-ink">{field ? `${table}, ${field}` : table}</span>
                {count > 1 ? ` (${count})` : ""}: {why}
              </li>
            ))}
            {more > 0 && <li>{t.more(more)}</li>}
          </ul>
        </div>
      )}
      {people.length > 0 && (
        <p className="text-[13px] text-muted">
          <span className="font-[560] text-ink">{t.notMembers}: </span>
          {people.slice(0, listed).join(", ")}
          {people.length > listed ? `, ${t.more(people.length - listed)}` : ""}
        </p>
      )}
    </div>
  );
}
