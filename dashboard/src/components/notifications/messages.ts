import { counted, inLanguage } from "../../base/language.ts";

const en = {
  title: "Notifications",
  open: (unread: number) =>
    unread === 0
      ? "Notifications"
      : `Notifications: ${counted(unread, "unread notification", "unread notifications")}`,
  empty: "You have no notifications. Mentions, replies and decisions on your batches appear here.",
  loading: "Loading notifications…",
  markAll: "Mark all as read",
  unread: "Unread",
  all: "All",
  onlyUnread: (count: number) => (count === 0 ? "Unread" : `Unread ${count}`),
  allRead: "You have read all notifications.",
  earlier: (count: number) => counted(count, "earlier notification", "earlier notifications"),
};

export const messages = inLanguage({ en });
