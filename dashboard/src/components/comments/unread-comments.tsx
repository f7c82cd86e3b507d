import { Badge } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type CommentSubject, commentsQuery } from "./comments-query.ts";
import { messages as texts } from "./messages.ts";

/** The number of comments that the reader has not seen; nothing if there are none. */
export function UnreadComments({ subject }: { readonly subject: CommentSubject }) {
  const { data } = useQuery(commentsQuery(subject));
  return data?.unread ? (
    <Badge size="sm" circle={data.unread < 10} aria-label={texts.unread(data.unread)}>
      {data.unread}
    </Badge>
  ) : null;
}
