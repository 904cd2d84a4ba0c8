import { useInfiniteQuery } from "@tanstack/react-query";
import { Database, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useParams } from "../route/router.ts";
import { purgeBases, restoreBases } from "../api/change.ts";
import { trashedBasesQuery } from "../api/query.ts";
import type { TrashedBase } from "../api/type.ts";
import { PurgeQuestion, TrashRow } from "../change/trashrow.tsx";
import { useOrgText } from "../text/org.ts";
import { useChangeText } from "../text/change.ts";
import { Pages } from "../ui/pages.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Empty } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";

/** The deleted bases of the organization, and the ways to get them back or be rid of them. */
export function OrgTrash() {
  const changes = useChangeText();
  const t = useOrgText();
  const { orgId } = useParams("/org/$orgId/trash");
  const list = useInfiniteQuery(trashedBasesQuery(orgId));
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const [busy, setBusy] = useState<string>();
  const [purging, setPurging] = useState<TrashedBase>();

  const restore = async (item: TrashedBase) => {
    setBusy(item.id);
    try {
      const { restored } = await restoreBases({ orgId, body: { items: [item.id] } });
      const notes = restored.flatMap((one) => one.notes ?? []).join(" ");
      notify(changes.trashPage.restored(restored[0]?.name || item.name), notes);
    } catch (error) {
      complain(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <Section title={t.tabs.trash} body={t.trashBody}>
      <Pages
        list={list}
        empty={items.length === 0 && <Empty icon={<Trash2 size={22} aria-hidden />} title={t.trashEmpty} />}
      >
        <Rows>
          {items.map((item) => (
            <TrashRow
              key={item.id}
              item={item}
              icon={Database}
              name={item.name}
              busy={busy === item.id}
              onRestore={() => void restore(item)}
              onPurge={() => setPurging(item)}
            />
          ))}
        </Rows>
      </Pages>
      <PurgeQuestion
        name={purging?.name}
        onClose={() => setPurging(undefined)}
        purge={() => purgeBases({ orgId, body: { items: purging ? [purging.id] : [] } })}
      />
    </Section>
  );
}
