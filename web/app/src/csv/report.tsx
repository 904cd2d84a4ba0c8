import { CircleCheck, CircleAlert } from "lucide-react";
import { useState } from "react";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import type { Undone } from "./prepare.ts";
import type { Outcome, Refused } from "./run.ts";
import { saveFile, writeRows } from "./write.ts";

const listed = 50;

type Props = {
  outcome: Outcome;
  /** The names of the file's columns. */
  header: string[];
  name: string;
  /** What was taken back because no row came in, or by the person. */
  undone?: Undone;
  onClose: () => void;
  onOpen?: () => void;
  /** Takes the rows back that came in, where that is possible. */
  onUndo?: () => Promise<void>;
};

/**
 * What an import did: how many rows came in, which did not and why, and what was made and is there.
 */
export function Report({ outcome, header, name, undone, onClose, onOpen, onUndo }: Props) {
  const text = useText();
  const t = useCsvText();
  const { imported, refused, left, leftFrom, stopped, problem } = outcome;
  const [undoing, setUndoing] = useState(false);
  const download = () =>
    saveFile(
      `${name} - refused.csv`,
      writeRows([
        [...header, t.reason],
        ...refused.map(({ cells = [], reason }) => [...header.map((_, index) => cells[index] ?? ""), reason]),
      ]),
    );
  return (
    <div role="status">
      <p className="flex items-center gap-2 text-[16px] font-[580]">
        {refused.length + left === 0 && !stopped ? (
          <CircleCheck size={19} className="text-accent" aria-hidden />
        ) : (
          <CircleAlert size={19} className="text-warn" aria-hidden />
        )}
        {imported === 0 ? t.nothing : problem ? t.brokenOff : stopped ? t.stopped : t.finished}
      </p>
      <p className="mt-2 text-muted">
        {t.imported(imported)} {t.refused(refused.length)} {left > 0 && t.left(left, leftFrom ?? 0)}
      </p>
      {problem && <p className="mt-2 text-danger">{problem.message}</p>}
      {undone && <UndoneText undone={undone} />}
      <RefusedList refused={refused} />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        {onUndo && (
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
        {refused.length > 0 && <Button onClick={download}>{t.download}</Button>}
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

/** What was made for the import and is there no more, and what is still there. */
export function UndoneText({ undone }: { undone: Undone }) {
  const t = useCsvText();
  return (
    <>
      {undone.removed.length > 0 && <p className="mt-2 text-muted">{t.madeAndRemoved(undone.removed)}</p>}
      {undone.kept.length > 0 && <p className="mt-2 text-danger">{t.madeAndKept(undone.kept)}</p>}
    </>
  );
}

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
