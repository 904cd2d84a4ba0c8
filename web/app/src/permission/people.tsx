import { useQuery } from "@tanstack/react-query";
import { Eye, UsersRound, X } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useBase } from "../access/base.ts";
import { atLeast, useRole } from "../access/role.ts";
import { inviteMember, setBaseAccess } from "../api/change.ts";
import { accessQuery } from "../api/query.ts";
import { startViewAs } from "../api/viewas.ts";
import { type BaseAccess, type BaseRole, baseRoles, type Grant, type Schemas } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { usePermissionText } from "../text/permission.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Input, Row, Select, Switch } from "../ui/form.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { Losses } from "./loss.tsx";
import { type Subject, useSubjects } from "./subject.ts";
import { SubjectSelect } from "./subjectselect.tsx";

/** Who sees the open base and with which role, for its creators to change. */
export function BasePeople() {
  const { base } = useBase();
  const access = useQuery(accessQuery(base.id));
  if (access.isPending) return <Waiting />;
  if (access.isError) return <Failed error={access.error} retry={() => void access.refetch()} />;
  return <People access={access.data} />;
}

type Target = { userId: string } | { groupId: string };
const targetOf = ({ userId, groupId }: Grant): Target => (groupId ? { groupId } : { userId: userId ?? "" });

