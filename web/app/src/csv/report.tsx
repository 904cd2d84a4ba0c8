import { CircleCheck, CircleAlert } from "lucide-react";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import type { Outcome } from "./run.ts";
import { saveFile, writeRows } from "./write.ts";

const t = text.base.csv;
const listed = 50;

type Props = { outcome: Outcome; header: string[]; rows: string[][]; name: string; onClose: () => void; onOpen?: () => void };

/** What an import did: how many rows came in, and which did not and why. */
export function Report({ outcome, header, rows, name, onClose, onOpen }: Props) {
  const { imported, refused, left, stopped, problem } = outcome;
  const missing = [...refused, ...left.map((line) => ({ line, reason: problem ? t.leftReason : t.stoppedReason }))].toSorted((a, b) => a.line - b.line);
  const download = () =>
    saveFile(`${name} - refused.csv`, writeRows([[...header, t.reason], ...missing.map((one) => [...(rows[one.line - 2] ?? []), one.reason])]));
  return (
    <div role="status">
      <p className="flex items-center gap-2 text-[16px] font-[580]">
        {missing.length === 0 && !stopped ? <CircleCheck size={19} className="text-accent" aria-hidden /> : <CircleAlert size={19} className="text-warn" aria-hidden />}
        {problem ? t.brokenOff : stopped ? t.stopped : t.finished}
      </p>
      <p className="mt-2 text-muted">
        {t.imported(imported)} {t.refused(refused.length)} {left.length > 0 && t.left(left.length)}
      </p>
      {problem && <p className="mt-2 text-danger">{problem.message}</p>}
      {refused.length > 0 && (
        <>
          <div className="mt-4 max-h-64 overflow-auto rounded-lg border border-line">
            <table className="w-full text-[13.5px]">
              <thead className="sticky top-0 bg-canvas text-left text-[12.5px] text-muted">
                <tr>
                  <th className="w-20 px-3 py-2 font-[560]">{t.line}</th>
                  <th className="px-3 py-2 font-[560]">{t.reason}</th>
                </tr>
              </thead>
              <tbody>
                {refused.slice(0, listed).map((one) => (
                  <tr key={one.line} className="border-t border-line">
                    <td className="px-3 py-1.5 tabular-nums">{one.line}</td>
                    <td className="px-3 py-1.5 break-words text-muted">{one.reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {refused.length > listed && <p className="mt-2 text-[13px] text-faint">{t.moreRefused(refused.length - listed)}</p>}
        </>
      )}
      <div className="mt-5 flex justify-end gap-2">
        {missing.length > 0 && <Button onClick={download}>{t.download}</Button>}
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
