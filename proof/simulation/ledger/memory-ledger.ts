import { createHmac } from "node:crypto";
import type { Clock } from "#base/clock.ts";
import { withPatience } from "#ledger/store/database.ts";
import { GroupCommit } from "#ledger/store/group-commit.ts";
import { GroupedClaims } from "#ledger/payout/grouped-claims.ts";
import { Endings, MarkBuffer } from "#ledger/payout/lane/lane-health.ts";
import { LongestTimes } from "#ledger/payout/lane/processing-times.ts";
import type { NewBatch } from "#ledger/intake/ingest.ts";
import { rowCodes } from "#ledger/intake/transaction-codes.ts";
import type { RowWriter } from "#ledger/intake/row-writer.ts";
import type { Ledger, Move } from "#ledger/ledger.ts";
import { NotPayableAgain } from "#ledger/payout/retry-batches.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";
import * as batches from "./batches.ts";
import * as canaries from "./canaries.ts";
import * as epochs from "./epoch.ts";
import * as ingest from "./ingest.ts";
import * as lanes from "./lanes.ts";
import * as paces from "./lane-pace.ts";
import * as payouts from "./payouts.ts";
import * as questions from "./questions.ts";
import * as remainders from "./remainders.ts";
import * as sendings from "./sendings.ts";
import { emptyTables, type Tables } from "./tables.ts";

/**
 * The ledger's content in memory. It receives the time, and changes only inside a call of one of
 * its clients.
 */
export class MemoryLedger {
  readonly tables: Tables = emptyTables();
  readonly nowMs: () => number;
  readonly locks = new Map<string, object>();
  /** A different number is a different server with another history of the ledger. */
  server = 1;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }
}

/** One process and its connection to the ledger. */
export interface LedgerClient {
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  /** Holds the locks that it takes; equal objects are one process. */
  readonly holder: object;
  /** Carries a statement to the ledger and its result back. Faults strike here. */
  call<T>(statement: string, effect: () => T): Promise<T>;
}

const PATIENCE_MS = 30_000;

/**
 * The ledger as one process sees it: statements in memory, behind the product's own grouping and
 * retries.
 */