function People({ access }: { access: BaseAccess }) {
  const text = useText();
  const t = usePermissionText();
  const { base, orgId } = useBase();
  const own = access.grants.filter(({ from }) => from === "base");
  const inherited = access.grants.filter(({ from }) => from === "workspace");
  const others = access.people.filter(({ userId }) => !access.grants.some((grant) => grant.userId === userId));
  const subjects = useSubjects(orgId);
  /** Why a person without a role of their own sees the base. */
  const whyOf = (userId: string) => {
    const person = subjects.find(({ id }) => id === userId);
    if (person?.kind === "person" && atLeast(person.role, "admin")) return t.byRole(text.shell.role[person.role]);
    const group = access.grants.find(({ groupId }) =>
      subjects.some((one) => one.id === groupId && one.kind === "group" && one.members.includes(userId)),
    );
    return group ? t.byGroup(group.name) : t.byOrg;
  };
  const give = async (to: Target, role: BaseRole | "none", said: string) => {
    try {
      await setBaseAccess({ baseId: base.id, body: { grants: [{ ...to, role }] } });
      notify(said);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <section aria-label={t.people} className="mb-6">
      <OpenSwitch access={access} />
      <ul
        aria-label={t.people}
        className="mt-4 max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line"
      >
        {own.map((grant) => (
          <Item key={grant.userId ?? grant.groupId} {...grant} you={access.you.userId}>
            <RoleSelect
              label={t.roleOf(grant.name)}
              value={grant.role as BaseRole}
              onChange={(role) => void give(targetOf(grant), role, t.changed(grant.name, t.role[role]))}
            />
            <IconButton
              size="sm"
              label={t.remove(grant.name)}
              onClick={() => void give(targetOf(grant), "none", t.removed(grant.name))}
            >
              <X size={15} aria-hidden />
            </IconButton>
          </Item>
        ))}
        {inherited.map((grant) => (
          <Item key={`w ${grant.userId ?? grant.groupId}`} {...grant} hint={t.byWorkspace} you={access.you.userId}>
            <RoleName role={grant.role} />
          </Item>
        ))}
        {others.map((person) => (
          <Item key={person.userId} {...person} hint={whyOf(person.userId)} you={access.you.userId}>
            <RoleName role={person.role} />
          </Item>
        ))}
      </ul>
      <Add own={own} all={subjects} onAdd={give} />
      {orgId && <InviteGuest orgId={orgId} baseId={base.id} />}
    </section>
  );
}

function RoleName({ role }: { role: string }) {
  const t = usePermissionText();
  return <span className="px-2 text-muted">{t.role[role as BaseRole]}</span>;
}

type RoleProps = { label: string; value: BaseRole; onChange: (role: BaseRole) => void };

function RoleSelect({ label, value, onChange }: RoleProps) {
  const t = usePermissionText();
  return (
    <Select
      aria-label={label}
      title={t.roleHint[value]}
      className="w-32! shrink-0 max-sm:w-28!"
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

function Item({ userId, groupId, name, hint, you, children }: ItemProps) {
  const t = usePermissionText();
  const { base } = useBase();
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
      {userId && userId !== you && (
        <IconButton size="sm" label={t.viewAs(name)} onClick={() => startViewAs({ baseId: base.id, userId, name })}>
          <Eye size={15} aria-hidden />
        </IconButton>
      )}
      {children}
    </li>
  );
}

/** Opens and restricts the base. Whoever gains or loses by it is listed before. */
function OpenSwitch({ access }: { access: BaseAccess }) {
  const t = usePermissionText();
  const { base } = useBase();
  const [asking, setAsking] = useState<{ restricted: boolean; plan: Schemas["ChangedOrPlanned"] }>();
  const set = (restricted: boolean, apply?: string) =>
    setBaseAccess({ baseId: base.id, body: { restricted, apply } });
  const ask = async (restricted: boolean) => {
    try {
      const plan = await setBaseAccess({ baseId: base.id, body: { restricted, plan: true } });
      if (plan.losses?.length) setAsking({ restricted, plan });
      else await set(restricted, plan.planToken);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <>
      <Switch label={t.open} checked={!access.restricted} onChange={(open) => void ask(!open)} />
      <p className="mt-1 text-[13px] text-muted">
        {access.restricted ? t.restrictedHint : access.workspaceRestricted ? t.workspaceHint : t.openHint}
      </p>
      <Confirm
        open={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={asking?.restricted ? t.restrictTitle : t.openTitle}
        body={<Losses losses={asking?.plan.losses} none={t.noLosses} />}
        action={asking?.restricted ? t.restrict : t.openAction}
        onConfirm={async () => {
          if (!asking) return;
          try {
            await set(asking.restricted, asking.plan.planToken);
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
  own: Grant[];
  all: readonly Subject[];
  onAdd: (to: Target, role: BaseRole, said: string) => Promise<void>;
};

function Add({ own, all, onAdd }: AddProps) {
  const t = usePermissionText();
  const subjects = all.filter(({ id }) => !own.some((one) => one.userId === id || one.groupId === id));
  const [id, setId] = useState("");
  const [role, setRole] = useState<BaseRole>("editor");
  const [busy, setBusy] = useState(false);
  const chosen = subjects.find((one) => one.id === id);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!chosen) return;
    setBusy(true);
    const to = chosen.kind === "group" ? { groupId: chosen.id } : { userId: chosen.id };
    await onAdd(to, role, t.changed(chosen.name, t.role[role]));
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

/** Invites somebody who sees nothing of the organization but this base. */
function InviteGuest({ orgId, baseId }: { orgId: string; baseId: string }) {
  const t = usePermissionText();
  const [role, setRole] = useState<BaseRole>("editor");
  const admin = atLeast(useRole(orgId), "admin");
  const [email, setEmail] = useState("");
  const [busy, setBusy] = useState(false);
  if (!admin) return null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await inviteMember({ orgId, body: { email: email.trim(), role: "guest", bases: [{ baseId, role }] } });
      notify(t.invited(email.trim()));
      setEmail("");
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="mt-4">
      <Row label={t.guest} hint={t.guestHint}>
        {(at) => (
          <div className="flex gap-2">
            <Input
              {...at}
              type="email"
              value={email}
              className="min-w-0 flex-1"
              onChange={(event) => setEmail(event.target.value)}
            />
            <RoleSelect label={t.guestRole} value={role} onChange={setRole} />
            <Button type="submit" busy={busy} disabled={!email.trim()}>
              {t.invite}
            </Button>
          </div>
        )}
      </Row>
    </form>
  );
}
