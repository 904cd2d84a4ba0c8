import { CircleAlert } from "lucide-react";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import type { Checked } from "./job.ts";
import { RefusedList } from "./report.tsx";

type Props = {
  checked: Checked;
  /** The names of the columns, as they are imported. */
  names: string[];
  onBack: () => void;
  onStart: () => void;
};

/** Reports whether a check found something that a person should know before the import. */
export const isRemarkable = ({ refused, newOptions = [] }: Checked) => refused + newOptions.length > 0;

/** The options that will be added, by the names of their columns. */
function optionsBy(names: string[], options: string[]): [string, string[]][] {
  const found = new Map<string, string[]>();
  for (const option of options) {
    // "3: Tree" is an option of the third column.
    const [, column = "", name = ""] = /^(\d+): (.*)$/s.exec(option) ?? [];
    const of = names[Number(column) - 1] ?? column;
    found.set(of, [...(found.get(of) ?? []), name]);
  }
  return [...found];
}

/** What an import would refuse, and which options it would add. */
export function Check({ checked, names, onBack, onStart }: Props) {
  const text = useText();
  const t = useCsvText();
  const { rows, refused, refusals = [], moreRefusals, newOptions = [] } = checked;
  const reasons = refusals.map(({ line, column, message }) => {
    const name = column === undefined ? undefined : names[column - 1];
    return { line, reason: name ? `${name}: ${message}` : message };
  });
  const title = "flex items-center gap-2 text-[16px] font-[580]";
  return (
    <div>
      {refused > 0 && (
        <p className={title}>
          <CircleAlert size={19} className="text-warn" aria-hidden />
          {t.checkTitle(refused)}
        </p>
      )}
      <p className={refused > 0 ? "mt-2 text-muted" : "text-muted"}>{refused > 0 ? t.checkBody : t.optionsBody}</p>
      <RefusedList refused={reasons} more={moreRefusals} />
      {newOptions.length > 0 && (
        <>
          <p className={`mt-4 ${title}`}>{t.newOptions(newOptions.length)}</p>
          <ul className="mt-2 max-h-48 divide-y divide-line overflow-y-auto rounded-lg border border-line">
            {optionsBy(names, newOptions).map(([name, options]) => (
              <li key={name} className="px-3 py-2 text-[13.5px] break-words">
                <span className="font-[560]">{name}</span> <span className="text-muted">{options.join(", ")}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>{text.action.back}</Button>
        <Button look="primary" disabled={rows === refused} onClick={onStart}>
          {refused > 0 ? t.startOthers(rows - refused) : t.start(rows)}
        </Button>
      </div>
    </div>
  );
}
