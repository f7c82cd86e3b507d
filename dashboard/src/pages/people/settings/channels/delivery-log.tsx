import { Alert, Button, Group, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { EmptyState } from "../../../../components/empty-state.tsx";
import { Timestamp } from "../../../../components/timestamp.tsx";
import type { Answer } from "../../../../server/client.ts";
import { messages } from "./messages.tsx";
import { DeliveryResponse, deliveryState } from "./delivery-answers.tsx";
import { isWaiting } from "./delivery-of-test.ts";
import { type Repeated, repeatedDelivery } from "./repeated-delivery.ts";

/** Loaded when a reader opens the details of a delivery. */
const DeliveryDetails = lazy(async () => ({
  default: (await import("./delivery-details.tsx")).DeliveryDetails,
}));

const { delivery: log } = messages;

type Delivery = Answer<"GET /api/deliveries">["items"][number];

const keyOf = ({ notice_id, channel_id }: Delivery): string => `${notice_id} ${channel_id}`;

/** The deliveries with their responses, and the result of a delivery that was sent again. */
export function DeliveryLog({
  deliveries,
  repeated,
  onReplay,
}: {
  readonly deliveries: readonly Delivery[];
  /** The delivery that the reader sent again. Null: none on this page. */
  readonly repeated: Repeated | null;
  readonly onReplay: (delivery: Delivery) => void;
}) {
  const [shownKey, setShownKey] = useState<string | null>(null);
  const shown = deliveries.find((each) => keyOf(each) === shownKey);
  return (
    <>
      {repeated === null ? null : <RepeatResult of={repeated} deliveries={deliveries} />}
      <DataTable
        caption={messages.deliveries}
        hideCaption
        empty={<EmptyState text={messages.noDeliveries} />}
        rows={deliveries}
        rowKey={keyOf}
        columns={columns(onReplay, (delivery) => setShownKey(keyOf(delivery)))}
      />
      {shown ? (
        <Suspense fallback={null}>
          <DeliveryDetails of={shown} onClose={() => setShownKey(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Whether the repeated delivery has arrived. */
function RepeatResult({
  of,
  deliveries,
}: {
  readonly of: Repeated;
  readonly deliveries: readonly Delivery[];
}) {
  const delivery = repeatedDelivery(deliveries, of);
  if (delivery === "sending" || isWaiting(delivery)) {
    return (
      <Alert role="status" variant="light" title={log.sending(of.notice_id)}>
        {log.waits}
      </Alert>
    );
  }
  const { event, channel, state } = delivery;
  const isDelivered = state === "delivered";
  return (
    <Alert
      role="status"
      variant="light"
      color={isDelivered ? "green" : "orange"}
      title={isDelivered ? log.arrived(channel) : log.failed(channel)}
    >
      {log.sent(event.replaceAll("_", " "), of.notice_id)} <DeliveryResponse of={delivery} />
      {state === "waiting" ? log.retries(<Timestamp at={delivery.due_at} />) : null}
    </Alert>
  );
}

const columns = (
  onReplay: (delivery: Delivery) => void,
  onShow: (delivery: Delivery) => void,
): Column<Delivery>[] => [
  {
    key: "what",
    header: messages.event,
    names: true,
    cell: ({ event, object, notice_id }) => (
      <>
        {event.replaceAll("_", " ")} {event === "test" ? "" : object}
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {log.id(notice_id)}
        </Text>
      </>
    ),
  },
  { key: "channel", header: messages.channel, cell: ({ channel }) => channel },
  {
    key: "state",
    header: messages.state,
    card: "state",
    cell: (delivery) => (
      <>
        {deliveryState(delivery)}
        {delivery.state === "waiting" && delivery.attempts > 0 ? (
          <Text size="sm" c="dimmed" component="div">
            {messages.next(<Timestamp at={delivery.due_at} />)}
          </Text>
        ) : null}
      </>
    ),
  },
  {
    key: "answer",
    header: messages.lastAnswer,
    cell: (delivery) => <DeliveryResponse of={delivery} />,
  },
  { key: "at", header: messages.at, cell: ({ updated_at }) => <Timestamp at={updated_at} /> },
  {
    key: "again",
    header: messages.actions,
    card: "action",
    cell: (delivery) => (
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          aria-label={log.detailsLabel(delivery.event, delivery.notice_id)}
          onClick={() => onShow(delivery)}
        >
          {log.details}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={messages.sendAgainLabel(delivery.event, delivery.channel)}
          onClick={() => onReplay(delivery)}
        >
          {messages.sendAgain}
        </Button>
      </Group>
    ),
  },
];
