import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useMemo } from "react";
import { useParams } from "../route/router.ts";
import { key } from "../api/key.ts";
import { listAuditEvents } from "../api/read.ts";
import { useSchemas } from "../api/overview.ts";
import { basesQuery, membersQuery, orgsQuery, workspacesQuery } from "../api/query.ts";
import { ago } from "../locale/time.ts";
import { useOrgText } from "../text/org.ts";
import { useText } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Pages } from "../ui/pages.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Empty } from "../ui/state.tsx";
import { type Remembered, rememberedNames } from "./auditname.ts";
import { useLocale } from "../locale/locale.ts";

/** "delete_base" as a person reads it. */
const words = (action: string) => action.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

/** What the things of an organization are called now, by their ids. */
function usePresentNames(orgId: string): ReadonlyMap<string, string> {
  const orgs = useQuery(orgsQuery);
  const members = useQuery(membersQuery(orgId));
  const workspaces = useQuery(workspacesQuery(orgId));
  const bases = useQuery(basesQuery);
  const own = useMemo(() => bases.data?.filter((base) => base.orgId === orgId), [bases.data, orgId]);
  const schemas = useSchemas(own);
  return useMemo(() => {
    const names = new Map<string, string>();
    for (const one of [...(orgs.data ?? []), ...(workspaces.data ?? []), ...(own ?? [])]) names.set(one.id, one.name);
    for (const member of members.data ?? []) names.set(member.userId, member.name);
    for (const table of schemas.flatMap((base) => base.tables)) {
      names.set(table.id, table.name);
      for (const part of [...table.fields, ...table.views]) names.set(part.id, `${table.name}: ${part.name}`);
    }
    return names;
  }, [members.data, orgs.data, own, schemas, workspaces.data]);
}

/** Who changed what in the organization. */
export function OrgAudit() {
  const text = useText();
  const t = useOrgText();
  const locale = useLocale();
  const { orgId } = useParams("/org/$orgId/audit");
  const log = useInfiniteQuery({
    queryKey: key.audit(orgId),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      listAuditEvents({ orgId, query: { limit: 50, cursor: pageParam || undefined } }, { signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
  const events = useMemo(() => log.data?.pages.flatMap((page) => page.events) ?? [], [log.data]);
  const present = usePresentNames(orgId);
  const remembered = useMemo(() => rememberedNames(events), [events]);
  return (
    <Section title={t.audit} body={t.auditBody}>
      <Pages
        list={log}
        empty={events.length === 0 && <Empty icon={<History size={22} aria-hidden />} title={t.auditEmpty} />}
      >
        <Rows>
          {events.map((event) => (
            <li key={event.id} className="flex items-center gap-3.5 px-4 py-2.5">
              <Avatar name={event.userName ?? text.name} id={event.userId ?? text.name} size={28} />
              <div className="min-w-0 flex-1">
                <p className="truncate">
                  <span className="font-[560]" title={event.userId ?? undefined}>
                    {event.userName ?? (event.userId ? text.view.formerMember : text.name)}
                  </span>
                  <span className="text-muted"> · {words(event.action)}</span>
                </p>
                <p className="flex flex-wrap items-baseline gap-x-2 text-[13px] text-muted">
                  <Subject
                    id={event.subject}
                    name={present.get(event.subject)}
                    remembered={remembered.get(event.subject)}
                  />
                  <span className="font-mono text-[12px] break-all text-faint">{event.subject}</span>
                </p>
              </div>
              <div className="text-right text-[12.5px] text-muted">
                <time dateTime={event.time} title={event.time} className="block whitespace-nowrap">
                  {ago(event.time, locale)}
                </time>
                {event.credentialKind && (
                  <span className="text-faint">{t.by[event.credentialKind] ?? event.credentialKind}</span>
                )}
              </div>
            </li>
          ))}
        </Rows>
      </Pages>
    </Section>
  );
}

/** What a thing is called, or was when it was last named in the log. */
function Subject({ id, name, remembered }: { id: string; name?: string; remembered?: Remembered }) {
  const text = useText();
  const t = useOrgText();
  const shown = name ?? remembered?.name ?? (id.startsWith("usr_") ? text.view.formerMember : undefined);
  if (!shown) return null;
  return (
    <span className="min-w-0 truncate">
      {shown} {!name && remembered?.gone && <span className="text-faint">({t.gone})</span>}
    </span>
  );
}
