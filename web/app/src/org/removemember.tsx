import { useQuery } from "@tanstack/react-query";
import { removeMember } from "../api/change.ts";
import { key } from "../api/key.ts";
import { planMemberRemoval } from "../api/read.ts";
import type { Member } from "../api/type.ts";
import { useOrgText } from "../text/org.ts";
import { useText } from "../text/index.ts";
import { Confirm } from "../ui/confirm.tsx";
import { complain, notify } from "../ui/toast.ts";

type Props = { orgId: string; member: Member; open: boolean; onClose: () => void };

/** Asks before a member is removed, and lists what ends with them and what goes on naming them. */
export function RemoveMember({ orgId, member, open, onClose }: Props) {
  const text = useText();
  const t = useOrgText();
  const { userId, name } = member;
  const plan = useQuery({
    queryKey: key.memberRemoval(orgId, userId),
    queryFn: ({ signal }) => planMemberRemoval({ orgId, userId, query: { plan: true } }, { signal }),
    enabled: open,
    gcTime: 0,
  });
  const losses = plan.data?.losses ?? [];
  return (
    <Confirm
      open={open && !plan.isFetching}
      onClose={onClose}
      title={t.removeTitle(name)}
      body={
        <>
          <p>{t.removeBody}</p>
          {plan.isError && <p className="mt-2 text-danger">{t.removeUnknown}</p>}
          {losses.length > 0 && (
            <>
              <p className="mt-2">{t.removeLosses(losses.length)}</p>
              <ul className="mt-1.5 max-h-60 list-disc overflow-y-auto pl-4 text-[13px]">
                {losses.map(({ path, message }) => (
                  <li key={`${path} ${message}`} className="break-words">
                    {message}
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      }
      action={text.action.remove}
      onConfirm={async () => {
        try {
          await removeMember({ orgId, userId });
        } catch (error) {
          complain(error);
          throw error;
        }
        notify(t.removed(name));
      }}
    />
  );
}
