import { UsersRound, X } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { type BaseRole, baseRoles, type Body, type Grant, type Schemas } from "../api/type.ts";
import { usePermissionText } from "../text/permission.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Select, Switch } from "../ui/form.tsx";
import { complain, notify } from "../ui/toast.ts";
import { Losses } from "./loss.tsx";
import type { Subject } from "./subject.ts";
import { SubjectSelect } from "./subjectselect.tsx";

/** What of a base or a workspace says who has which role. */
export type AccessChange = NonNullable<Body<"set_base_access">>;
type Change = (body: AccessChange) => Promise<Schemas["ChangedOrPlanned"]>;

export function RoleName({ role }: { role: string }) {
  const t = usePermissionText();
  return <span className="px-2 text-muted">{t.role[role as BaseRole]}</span>;
}

type RoleProps = { label: string; value: BaseRole; onChange: (role: BaseRole) => void };

export function RoleSelect({ label, value, onChange }: RoleProps) {
  const t = usePermissionText();
  return (
    <Select
      aria-label={label}
      title={t.roleHint[value]}
      className="w-36! shrink-0 max-sm:w-32!"
      value={value}
      onChange={(event) => onChange(event.target.value as BaseRole)}
    >
      {baseRoles.map((role) => (
        <option key={role} value={role}>
          {t.role[role]}
        </option>
      ))}
    </Select>
  );
}

type ItemProps = {
  userId?: string;
  groupId?: string;
  name: string;
  hint?: string;
  you: string;
  children: ReactNode;
};

/** A person or a group in a list, with their role. */
export function Item({ userId, groupId, name, hint, you, children }: ItemProps) {
  const t = usePermissionText();
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      {groupId ? (
        <span className="grid size-7 shrink-0 place-items-center rounded-full bg-sunken text-muted">
          <UsersRound size={15} aria-hidden />
        </span>
      ) : (
        <Avatar name={name} id={userId ?? ""} size={28} />
      )}
      <div className="min-w-0 flex-1">
        <p className="truncate font-[560]">
          {name}
          {userId === you && <span className="ml-2 text-[12.5px] font-normal text-faint">{t.you}</span>}
          {groupId && <span className="ml-2 text-[12.5px] font-normal text-faint">{t.group}</span>}
        </p>
        {hint && <p className="truncate text-[13px] text-muted">{hint}</p>}
      </div>
      {children}
    </li>
  );
}

type GrantsProps = {
  grants: readonly Grant[];
  you: string;
  change: Change;
  changed: (name: string, role: string) => string;
  removed: (name: string) => string;
  /** What else can be done with a person. */
  action?: (of: { userId?: string; name: string }) => ReactNode;
};

/** Those to whom a place itself gives a role. */
export function Grants({ grants, you, change, changed, removed, action }: GrantsProps) {
  const t = usePermissionText();
  const give = async ({ userId, groupId }: Grant, role: BaseRole | "none", said: string) => {
    try {
      await change({ grants: [{ ...(groupId ? { groupId } : { userId }), role }] });
      notify(said);
    } catch (error) {
      complain(error);
    }
  };
  return grants.map((grant) => (
    <Item key={grant.userId ?? grant.groupId} {...grant} you={you}>
      {action?.(grant)}
      <RoleSelect
        label={t.roleOf(grant.name)}
        value={grant.role as BaseRole}
        onChange={(role) => void give(grant, role, changed(grant.name, t.role[role]))}
      />
      <IconButton
        size="sm"
        label={t.remove(grant.name)}
        onClick={() => void give(grant, "none", removed(grant.name))}
      >
        <X size={15} aria-hidden />
      </IconButton>
    </Item>
  ));
}

type OpenProps = {
  restricted: boolean;
  change: Change;
  /** Says what the present state means. */
  hint: string;
  restrictTitle: string;
  openTitle: string;
};

/** Opens and restricts a place. Whoever gains or loses by it is listed before. */
export function OpenSwitch({ restricted: now, change, hint, restrictTitle, openTitle }: OpenProps) {
  const t = usePermissionText();
  const [asking, setAsking] = useState<{ restricted: boolean; plan: Schemas["ChangedOrPlanned"] }>();
  const ask = async (restricted: boolean) => {
    try {
      const plan = await change({ restricted, plan: true });
      if (plan.losses?.length) setAsking({ restricted, plan });
      else await change({ restricted, apply: plan.planToken });
    } catch (error) {
      complain(error);
    }
  };
  return (
    <>
      <Switch label={t.open} checked={!now} onChange={(open) => void ask(!open)} />
      <p className="mt-1 text-[13px] text-muted">{hint}</p>
      <Confirm
        open={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={asking?.restricted ? restrictTitle : openTitle}
        body={<Losses losses={asking?.plan.losses} none={t.noLosses} />}
        action={asking?.restricted ? t.restrict : t.openAction}
        onConfirm={async () => {
          if (!asking) return;
          try {
            await change({ restricted: asking.restricted, apply: asking.plan.planToken });
          } catch (error) {
            complain(error);
            throw error;
          }
        }}
      />
    </>
  );
}

type AddProps = {
  grants: readonly Grant[];
  all: readonly Subject[];
  change: Change;
  changed: (name: string, role: string) => string;
};

/** Gives a role to a person or a group that has none of their own. */
export function AddGrant({ grants, all, change, changed }: AddProps) {
  const t = usePermissionText();
  const subjects = all.filter(({ id }) => !grants.some((one) => one.userId === id || one.groupId === id));
  const [id, setId] = useState("");
  const [role, setRole] = useState<BaseRole>("editor");
  const [busy, setBusy] = useState(false);
  const chosen = subjects.find((one) => one.id === id);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!chosen) return;
    setBusy(true);
    try {
      const to = chosen.kind === "group" ? { groupId: chosen.id } : { userId: chosen.id };
      await change({ grants: [{ ...to, role }] });
      notify(changed(chosen.name, t.role[role]));
    } catch (error) {
      complain(error);
    }
    setBusy(false);
    setId("");
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="mt-3 flex gap-2">
      <SubjectSelect label={t.add} none={t.choose} className="flex-1" subjects={subjects} value={id} onChange={setId} />
      <RoleSelect label={t.addRole} value={role} onChange={setRole} />
      <Button type="submit" busy={busy} disabled={!chosen}>
        {t.addAction}
      </Button>
    </form>
  );
}
