import type { inbox as english } from "../en/inbox.ts";

/** What leads to comments and to the inbox. */
export const inbox: typeof english = {
  tab: (count: number) => (count === 0 ? "Commentaires" : `Commentaires (${count > 99 ? "99+" : count})`),
  title: "Boîte de réception",
  open: (unread: number) => {
    if (unread === 0) return "Boîte de réception";
    return `Boîte de réception, ${unread > 99 ? "plus de 99" : unread} ${unread === 1 ? "non lu" : "non lus"}`;
  },
  count: (unread: number) => (unread > 99 ? "99+" : String(unread)),
};
