import { Alert, Button, Group, Modal, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { ConfirmAction } from "../../../components/forms/confirm-action.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { serverNowMs } from "../../../base/server-time.ts";
import { DeliveryAnswer, TestResult } from "./delivery-answers.tsx";
import { deliveryOfTest, isWaiting } from "./delivery-of-test.ts";
import { SettingsPage } from "./settings-page.tsx";
import { NewChannelForm } from "./new-channel.tsx";
import { OneTimeSecret } from "./one-time-secret.tsx";
import { messages } from "./messages.tsx";

const texts = messages.notifications;

type Channels = Answer<"GET /api/channels">;
type Channel = Channels["items"][number];
type Delivery = Answer<"GET /api/deliveries">["items"][number];

const CHANNELS = ["GET /api/channels"];
const DELIVERIES = ["GET /api/deliveries"];
const REFETCH_MS = 10_000;
const TEST_REFETCH_MS = 1_000;
/** The clocks of the browser and the database may differ by this much. */
const CLOCK_SLACK_MS = 500;

/** The channels that receive notifications, and the log of their deliveries. */
export function NotificationsPage() {
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Channel | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { channels, deliveries, test, tested, replay, refresh } = useNotifications();
  const error = channels.error ?? deliveries.error ?? test.error ?? replay.error;
  return (
    <SettingsPage
      title={texts.title}
      actions={<Button onClick={() => setAdding(true)}>{texts.add}</Button>}
    >
      <Text>{texts.explanation}</Text>
      {error ? <ErrorState error={error} /> : null}
      {channels.data && !channels.data.can_mail ? (
        <Alert variant="light" color="yellow" title={texts.noMail}>
          {texts.noMailHint}
        </Alert>
      ) : null}
      {secret === null ? null : (
        <OneTimeSecret title={texts.secret} text={texts.secretHint} secret={secret} />
      )}
      {channels.data ? (
        <ChannelTable
          channels={channels.data.items}
          resultOf={({ id }) =>
            tested.has(id)
              ? deliveryOfTest(deliveries.data?.items ?? [], id, tested.get(id) ?? "")
              : null
          }
          onTest={test.mutate}
          onRemove={setRemoved}
        />
      ) : channels.error ? null : (
        <Loading />
      )}
      <Section title={texts.log}>
        {deliveries.data ? (
          <DeliveryTable deliveries={deliveries.data.items} onReplay={replay.mutate} />
        ) : deliveries.error ? null : (
          <Loading />
        )}
      </Section>
      <Modal
        opened={isAdding}
        onClose={() => setAdding(false)}
        title={texts.add}
        closeButtonProps={{ "aria-label": messages.close }}
      >
        {channels.data ? (
          <NewChannelForm
            events={channels.data.events}
            onMade={(made) => {
              setSecret(made);
              setAdding(false);
              refresh();
            }}
          />
        ) : null}
      </Modal>
      {removed ? (
        <RemoveDialog channel={removed} onClose={() => setRemoved(null)} onRemoved={refresh} />
      ) : null}
    </SettingsPage>
  );
}

/** The channels and deliveries, and the actions that test a channel or repeat a delivery. */
function useNotifications() {
  const queries = useQueryClient();
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: CHANNELS });
    void queries.invalidateQueries({ queryKey: DELIVERIES });
  };
  const [tested, setTested] = useState(new Map<string, string>());
  const channels = useQuery({
    queryKey: CHANNELS,
    queryFn: ({ signal }) => call("GET /api/channels", { signal }),
  });
  const deliveries = useQuery({
    queryKey: DELIVERIES,
    queryFn: ({ signal }) => call("GET /api/deliveries", { signal }),
    // The reader of a test waits for its result.
    refetchInterval: ({ state: { data } }) =>
      [...tested].some(([id, since]) => isWaiting(deliveryOfTest(data?.items ?? [], id, since)))
        ? TEST_REFETCH_MS
        : REFETCH_MS,
  });
  const test = useMutation({
    mutationFn: ({ id }: Channel) => {
      const since = new Date(serverNowMs() - CLOCK_SLACK_MS).toISOString();
      setTested(new Map([...tested, [id, since]]));
      return call("POST /api/channels/:id/test", { params: { id } });
    },
    onError: (_, { id }) => setTested(new Map([...tested].filter(([each]) => each !== id))),
    onSettled: refresh,
  });
  const replay = useMutation({
    mutationFn: ({ notice_id, channel_id }: Delivery) =>
      call("POST /api/deliveries/replay", { body: { notice_id, channel_id } }),
    onSettled: refresh,
  });
  return { channels, deliveries, test, tested, replay, refresh };
}

