/**
 * A worker that is assembled like any other and then kills itself with SIGKILL at one exact step:
 * before, during or after the n-th call of one boundary that concerns the payouts of one batch. The
 * product contains no hook for this.
 */
import { readConfig } from "#app/config.ts";
import type { PayDeps } from "#flows/deps.ts";
import { openPayrun } from "#app/wiring.ts";
import { startWorkers } from "#workers/workers.ts";
import type { Boundary, Kill } from "./kill-table.ts";

const kill = JSON.parse(process.argv[2] ?? "{}") as Kill & { readonly batchId: string };
const payrun = await openPayrun(readConfig());
const { ledger, gateway, hints } = payrun.deps;

const mine = await payrun.database
  .selectFrom("payouts as p")
  .innerJoin("payout_details as d", "d.payout_id", "p.id")
  .select(["p.id", "d.transaction_code"])
  .where("p.batch_id", "=", kill.batchId)
  .execute();
const ids = new Set(mine.map(({ id }) => id));
const codes = new Set(mine.map((row) => row.transaction_code));

function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;); // the signal takes effect before the next line would run
}

let calls = 0;
/** Whether to die at this call. */
const isIt = (boundary: Boundary, concerned: boolean): boolean => {
  if (boundary !== kill.boundary || !concerned) return false;
  calls += 1;
  return calls === (kill.nth ?? 1);
};

async function around<T>(
  boundary: Boundary,
  concerned: boolean,
  call: () => Promise<T>,
): Promise<T> {
  if (!isIt(boundary, concerned)) return call();
  if (kill.when === "before") die();
  // The request is sent, and the answer has not arrived.
  if (kill.when === "during") setTimeout(die, 250);
  const result = await call();
  die();
  return result;
}

const deps: PayDeps = {
  ...payrun.deps,
  ledger: {
    ...ledger,
    payout: {
      ...ledger.payout,
      // Other workers wait until theirs dies at this call.
      workingBatches: async () =>
        (await ledger.payout.workingBatches()).filter(({ id }) => id === kill.batchId),
      openAttempts: (claim) =>
        around("openAttempts", claim.batchId === kill.batchId, () =>
          ledger.payout.openAttempts(claim),
        ),
      reopenAttempt: (claim, payout) =>
        around("reopenAttempt", ids.has(payout.payoutId), () =>
          ledger.payout.reopenAttempt(claim, payout),
        ),
      claimStatusQueries: (take) =>
        around("takeQuestions", take.batchId === kill.batchId, () =>
          ledger.payout.claimStatusQueries(take),
        ),
      move: (move) => {
        const boundary =
          move.evidence?.kind === "status" ? "move after status" : "move after answer";
        return around(boundary, ids.has(move.payoutId), () => ledger.payout.move(move));
      },
      stopLane: (lane, stop) => around("stopLane", true, () => ledger.payout.stopLane(lane, stop)),
      finishBatch: (id) =>
        around("finishBatch", id === kill.batchId, () => ledger.payout.finishBatch(id)),
    },
  },
  gateway: {
    ...gateway,
    submitPayout: (order) =>
      around("submitPayout", codes.has(order.transactionCode), () => gateway.submitPayout(order)),
    status: (currency, code) =>
      around("status", codes.has(code), () => gateway.status(currency, code)),
  },
  hints: { add: (job, payloads) => around("hints.add", true, () => hints.add(job, payloads)) },
};

startWorkers({ ...payrun, deps });
