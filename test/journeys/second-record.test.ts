import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { insertChannel } from "#ledger/notification/channels.ts";
import { eventually } from "../support/servers/eventually.ts";
import { startSetup } from "../support/journey.ts";
import { openTestLedger } from "../support/ledger.ts";
import { type Env, makeFile, runPayrun, startServe } from "../support/servers/payrun.ts";
import { query } from "../support/servers/postgres.ts";

/**
 * Time in milliseconds after which the gateway stores a code. Each code is sent a second time
 * meanwhile, which takes about one second, and several on a busy machine.
 */
const WORK_MS = 10_000;
const SETTLE_MS = 3_000;
/** The second request of a code is stored long after the first one has settled. */
const LONG_WORK_MS = WORK_MS + 2 * SETTLE_MS;

interface Row extends Record<string, unknown> {
  readonly code: string;
  readonly state: string;
  readonly reason: string;
  readonly before: string;
}

/** Payouts with their previous state. */
const PAYOUTS = `select d.transaction_code as code, p.state, p.reason,
    (select from_state from transitions where payout_id = p.id order by seq desc limit 1) as before
  from payouts p join payout_details d on d.payout_id = p.id order by code`;

/** A webhook that stores what it receives. */
async function openReceiver() {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const keep = async () => {
      heard.push(await text(request));
      response.end();
    };
    void keep();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { heard, server, url: `http://127.0.0.1:${port}/hook` };
}

test("F55 holds and reports a code that the gateway stored twice, even when the second record appears after the payout has settled", async () => {
  const stage = await startSetup("postgres", {
    settleMs: SETTLE_MS,
    faults: [
      { fault: "slow_store", code: "LATER", first: 1, delay_ms: WORK_MS },
      { fault: "slow_store", code: "LATER", delay_ms: LONG_WORK_MS },
      { fault: "slow_store", code: "SOON", delay_ms: WORK_MS },
    ],
  });
  const env: Env = {
    ...stage.env,
    GATEWAY_TIMEOUT_MS: "500",
    RESEND_AFTER_MS: "100",
    CIRCUIT_BREAKERS: "late_sends=100",
    WEBHOOK_ALLOW_PRIVATE: "yes",
  };
  const receiver = await openReceiver();
  const afterwards: (() => Promise<unknown>)[] = [];
  try {
    const { server } = await startServe(env);
    afterwards.push(() => server.end("SIGTERM"));
    const { DATABASE_URL = "" } = env;
    const { database, sealer, close } = await openTestLedger(DATABASE_URL);
    await database.transaction().execute((transaction) =>
      insertChannel(transaction, sealer, {
        id: "CH1",
        name: "on call",
        kind: "webhook",
        target: receiver.url,
        events: ["alarm_raised"],
        secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
        actor: "user:US1",
        at: new Date(),
      }),
    );
    await close();
    const { path, totals } = makeFile(stage.folder, [
      { code: "LATER", currency: "TRY" },
      { code: "ONCE", currency: "INR" },
      { code: "SOON", currency: "THB" },
    ]);
    expect((await runPayrun(["pay", path, "--no-wait", ...totals], env)).code).toBe(0);

    const payouts = () => query<Row>(DATABASE_URL, PAYOUTS);
    await eventually(
      "both are on hold",
      async () => (await payouts()).filter(({ state }) => state === "on_hold").length === 2,
    );
    const twice = /^(?:two_records|accepted_twice)/;
    expect(await payouts()).toMatchObject([
      { code: "LATER", state: "on_hold", before: "settled", reason: expect.stringMatching(twice) },
      { code: "ONCE", state: "settled" },
      { code: "SOON", state: "on_hold", reason: expect.stringMatching(twice) },
    ]);
    expect((await stage.gateway.summary()).paid_twice.toSorted()).toEqual(["LATER", "SOON"]);
    await eventually("the alarm is notified", async () =>
      receiver.heard.some((body) => JSON.parse(body).data.object === "possible_double_payment"),
    );
  } finally {
    for (const end of afterwards) await end();
    receiver.server.close();
    await stage.stop();
  }
});
