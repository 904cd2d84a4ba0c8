import { useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { unreadQuery } from "../api/query.ts";
import { useText } from "../text/index.ts";
import { join } from "../ui/class.ts";

/** How many items of the inbox are not read yet, as far as it is known. */
export function useUnread(): number {
  return useQuery(unreadQuery).data ?? 0;
}

export function InboxIcon({ size }: { size: number }) {
  return <Inbox size={size} aria-hidden />;
}

/**
 * The number of unread items, next to its link or as a badge on its corner. The link's label says
 * it too.
 */
export function Unread({ count, badge }: { count: number; badge?: boolean }) {
  const t = useText().inbox;
  if (count === 0) return null;
  return (
    <span
      aria-hidden
      className={join(
        "rounded-full bg-accent text-center font-[600] text-on-accent tabular-nums",
        badge && "absolute top-0.5 right-0 min-w-4 px-1 text-[10px] leading-4",
        !badge && "min-w-5 px-1.5 text-[11.5px] leading-5",
      )}
    >
      {t.count(count)}
    </span>
  );
}
