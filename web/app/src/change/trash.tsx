import { useInfiniteQuery } from "@tanstack/react-query";
import { FileText, History, LayoutGrid, RotateCcw, Table2, Trash2, Type } from "lucide-react";
import { useMemo, useState } from "react";
import { useBase } from "../access/base.ts";
import { purgeTrash, restoreTrash } from "../api/change.ts";
import { type TrashItem, type TrashKind, trashKinds } from "../api/type.ts";
import { trashQuery } from "../api/query.ts";
import { ago, day } from "../locale/time.ts";
import { useLocale } from "../locale/locale.ts";
import { refreshRows } from "../record/refresh.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { KindSelect, Pages } from "../ui/pages.tsx";
import { Rows } from "../ui/settings.tsx";
import { Empty } from "../ui/state.tsx";
import { complain, tell } from "../ui/toast.ts";

const icons = { record: FileText, field: Type, table: Table2, view: LayoutGrid, column: History };

/** What was deleted in the base, and the ways to get it back or be rid of it. */
export function TrashPage() {
  const text = useText();
  const t = text.change.trashPage;
  const { base, canWrite, canShape } = useBase();
  const [kind, setKind] = useState<TrashKind>();
  const [purging, setPurging] = useState<TrashItem>();
  const [busy, setBusy] = useState<string>();
  const list = useInfiniteQuery(trashQuery(base.id, kind));
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const nameOf = (item: TrashItem) => item.name || text.base.record.untitled;

  const restore = async (item: TrashItem) => {
    setBusy(item.id);
    try {
      const { restored } = await restoreTrash({ baseId: base.id, body: { items: [item.id] } });
      tell(t.restored(restored[0]?.name || nameOf(item)), restored.flatMap(({ notes = [] }) => notes).join(" "));
      refreshRows();
    } catch (error) {
      complain(error);
    } finally {
      setBusy(undefined);
    }
  };
  const mayRestore = ({ kind: one }: TrashItem) => (one === "record" || one === "view" ? canWrite : canShape);
  return (
    <div className="h-full overflow-y-auto bg-surface">
      <title>{`${text.change.trash} · ${base.name}`}</title>
      <div className="mx-auto max-w-[900px] px-6 py-8">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div className="min-w-0">
            <h2 className="text-[22px]">{text.change.trash}</h2>
            <p className="mt-1 text-muted">{t.body}</p>
          </div>
          <KindSelect
            className="w-44"
            label={t.kind}
            all={t.all}
            kinds={trashKinds}
            names={t.kinds}
            value={kind}
            onChange={setKind}
          />
        </div>
        <Pages
          list={list}
          empty={
            items.length === 0 && (
              <Empty icon={<Trash2 size={22} aria-hidden />} title={t.empty} body={t.emptyBody} />
            )
          }
        >
          {trashKinds.map((one) => {
            const own = items.filter((item) => item.kind === one);
            if (own.length === 0) return null;
            return (
              <section key={one} aria-label={t.kinds[one]} className="mt-6">
                <h3 className="mb-2 text-[13px] font-[560] text-muted">{t.kinds[one]}</h3>
                <Rows>
                  {own.map((item) => (
                    <Item
                      key={item.id}
                      item={item}
                      name={nameOf(item)}
                      busy={busy === item.id}
                      onRestore={mayRestore(item) ? () => void restore(item) : undefined}
                      onPurge={canShape ? () => setPurging(item) : undefined}
                    />
                  ))}
                </Rows>
              </section>
            );
          })}
        </Pages>
      </div>
      <Confirm
        open={purging !== undefined}
        onClose={() => setPurging(undefined)}
        title={t.purgeTitle(purging ? nameOf(purging) : "")}
        body={t.purgeBody}
        action={t.purge}
        onConfirm={async () => {
          if (!purging) return;
          try {
            await purgeTrash({ baseId: base.id, body: { items: [purging.id] } });
          } catch (error) {
            complain(error);
            throw error;
          }
          tell(t.purged(nameOf(purging)));
        }}
      />
    </div>
  );
}

type ItemProps = { item: TrashItem; name: string; busy: boolean; onRestore?: () => void; onPurge?: () => void };

function Item({ item, name, busy, onRestore, onPurge }: ItemProps) {
  const text = useText();
  const t = text.change.trashPage;
  const locale = useLocale();
  const Icon = icons[item.kind];
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2 px-4 py-2.5">
      <Icon size={17} className="shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <span className="font-[560]">{name}</span>
          {item.table && <span className="text-muted"> {t.inTable(item.table.name)}</span>}
        </p>
        <p className="text-[13px] text-muted">
          {t.deleted(item.deletedBy?.name || text.change.former, ago(item.deletedAt, locale))} ·{" "}
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
