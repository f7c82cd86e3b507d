import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { PayDeps } from "#flows/deps.ts";
import type { PayoutClient, PayoutAttempt } from "#gateway/client.ts";
import type { PayoutLedger } from "#ledger/payout-ledger.ts";
import type { Outcome } from "#payout/outcome.ts";
import { runCampaign } from "#proof/simulation/campaign.ts";
import { runOnce } from "#proof/simulation/run/run.ts";

const PAYOUTS = 100;

async function eventsOf(seed: number): Promise<{ hash: string; lines: number }> {
  const hash = createHash("sha256");
  let lines = 0;
  await runOnce(seed, PAYOUTS, (line) => {
    hash.update(`${line}\n`);
    lines += 1;
  });
  return { hash: hash.digest("hex"), lines };
}

/** The first seed whose run breaks an invariant with this change, and that invariant. */
async function caught(change: (deps: PayDeps) => PayDeps): Promise<string | undefined> {
  for (let seed = 1; seed <= 30; seed += 1) {
    const { violation } = await runOnce(seed, PAYOUTS, null, change);
    if (violation) return violation.invariant;
  }
  return undefined;
}

const withGateway =
  (gatewayOf: (gateway: PayoutClient) => Partial<PayoutClient>) =>
  (deps: PayDeps): PayDeps => ({
    ...deps,
    gateway: { ...deps.gateway, ...gatewayOf(deps.gateway) },
  });
const withPayout =
  (changed: (payout: PayoutLedger) => Partial<PayoutLedger>) =>
  (deps: PayDeps): PayDeps => {
    const { payout } = deps.ledger;
    return { ...deps, ledger: { ...deps.ledger, payout: { ...payout, ...changed(payout) } } };
  };
const reading = (submission: PayoutAttempt, read: (outcome: Outcome) => Outcome): PayoutAttempt =>
  submission.kind === "attempted"
    ? { ...submission, outcome: read(submission.outcome) }
    : submission;

describe("the simulation", () => {
  test("pays nothing twice and loses nothing", async () => {
    const { totals, failure } = await runCampaign({ seed: 1, runs: 60, payouts: PAYOUTS });
    expect(failure).toBeNull();
    expect(totals).toMatchObject({ runs: 60, payouts: 60 * PAYOUTS, paidTwice: 0, lost: 0 });
    expect(totals.crashes).toBeGreaterThan(500);
    expect(totals.states["settled"]).toBeGreaterThan(3_000);
  });

  test("repeats a run from its seed, event by event", async () => {
    const events = await eventsOf(7);
    expect(events.lines).toBeGreaterThan(1_000);
    expect(await eventsOf(7)).toEqual(events);
    expect(await eventsOf(8)).not.toEqual(events);
  });

  test("produces the same totals with one thread and with two", async () => {
    const campaign = { seed: 40, runs: 6, payouts: 20 };
    expect(await runCampaign(campaign, 1)).toEqual(await runCampaign(campaign, 2));
  });
});

describe("the checker detects", () => {
  test("silence that is read as a refusal", async () => {
    const change = withGateway((gateway) => ({
      submitPayout: async (order) =>
        reading(await gateway.submitPayout(order), (outcome) =>
          outcome.kind === "in_doubt"
            ? { kind: "declined", code: "000", text: "no answer" }
            : outcome,
        ),
    }));
    expect(await caught(change)).toBe("I9");
  });

  test("another code for the second attempt", async () => {
    const change = withPayout(({ reopenAttempt }) => ({
      async reopenAttempt(...claimed) {
        const attempt = await reopenAttempt(...claimed);
        return attempt && { ...attempt, order: { ...attempt.order, transactionCode: "PRNEW" } };
      },
    }));
    expect(await caught(change)).toBe("I5");
  });

  test("a discarded answer, and its payout with it", async () => {
    const change = withPayout((payout) => ({
      move: (move) => (move.event === "settle" ? Promise.resolve(true) : payout.move(move)),
    }));
    expect(await caught(change)).toBe("I2");
  });

  test("unlimited concurrent requests", async () => {
    const change = (deps: PayDeps): PayDeps => ({
      ...deps,
      slots: {
        acquire: async (wish: number) => wish,
        release: () => {},
        trackInFlight: <T>(work: () => Promise<T>) => work(),
      } as unknown as PayDeps["slots"],
    });
    expect(await caught(change)).toBe("I13");
  });
});
