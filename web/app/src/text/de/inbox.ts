import type { inbox as english } from "../en/inbox.ts";

/** What leads to comments and to the inbox. */
export const inbox: typeof english = {
  tab: (count: number) => (count === 0 ? "Kommentare" : `Kommentare (${count > 99 ? "99+" : count})`),
  title: "Posteingang",
  open: (unread: number) =>
    unread === 0 ? "Posteingang" : `Posteingang, ${unread > 99 ? "mehr als 99" : unread} ungelesen`,
  count: (unread: number) => (unread > 99 ? "99+" : String(unread)),
};
