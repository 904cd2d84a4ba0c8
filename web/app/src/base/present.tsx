import { useBase } from "../access/base.ts";
import { cache } from "../api/cache.ts";
import { meQuery } from "../api/query.ts";
import { usePresent } from "../record/presence.ts";
import { useText } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";

const maxShown = 4;

/** The others who have the base open. */
export function PresentPeople() {
  const t = useText().base;
  const { base, people } = useBase();
  const present = usePresent(base.id);
  const me = cache.getQueryData(meQuery.queryKey)?.id;
  const ids = [...new Set(present.map(({ person }) => person))].filter((id) => id !== me);
  if (ids.length === 0) return null;
  const nameOf = (id: string) => people.people.find((one) => one.id === id)?.name ?? t.somebody;
  const names = ids.map(nameOf);
  return (
    <div
      role="img"
      aria-label={t.alsoHere(names)}
      title={t.alsoHere(names)}
      className="flex shrink-0 items-center -space-x-1.5"
    >
      {ids.slice(0, maxShown).map((id) => (
        <span key={id} className="rounded-full ring-2 ring-canvas [&>*]:rounded-full">
          <Avatar name={nameOf(id)} id={id} size={26} />
        </span>
      ))}
      {ids.length > maxShown && (
        <span className="pl-2.5 text-[12.5px] text-muted">{t.moreHere(ids.length - maxShown)}</span>
      )}
    </div>
  );
}
