import { Copy, Maximize2, Merge, Trash2 } from "lucide-react";
import type { RecordRights } from "../api/type.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";

const maxMerged = 21; // records, with the one that is kept
const maxDuplicated = 100; // records

export type SelectionBarProps = {
  /** The long task that runs, in place of what can be done. */
  task: { label: string; stop: () => void } | undefined;
  /** How many records are ticked. */
  count: number;
  rights: RecordRights;
  /** Opens the ticked record, if it is one. */
  onOpen: (() => void) | undefined;
  onMerge: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
  onClear: () => void;
};

/** How many records are ticked, and what can be done with all of them. */
export function SelectionBar(props: SelectionBarProps) {
  const { task, count, rights, onOpen, onMerge, onDuplicate, onDelete, onClear } = props;
  const text = useText();
  const t = text.base;
  const words = useGridText();
  return (
    <div
      role="status"
      className={join(
        "absolute bottom-14 left-1/2 z-10 flex max-w-[calc(100%-16px)] -translate-x-1/2",
        "flex-wrap items-center gap-x-3 gap-y-1",
        "rounded-lg border border-line bg-surface py-1.5 pr-1.5 pl-4 shadow-high",
      )}
    >
      {task ? (
        <>
          <span className="tabular-nums">{task.label}</span>
          <Button size="sm" look="quiet" onClick={task.stop}>
            {t.stop}
          </Button>
        </>
      ) : (
        <>
          <span className="tabular-nums">{t.selected(count)}</span>
          {onOpen && (
            <Button size="sm" icon={<Maximize2 size={14} aria-hidden />} onClick={onOpen}>
              {t.record.open}
            </Button>
          )}
          {rights.edit && rights.delete && count >= 2 && count <= maxMerged && (
            <Button size="sm" icon={<Merge size={14} aria-hidden />} onClick={onMerge}>
              {t.mergeRecords}
            </Button>
          )}
          {rights.create && count <= maxDuplicated && (
            <Button size="sm" icon={<Copy size={14} aria-hidden />} onClick={onDuplicate}>
              {words.duplicate}
            </Button>
          )}
          {rights.delete && (
            <Button size="sm" look="danger" icon={<Trash2 size={14} aria-hidden />} onClick={onDelete}>
              {t.deleteRecords(count)}
            </Button>
          )}
          <Button size="sm" look="quiet" onClick={onClear}>
            {text.action.clear}
          </Button>
        </>
      )}
    </div>
  );
}
