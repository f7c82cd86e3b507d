import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { LogLine } from "#simulator/state/transaction-log.ts";
import { differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { reportOf, startSetup } from "../support/journey.ts";
import { documentOf, makeFile, runPayrun, type TestRow } from "../support/servers/payrun.ts";

const TIMEOUT_MS = 500;
/** The gateway checks the code, works for several timeouts, and only then stores the code. */
const WORK_MS = 16 * TIMEOUT_MS;
/** Covers the work after the timeout, as 15 minutes do for a real gateway. */
const RESEND_AFTER_MS = WORK_MS + 5_000;
/** The smallest possible setting: the code is sent again after two answers that do not show it. */
const TOO_SHORT_MS = 100;

/** Five payouts per lane: the number in flight before the gateway has answered one in time. */
const SLOW: readonly TestRow[] = (["INR", "THB", "PHP", "IDR"] as const).flatMap((currency) =>
  Array.from({ length: 5 }, (_, index) => ({ currency, code: `SLOW-${currency}-${index}` })),
);
/** On a separate lane, so no slow answer of the other lane extends its wait. */
const LOST: TestRow = { currency: "TRY", code: "LOST-1" };

/** Pays 20 payouts that take several timeouts, and one whose first request is lost. */
async function payAll(resendAfterMs: number) {
  const stage = await startSetup("postgres", {
    faults: [
      { fault: "slow_store", code: "SLOW-*", delay_ms: WORK_MS },
      { fault: "cut_before", code: "LOST-*", times: 1 },
    ],
  });
  try {
    const { path, totals } = makeFile(stage.folder, [...SLOW, LOST]);
    const env = {
      ...stage.env,
      GATEWAY_TIMEOUT_MS: String(TIMEOUT_MS),
      RESEND_AFTER_MS: String(resendAfterMs),
      // Otherwise the lane of a slow gateway stops, which protects its payouts even where the wait
      // is too short.
      CIRCUIT_BREAKERS: "late_sends=100",
    };
    const paid = await runPayrun(["pay", path, "--json", ...totals], env);
    const told = documentOf(paid);
    // The gateway finishes a second request after payrun has seen the first one settle.
    await sleep(WORK_MS + 500);
    const book = await stage.gateway.log();
    const { paid_twice: paidTwice } = await stage.gateway.summary();
    return { code: paid.code, told, book, paidTwice, report: await reportOf(told.batch_id, env) };
  } finally {
    await stage.stop();
  }
}

const eventsOf = (book: readonly LogLine[], code: string | undefined) =>
  book.filter(({ transaction_code }) => transaction_code === code);

test.concurrent("F55 sends each code once to a gateway that stores it after several timeouts, and repeats a lost request after the wait", async () => {
  const { code, told, book, paidTwice, report } = await payAll(RESEND_AFTER_MS);

  expect(paidTwice).toEqual([]);
  expect(told.states).toEqual({ settled: SLOW.length + 1 });
  expect(code).toBe(0);
  expect(differences(report, book)).toEqual(NO_DIFFERENCE);
  for (const { code: slow } of SLOW) {
    expect(eventsOf(book, slow).map(({ event }) => event)).toEqual(["accepted", "settled"]);
  }

  const lost = eventsOf(book, LOST.code);
  expect(lost.map(({ event }) => event)).toEqual(["request", "accepted", "settled"]);
  const [first, second] = lost;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(RESEND_AFTER_MS);
});

test.concurrent("accepts codes twice at the same gateway when RESEND_AFTER_MS is shorter than its work", async () => {
  const { paidTwice } = await payAll(TOO_SHORT_MS);
  expect(paidTwice.length).toBeGreaterThan(0);
});
