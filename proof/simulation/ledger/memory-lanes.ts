import { FinalStateRecorder, SendResultBuffer } from "#ledger/payout/lane/lane-health.ts";
import type { LaneLedger } from "#ledger/lane-ledger.ts";
import { ProcessingTimeRecorder } from "#ledger/payout/lane/processing-times.ts";
import type { CircuitBreakerLedger } from "#ledger/payout/circuit-breakers.ts";
import * as batches from "./batches.ts";
import * as canaries from "./canaries.ts";
import type { Connection } from "./connection.ts";
import * as lanes from "./lanes.ts";
import * as paces from "./rate-limit.ts";
import * as questions from "./status-queries.ts";

/** Pauses and rate limits of lanes. */
export const laneFunctions = ({ tables, nowMs, call }: Connection): LaneLedger => ({
  pauseLane: (order) => call("pause lane", () => lanes.pauseLane(tables, order, nowMs())),
  resumeLane: (order) => call("resume lane", () => lanes.resumeLane(tables, order, nowMs())),
  limitLane: (order) => call("limit lane", () => paces.limitLane(tables, order, nowMs())),
  limitedLanes: () => call("paced lanes", () => paces.findLimitedLanes(tables, nowMs())),
  lanePauses: () => call("lane pauses", () => lanes.lanePauses(tables, nowMs())),
});

/** Circuit breakers, behind the product's own buffers of good results. */
export function circuitBreakerFunctions(connection: Connection): CircuitBreakerLedger {
  const { tables, nowMs, clock, call } = connection;
  const marks = new SendResultBuffer((lane, added) =>
    call("add marks", () => lanes.appendSendResults(tables, lane, added, nowMs())),
  );
  const endings = new FinalStateRecorder(clock.nowMs, (lane) =>
    call("note ending", () => {
      tables.finalStates.set(lane, nowMs());
    }),
  );
  const longest = new ProcessingTimeRecorder(clock.nowMs, (lane, tookMs) =>
    call("note processing", () => questions.recordProcessingTime(tables, lane, tookMs, nowMs())),
  );
  return {
    stopLane: (lane, stop) =>
      call("stop lane", () => {
        paces.slowLaneDown(tables, lane, stop, nowMs());
        return lanes.stopLane(tables, lane, stop, nowMs());
      }),
    openLanes: (names, by) =>
      call("open lanes", () => {
        paces.startLanesSlowly(tables, names, nowMs());
        return lanes.openLanes(tables, names, nowMs(), by);
      }),
    stoppedLanes: () => call("stopped lanes", () => lanes.stoppedLanes(tables)),
    recordProbeResult: (lane, isAnswered) =>
      call("end trial", () => {
        paces.startLanesSlowly(tables, [lane], nowMs());
        return lanes.recordProbeResult(tables, lane, isAnswered, nowMs());
      }),
    recordSendResult: (lane, mark) => marks.add(lane, mark),
    recordUnknownAnswer: (lane, answer) =>
      call("note unread", () => lanes.recordUnknownAnswer(tables, lane, answer)),
    inDoubtTotal: (lane) => call("doubt in lane", () => batches.inDoubtTotal(tables, lane)),
    recordProcessingTime: (lane, tookMs) => longest.record(lane, tookMs),
    longestProcessingMs: (lane) =>
      call("slowest in lane", () => questions.longestProcessingMs(tables, lane, nowMs())),
    recordFinalState: (lane) => endings.record(lane),
    countWithoutFinalState: (asked) =>
      call("unended in lane", () => batches.countWithoutFinalState(tables, asked, nowMs())),
    ...canaryFunctions(connection),
  };
}

const canaryFunctions = (connection: Connection) => {
  const { tables, nowMs, call } = connection;
  return {
    setCanary: (order) => call("set canary", () => canaries.setCanary(tables, order)),
    canaries: (id) => call("canaries", () => canaries.canaries(tables, id, nowMs())),
    releaseCanaries: (order) => {
      const when = connection.at();
      return call("release canaries", () => canaries.releaseCanaries(tables, order, when, nowMs()));
    },
    failCanary: (order) => {
      const when = connection.at();
      return call("fail canary", () => canaries.failCanary(tables, order, when, nowMs()));
    },
  } satisfies Pick<
    CircuitBreakerLedger,
    "setCanary" | "canaries" | "releaseCanaries" | "failCanary"
  >;
};
