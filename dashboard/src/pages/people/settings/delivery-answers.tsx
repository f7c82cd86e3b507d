import { Text } from "@mantine/core";
import type { Answer } from "../../../server/client.ts";
import { isWaiting } from "./delivery-of-test.ts";
import { messages } from "./messages.tsx";

const texts = messages.notifications;

type Delivery = Answer<"GET /api/deliveries">["items"][number];

/** Errors of a connection as the operating system names them, and their meaning. */
const CAUSES = Object.entries(texts.causes);

/** The last answer in words that need no knowledge of networks. The title has the error itself. */
export function DeliveryAnswer({ answer }: Pick<Delivery, "answer">) {
  if (answer === null) return texts.noAnswer;
  const known = CAUSES.find(([code]) => answer.includes(code));
  return known ? <span title={answer}>{known[1]}</span> : answer;
}

/** The result of the last test of a channel. Null: the reader has not tested it on this page. */
export function TestResult({ of }: { readonly of: Delivery | "sending" | null }) {
  if (of === null) return null;
  return (
    <Text size="sm" role="status" component="div">
      {of === "sending" || isWaiting(of) ? (
        texts.testWaiting
      ) : of.state === "delivered" ? (
        texts.testDelivered
      ) : (
        <>
          {texts.testFailed} <DeliveryAnswer answer={of.answer} />
        </>
      )}
    </Text>
  );
}
