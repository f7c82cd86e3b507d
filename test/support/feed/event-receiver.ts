/** A receiver of webhooks, which records what it hears. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { insertChannel } from "#ledger/notification/channels.ts";
import { signatureOf } from "#notification/webhook.ts";
import { claimOf, type TestLedger } from "../ledger.ts";
import { moveOf } from "../ledger-steps.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** An event as the receiver heard it. */
export interface HeardEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly isSigned: boolean;
}

export interface EventReceiver {
  /** The events in the order of their arrival. */
  readonly heard: HeardEvent[];
  readonly url: string;
  /** Sets the status with which events of a type are answered. At first, 200 for all. */
  answer(statusOf: (type: string) => number): void;
  close(): void;
}

/** Starts a receiver on a free port. */
export async function startEventReceiver(): Promise<EventReceiver> {
  const heard: HeardEvent[] = [];
  let answerTo: (type: string) => number = () => 200;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      const { id, type, data } = JSON.parse(body);
      const atSeconds = Number(request.headers["webhook-timestamp"]);
      const signature = signatureOf({ id, atSeconds, body }, SECRET);
      const isSigned =
        request.headers["webhook-signature"] === signature && request.headers["webhook-id"] === id;
      heard.push({ id, type, data, isSigned });
      response.writeHead(answerTo(type)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer: (statusOf) => (answerTo = statusOf),
    close: () => server.close(),
  };
}

/** Adds a webhook that wants these events. */
export const addWebhook = (
  { database, sealer }: Pick<TestLedger, "database" | "sealer">,
  target: string,
  events: readonly string[],
  id = "CH1",
): Promise<void> =>
  insertChannel(database, sealer, {
    id,
    name: id,
    kind: "webhook",
    target,
    events,
    secret: SECRET,
    actor: "user:US1",
    at: new Date(),
  });

/** Settles all payouts of a batch, and finishes it. */
export async function settleBatch({ ledger }: TestLedger, batchId: string): Promise<void> {
  const { payout } = ledger;
  for (const attempt of await payout.openAttempts(claimOf(batchId))) {
    await payout.move(moveOf(attempt));
    const { seq } = attempt;
    const accepted = { seq: seq + 1, from: "accepted", evidence: null } as const;
    await payout.move(moveOf(attempt, { ...accepted, event: "settle" }));
  }
  await payout.finishBatch(batchId);
}
