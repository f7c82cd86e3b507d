import { Alert, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, lazy, Suspense, useState } from "react";
import { type Answer, call } from "../../../../server/client.ts";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { EmptyState } from "../../../../components/empty-state.tsx";
import { ErrorState } from "../../../../components/error-state.tsx";
import { Loading } from "../../../../components/loading.tsx";
import { Section } from "../../../../components/section.tsx";
import { serverNowMs } from "../../../../base/server-time.ts";
import { TestResult } from "./delivery-answers.tsx";
import { deliveryOfTest, isWaiting } from "./delivery-of-test.ts";
import { EventMatrix } from "./event-matrix.tsx";
import { type Repeated, repeatedDelivery } from "./repeated-delivery.ts";
import { SettingsPage } from "../settings-page.tsx";
import { OneTimeSecret } from "../one-time-secret.tsx";
import { messages } from "./messages.tsx";

/** Loaded when a dialog is opened. */
const ChannelDialog = lazy(async () => ({
  default: (await import("./channel-dialogs.tsx")).ChannelDialog,
}));
const RemoveDialog = lazy(async () => ({
  default: (await import("./channel-dialogs.tsx")).RemoveDialog,
}));

/** Shown once a channel exists. */
const DeliveryLog = lazy(async () => ({
  default: (await import("./delivery-log.tsx")).DeliveryLog,
}));

type Channels = Answer<"GET /api/channels">;
type Channel = Channels["items"][number];
type Delivery = Answer<"GET /api/deliveries">["items"][number];

const CHANNELS = ["GET /api/channels"];
const DELIVERIES = ["GET /api/deliveries"];
const REFETCH_MS = 10_000;
const TEST_REFETCH_MS = 1_000;
/** The clocks of the browser and the database may differ by this much. */
const CLOCK_SLACK_MS = 500;

/** Returns a time at which the database has not recorded the result of an action yet. */
const clockNow = (): string => new Date(serverNowMs() - CLOCK_SLACK_MS).toISOString();

/** The channels that receive notifications, and the log of their deliveries. */
export function ChannelsPage() {
  const [form, setForm] = useState<{ readonly channel: Channel | null } | null>(null);
  const [removed, setRemoved] = useState<Channel | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { channels, deliveries, test, tested, replay, repeated, refresh } = useNotifications();
  const error = channels.error ?? deliveries.error ?? test.error ?? replay.error;
  return (
    <SettingsPage
      title={messages.title}
      actions={<Button onClick={() => setForm({ channel: null })}>{messages.add}</Button>}
    >
      <Text>{messages.explanation}</Text>
      {error ? <ErrorState error={error} /> : null}
      {channels.data && !channels.data.can_mail ? (
        <Alert variant="light" color="yellow" title={messages.noMail}>
          {messages.noMailHint}
        </Alert>
      ) : null}
      {secret === null ? null : (
        <OneTimeSecret title={messages.secret} text={messages.secretHint} secret={secret} />
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
          onEdit={(channel) => setForm({ channel })}
          onRemove={setRemoved}
        />
      ) : channels.error ? null : (
        <Loading />
      )}
      {channels.data && channels.data.items.length > 0 ? (
        <>
          <EventMatrix of={channels.data} />
          <Log
            deliveries={deliveries.data?.items}
            hasFailed={deliveries.error !== null}
            repeated={repeated}
            onReplay={replay.mutate}
          />
        </>
      ) : null}
      <Suspense>
        {form && channels.data ? (
          <ChannelDialog
            channel={form.channel}
            channels={channels.data}
            onClose={() => setForm(null)}
            onSaved={(made) => {
              setSecret(made ?? secret);
              setForm(null);
              refresh();
            }}
          />
        ) : null}
        {removed ? (
          <RemoveDialog channel={removed} onClose={() => setRemoved(null)} onRemoved={refresh} />
        ) : null}
      </Suspense>
    </SettingsPage>
  );
}

