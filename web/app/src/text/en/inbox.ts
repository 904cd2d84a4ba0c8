/** What leads to comments and to the inbox. */
export const inbox = {
  tab: (count: number) => (count === 0 ? "Comments" : `Comments (${count > 99 ? "99+" : count})`),
  title: "Inbox",
  open: (unread: number) => (unread === 0 ? "Inbox" : `Inbox, ${unread > 99 ? "more than 99" : unread} unread`),
  count: (unread: number) => (unread > 99 ? "99+" : String(unread)),
};
