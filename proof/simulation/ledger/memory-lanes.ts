import { Endings, MarkBuffer } from "#ledger/payout/lane/lane-health.ts";
import type { LaneLedger } from "#ledger/lane-ledger.ts";
import { LongestTimes } from "#ledger/payout/lane/processing-times.ts";
import type { BrakeLedger } from "#ledger/payout/circuit-breakers.ts";
import * as batches from "./batches.ts";
import * as canaries from "./canaries.ts";
import type { Connection } from "./connection.ts";
import * as lanes from "./lanes.ts";
import * as paces from "./lane-pace.ts";
import * as questions from "./questions.ts";

/** Pauses and rate limits of lanes. */
export const laneFunctions = ({ tables, nowMs, call }: Connection): LaneLedger => ({
  pauseLane: (order) => call("pause lane", () => lanes.pauseLane(tables, order, nowMs())),
  resumeLane: (order) => call("resume lane", () => lanes.resumeLane(tables, order, nowMs())),
  limitLane: (order) => call("limit lane", () => paces.limitLane(tables, order, nowMs())),
  pacedLanes: () => call("paced lanes", () => paces.pacedLanes(tables, nowMs())),
  lanePauses: () => call("lane pauses", () => lanes.lanePauses(tables, nowMs())),
});

/** Circuit breakers, behind the product's own buffers of good results. */
export function brakeFunctions(connection: Connection): BrakeLedger {
  const { tables, nowMs, clock, call } = connection;
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
  return {
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
  } satisfies Pick<BrakeLedger, "setCanary" | "canaries" | "releaseCanaries" | "failCanary">;
};
