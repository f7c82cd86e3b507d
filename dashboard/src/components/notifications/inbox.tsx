import { Button, Text } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../server/client.ts";
import { ErrorState } from "../error-state.tsx";
import { InboxList, type Notification } from "./inbox-list.tsx";
import classes from "./inbox.module.css";
import { messages as texts } from "./messages.ts";

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
  const [showsUnread, setShowsUnread] = useState(false);
  if (error && !data) return <ErrorState error={error} />;
  if (!data) return <Text role="status">{texts.loading}</Text>;
  const unread = data.items.filter((each) => !each.is_read);
  const items = showsUnread ? unread : data.items;
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
      {data.items.length === 0 ? null : (
        <div className={classes.filters}>
          {[false, true].map((isUnread) => (
            <button
              key={String(isUnread)}
              type="button"
              className={classes.filter}
              aria-pressed={showsUnread === isUnread}
              onClick={() => setShowsUnread(isUnread)}
            >
              {isUnread ? texts.onlyUnread(unread.length) : texts.all}
            </button>
          ))}
        </div>
      )}
      {items.length === 0 ? (
        <Text size="sm" c="dimmed" p="md" ta="center">
          {data.items.length === 0 ? texts.empty : texts.allRead}
        </Text>
      ) : (
        <InboxList
          items={items}
          onOpen={(opened) => {
            const news = opened.filter((each) => !each.is_read);
            if (news.length > 0) markRead(news);
            close();
          }}
        />
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
