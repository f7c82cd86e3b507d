import { counted, inLanguage } from "../../base/language.ts";

const en = {
  title: "Comments",
  list: "Comments, oldest first",
  loading: "Loading comments…",
  empty: "No comments yet. Mention a person with @ to notify them.",
  new: "New",
  erased: "Erased with the data of a person.",
  unread: (count: number) => counted(count, "new comment", "new comments"),
  reply: "Reply",
  replyTo: (name: string) => `Reply to ${name}`,
  cancelReply: "Cancel",
  label: "Comment",
  placeholder: "Comment or @mention",
  placeholderReply: "Reply or @mention",
  permanent: "Comments are permanent. To correct one, reply to it.",
  send: "Add comment",
  sendReply: "Add reply",
  people: "People you can mention",
};

export const messages = inLanguage({ en });
