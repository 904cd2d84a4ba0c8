import { UsersRound, X } from "lucide-react";
import type { Audience, BaseRole } from "../api/type.ts";
import { usePermissionText } from "../text/permission.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Select } from "../ui/form.tsx";
import type { Who } from "./draft.ts";
import { type Subject } from "./subject.ts";
import { SubjectSelect } from "./subjectselect.tsx";

type Props = {
  /** What the people may do, as it is called. */
  what: string;
  who: Who;
  /** Says who may do it while nothing is chosen; without it something is. */
  usual?: string;
  /** The role that a choice begins with when a person or a group is added to the usual ones. */
  usualRole?: BaseRole;
  subjects: readonly Subject[];
  onChange: (who: Who) => void;
};

const thresholds = ["viewer", "commenter", "editor"] as const;
const named = "named";
const asUsual = "usual";

const idsOf = ({ groupIds = [], userIds = [] }: Audience) => [...groupIds, ...userIds];

/** Who may do something: those from a role on, and people and groups by name. */
export function AudiencePicker({ what, who, usual, usualRole, subjects, onChange }: Props) {
  const t = usePermissionText();
  const chosen = who ? idsOf(who).flatMap((id) => subjects.find((one) => one.id === id) ?? []) : [];
  // What is usual is offered once.
  const offered = thresholds.filter((role) => usual === undefined || role !== usualRole || role === who?.role);
  const add = (id: string) => {
    const subject = subjects.find((one) => one.id === id);
    if (!subject) return;
    const list = subject.kind === "group" ? "groupIds" : "userIds";
    const now: Audience = who ?? { role: usualRole };
    onChange({ ...now, [list]: [...(now[list] ?? []), id] });
  };
  const remove = (id: string) =>
    who &&
    onChange({
      ...who,
      groupIds: who.groupIds?.filter((one) => one !== id),
      userIds: who.userIds?.filter((one) => one !== id),
    });
  const level = (value: string) => {
    if (value === asUsual) return onChange(null);
    const { role: _, ...rest } = who ?? {};
    return onChange(value === named ? rest : { ...rest, role: value as Audience["role"] });
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex gap-1.5">
        <Select
          aria-label={t.table.threshold(what)}
          className="max-w-60 min-w-0 flex-1"
          value={who ? (who.role ?? named) : asUsual}
          onChange={(event) => level(event.target.value)}
        >
          {usual !== undefined && <option value={asUsual}>{usual}</option>}
          {offered.map((role) => (
            <option key={role} value={role}>
              {t.table.above(t.role[role])}
            </option>
          ))}
          {who?.role === "creator" && <option value="creator">{t.table.creators}</option>}
          <option value={named}>{chosen.length > 0 ? t.table.only : t.table.creators}</option>
        </Select>
        <SubjectSelect
          label={t.table.addTo(what)}
          none={t.table.addOne}
          className="w-24! shrink-0"
          subjects={subjects.filter(({ id }) => !chosen.some((one) => one.id === id))}
          onChange={add}
        />
      </div>
      {chosen.length > 0 && (
        <ul aria-label={`${what}: ${t.table.named}`} className="flex flex-wrap gap-1">
          {chosen.map(({ kind, id, name }) => (
            <li
              key={id}
              className="flex h-7 items-center gap-1.5 rounded-full border border-line bg-canvas pr-1 pl-1.5"
            >
              {kind === "group" ? (
                <UsersRound size={14} className="text-muted" aria-hidden />
              ) : (
                <Avatar name={name} id={id} size={18} />
              )}
              <span className="max-w-40 truncate text-[13px]">{name}</span>
              <button
                type="button"
                aria-label={t.table.takeFrom(name, what)}
                onClick={() => remove(id)}
                className="rounded-full p-0.5 text-faint hover:bg-hover hover:text-ink"
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
