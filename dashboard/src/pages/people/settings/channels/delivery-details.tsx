import { Code, Modal, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CopyableText } from "../../../../components/copyable-text.tsx";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { ErrorState } from "../../../../components/error-state.tsx";
import { FactList } from "../../../../components/fact-list.tsx";
import { Loading } from "../../../../components/loading.tsx";
import { Timestamp } from "../../../../components/timestamp.tsx";
import { type Answer, call } from "../../../../server/client.ts";
import { messages } from "./messages.tsx";
import { DeliveryResponse, deliveryState } from "./delivery-answers.tsx";

const { delivery: log } = messages;

type Delivery = Answer<"GET /api/deliveries">["items"][number];

type Attempt = Answer<"GET /api/deliveries/:notice_id/:channel_id">["attempts"][number];

const attemptColumns: readonly Column<Attempt>[] = [
  { key: "at", header: messages.at, cell: ({ at }) => <Timestamp at={at} /> },
  {
    key: "result",
    header: messages.state,
    card: "state",
    cell: ({ delivered }) => (delivered ? messages.states.delivered : log.notAccepted),
  },
  { key: "answer", header: log.answer, cell: (each) => <DeliveryResponse of={each} /> },
];

/** The attempts of a delivery, latest first, also those before it was sent again. */
const Attempts = ({ of }: { readonly of: readonly Attempt[] }) => (
  <DataTable caption={log.attempts} rows={of} rowKey={({ at }) => at} columns={attemptColumns} />
);

/** A delivery with its ID, all its attempts, and the payload. */
export function DeliveryDetails({
  of,
  onClose,
}: {
  readonly of: Delivery;
  readonly onClose: () => void;
}) {
  const { notice_id, channel_id, event, channel, updated_at } = of;
  const { data, error } = useQuery({
    queryKey: ["GET /api/deliveries/:notice_id/:channel_id", notice_id, channel_id, updated_at],
    queryFn: ({ signal }) =>
      call("GET /api/deliveries/:notice_id/:channel_id", {
        params: { notice_id, channel_id },
        signal,
      }),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={log.title(event.replaceAll("_", " "), channel)}
      closeButtonProps={{ "aria-label": messages.close }}
    >
      <Stack>
        <FactList
          facts={[
            [log.eventId, <CopyableText key="id" text={notice_id} />],
            [messages.state, deliveryState(of)],
            [messages.lastAnswer, <DeliveryResponse key="answer" of={of} />],
            [messages.at, <Timestamp key="at" at={updated_at} />],
          ]}
        />
        {data && data.attempts.length > 0 ? <Attempts of={data.attempts} /> : null}
        <Text fw={600}>{log.payload}</Text>
        {error ? <ErrorState error={error} /> : null}
        {data ? (
          data.payload === null ? (
            <Text size="sm">{log.mail}</Text>
          ) : (
            <Code block tabIndex={0}>
              {JSON.stringify(data.payload, null, 2)}
            </Code>
          )
        ) : error ? null : (
          <Loading />
        )}
      </Stack>
    </Modal>
  );
}
