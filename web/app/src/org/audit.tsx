import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { History } from "lucide-react";
import { get } from "../api/client.ts";
import { ago } from "../field/date.ts";
import { text } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";

const t = text.org;

type AuditEvent = {
  id: string;
  time: string;
  userId: string | null;
  userName: string | null;
  credentialKind?: string;
  action: string;
  subject: string;
};
type Answer = { events: AuditEvent[]; nextCursor: string | null };

/** "delete_base" as a person reads it. */
const words = (action: string) => action.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

/** Who changed what in the organization. */
export function OrgAudit() {
  const { orgId } = useParams({ from: "/shell/org/$orgId/audit" });
  const log = useInfiniteQuery({
    queryKey: ["audit", orgId],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => get<Answer>(`/orgs/${orgId}/audit`, { limit: 50, cursor: pageParam || undefined }, signal),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
  const events = log.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <Section title={t.audit} body={t.auditBody}>
      {log.isPending ? (
        <Waiting />
      ) : log.isError ? (
        <Failed error={log.error} retry={() => void log.refetch()} />
      ) : events.length === 0 ? (
        <Empty icon={<History size={22} aria-hidden />} title={t.auditEmpty} />
      ) : (
        <>
          <Rows>
            {events.map((event) => (
              <li key={event.id} className="flex items-center gap-3.5 px-4 py-2.5">
                <Avatar name={event.userName ?? text.name} id={event.userId ?? text.name} size={28} />
                <div className="min-w-0 flex-1">
                  <p className="truncate">
                    <span className="font-[560]">{event.userName ?? (event.userId ? t.former : text.name)}</span>
                    <span className="text-muted"> · {words(event.action)}</span>
                  </p>
                  <p className="truncate font-mono text-[12px] text-faint">{event.subject}</p>
                </div>
                <div className="text-right text-[12.5px] text-muted">
                  <time dateTime={event.time} title={event.time} className="block whitespace-nowrap">
                    {ago(event.time)}
                  </time>
                  {event.credentialKind && <span className="text-faint">{t.by[event.credentialKind] ?? event.credentialKind}</span>}
                </div>
              </li>
            ))}
          </Rows>
          {log.hasNextPage && (
            <div className="mt-4 flex justify-center">
              <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                {text.view.loadMore}
              </Button>
            </div>
          )}
        </>
      )}
    </Section>
  );
}
