import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useBase } from "../access/base.ts";
import { atLeast, useRole } from "../access/role.ts";
import { inviteMember, setBaseAccess } from "../api/change.ts";
import { accessQuery } from "../api/query.ts";
import { startViewAs } from "../api/viewas.ts";
import type { BaseAccess, BaseRole } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { usePermissionText } from "../text/permission.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Input, Row } from "../ui/form.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { type AccessChange, AddGrant, Grants, Item, OpenSwitch, RoleName, RoleSelect } from "./grants.tsx";
import { useSubjects } from "./subject.ts";

/** Who sees the open base and with which role, for its creators to change. */
export function BasePeople() {
  const { base } = useBase();
  const access = useQuery(accessQuery(base.id));
  if (access.isPending) return <Waiting />;
  if (access.isError) return <Failed error={access.error} retry={() => void access.refetch()} />;
  return <People access={access.data} />;
}

function People({ access }: { access: BaseAccess }) {
  const text = useText();
  const t = usePermissionText();
  const { base, orgId } = useBase();
  const own = access.grants.filter(({ from }) => from === "base");
  const inherited = access.grants.filter(({ from }) => from === "workspace");
  const others = access.people.filter(({ userId }) => !access.grants.some((grant) => grant.userId === userId));
  const subjects = useSubjects(orgId);
  const you = access.you.userId;
  /** Why a person without a role of their own sees the base. */
  const whyOf = (userId: string) => {
    const person = subjects.find(({ id }) => id === userId);
    if (person?.kind === "person" && atLeast(person.role, "admin")) return t.byRole(text.shell.role[person.role]);
    const group = access.grants.find(({ groupId }) =>
      subjects.some((one) => one.id === groupId && one.kind === "group" && one.members.includes(userId)),
    );
    return group ? t.byGroup(group.name) : t.byOrg;
  };
  const change = (body: AccessChange) => setBaseAccess({ baseId: base.id, body });
  const viewAs = ({ userId, name }: { userId?: string; name: string }) =>
    userId &&
    userId !== you && (
      <IconButton size="sm" label={t.viewAs(name)} onClick={() => startViewAs({ baseId: base.id, userId, name })}>
        <Eye size={15} aria-hidden />
      </IconButton>
    );
  return (
    <section aria-label={t.people} className="mb-6">
      <OpenSwitch
        restricted={access.restricted}
        change={change}
        hint={access.restricted ? t.restrictedHint : access.workspaceRestricted ? t.workspaceHint : t.openHint}
        restrictTitle={t.restrictTitle}
        openTitle={t.openTitle}
      />
      <ul
        aria-label={t.people}
        className="mt-4 max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line"
      >
        <Grants grants={own} you={you} change={change} changed={t.changed} removed={t.removed} action={viewAs} />
        {inherited.map((grant) => (
          <Item key={`w ${grant.userId ?? grant.groupId}`} {...grant} hint={t.byWorkspace} you={you}>
            {viewAs(grant)}
            <RoleName role={grant.role} />
          </Item>
        ))}
        {others.map((person) => (
          <Item key={person.userId} {...person} hint={whyOf(person.userId)} you={you}>
            {viewAs(person)}
            <RoleName role={person.role} />
          </Item>
        ))}
      </ul>
      <AddGrant grants={own} all={subjects} change={change} changed={t.changed} />
      {orgId && <InviteGuest orgId={orgId} baseId={base.id} />}
    </section>
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
