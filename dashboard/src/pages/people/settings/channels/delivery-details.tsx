import { Code, Modal, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CopyableText } from "../../../../components/copyable-text.tsx";
import { ErrorState } from "../../../../components/error-state.tsx";
import { FactList } from "../../../../components/fact-list.tsx";
import { Loading } from "../../../../components/loading.tsx";
import { Timestamp } from "../../../../components/timestamp.tsx";
import { type Answer, call } from "../../../../server/client.ts";
import { messages } from "./messages.tsx";
import { DeliveryResponse, deliveryState } from "./delivery-answers.tsx";

const { delivery: log } = messages;

type Delivery = Answer<"GET /api/deliveries">["items"][number];

/** A delivery with its ID, the response to the last attempt, and the payload. */
export function DeliveryDetails({
  of,
  onClose,
}: {
  readonly of: Delivery;
  readonly onClose: () => void;
}) {
  const { notice_id, channel_id, event, channel, updated_at } = of;
  const { data, error } = useQuery({
    queryKey: ["GET /api/deliveries/:notice_id/:channel_id", notice_id, channel_id],
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
