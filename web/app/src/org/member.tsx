import { useQuery } from "@tanstack/react-query";
import { Ellipsis, MailPlus, RotateCw, UserMinus, X } from "lucide-react";
import { useState } from "react";
import { useParams } from "../route/router.ts";
import { inviteMember, revokeInvitation, setMemberRole } from "../api/change.ts";
import { invitationsQuery, membersQuery, meQuery } from "../api/query.ts";
import { type Invitation, type Member, type Role, roles } from "../api/type.ts";
import { day } from "../locale/time.ts";
import { useOrgText } from "../text/org.ts";
import { useText } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Select } from "../ui/form.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { InviteDialog } from "./invite.tsx";
import { RemoveMember } from "./removemember.tsx";
import { atLeast, useRole } from "../access/role.ts";
import { useLocale } from "../locale/locale.ts";

/** The members of the organization with their roles, and the people who were invited. */
export function OrgMembers() {
  const t = useOrgText();
  const { orgId } = useParams("/org/$orgId/members");
  const role = useRole(orgId);
  const admin = atLeast(role, "admin");
  const members = useQuery(membersQuery(orgId));
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <Section
        title={t.members}
        body={t.membersBody}
        action={
          admin && (
            <Button look="primary" icon={<MailPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
              {t.invite}
            </Button>
          )
        }
      >
        {members.isPending ? (
          <Waiting />
        ) : members.isError ? (
          <Failed error={members.error} retry={() => void members.refetch()} />
        ) : (
          <Rows>
            {members.data.map((member) => (
              <MemberRow key={member.userId} orgId={orgId} member={member} own={role} />
            ))}
          </Rows>
        )}
      </Section>
      {admin && <Pending orgId={orgId} />}
      <InviteDialog open={inviting} onClose={() => setInviting(false)} orgId={orgId} own={role} />
    </>
  );
}

function MemberRow({ orgId, member, own }: { orgId: string; member: Member; own: Role | undefined }) {
  const text = useText();
  const t = useOrgText();
  const me = useQuery(meQuery);
  const [removing, setRemoving] = useState(false);
  const self = me.data?.id === member.userId;
  // An admin manages everybody but owners, and makes nobody an owner; an owner manages all.
  const manageable = own === "owner" || (own === "admin" && member.role !== "owner");
  const change = async (role: Role) => {
    try {
      await setMemberRole({ orgId, userId: member.userId, body: { role } });
      notify(t.changed(member.name, text.shell.role[role]));
    } catch (error) {
      complain(error);
    }
  };
  return (
    <li className="flex items-center gap-3.5 px-4 py-3">
      <Avatar name={member.name} id={member.userId} size={34} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-[560]">
          {member.name}
          {self && <span className="ml-2 text-[12.5px] font-normal text-faint">{t.you}</span>}
        </p>
        <p className="truncate text-[13px] text-muted">{member.email}</p>
      </div>
      {manageable ? (
        <Select
          aria-label={t.roleOf(member.name)}
          className="w-36!"
          value={member.role}
          onChange={(event) => void change(event.target.value as Role)}
        >
          {roles.map((role) => (
            <option key={role} value={role} disabled={role === "owner" && own !== "owner"}>
              {text.shell.role[role]}
            </option>
          ))}
        </Select>
      ) : (
        <span className="px-2 text-muted">{text.shell.role[member.role]}</span>
      )}
      {manageable && !self && (
        <Menu
          align="end"
          trigger={
            <IconButton label={text.home.baseMenu(member.name)}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem icon={<UserMinus size={15} />} danger onSelect={() => setRemoving(true)}>
            {text.action.remove}
          </MenuItem>
        </Menu>
      )}
      <RemoveMember orgId={orgId} member={member} open={removing} onClose={() => setRemoving(false)} />
    </li>
  );
}

function act(request: Promise<unknown>, said: string) {
  request.then(() => notify(said), complain);
}

function Pending({ orgId }: { orgId: string }) {
  const text = useText();
  const t = useOrgText();
  const locale = useLocale();
  const invitations = useQuery(invitationsQuery(orgId));
  if (invitations.isPending) return null;
  if (invitations.isError) return <Failed error={invitations.error} retry={() => void invitations.refetch()} />;
  return (
    <Section title={t.pending}>
      {invitations.data.length === 0 ? (
        <p className="text-muted">{t.noPending}</p>
      ) : (
        <Rows>
          {invitations.data.map((invitation: Invitation) => (
            <li key={invitation.id} className="flex items-center gap-3 px-4 py-3">
              <div className="min-w-0 flex-1">
                <p className="truncate font-[560]">{invitation.email}</p>
                <p className="text-[13px] text-muted">
                  {text.shell.role[invitation.role]} · {t.expires(day(invitation.expiresAt, locale))}
                </p>
              </div>
              <Button
                size="sm"
                icon={<RotateCw size={14} aria-hidden />}
                onClick={() =>
                  act(inviteMember({ orgId, body: { email: invitation.email, role: invitation.role } }), t.resent)
                }
              >
                {t.resend}
              </Button>
              <IconButton
                label={`${t.revoke}: ${invitation.email}`}
                onClick={() => act(revokeInvitation({ orgId, invitationId: invitation.id }), t.revoked)}
              >
                <X size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}
