import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { History, Undo2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useBase, writesIn } from "../access/base.ts";
import type { ChangeSet } from "../api/type.ts";
import { type ChangeFilter, changesQuery, meQuery } from "../api/query.ts";
import { ago, moment } from "../locale/time.ts";
import { useLocale } from "../locale/locale.ts";
import { meansOf, nameOf } from "../record/author.ts";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Row, Select } from "../ui/form.tsx";
import { Pages } from "../ui/pages.tsx";
import { Rows } from "../ui/settings.tsx";
import { Empty } from "../ui/state.tsx";
import { changesTables, isRevertible } from "./revert.ts";
import { RevertDialog } from "./revertdialog.tsx";
import { summary } from "./summary.ts";

/** What was changed in the base, by whom, and a button to revert it. */
export function ChangeSetList() {
  const text = useText();
  const t = useChangeText().list;
  const { base, role, canShape } = useBase();
  const writes = writesIn(role, base);
  const { data: me } = useQuery(meQuery);
  const mayRevert = (set: ChangeSet) =>
    (changesTables(set) ? canShape && !base.limited : writes) &&
    (!base.limited || set.person?.id === me?.id) &&
    isRevertible(set);
  const [filter, setFilter] = useState<ChangeFilter>({});
  const [reverting, setReverting] = useState<ChangeSet>();
  const list = useInfiniteQuery(changesQuery(base.id, filter));
  const sets = useMemo(() => list.data?.pages.flatMap((page) => page.changeSets) ?? [], [list.data]);
  const filtered = Object.values(filter).some((value) => value !== undefined);
  return (
    <div className="h-full overflow-y-auto bg-surface">
      <title>{`${text.base.recent} · ${base.name}`}</title>
      <div className="mx-auto max-w-[900px] px-6 py-8">
        <h2 className="text-[22px]">{text.base.recent}</h2>
        <p className="mt-1 text-muted">{t.body}</p>
        <Filters filter={filter} onChange={setFilter} sets={sets} />
        <Pages
          list={list}
          empty={
            sets.length === 0 && (
              <Empty icon={<History size={22} aria-hidden />} title={filtered ? t.noneFound : t.empty} />
            )
          }
        >
          <Rows>
            {sets.map((set) => (
              <Item key={set.id} set={set} onRevert={mayRevert(set) ? () => setReverting(set) : undefined} />
            ))}
          </Rows>
        </Pages>
      </div>
      {reverting && <RevertDialog set={reverting} onClose={() => setReverting(undefined)} />}
    </div>
  );
}

type FilterProps = { filter: ChangeFilter; onChange: (filter: ChangeFilter) => void; sets: readonly ChangeSet[] };

/** The filters. They offer the keys and apps of the changes that were read. */
function Filters({ filter, onChange, sets }: FilterProps) {
  const t = useChangeText().list;
  const { base, people } = useBase();
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map());
  const fresh = sets.flatMap(({ credential: one }) =>
    one && one.kind !== "session" && !seen.has(one.id) ? [[one.id, one.name || one.id] as const] : [],
  );
  if (fresh.length > 0) setSeen(new Map([...seen, ...fresh]));
  const set = (change: ChangeFilter) => onChange({ ...filter, ...change });
  return (
    <div role="group" aria-label={t.filters} className="mt-5 mb-4 grid gap-3 sm:grid-cols-3">
      <Choice
        label={t.person}
        none={t.everybody}
        value={filter.person}
        options={people.people.map(({ id, name }) => [id, name])}
        onChange={(person) => set({ person })}
      />
      <Choice
        label={t.credential}
        none={t.anyCredential}
        value={filter.credential}
        options={[...seen]}
        onChange={(credential) => set({ credential })}
      />
      <Choice
        label={t.table}
        none={t.anyTable}
        value={filter.table}
        options={base.tables.map(({ id, name }) => [id, name])}
        onChange={(table) => set({ table })}
      />
    </div>
  );
}

type ChoiceProps = {
  label: string;
  none: string;
  value: string | undefined;
  options: (readonly [id: string, name: string])[];
  onChange: (value: string | undefined) => void;
};

function Choice({ label, none, value, options, onChange }: ChoiceProps) {
  return (
    <Row label={label}>
      {(at) => (
        <Select {...at} value={value ?? ""} onChange={(event) => onChange(event.target.value || undefined)}>
          <option value="">{none}</option>
          {options.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Row>
  );
}

function Item({ set, onRevert }: { set: ChangeSet; onRevert?: () => void }) {
  const text = useText();
  const changes = useChangeText();
  const t = changes.list;
  const locale = useLocale();
  const name = nameOf(set.person, text);
  const what = summary(set, changes);
  const { id = "", name: called } = set.credential ?? {};
  const means = [meansOf(id, changes), called && text.quoted(called)].filter(Boolean).join(" ");
  const mark = set.revertedBy.length > 0 ? t.isReverted : set.reverts.length > 0 ? t.isRevert : undefined;
  return (
    <li className="flex items-center gap-3.5 px-4 py-2.5">
      <Avatar name={name} id={set.person?.id ?? name} size={28} />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          {what} {mark && <span className="ml-1 rounded bg-sunken px-1.5 py-px text-[12.5px] text-muted">{mark}</span>}
        </p>
        <p className="text-[13px] text-muted">
          {name} ·{" "}
          <time dateTime={set.lastTime} title={moment(set.lastTime, locale)}>
            {ago(set.lastTime, locale)}
          </time>
          {means && ` · ${means}`}
        </p>
      </div>
      {onRevert && set.revertedBy.length === 0 && (
        <Button
          size="sm"
          look="quiet"
          aria-label={t.revertThis(what)}
          icon={<Undo2 size={14} aria-hidden />}
          onClick={onRevert}
        >
          {t.revert}
        </Button>
      )}
    </li>
  );
}
