import { CircleAlert, CircleCheck, Download } from "lucide-react";
import { useState } from "react";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import type { Part } from "./job.ts";

const listed = 50;

type Props = {
  /** The import, at its end; of a file of several sheets, that of each. */
  parts: Part[];
  onClose: () => void;
  onOpen?: () => void;
  /** Takes back what the import did. */
  onUndo: () => Promise<void>;
};

/** How many rows came in, and which did not and why. */
function resultOf({ name: sheet, job, problem }: Part) {
  const { state = "failed", report } = job ?? {};
  const { name = sheet, created = 0, updated = 0, refused = 0, refusals = [], moreRefusals = 0, rows = 0 } =
    report?.tables?.[0] ?? {};
  const left = state === "done" ? 0 : rows - created - updated - refused;
  const counts = { created, updated, refused, moreRefusals, left };
  return { key: job?.id ?? sheet, state, name, refusals, problem: problem ?? report?.problem, ...counts };
}

type Result = ReturnType<typeof resultOf>;

const sum = (results: Result[], of: "created" | "updated" | "refused" | "moreRefusals" | "left") =>
  results.reduce((total, one) => total + one[of], 0);

/** What an import did: how many rows came in, and which did not and why. */
export function Report({ parts, onClose, onOpen, onUndo }: Props) {
  const text = useText();
  const t = useCsvText();
  const [undoing, setUndoing] = useState(false);
  const results = parts.map(resultOf);
  const several = parts.length > 1;
  const refused = sum(results, "refused");
  const updated = sum(results, "updated");
  const created = sum(results, "created");
  const left = sum(results, "left");
  const worst = ["failed", "cancelled"].find((state) => results.some((one) => one.state === state));
  const whole = worst === undefined && refused === 0;
  const reasons = results.flatMap(({ name, refusals }) =>
    refusals.map(({ line, field, message }) => ({
      line,
      reason: [several ? name : "", field ?? "", message].filter(Boolean).join(": "),
    })),
  );
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
          : worst === "failed"
            ? t.brokenOff
            : worst === "cancelled"
              ? t.stopped
              : t.finished}
      </p>
      <p className="mt-2 text-muted">
        {t.imported(created)} {updated > 0 && t.updated(updated)} {t.refused(refused)}{" "}
        {left > 0 && t.left(left)}
      </p>
      {several && (
        <ul className="mt-3 max-h-48 divide-y divide-line overflow-y-auto rounded-lg border border-line">
          {results.map((one) => (
            <li key={one.key} className="flex gap-3 px-3 py-1.5 text-[13.5px]">
              <span className="min-w-0 flex-1 truncate font-[560]">{one.name}</span>
              <span className="text-muted tabular-nums">{t.rows(one.created)}</span>
            </li>
          ))}
        </ul>
      )}
      {results.map(({ key, name, problem }) =>
        problem ? (
          <p key={key} className="mt-2 text-danger">
            {several && name ? `${name}: ${problem}` : problem}
          </p>
        ) : null,
      )}
      {!several &&
        (parts[0]?.job?.report?.notes ?? []).map((note) => (
          <p key={note} className="mt-2 text-muted">
            {note}
          </p>
        ))}
      <RefusedList refused={reasons} more={sum(results, "moreRefusals")} />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        {parts.some(({ job }) => job?.changes) && !whole && (
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
        {parts.map(({ job, name }, index) =>
          job?.file ? (
            <a
              key={job.id}
              className="inline-flex items-center gap-1.5 px-2 text-accent-ink underline"
              href={job.file.url}
              download
            >
              <Download size={14} aria-hidden />
              {several ? t.downloadOf(results[index]?.name ?? name) : t.download}
            </a>
          ) : null,
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
