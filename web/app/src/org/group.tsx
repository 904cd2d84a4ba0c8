import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Pencil, Plus, Trash2, UserPlus, UsersRound } from "lucide-react";
import { useState } from "react";
import { useParams } from "../route/router.ts";
import { createGroup, deleteGroup, updateGroup } from "../api/change.ts";
import { key } from "../api/key.ts";
import { Problem } from "../api/problem.ts";
import { groupsQuery, membersQuery } from "../api/query.ts";
import { planGroupDeletion } from "../api/read.ts";
import type { Group, Member } from "../api/type.ts";
import { Losses } from "../permission/loss.tsx";
import { useOrgText } from "../text/org.ts";
import { useText } from "../text/index.ts";
import { usePermissionText } from "../text/permission.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox, Input } from "../ui/form.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { NameDialog } from "../ui/rename.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";

/** The groups of the organization, which get roles and permissions as people do. */
export function OrgGroups() {
  const t = useOrgText().group;
  const { orgId } = useParams("/org/$orgId/groups");
  const groups = useQuery(groupsQuery(orgId));
  const [creating, setCreating] = useState(false);
  return (
    <Section
      title={t.title}
      body={t.body}
      action={
        <Button look="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      }
    >
      {groups.isPending ? (
        <Waiting />
      ) : groups.isError ? (
        <Failed error={groups.error} retry={() => void groups.refetch()} />
      ) : groups.data.length === 0 ? (
        <div className="rounded-lg border border-dashed border-line-strong">
          <Empty icon={<UsersRound size={22} aria-hidden />} title={t.emptyTitle} body={t.emptyBody} />
        </div>
      ) : (
        <Rows>
          {groups.data.map((group) => (
            <GroupRow key={group.id} orgId={orgId} group={group} />
          ))}
        </Rows>
      )}
      <NameDialog
        open={creating}
        onClose={() => setCreating(false)}
        title={t.create}
        label={t.name}
        placeholder={t.placeholder}
        action={t.create}
        onSave={(name) => createGroup({ orgId, body: { name } })}
      />
    </Section>
  );
}

function GroupRow({ orgId, group }: { orgId: string; group: Group }) {
  const t = useOrgText().group;
  const members = useQuery(membersQuery(orgId));
  const [dialog, setDialog] = useState<"rename" | "members" | "delete" | null>(null);
  const close = () => setDialog(null);
  const names = (members.data ?? []).filter(({ userId }) => group.members.includes(userId)).map(({ name }) => name);
  return (
    <li className="flex items-center gap-3.5 px-4 py-3">
      <span className="grid size-8.5 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-ink">
        <UsersRound size={17} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-[560]">{group.name}</p>
        <p className="truncate text-[13px] text-muted">{[t.count(group.members.length), ...names].join(" · ")}</p>
      </div>
      <Menu
        align="end"
        trigger={
          <IconButton label={t.actions(group.name)}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<UserPlus size={15} />} onSelect={() => setDialog("members")}>
          {t.members}
        </MenuItem>
        <MenuItem icon={<Pencil size={15} />} onSelect={() => setDialog("rename")}>
          {t.rename}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setDialog("delete")}>
          {t.delete}
        </MenuItem>
      </Menu>
      <NameDialog
        open={dialog === "rename"}
        onClose={close}
        title={t.rename}
        label={t.name}
        name={group.name}
        onSave={(name) => updateGroup({ orgId, groupId: group.id, body: { name } })}
      />
      <Dialog open={dialog === "members"} onClose={close} title={t.membersOf(group.name)} keepOnOutsidePress>
        <MemberChoice orgId={orgId} group={group} members={members.data ?? []} onClose={close} />
      </Dialog>
      <DeleteGroup orgId={orgId} group={group} open={dialog === "delete"} onClose={close} />
    </li>
  );
}

type ChoiceProps = { orgId: string; group: Group; members: Member[]; onClose: () => void };

function MemberChoice({ orgId, group, members, onClose }: ChoiceProps) {
  const text = useText();
  const t = useOrgText().group;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(group.members));
  const [search, setSearch] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const wanted = search.trim().toLowerCase();
  const save = async () => {
    setBusy(true);
    const add = [...chosen].filter((id) => !group.members.includes(id));
    const remove = group.members.filter((id) => !chosen.has(id));
    try {
      await updateGroup({ orgId, groupId: group.id, body: { add, remove } });
      notify(t.saved(group.name));
      onClose();
    } catch (failure) {
      setError(Problem.from(failure).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Input
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul aria-label={t.membersOf(group.name)} className="mt-3 flex max-h-80 flex-col gap-2.5 overflow-y-auto py-1">
        {members
          .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted))
          .map(({ userId, name, email }) => (
            <li key={userId}>
              <Checkbox
                label={name}
                hint={email}
                checked={chosen.has(userId)}
                onChange={(on) =>
                  setChosen((now) => (on ? new Set([...now, userId]) : new Set([...now].filter((id) => id !== userId))))
                }
              />
            </li>
          ))}
      </ul>
      {error && (
        <p role="alert" className="mt-3 text-danger">
          {error}
        </p>
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button look="primary" busy={busy} onClick={() => void save()}>
          {text.action.save}
        </Button>
      </div>
    </>
  );
}

type DeleteProps = { orgId: string; group: Group; open: boolean; onClose: () => void };

/** Asks before a group is deleted, and lists what its members would lose. */
function DeleteGroup({ orgId, group, open, onClose }: DeleteProps) {
  const t = useOrgText().group;
  const { noLosses } = usePermissionText();
  const plan = useQuery({
    queryKey: key.groupDeletion(orgId, group.id),
    queryFn: ({ signal }) => planGroupDeletion({ orgId, groupId: group.id, query: { plan: true } }, { signal }),
    enabled: open,
    gcTime: 0,
  });
  return (
    <Confirm
      open={open && !plan.isFetching}
      onClose={onClose}
      title={t.deleteTitle(group.name)}
      body={
        <>
          <p className="mb-2">{t.deleteBody}</p>
          {plan.data && <Losses losses={plan.data.losses} none={noLosses} />}
        </>
      }
      action={t.delete}
      onConfirm={async () => {
        try {
          await deleteGroup({ orgId, groupId: group.id });
        } catch (error) {
          complain(error);
          throw error;
        }
        notify(t.deleted(group.name));
      }}
    />
  );
}
