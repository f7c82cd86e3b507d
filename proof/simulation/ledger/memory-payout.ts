import type { Claim } from "#ledger/payout/claim-statement.ts";
import { GroupedClaims } from "#ledger/payout/grouped-claims.ts";
import type { Move } from "#ledger/ledger.ts";
import type { ActionLedger } from "#ledger/action-ledger.ts";
import type { PayoutLedger } from "#ledger/payout-ledger.ts";
import { GroupCommit } from "#ledger/store/group-commit.ts";
import { err } from "#base/result.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";
import * as batches from "./batches.ts";
import type { Connection } from "./connection.ts";
import * as paces from "./rate-limit.ts";
import { circuitBreakerFunctions, laneFunctions } from "./memory-lanes.ts";
import * as actions from "./payout-actions.ts";
import * as resolutions from "./payout-resolutions.ts";
import * as payouts from "./payouts.ts";
import * as questions from "./status-queries.ts";
import * as remainders from "./retry-batches.ts";

/** The functions that pay: statements in memory, behind the product's own grouping and retries. */
export const memoryPayout = (connection: Connection): PayoutLedger => ({
  ...batchFunctions(connection),
  ...sendFunctions(connection),
  ...queryFunctions(connection),
  ...laneFunctions(connection),
  ...actionFunctions(connection),
  ...circuitBreakerFunctions(connection),
});

const actionFunctions = (connection: Connection): ActionLedger => {
  const { tables, nowMs, call, guarded } = connection;
  return {
    previewAction: (order) => {
      const at = connection.at();
      return call("preview action", () => actions.previewAction(tables, { ...order, at }));
    },
    applyAction: (order) => {
      const at = connection.at();
      return guarded("apply action", err("ledger_frozen"), () =>
        actions.applyAction(tables, { ...order, at }, nowMs()),
      );
    },
    assignPayouts: () => Promise.reject(new Error("the simulation assigns no payouts")),
    decideAction: (decision) => {
      const at = connection.at();
      type Decided = Awaited<ReturnType<ActionLedger["decideAction"]>>;
      return guarded<Decided>("decide action", err("ledger_frozen"), () =>
        resolutions.decideAction(tables, { ...decision, at }, nowMs()),
      );
    },
  };
};

type BatchFunctions = Pick<
  PayoutLedger,
  | "declinedRows"
  | "retryBatchesOf"
  | "holdInvalidRetries"
  | "findBatch"
  | "workingBatches"
  | "moveBatch"
  | "setPriority"
  | "cancelRest"
  | "cancelDeferred"
  | "finishBatch"
  | "progressOf"
  | "dueWork"
>;

const batchFunctions = (connection: Connection): BatchFunctions => {
  const { tables, nowMs, call, guarded } = connection;
  return {
    declinedRows: (page) => call("declined rows", () => remainders.declinedRows(tables, page)),
    retryBatchesOf: (id) => call("remainders", () => remainders.findRetryBatches(tables, id)),
    holdInvalidRetries: (id) =>
      call("hold overtaken", () => payouts.holdInvalidRetries(tables, id)),
    findBatch: (by) => call("find batch", () => batches.findBatch(tables, by)),
    workingBatches: () => call("working batches", () => batches.workingBatches(tables, nowMs())),
    moveBatch: (move) => {
      const when = connection.at();
      const effect = () => batches.moveBatch(tables, move, when, nowMs());
      return move.event === "cancel" ? guarded("cancel", null, effect) : call(move.event, effect);
    },
    setPriority: (order) => call("set priority", () => batches.setPriority(tables, order)),
    cancelRest: (cancel) =>
      guarded("cancel rest", null, () => batches.cancelRest(tables, cancel, nowMs())),
    cancelDeferred: (id) =>
      guarded("cancel deferred", 0, () => batches.cancelDeferred(tables, id, nowMs())),
    finishBatch: (id) => {
      const when = connection.at();
      return call("finish batch", () => batches.finishBatch(tables, id, when, nowMs()));
    },
    progressOf: (id) => call("progress", () => batches.progressOf(tables, id)),
    dueWork: (id, lane, sizeMax) =>
      call("due work", () => batches.dueWork(tables, id, lane, sizeMax, nowMs())),
  };
};

function sendFunctions(
  connection: Connection,
): Pick<PayoutLedger, "openAttempts" | "nextTurn" | "reopenAttempt" | "move"> {
  const { tables, nowMs, call, patiently, guarded } = connection;
  const moves = new GroupCommit<Move, boolean>((group) =>
    patiently("move", () => payouts.makeMoves(tables, group, nowMs())),
  );
  const moveEnded = (move: Move) => {
    const when = connection.at();
    return patiently("move", () => {
      const [made = false] = payouts.makeMoves(tables, [move], nowMs());
      const batchId = tables.payouts[move.payoutId - 1]?.batchId;
      if (made && batchId) batches.finishBatch(tables, batchId, when, nowMs());
      return made;
    });
  };
  const claims = new GroupedClaims((claim: Claim) =>
    guarded("claim", [], () =>
      paces.inTurn(tables, claim, claim.sizeMax, nowMs(), (sizeMax) => {
        const doubtIn = () => batches.inDoubtTotal(tables, claim.lane);
        return payouts.openAttempts(tables, { ...claim, sizeMax }, nowMs(), doubtIn);
      }),
    ),
  );
  return {
    openAttempts: (claim) => claims.add(claim),
    nextTurn: (id, lane) => call("next turn", () => paces.nextTurn(tables, id, lane, nowMs())),
    reopenAttempt: (claim, payout) =>
      guarded("claim again", null, () => {
        const again = () => payouts.reopenAttempt(tables, claim, payout, nowMs());
        const [opened] = paces.inTurn(tables, claim, 1, nowMs(), () => [again() ?? []].flat());
        return opened ?? null;
      }),
    move: (move) => (move.event !== null && isFinal(move.from) ? moveEnded(move) : moves.add(move)),
  };
}

type QueryFunctions = Pick<
  PayoutLedger,
  | "claimStatusQueries"
  | "claimRepeatedCodeChecks"
  | "scheduleRepeatedCodeCheck"
  | "findStatusQuery"
  | "expireLeases"
  | "recordCallback"
  | "makeStatusQueryDue"
>;

const queryFunctions = ({ tables, nowMs, call }: Connection): QueryFunctions => ({
  claimStatusQueries: (take) =>
    call("take questions", () => questions.claimStatusQueries(tables, take, nowMs())),
  claimRepeatedCodeChecks: (take) =>
    call("take checks", () => questions.claimRepeatedCodeChecks(tables, take, nowMs())),
  scheduleRepeatedCodeCheck: (payoutId, inMs) =>
    call("note check", () => questions.scheduleRepeatedCodeCheck(tables, payoutId, inMs, nowMs())),
  findStatusQuery: (code) =>
    call("question about", () => questions.findStatusQuery(tables, code, nowMs())),
  expireLeases: (id) => call("expire leases", () => payouts.expireLeases(tables, id, nowMs())),
  recordCallback: (callback) =>
    call("record callback", () => payouts.recordCallback(tables, callback)),
  makeStatusQueryDue: (payoutId) =>
    call("ask now", () => payouts.makeStatusQueryDue(tables, payoutId, nowMs())),
});
