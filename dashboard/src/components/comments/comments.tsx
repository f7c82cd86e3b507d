import { Avatar, Badge, Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Ref, useEffect, useState } from "react";
import { call } from "../../server/client.ts";
import { frameQuery } from "../../shell/frame-query.ts";
import { ErrorState } from "../error-state.tsx";
import { Timestamp } from "../timestamp.tsx";
import { UserText } from "../user-text.tsx";
import { CommentForm } from "./comment-form.tsx";
import { type Comment, type CommentSubject, commentsQuery } from "./comments-query.ts";
import { partsOf } from "./mention-text.ts";
import { messages as texts } from "./messages.ts";
import classes from "./comments.module.css";

/**
 * The comments on a batch or payout as threads, with a field for a new one. Comments that the
 * reader has seen on the screen are marked as seen.
 */
export function Comments({ subject }: { readonly subject: CommentSubject }) {
  const { data, error, refetch } = useQuery(commentsQuery(subject));
  const newest = data?.items.at(-1)?.id ?? null;
  const ref = useMarkSeen(subject, data?.unread ? newest : null);
  if (error && !data) return <ErrorState error={error} reset={() => void refetch()} />;
  if (!data) return <Text role="status">{texts.loading}</Text>;
  return (
    <div className={classes.comments}>
      {data.items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.empty}
        </Text>
      ) : (
        <ol className={classes.list} aria-label={texts.list}>
          {threadsOf(data.items).map((thread) => (
            <Thread
              key={thread.first.id}
              subject={subject}
              thread={thread}
              refOf={(id) => (id === newest ? ref : null)}
            />
          ))}
        </ol>
      )}
      <CommentForm subject={subject} replyTo={null} />
    </div>
  );
}

interface CommentThread {
  readonly first: Comment;
  readonly replies: readonly Comment[];
}

/** Groups replies under the comment that started their thread. */
function threadsOf(comments: readonly Comment[]): readonly CommentThread[] {
  const starts = new Map<string, string>();
  for (const { id, reply_to } of comments) {
    starts.set(id, reply_to === null ? id : (starts.get(reply_to) ?? id));
  }
  return comments
    .filter(({ id }) => starts.get(id) === id)
    .map((first) => ({
      first,
      replies: comments.filter(({ id }) => id !== first.id && starts.get(id) === first.id),
    }));
}

function Thread({
  subject,
  thread: { first, replies },
  refOf,
}: {
  readonly subject: CommentSubject;
  readonly thread: CommentThread;
  readonly refOf: (id: string) => Ref<HTMLElement>;
}) {
  const [isReplying, setReplying] = useState(false);
  return (
    <li className={classes.thread}>
      <CommentBody of={first} ref={refOf(first.id)} />
      <div className={classes.replies}>
        {replies.map((reply) => (
          <CommentBody key={reply.id} of={reply} ref={refOf(reply.id)} />
        ))}
        {isReplying ? (
          <CommentForm
            subject={subject}
            replyTo={{ id: first.id, name: first.by.name }}
            onSent={() => setReplying(false)}
            onCancel={() => setReplying(false)}
          />
        ) : (
          <Button
            size="compact-xs"
            variant="subtle"
            className={classes.reply}
            aria-label={texts.replyTo(first.by.name)}
            onClick={() => setReplying(true)}
          >
            {texts.reply}
          </Button>
        )}
      </div>
    </li>
  );
}

const CommentBody = ({
  of: { by, at, text, mentions, is_new: isNew, is_erased: isErased },
  ref,
}: {
  readonly of: Comment;
  readonly ref: Ref<HTMLElement>;
}) => (
  <article className={classes.comment} ref={ref}>
    <Avatar size={24} name={by.name} color="initials" aria-hidden />
    <div>
      <div className={classes.by}>
        <strong>
          <UserText text={by.name} />
        </strong>
        <Timestamp at={at} />
        {isNew ? (
          <Badge size="xs" variant="light">
            {texts.new}
          </Badge>
        ) : null}
      </div>
      <bdi className={classes.text}>
        {isErased ? texts.erased : null}
        {partsOf(
          text,
          mentions.map(({ name }) => name),
        ).map((part, place) =>
          part.isMention ? (
            <span key={place} className={classes.mention}>
              {part.text}
            </span>
          ) : (
            part.text
          ),
        )}
      </bdi>
    </div>
  </article>
);

/**
 * Marks the comments up to this one as seen once its element, which takes the returned ref, is on
 * the screen of a visible tab. Null: none is new.
 */
function useMarkSeen(subject: CommentSubject, upTo: string | null) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (id: string) =>
      call("POST /api/comments/seen", { body: { ...subject, up_to: id } }),
    onSuccess: async () => {
      client.setQueryData(commentsQuery(subject).queryKey, (now) => now && { ...now, unread: 0 });
      await client.invalidateQueries(frameQuery);
    },
  });
  useEffect(() => {
    if (upTo === null || !element) return undefined;
    let isOnScreen = false;
    const mark = (): void => {
      if (isOnScreen && document.visibilityState === "visible") mutate(upTo);
    };
    const observer = new IntersectionObserver((entries) => {
      isOnScreen = entries.at(-1)?.isIntersecting ?? false;
      mark();
    });
    observer.observe(element);
    document.addEventListener("visibilitychange", mark);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", mark);
    };
  }, [upTo, element, mutate]);
  return setElement;
}