const RemoveDialog = ({
  channel: { id, name },
  onClose,
  onRemoved,
}: {
  readonly channel: Channel;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}) => (
  <ConfirmAction
    opened
    onClose={onClose}
    title={texts.removeTitle(name)}
    sentence={texts.removeEffect}
    verb={texts.remove}
    danger
    onConfirm={async () => {
      await call("DELETE /api/channels/:id", { params: { id } });
      onRemoved();
    }}
  />
);

interface ChannelActions {
  readonly resultOf: (channel: Channel) => Delivery | "sending" | null;
  readonly onTest: (channel: Channel) => void;
  readonly onRemove: (channel: Channel) => void;
}

const ChannelTable = ({
  channels,
  ...actions
}: ChannelActions & { readonly channels: readonly Channel[] }) => (
  <DataTable
    caption={texts.channels}
    hideCaption
    empty={<EmptyState text={texts.noChannels} />}
    rows={channels}
    rowKey={({ id }) => id}
    columns={channelColumns(actions)}
  />
);

const DeliveryTable = ({
  deliveries,
  onReplay,
}: {
  readonly deliveries: readonly Delivery[];
  readonly onReplay: (delivery: Delivery) => void;
}) => (
  <DataTable
    caption={texts.deliveries}
    hideCaption
    empty={<EmptyState text={texts.noDeliveries} />}
    rows={deliveries}
    rowKey={({ notice_id, channel_id }) => `${notice_id} ${channel_id}`}
    columns={deliveryColumns(onReplay)}
  />
);

const channelColumns = ({ resultOf, onTest, onRemove }: ChannelActions): Column<Channel>[] => [
  {
    key: "name",
    header: texts.name,
    names: true,
    cell: ({ name, kind, target }) => (
      <>
        {name}
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {texts.target(kind, target)}
        </Text>
      </>
    ),
  },
  {
    key: "events",
    header: texts.events,
    cell: ({ events }) => events.map((event) => event.replaceAll("_", " ")).join(", "),
  },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: (channel) => (
      <>
        {channel.is_failing ? texts.failing : texts.working}
        <TestResult of={resultOf(channel)} />
      </>
    ),
  },
  {
    key: "do",
    header: texts.actions,
    card: "action",
    cell: (channel) => (
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          aria-label={texts.testLabel(channel.name)}
          onClick={() => onTest(channel)}
        >
          {texts.test}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={texts.removeLabel(channel.name)}
          onClick={() => onRemove(channel)}
        >
          {texts.remove}
        </Button>
      </Group>
    ),
  },
];

const deliveryColumns = (onReplay: (delivery: Delivery) => void): Column<Delivery>[] => [
  {
    key: "what",
    header: texts.event,
    names: true,
    cell: ({ event, object }) => `${event.replaceAll("_", " ")} ${event === "test" ? "" : object}`,
  },
  { key: "channel", header: texts.channel, cell: ({ channel }) => channel },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ state, attempts, due_at }) => (
      <>
        {texts.states[state]}
        {attempts > 0 ? texts.attempts(attempts) : ""}
        {state === "waiting" && attempts > 0 ? (
          <Text size="sm" c="dimmed" component="div">
            {texts.next(<Timestamp at={due_at} />)}
          </Text>
        ) : null}
      </>
    ),
  },
  {
    key: "answer",
    header: texts.lastAnswer,
    cell: ({ answer }) => <DeliveryAnswer answer={answer} />,
  },
  { key: "at", header: texts.at, cell: ({ updated_at }) => <Timestamp at={updated_at} /> },
  {
    key: "again",
    header: texts.action,
    card: "action",
    cell: (delivery) => (
      <Button
        size="xs"
        variant="default"
        aria-label={texts.sendAgainLabel(delivery.event, delivery.channel)}
        onClick={() => onReplay(delivery)}
      >
        {texts.sendAgain}
      </Button>
    ),
  },
];
