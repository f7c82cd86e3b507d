import { ActionIcon, Anchor, Button, Popover, Text } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { ErrorState } from "../error-state.tsx";
import { Timestamp } from "../timestamp.tsx";
import { UserText } from "../user-text.tsx";
import { messages as texts } from "./messages.ts";
import classes from "./notification-bell.module.css";

type Notification = Answer<"GET /api/inbox">["items"][number];

const inboxQuery = queryOptions({
  queryKey: ["GET /api/inbox"],
  queryFn: ({ signal }) => call("GET /api/inbox", { signal }),
});

/** The button with the number of unread notifications, and the list that it opens. */
export default function NotificationBell({
  unread,
  onRead,
}: {
  readonly unread: number;
  /** Called when notifications were marked as read. */
  readonly onRead: () => void;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} width={360} position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.bell}
          data-unread={unread > 0 || undefined}
          aria-label={texts.open(unread)}
          onClick={() => setOpened((before) => !before)}
        >
          <Bell size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.title} className={classes.dropdown}>
        <Inbox close={() => setOpened(false)} onRead={onRead} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Inbox({ close, onRead }: { readonly close: () => void; readonly onRead: () => void }) {
  const { data, error } = useQuery(inboxQuery);
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
      await client.invalidateQueries(inboxQuery);
    },
  });
  return (notifications) => mutate(notifications.map((each) => each.notice_id));
}