/** The deliveries to all channels. */
const Log = ({
  deliveries,
  hasFailed,
  ...log
}: Omit<ComponentProps<typeof DeliveryLog>, "deliveries"> & {
  readonly deliveries: readonly Delivery[] | undefined;
  readonly hasFailed: boolean;
}) => (
  <Section title={messages.log}>
    {deliveries ? (
      <Suspense fallback={<Loading />}>
        <DeliveryLog deliveries={deliveries} {...log} />
      </Suspense>
    ) : hasFailed ? null : (
      <Loading />
    )}
  </Section>
);

/** The channels and deliveries, and the actions that test a channel or repeat a delivery. */
function useNotifications() {
  const queries = useQueryClient();
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: CHANNELS });
    void queries.invalidateQueries({ queryKey: DELIVERIES });
  };
  const [tested, setTested] = useState(new Map<string, string>());
  const [repeated, setRepeated] = useState<Repeated | null>(null);
  const channels = useQuery({
    queryKey: CHANNELS,
    queryFn: ({ signal }) => call("GET /api/channels", { signal }),
  });
  const deliveries = useQuery({
    queryKey: DELIVERIES,
    queryFn: ({ signal }) => call("GET /api/deliveries", { signal }),
    // The reader of a test, or of a repeated delivery, waits for its result.
    refetchInterval: ({ state: { data } }) => {
      const items = data?.items ?? [];
      const isTesting = [...tested].some(([id, since]) =>
        isWaiting(deliveryOfTest(items, id, since)),
      );
      const isRepeating = repeated !== null && isWaiting(repeatedDelivery(items, repeated));
      return isTesting || isRepeating ? TEST_REFETCH_MS : REFETCH_MS;
    },
  });
  const test = useMutation({
    mutationFn: ({ id }: Channel) => {
      setTested(new Map([...tested, [id, clockNow()]]));
      return call("POST /api/channels/:id/test", { params: { id } });
    },
    onError: (_, { id }) => setTested(new Map([...tested].filter(([each]) => each !== id))),
    onSettled: refresh,
  });
  const replay = useMutation({
    mutationFn: ({ notice_id, channel_id }: Delivery) => {
      setRepeated({ notice_id, channel_id, since: clockNow() });
      return call("POST /api/deliveries/replay", { body: { notice_id, channel_id } });
    },
    onError: () => setRepeated(null),
    onSettled: refresh,
  });
  return { channels, deliveries, test, tested, replay, repeated, refresh };
}

interface ChannelActions {
  readonly resultOf: (channel: Channel) => Delivery | "sending" | null;
  readonly onTest: (channel: Channel) => void;
  readonly onEdit: (channel: Channel) => void;
  readonly onRemove: (channel: Channel) => void;
}

const ChannelTable = ({
  channels,
  ...actions
}: ChannelActions & { readonly channels: readonly Channel[] }) => (
  <DataTable
    caption={messages.channels}
    hideCaption
    empty={<EmptyState text={messages.noChannels} />}
    rows={channels}
    rowKey={({ id }) => id}
    columns={channelColumns(actions)}
  />
);

const channelColumns = ({
  resultOf,
  onTest,
  onEdit,
  onRemove,
}: ChannelActions): Column<Channel>[] => [
  {
    key: "name",
    header: messages.name,
    names: true,
    cell: ({ name, kind, target }) => (
      <>
        {name}
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {messages.target(kind, target)}
        </Text>
      </>
    ),
  },
  {
    key: "events",
    header: messages.events,
    cell: ({ events }) => messages.eventCount(events.length),
  },
  {
    key: "state",
    header: messages.state,
    card: "state",
    cell: (channel) => (
      <>
        {channel.is_failing ? messages.failing : messages.working}
        <TestResult of={resultOf(channel)} />
      </>
    ),
  },
  {
    key: "do",
    header: messages.actions,
    card: "action",
    cell: (channel) => (
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          aria-label={messages.testLabel(channel.name)}
          onClick={() => onTest(channel)}
        >
          {messages.test}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={messages.editLabel(channel.name)}
          onClick={() => onEdit(channel)}
        >
          {messages.edit}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={messages.removeLabel(channel.name)}
          onClick={() => onRemove(channel)}
        >
          {messages.remove}
        </Button>
      </Group>
    ),
  },
];
