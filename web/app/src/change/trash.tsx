import { useInfiniteQuery } from "@tanstack/react-query";
import { FileText, History, LayoutGrid, Table2, Trash2, Type } from "lucide-react";
import { useMemo, useState } from "react";
import { useBase, writesIn } from "../access/base.ts";
import { purgeTrash, restoreTrash } from "../api/change.ts";
import { type TrashItem, type TrashKind, trashKinds } from "../api/type.ts";
import { trashQuery } from "../api/query.ts";
import { refreshRows } from "../record/refresh.ts";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { KindSelect, Pages } from "../ui/pages.tsx";
import { Rows } from "../ui/settings.tsx";
import { Empty } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { PurgeQuestion, TrashRow } from "./trashrow.tsx";

const icons = { record: FileText, field: Type, table: Table2, view: LayoutGrid, column: History };

/** What was deleted in the base, with buttons to restore it or delete it for good. */
export function TrashPage() {
  const text = useText();
  const t = useChangeText().trashPage;
  const { base, role, canWrite, canShape } = useBase();
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
      notify(t.restored(restored[0]?.name || nameOf(item)), restored.flatMap(({ notes = [] }) => notes).join(" "));
      refreshRows();
    } catch (error) {
      complain(error);
    } finally {
      setBusy(undefined);
    }
  };
  const mayRestore = ({ kind: one }: TrashItem) =>
    one === "record" ? writesIn(role, base) : one === "view" ? canWrite : canShape;
  return (
    <div className="h-full overflow-y-auto bg-surface">
      <title>{`${text.base.trash} · ${base.name}`}</title>
      <div className="mx-auto max-w-[900px] px-6 py-8">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div className="min-w-0">
            <h2 className="text-[22px]">{text.base.trash}</h2>
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
                    <TrashRow
                      key={item.id}
                      item={item}
                      icon={icons[item.kind]}
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
      <PurgeQuestion
        name={purging && nameOf(purging)}
        onClose={() => setPurging(undefined)}
        purge={() => purgeTrash({ baseId: base.id, body: { items: purging ? [purging.id] : [] } })}
      />
    </div>
  );
}
