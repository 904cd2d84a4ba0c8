import { useQuery } from "@tanstack/react-query";
import { cache } from "../api/cache.ts";
import { setNotifications } from "../api/change.ts";
import { notificationsQuery, orgsQuery, profileQuery } from "../api/query.ts";
import type { Org } from "../api/type.ts";
import { useCommentText } from "../text/comment.ts";
import { Switch } from "../ui/form.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain } from "../ui/toast.ts";

/** A person's settings for notifications of comments, in each of their organizations. */
export function NotificationPage() {
  const t = useCommentText().settings;
  const orgs = useQuery(orgsQuery);
  const profile = useQuery(profileQuery);
  if (orgs.isPending) return <Waiting />;
  if (orgs.isError) return <Failed error={orgs.error} retry={() => void orgs.refetch()} />;
  return (
    <Section title={t.title} body={t.body}>
      {profile.data?.emailVerified === false && (
        <p className="mb-4 rounded-md bg-warn-soft px-3 py-2 text-warn">{t.unverified}</p>
      )}
      <Rows>
        {orgs.data.map((org) => (
          <OrgNotifications key={org.id} org={org} />
        ))}
      </Rows>
    </Section>
  );
}

function OrgNotifications({ org }: { org: Org }) {
  const t = useCommentText().settings;
  const settings = useQuery(notificationsQuery(org.id));
  const set = (body: { inbox?: boolean; mail?: boolean }) => {
    const { queryKey } = notificationsQuery(org.id);
    cache.setQueryData(queryKey, (now) => now && { ...now, ...body }); // at once; a refusal reads it again
    setNotifications({ orgId: org.id, body }).catch((error: unknown) => {
      complain(error);
      void cache.invalidateQueries({ queryKey });
    });
  };
  return (
    <li className="px-4 py-4">
      <h3 className="text-[15px]">{org.name}</h3>
      {settings.isError ? (
        <Failed error={settings.error} retry={() => void settings.refetch()} />
      ) : (
        <fieldset aria-label={org.name} disabled={settings.isPending} className="mt-3 flex max-w-72 flex-col gap-3">
          <Switch
            label={t.inbox}
            checked={settings.data?.inbox ?? false}
            disabled={settings.isPending}
            onChange={(inbox) => set({ inbox })}
          />
          <Switch
            label={t.mail}
            checked={settings.data?.mail ?? false}
            disabled={settings.isPending}
            onChange={(mail) => set({ mail })}
          />
        </fieldset>
      )}
    </li>
  );
}
