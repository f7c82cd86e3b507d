import { afterEach, beforeEach, expect, test } from "vitest";
import { type Clock, systemClock } from "#base/clock.ts";
import { sendPayout } from "#flows/payout/send.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { createGatewayClient } from "#gateway/client.ts";
import { decode } from "#gateway/wire/layout.ts";
import { ENDPOINTS } from "#gateway/wire/endpoints.ts";
import { roundAt } from "#jobs/submit.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { flowDeps, scriptedGateway } from "../../support/flow.ts";
import { transportOf } from "../../support/servers/transport.ts";
import {
  approvedBatch,
  claimOf,
  laneIn,
  openTestLedger,
  TEST_KEYRING,
  TEST_SEALER,
  type TestLedger,
} from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

const HOUR_MS = 3_600_000;
let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

/** A clock that can be set and that can sleep like a suspended machine. */
function settable() {
  const offset = { wallMs: 0, monotonicMs: 0 };
  const clock: Clock = {
    nowMs: () => systemClock.nowMs() + offset.wallMs,
    monotonicMs: () => systemClock.monotonicMs() + offset.monotonicMs,
    sleep: systemClock.sleep,
  };
  return { clock, offset };
}

/** Sends two payouts while the clock changes between their claim and the request. */
async function sendWhile(jump: (offset: ReturnType<typeof settable>["offset"]) => void) {
  const { clock, offset } = settable();
  const gateway = scriptedGateway();
  const ledger: Ledger = {
    ...open.ledger,
    payout: {
      ...open.ledger.payout,
      async openAttempts(claim) {
        const attempts = await open.ledger.payout.openAttempts(claim);
        jump(offset);
        return attempts;
      },
    },
  };
  const { deps } = flowDeps(ledger, gateway, clock);
  const { id } = await approvedBatch(open.ledger, rowsOf(2));
  await submitDue(
    { batchId: id, lane: laneIn("INR"), slot: 0, rank: 1, round: roundAt(clock.nowMs()) },
    // A deferred payout does not become due again during the test.
    { ...deps, timings: { ...deps.timings, random: () => 1 } },
  );
  const [progress] = await open.ledger.payout.progressOf(id);
  return { sent: gateway.sent.length, state: progress?.state };
}

test("F62 sends nothing when the clock is set forward, set back or suspended for long between claim and request", async () => {
  const asleep = await sendWhile((offset) => {
    offset.wallMs = -HOUR_MS;
    offset.monotonicMs = HOUR_MS;
  });
  // By either clock the claim is an hour old. The payout was not sent, so it is not in doubt, and
  // the next attempt sends it.
  expect(asleep).toEqual({ sent: 0, state: "approved" });
  expect(await sendWhile((offset) => (offset.wallMs = HOUR_MS))).toEqual({
    sent: 0,
    state: "approved",
  });
  // Set back this far, the clock hides how long the machine slept; the other clock does not show it
  // either.
  expect(await sendWhile((offset) => (offset.wallMs = -HOUR_MS))).toEqual({
    sent: 0,
    state: "approved",
  });
  expect(await sendWhile((offset) => (offset.wallMs = -100))).toEqual({
    sent: 2,
    state: "accepted",
  });
});

test("F12 keeps a payout in doubt that another worker marked so meanwhile, although this attempt was not sent", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  const gateway = scriptedGateway();
  const { deps } = flowDeps(open.ledger, gateway);
  const [attempt] = await open.ledger.payout.openAttempts({ ...claimOf(id), leaseMs: 0 });
  if (!attempt) throw new Error("nothing claimed");
  await open.ledger.payout.expireLeases(id);
  await sendPayout(attempt, { wallMs: 0, monotonicMs: 0 }, deps);
  expect((await open.ledger.payout.progressOf(id))[0]?.state).toBe("in_doubt");
  // Claimed to be sent again, and too late again: the first attempt may still have arrived.
  const [question] = await open.ledger.payout.claimStatusQueries({
    batchId: id,
    lane: laneIn("INR"),
    sizeMax: 1,
    leaseMs: 60_000,
  });
  if (!question) throw new Error("nothing to ask");
  const again = await open.ledger.payout.reopenAttempt(claimOf(id), question);
  if (!again) throw new Error("not claimed again");
  await sendPayout(again, { wallMs: 0, monotonicMs: 0 }, deps);
  expect((await open.ledger.payout.progressOf(id))[0]?.state).toBe("in_doubt");
  expect(gateway.sent).toEqual([]);
});

test("F62 never ends another worker's lease early because of a wrong clock", async () => {
  const { clock, offset } = settable();
  offset.wallMs = 24 * HOUR_MS;
  const wrong = createLedger(open.database, TEST_SEALER, clock);
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  await open.ledger.payout.openAttempts(claimOf(id));
  expect(await wrong.payout.expireLeases(id)).toBe(0);
  expect(await wrong.payout.openAttempts(claimOf(id))).toEqual([]);
});

test("F63 F115 stamps each attempt when it is sent, however long the payout has waited", async () => {
  const { clock, offset } = settable();
  const merchant = TEST_KEYRING.forCurrency("INR");
  if (!merchant) throw new Error("the demo merchants pay INR");
  const stamps: number[] = [];
  const client = createGatewayClient(
    {
      url: "http://gateway",
      keyring: TEST_KEYRING,
      timeoutMs: 1_000,
      payoutLayout: "name=value",
      escaping: "none",
      maxSockets: 1,
      clock,
      userAgent: "test",
    },
    transportOf({
      async post(_url, _contentType, body) {
        const { key } = JSON.parse(body) as { key: string };
        const text = TEST_KEYRING.cipherOf(merchant).open(decodeURIComponent(key));
        const fields =
          text.ok &&
          decode(text.value, ENDPOINTS.payout, { layout: "name=value", escaping: "none" });
        if (!fields || !fields.ok) throw new Error("the request does not open");
        stamps.push(Number(fields.value.get("transaction_timestamp")));
        return { status: 500, body: "", headers: {} };
      },
      get: () => Promise.reject(new Error("unexpected read")),
    }),
  );
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  const [attempt] = await open.ledger.payout.openAttempts(claimOf(id));
  if (!attempt) throw new Error("nothing claimed");
  for (const wallMs of [0, 2 * HOUR_MS, -HOUR_MS]) {
    offset.wallMs = wallMs;
    await client.submitPayout(attempt.order);
    expect(Math.abs((stamps.at(-1) ?? 0) * 1_000 - clock.nowMs())).toBeLessThan(60_000);
  }
  expect(stamps).toHaveLength(3);
});
