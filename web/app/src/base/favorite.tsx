import { useQuery } from "@tanstack/react-query";
import { Star } from "lucide-react";
import { useEffect, useState } from "react";
import { markBase, openBase, unmarkBase } from "../api/change.ts";
import { ownBasesQuery } from "../api/query.ts";
import { useText } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { complain } from "../ui/toast.ts";

/** Marks the open base as one of the person's favourites, and puts it first among those that were opened last. */
export function Favorite({ baseId }: { baseId: string }) {
  const t = useText().base;
  const own = useQuery(ownBasesQuery);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    openBase({ baseId }).catch(() => undefined); // nobody waits for it
  }, [baseId]);
  const marked = own.data?.favorites.includes(baseId) ?? false;
  const toggle = () => {
    setBusy(true);
    (marked ? unmarkBase : markBase)({ baseId })
      .catch(complain)
      .finally(() => setBusy(false));
  };
  return (
    <IconButton
      label={t.favorite}
      aria-pressed={marked}
      disabled={busy || !own.data}
      onClick={toggle}
      className="max-sm:hidden"
    >
      <Star size={16} aria-hidden className={marked ? "fill-current text-accent" : undefined} />
    </IconButton>
  );
}
