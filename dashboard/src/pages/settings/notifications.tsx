import { Alert, Button, Group, Modal, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import { When } from "../../components/when.tsx";
import { SettingsPage } from "./frame.tsx";
import { NewChannel } from "./new-channel.tsx";
import { ShownOnce } from "./shown-once.tsx";

type Channels = Answer<"GET /api/channels">;
type Channel = Channels["items"][number];
type Delivery = Answer<"GET /api/deliveries">["items"][number];

const CHANNELS = ["GET /api/channels"];
const DELIVERIES = ["GET /api/deliveries"];
const LOOK_AGAIN_MS = 10_000;
const STATES = { waiting: "waits", delivered: "delivered", given_up: "given up" };

export function NotificationsPage() {
  const [isMaking, setMaking] = useState(false);
  const [ending, setEnding] = useState<Channel | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const queries = useQueryClient();
  const channels = useQuery({
    queryKey: CHANNELS,
    queryFn: ({ signal }) => call("GET /api/channels", { signal }),
  });
  const deliveries = useQuery({
    queryKey: DELIVERIES,
    queryFn: ({ signal }) => call("GET /api/deliveries", { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: CHANNELS });
    void queries.invalidateQueries({ queryKey: DELIVERIES });
  };
  const tryOut = useMutation({
    mutationFn: ({ id }: Channel) => call("POST /api/channels/:id/test", { params: { id } }),
    onSettled: refresh,
  });
  const replay = useMutation({
    mutationFn: ({ notice_id, channel_id }: Delivery) =>
      call("POST /api/deliveries/replay", { body: { notice_id, channel_id } }),
    onSettled: refresh,
  });
  const error = channels.error ?? deliveries.error ?? tryOut.error ?? replay.error;
  return (
    <SettingsPage
      title="Notifications"
      actions={<Button onClick={() => setMaking(true)}>Add a channel</Button>}
    >
      <Text>
        Who outside the desk is told when a batch moves on or somebody has to look. Messages hold no
        account numbers.
      </Text>
      {error ? <ErrorState error={error} /> : null}
      {channels.data && !channels.data.can_mail ? (
        <Alert variant="light" color="yellow" title="No mail server is set">
          E-mail goes out once SMTP_URL and MAIL_FROM are set where payrun runs.
        </Alert>
      ) : null}
      {secret === null ? null : (
        <ShownOnce
          title="The webhook's secret"
          text="Its messages are signed with it (Standard Webhooks). It is not shown again."
          secret={secret}
        />
      )}
      {channels.data ? (
        <DataTable
          caption="Channels"
          hideCaption
          empty={<EmptyState text="Nobody outside the desk is told anything." />}
          rows={channels.data.items}
          rowKey={({ id }) => id}
          columns={channelColumns({
            onTest: (channel) => tryOut.mutate(channel),
            onEnd: setEnding,
          })}
        />
      ) : channels.error ? null : (
        <Loading />
      )}
      <Section title="Delivery log">
        {deliveries.data ? (
          <DataTable
            caption="Deliveries"
            hideCaption
            empty={<EmptyState text="Nothing was told yet." />}
            rows={deliveries.data.items}
            rowKey={({ notice_id, channel_id }) => `${notice_id} ${channel_id}`}
            columns={deliveryColumns((delivery) => replay.mutate(delivery))}
          />
        ) : deliveries.error ? null : (
          <Loading />
        )}
      </Section>
      <Modal
        opened={isMaking}
        onClose={() => setMaking(false)}
        title="Add a channel"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {channels.data ? (
          <NewChannel
            events={channels.data.events}
            onMade={(made) => {
              setSecret(made);
              setMaking(false);
              refresh();
            }}
          />
        ) : null}
      </Modal>
      {ending ? (
        <ConfirmInNumbers
          opened
          onClose={() => setEnding(null)}
          title={`Stop telling ${ending.name}`}
          sentence="It is told nothing more, and what waits for it is given up. Its log stays."
          verb="Stop telling it"
          danger
          onConfirm={async () => {
            await call("DELETE /api/channels/:id", { params: { id: ending.id } });
            refresh();
          }}
        />
      ) : null}
    </SettingsPage>
  );
}

const channelColumns = ({
  onTest,
  onEnd,
}: {
  readonly onTest: (channel: Channel) => void;
  readonly onEnd: (channel: Channel) => void;
}): Column<Channel>[] => [
  {
    key: "name",
    header: "Name",
    names: true,
    cell: ({ name, kind, target }) => (
      <>
        {name}
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {kind === "email" ? "e-mail" : "webhook"} {target}
        </Text>
      </>
    ),
  },
  {
    key: "events",
    header: "Is told of",
    cell: ({ events }) => events.map((event) => event.replaceAll("_", " ")).join(", "),
  },
  {
    key: "state",
    header: "State",
    cell: ({ is_failing }) => (is_failing ? "failing: see the log" : "in use"),
  },
  {
    key: "do",
    header: "Do",
    cell: (channel) => (
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          aria-label={`Test: ${channel.name}`}
          onClick={() => onTest(channel)}
        >
          Test
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Stop telling: ${channel.name}`}
          onClick={() => onEnd(channel)}
        >
          Stop
        </Button>
      </Group>
    ),
  },
];

const deliveryColumns = (onReplay: (delivery: Delivery) => void): Column<Delivery>[] => [
  {
    key: "what",
    header: "What",
    names: true,
    cell: ({ event, object }) => `${event.replaceAll("_", " ")} ${event === "test" ? "" : object}`,
  },
  { key: "channel", header: "Channel", cell: ({ channel }) => channel },
  {
    key: "state",
    header: "State",
    cell: ({ state, tries, due_at }) => (
      <>
        {STATES[state]}
        {tries > 0 ? `, ${tries} ${tries === 1 ? "try" : "tries"}` : ""}
        {state === "waiting" && tries > 0 ? (
          <Text size="sm" c="dimmed" component="div">
            next <When at={due_at} />
          </Text>
        ) : null}
      </>
    ),
  },
  { key: "answer", header: "Last answer", cell: ({ answer }) => answer ?? "none yet" },
  { key: "at", header: "When", cell: ({ updated_at }) => <When at={updated_at} /> },
  {
    key: "again",
    header: "Again",
    cell: (delivery) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`Send again: ${delivery.event} to ${delivery.channel}`}
        onClick={() => onReplay(delivery)}
      >
        Send again
      </Button>
    ),
  },
];
