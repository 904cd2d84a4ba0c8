import { CircleAlert, CircleCheck, Download } from "lucide-react";
import { useState } from "react";
import type { Job } from "../api/type.ts";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";

const listed = 50;

type Props = {
  /** The import, at its end. */
  job: Job;
  onClose: () => void;
  onOpen?: () => void;
  /** Takes back what the import did. */
  onUndo: () => Promise<void>;
};

/** What an import did: how many rows came in, and which did not and why. */
export function Report({ job, onClose, onOpen, onUndo }: Props) {
  const text = useText();
  const t = useCsvText();
  const [undoing, setUndoing] = useState(false);
  const { created = 0, updated = 0, refused = 0, refusals = [], moreRefusals = 0, rows = 0 } =
    job.report?.tables?.[0] ?? {};
  const left = rows - created - updated - refused;
  const whole = job.state === "done" && refused === 0;
  const reasons = refusals.map(({ line, field, message }) => ({
    line,
    reason: field ? `${field}: ${message}` : message,
  }));
  return (
    <div role="status">
      <p className="flex items-center gap-2 text-[16px] font-[580]">
        {whole ? (
          <CircleCheck size={19} className="text-accent" aria-hidden />
        ) : (
          <CircleAlert size={19} className="text-warn" aria-hidden />
        )}
        {created + updated === 0
          ? t.nothing
          : job.state === "failed"
            ? t.brokenOff
            : job.state === "cancelled"
              ? t.stopped
              : t.finished}
      </p>
      <p className="mt-2 text-muted">
        {t.imported(created)} {updated > 0 && t.updated(updated)} {t.refused(refused)}{" "}
        {job.state !== "done" && left > 0 && t.left(left)}
      </p>
      {job.report?.problem && <p className="mt-2 text-danger">{job.report.problem}</p>}
      {(job.report?.notes ?? []).map((note) => (
        <p key={note} className="mt-2 text-muted">
          {note}
        </p>
      ))}
      <RefusedList refused={reasons} more={moreRefusals} />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        {job.changes && !whole && (
          <Button
            busy={undoing}
            onClick={() => {
              setUndoing(true);
              void onUndo().finally(() => setUndoing(false));
            }}
          >
            {t.takeBack}
          </Button>
        )}
        {job.file && (
          <a className="inline-flex items-center gap-1.5 px-2 text-accent-ink underline" href={job.file.url} download>
            <Download size={14} aria-hidden />
            {t.download}
          </a>
        )}
        <Button look={onOpen ? "secondary" : "primary"} onClick={onClose}>
          {text.action.done}
        </Button>
        {onOpen && (
          <Button look="primary" onClick={onOpen}>
            {t.open}
          </Button>
        )}
      </div>
    </div>
  );
}

type Refused = { line: number; reason: string };

export function RefusedList({ refused, more = 0 }: { refused: Refused[]; more?: number }) {
  const t = useCsvText();
  if (refused.length === 0) return null;
  return (
    <>
      <div
        role="region"
        // The list scrolls, so it is to be reached by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t.refusedRows}
        className="mt-4 max-h-64 overflow-auto rounded-lg border border-line"
      >
        <table className="w-full text-[13.5px]">
          <thead className="sticky top-0 bg-canvas text-left text-[12.5px] text-muted">
            <tr>
              <th className="w-20 px-3 py-2 font-[560]">{t.line}</th>
              <th className="px-3 py-2 font-[560]">{t.reason}</th>
            </tr>
          </thead>
          <tbody>
            {refused.slice(0, listed).map((one) => (
              <tr key={`${one.line} ${one.reason}`} className="border-t border-line">
                <td className="px-3 py-1.5 tabular-nums">{one.line}</td>
                <td className="px-3 py-1.5 break-words text-muted">{one.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {refused.length + more > listed && (
        <p className="mt-2 text-[13px] text-faint">{t.moreRefused(refused.length + more - listed)}</p>
      )}
    </>
  );
}
