import { Text } from "@mantine/core";
import type { Answer } from "../../../../server/client.ts";
import { isWaiting } from "./delivery-of-test.ts";
import { messages } from "./messages.tsx";

const { delivery: log } = messages;

type Delivery = Answer<"GET /api/deliveries">["items"][number];

/** Errors of a connection as the operating system names them, and their meaning. */
const CAUSES = Object.entries(messages.causes);

/** The last answer in words that need no knowledge of networks. The title has the error itself. */
function DeliveryAnswer({ answer }: Pick<Delivery, "answer">) {
  if (answer === null) return messages.noAnswer;
  const known = CAUSES.find(([code]) => answer.includes(code));
  return known ? <span title={answer}>{known[1]}</span> : answer;
}

/** The state of a delivery with its number of attempts. */
export const deliveryState = ({ state, attempts }: Pick<Delivery, "state" | "attempts">): string =>
  `${messages.states[state]}${attempts > 0 ? messages.attempts(attempts) : ""}`;

/** The response to the last attempt: its status or error, and the beginning of its body. */
export const DeliveryResponse = ({
  of: { answer, answer_body },
}: {
  readonly of: Pick<Delivery, "answer" | "answer_body">;
}) => (
  <>
    <DeliveryAnswer answer={answer} />
    {answer_body === null ? null : (
      <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
        {log.body(answer_body)}
      </Text>
    )}
  </>
);

/** The result of the last test of a channel. Null: the reader has not tested it on this page. */
export function TestResult({ of }: { readonly of: Delivery | "sending" | null }) {
  if (of === null) return null;
  return (
    <Text size="sm" role="status" component="div">
      {of === "sending" || isWaiting(of) ? (
        messages.testWaiting
      ) : of.state === "delivered" ? (
        messages.testDelivered
      ) : (
        <>
          {messages.testFailed} <DeliveryAnswer answer={of.answer} />
        </>
      )}
    </Text>
  );
}
