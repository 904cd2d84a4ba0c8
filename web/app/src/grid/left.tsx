import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { Pasted } from "./action.ts";
import type { LeftCell } from "./clip.ts";

export type LeftCellsProps = Pasted & { onClose: () => void };

const maxShown = 200;

/** Adjacent cells that were left for the same reason, if that does not name their text. */
type Group = { first: LeftCell; last: number };

function grouped(left: readonly LeftCell[]): Group[] {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  for (const cell of left) {
    const key = `${cell.field.id} ${cell.reason}`;
    const group = open.get(key);
    if (group && cell.row === group.last + 1) group.last = cell.row;
    else {
      const begun = { first: cell, last: cell.row };
      open.set(key, begun);
      groups.push(begun);
    }
  }
  return groups;
}

/** Lists the cells that a paste could not take, and why. */
export function LeftCells({ pasted, left, onClose }: LeftCellsProps) {
  const text = useText();
  const t = text.base.left;
  const groups = grouped(left);
  return (
    <Dialog
      open
      size="md"
      onClose={onClose}
      title={t.title(left.length)}
      description={t.body(pasted)}
      footer={
        <Button look="primary" onClick={onClose}>
          {text.action.close}
        </Button>
      }
    >
      <ul className="max-h-96 divide-y divide-line overflow-y-auto rounded-lg border border-line">
        {groups.slice(0, maxShown).map(({ first, last }) => (
          <li key={`${first.row} ${first.field.id}`} className="px-3 py-2">
            <p className="flex flex-wrap items-baseline gap-x-2 text-[13px]">
              <span className="font-[560]">{first.field.name}</span>
              <span className="text-faint tabular-nums">
                {first.row === last ? t.row(first.row) : t.rows(first.row, last)}
              </span>
            </p>
            <p className="mt-0.5 text-[13px] break-words text-muted">{first.reason}</p>
          </li>
        ))}
      </ul>
      {groups.length > maxShown && (
        <p className="mt-2 text-[13px] text-muted">{t.more(groups.length - maxShown)}</p>
      )}
    </Dialog>
  );
}
