import { type LucideIcon, RotateCcw, Trash2 } from "lucide-react";
import type { TrashItem } from "../api/type.ts";
import { ago, day } from "../locale/time.ts";
import { useLocale } from "../locale/locale.ts";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { complain, notify } from "../ui/toast.ts";

type RowProps = {
  item: Pick<TrashItem, "table" | "deletedBy" | "deletedAt" | "keptUntil">;
  icon: LucideIcon;
  name: string;
  busy: boolean;
  onRestore?: () => void;
  onPurge?: () => void;
};

/** A deleted object: by whom, until when it is kept, and what can be done with it. */
export function TrashRow({ item, icon: Icon, name, busy, onRestore, onPurge }: RowProps) {
  const text = useText();
  const t = useChangeText().trashPage;
  const locale = useLocale();
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2 px-4 py-2.5">
      <Icon size={17} className="shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <span className="font-[560]">{name}</span>
          {item.table && <span className="text-muted"> {t.inTable(item.table.name)}</span>}
        </p>
        <p className="text-[13px] text-muted">
          {t.deleted(item.deletedBy?.name || text.formerMember, ago(item.deletedAt, locale))} ·{" "}
          {t.kept(day(item.keptUntil, locale))}
        </p>
      </div>
      {onRestore && (
        <Button
          size="sm"
          busy={busy}
          aria-label={t.restoreThis(name)}
          icon={<RotateCcw size={14} aria-hidden />}
          onClick={onRestore}
        >
          {t.restore}
        </Button>
      )}
      {onPurge && (
        <IconButton size="sm" look="danger-quiet" label={t.purgeThis(name)} onClick={onPurge}>
          <Trash2 size={15} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

type QuestionProps = {
  /** What is deleted for good; undefined while nothing is asked. */
  name: string | undefined;
  onClose: () => void;
  purge: () => Promise<unknown>;
};

/** Asks before something is deleted for good. */
export function PurgeQuestion({ name, onClose, purge }: QuestionProps) {
  const t = useChangeText().trashPage;
  return (
    <Confirm
      open={name !== undefined}
      onClose={onClose}
      title={t.purgeTitle(name ?? "")}
      body={t.purgeBody}
      action={t.purge}
      onConfirm={async () => {
        try {
          await purge();
        } catch (error) {
          complain(error);
          throw error;
        }
        notify(t.purged(name ?? ""));
      }}
    />
  );
}
