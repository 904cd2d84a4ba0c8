import { useQuery } from "@tanstack/react-query";
import { Link } from "../route/link.tsx";
import { basesQuery, ownBasesQuery } from "../api/query.ts";
import type { BaseSummary } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { join } from "../ui/class.ts";
import { EntityIcon } from "../ui/icon.tsx";

const shownRecent = 6;

/** The person's favourite bases, and those that they opened last unless there are few bases at all. */
export function OwnBases() {
  const t = useText().home;
  const own = useQuery(ownBasesQuery);
  const bases = useQuery(basesQuery);
  if (!own.data || !bases.data) return null;
  const reached = new Map(bases.data.map((base) => [base.id, base]));
  const of = (ids: string[]) => ids.map((id) => reached.get(id)).filter((base) => base !== undefined);
  const favorites = of(own.data.favorites);
  const recent = of(own.data.recent)
    .filter((base) => !favorites.includes(base))
    .slice(0, shownRecent);
  return (
    <>
      {favorites.length > 0 && <Row title={t.favorites} bases={favorites} />}
      {bases.data.length > shownRecent && recent.length > 0 && <Row title={t.recent} bases={recent} />}
    </>
  );
}

function Row({ title, bases }: { title: string; bases: BaseSummary[] }) {
  return (
    <section className="mb-8" aria-label={title}>
      <h2 className="mb-2.5 text-[14px] text-muted">{title}</h2>
      <ul className="flex flex-wrap gap-2">
        {bases.map((base) => (
          <li key={base.id} className="max-w-full">
            <Link
              to="/base/$baseId"
              params={{ baseId: base.id }}
              className={join(
                "flex h-10 items-center gap-2.5 rounded-lg border border-line bg-surface px-3",
                "hover:border-line-strong",
              )}
            >
              <EntityIcon icon={base.icon} name={base.name} size={22} />
              <span className="truncate">{base.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
