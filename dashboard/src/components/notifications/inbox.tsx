import { Anchor, Button, Text } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Answer, call } from "../../server/client.ts";
import { ErrorState } from "../error-state.tsx";
import { Timestamp } from "../timestamp.tsx";
import { UserText } from "../user-text.tsx";
import classes from "./inbox.module.css";
import { messages as texts } from "./messages.ts";

type Notification = Answer<"GET /api/inbox">["items"][number];

const INBOX = "GET /api/inbox";

/** The latest notifications of the user. */
export default function Inbox({
  unread: count,
  close,
  onRead,
}: {
  /** Number of unread notifications. The list is loaded again when it changes. */
  readonly unread: number;
  readonly close: () => void;
  /** Called when notifications were marked as read. */
  readonly onRead: () => void;
}) {
  const { data, error } = useQuery({
    queryKey: [INBOX, count],
    queryFn: ({ signal }) => call("GET /api/inbox", { signal }),
    placeholderData: keepPreviousData,
  });
  const markRead = useMarkRead(onRead);
  if (error && !data) return <ErrorState error={error} />;
  if (!data) return <Text role="status">{texts.loading}</Text>;
  const unread = data.items.filter((each) => !each.is_read);
  return (
    <>
      <div className={classes.head}>
        <strong>{texts.title}</strong>
        {unread.length === 0 ? null : (
          <Button size="compact-xs" variant="subtle" onClick={() => markRead(unread)}>
            {texts.markAll}
          </Button>
        )}
      </div>
      {data.items.length === 0 ? (
        <Text size="sm" c="dimmed" p="sm">
          {texts.empty}
        </Text>
      ) : (
        <ul className={classes.list}>
          {data.items.map((each) => (
            <li key={each.notice_id} data-unread={!each.is_read || undefined}>
              <Anchor
                component={Link}
                to={each.page}
                size="sm"
                onClick={() => {
                  if (!each.is_read) markRead([each]);
                  close();
                }}
              >
                {each.is_read ? null : <span className={classes.dot} aria-label={texts.unread} />}
                <UserText text={each.title} />
              </Anchor>
              {each.detail === "" ? null : (
                <div className={classes.detail}>
                  <UserText text={each.detail} />
                </div>
              )}
              <Timestamp at={each.at} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function useMarkRead(onRead: () => void): (notifications: readonly Notification[]) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (ids: string[]) => call("POST /api/inbox/read", { body: { notice_ids: ids } }),
    onSuccess: async () => {
      onRead();
      await client.invalidateQueries({ queryKey: [INBOX] });
    },
  });
  return (notifications) => mutate(notifications.map((each) => each.notice_id));
}