export function memoryLedger(memory: MemoryLedger, client: LedgerClient): Ledger {
  const { tables, nowMs, locks } = memory;
  const { clock, holder } = client;
  const call = <T>(statement: string, effect: () => T) => client.call(statement, effect);
  const at = () => new Date(clock.nowMs());
  const patiently = <T>(statement: string, effect: () => T) =>
    withPatience(
      PATIENCE_MS,
      (delayMs) => clock.sleep(delayMs),
      () => call(statement, effect),
    );
  const moves = new GroupCommit<Move, boolean>((group) =>
    patiently("move", () => payouts.makeMoves(tables, group, nowMs())),
  );
  const moveEnded = (move: Move) => {
    const when = at();
    return patiently("move", () => {
      const [made = false] = payouts.makeMoves(tables, [move], nowMs());
      const batchId = tables.payouts[move.payoutId - 1]?.batchId;
      if (made && batchId) batches.finishBatch(tables, batchId, when, nowMs());
      return made;
    });
  };
  const marks = new MarkBuffer((lane, added) =>
    call("add marks", () => lanes.addMarks(tables, lane, added, nowMs())),
  );
  const endings = new Endings(clock.nowMs, (lane) =>
    call("note ending", () => {
      tables.endings.set(lane, nowMs());
    }),
  );
  const longest = new LongestTimes(clock.nowMs, (lane, tookMs) =>
    call("note processing", () => questions.noteProcessing(tables, lane, tookMs, nowMs())),
  );
  let verified: epochs.Verified | null = null;
  let hasLooked = false;
  const verify = async () => {
    const { freeze, server, epoch } = await call("verify", () => {
      const found = epochs.verify(tables, memory.server, nowMs());
      return { freeze: found, server: memory.server, epoch: tables.epoch.number };
    });
    hasLooked = true;
    verified = freeze ? null : { server, epoch };
    return freeze;
  };
  /** Applies the effect if this process may send, as part of the same statement. */
  const guarded = async <T>(statement: string, closed: T, effect: () => T): Promise<T> => {
    if (!hasLooked) await verify();
    return call(statement, () =>
      epochs.maySend(tables, memory.server, verified) ? effect() : closed,
    );
  };
  const claims = new GroupedClaims((claim) =>
    guarded("claim", [], () =>
      paces.inTurn(tables, claim, claim.sizeMax, nowMs(), (sizeMax) => {
        const doubtIn = () => batches.doubtIn(tables, claim.lane);
        return payouts.openAttempts(tables, { ...claim, sizeMax }, nowMs(), doubtIn);
      }),
    ),
  );

  return {
    async createBatch(batch, fill) {
      if (batch.remainder && !hasLooked) await verify();
      const isTrusted = () => !batch.remainder || epochs.maySend(tables, memory.server, verified);
      return createBatch(memory, client, batch, fill, isTrusted);
    },
    declinedRows: (page) => call("declined rows", () => remainders.declinedRows(tables, page)),
    remaindersOf: (id) => call("remainders", () => remainders.remaindersOf(tables, id)),
    holdOvertaken: (id) => call("hold overtaken", () => payouts.holdOvertaken(tables, id)),
    findBatch: (by) => call("find batch", () => batches.findBatch(tables, by)),
    workingBatches: () => call("working batches", () => batches.workingBatches(tables, nowMs())),
    moveBatch: (move) => {
      const when = at();
      const effect = () => batches.moveBatch(tables, move, when, nowMs());
      return move.event === "cancel" ? guarded("cancel", null, effect) : call(move.event, effect);
    },
    // Restores that lose whole batches are tested with real ledgers.
    remember: async () => {},
    memorySince: async () => null,
    quarantineOf: async () => [],
    setPriority: (order) => call("set priority", () => batches.setPriority(tables, order)),
    cancelRest: (cancel) =>
      guarded("cancel rest", null, () => batches.cancelRest(tables, cancel, nowMs())),
    cancelDeferred: (id) =>
      guarded("cancel deferred", 0, () => batches.cancelDeferred(tables, id, nowMs())),
    finishBatch: (id) => {
      const when = at();
      return call("finish batch", () => batches.finishBatch(tables, id, when, nowMs()));
    },
    progressOf: (id) => call("progress", () => batches.progressOf(tables, id)),
    dueWork: (id, lane, sizeMax) =>
      call("due work", () => batches.dueWork(tables, id, lane, sizeMax, nowMs())),

    verify,
    freeze: (order) => call("freeze", () => epochs.freeze(tables, order, nowMs())),
    unfreeze: (order) => call("unfreeze", () => epochs.unfreeze(tables, order)),
    askedPerLane: () => call("asked per lane", () => epochs.askedPerLane(tables)),
    takeUnasked: (take) => call("take unasked", () => epochs.takeUnasked(tables, take, nowMs())),

    openAttempts: (claim) => claims.add(claim),
    nextTurn: (id, lane) => call("next turn", () => paces.nextTurn(tables, id, lane, nowMs())),
    reopenAttempt: (claim, payout) =>
      guarded("claim again", null, () => {
        const again = () => payouts.reopenAttempt(tables, claim, payout, nowMs());
        const [opened] = paces.inTurn(tables, claim, 1, nowMs(), () => [again() ?? []].flat());
        return opened ?? null;
      }),
    move: (move) => (move.event !== null && isFinal(move.from) ? moveEnded(move) : moves.add(move)),

    takeQuestions: (take) =>
      call("take questions", () => questions.takeQuestions(tables, take, nowMs())),
    takeChecks: (take) => call("take checks", () => questions.takeChecks(tables, take, nowMs())),
    noteCheck: (payoutId, inMs) =>
      call("note check", () => questions.noteCheck(tables, payoutId, inMs, nowMs())),
    questionAbout: (code) =>
      call("question about", () => questions.questionAbout(tables, code, nowMs())),
    expireLeases: (id) => call("expire leases", () => payouts.expireLeases(tables, id, nowMs())),
    recordCallback: (callback) =>
      call("record callback", () => payouts.recordCallback(tables, callback)),
    askNow: (payoutId) => call("ask now", () => payouts.askNow(tables, payoutId, nowMs())),

    stopLane: (lane, stop) =>
      call("stop lane", () => {
        paces.slowLane(tables, lane, stop, nowMs());
        return lanes.stopLane(tables, lane, stop, nowMs());
      }),
    openLanes: (names, by) =>
      call("open lanes", () => {
        paces.startSlowly(tables, names, nowMs());
        return lanes.openLanes(tables, names, nowMs(), by);
      }),
    stoppedLanes: () => call("stopped lanes", () => lanes.stoppedLanes(tables)),
    endTrial: (lane, isAnswered) =>
      call("end trial", () => {
        paces.startSlowly(tables, [lane], nowMs());
        return lanes.endTrial(tables, lane, isAnswered, nowMs());
      }),
    noteMark: (lane, mark) => marks.add(lane, mark),
    noteUnread: (lane, answer) => call("note unread", () => lanes.noteUnread(tables, lane, answer)),
    doubtIn: (lane) => call("doubt in lane", () => batches.doubtIn(tables, lane)),
    noteProcessing: (lane, tookMs) => longest.note(lane, tookMs),
    slowestIn: (lane) => call("slowest in lane", () => questions.slowestIn(tables, lane, nowMs())),
    noteEnding: (lane) => endings.note(lane),
    unendedIn: (asked) => call("unended in lane", () => batches.unendedIn(tables, asked, nowMs())),

    setCanary: (order) => call("set canary", () => canaries.setCanary(tables, order)),
    canaries: (id) => call("canaries", () => canaries.canaries(tables, id, nowMs())),
    releaseCanaries: (order) => {
      const when = at();
      return call("release canaries", () => canaries.releaseCanaries(tables, order, when, nowMs()));
    },
    failCanary: (order) => {
      const when = at();
      return call("fail canary", () => canaries.failCanary(tables, order, when, nowMs()));
    },

    pauseLane: (order) => call("pause lane", () => lanes.pauseLane(tables, order, nowMs())),
    resumeLane: (order) => call("resume lane", () => lanes.resumeLane(tables, order, nowMs())),
    limitLane: (order) => call("limit lane", () => paces.limitLane(tables, order, nowMs())),
    pacedLanes: () => call("paced lanes", () => paces.pacedLanes(tables, nowMs())),
    lanePauses: () => call("lane pauses", () => lanes.lanePauses(tables, nowMs())),

    dueSendings: () => call("due sendings", () => sendings.dueSendings(tables, nowMs())),
    settleSending: (settled) =>
      call("settle sending", () => sendings.settleSending(tables, settled, nowMs())),
    changeSending: (change) =>
      call("change sending", () => sendings.changeSending(tables, change, nowMs())),

    async alone(lock, work) {
      const isMine = await call("lock", () => {
        if (locks.has(lock)) return false;
        locks.set(lock, holder);
        return true;
      });
      if (!isMine) return null;
      try {
        return await work();
      } finally {
        // A broken connection has released its locks.
        await call("unlock", () => locks.delete(lock)).catch(() => locks.delete(lock));
      }
    },
  };
}

const keyed = (text: string) => createHmac("sha256", "the key of the ledger").update(text).digest();

async function createBatch(
  { tables, nowMs }: MemoryLedger,
  client: LedgerClient,
  batch: NewBatch,
  fill: (writer: RowWriter) => Promise<Readonly<Record<string, unknown>>>,
  isTrusted: () => boolean,
): Promise<{ id: string; isNew: boolean }> {
  const draft: ingest.Draft = { ...batch, payouts: [], rejected: [] };
  const { digest } = batch;
  const writer: RowWriter = {
    codeFor: rowCodes(keyed, { ...batch, ledgerId: "the ledger" }),
    codesInUse: (codes) => client.call("codes in use", () => ingest.codesInUse(tables, codes)),
    addPayouts: (rows) =>
      client.call("add payouts", () => {
        draft.payouts.push(...rows);
        return ingest.paidLately(tables, rows, nowMs());
      }),
    addRejected: (rows) =>
      client.call("add rejected", () => {
        draft.rejected.push(...rows);
      }),
    // Data that is only shown to people is not part of this ledger.
    addWarned: () => client.call("add warned", () => {}),
  };
  try {
    await client.call("begin batch", () => {
      if (batches.findBatch(tables, { digest })) throw ingest.digestTaken();
    });
    const facts = await fill(writer);
    await client.call("commit batch", () => {
      if (!isTrusted()) throw new NotPayableAgain();
      ingest.commitBatch(tables, draft, facts, nowMs());
    });
    return { id: batch.id, isNew: true };
  } catch (error) {
    const first = isDigestTaken(error)
      ? await client.call("find batch", () => batches.findBatch(tables, { digest }))
      : null;
    if (!first) throw error;
    return { id: first.id, isNew: false };
  }
}

const isDigestTaken = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "batches_digest_key";
