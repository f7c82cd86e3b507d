import { printable } from "#base/invisible-characters.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import type { API } from "#api/api.ts";
import { circuitBreakerText } from "#cli/batch/circuit-breakers.ts";
import {
  type LaneNames,
  laneNamesOfApi,
  laneWithName,
  localLane,
  localLaneNames,
  serverLane,
  unknownLane,
} from "#cli/payout/lane-name.ts";
import { rateLimitText } from "#cli/payout/rate-limit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { timeText } from "#base/time-text.ts";
import { print, printJson, table } from "#cli/terminal/output.ts";
import { type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";
import { circuitBreakersOf } from "#app/config.ts";
import { laneThresholdsView, laneStopView } from "#views/payout/circuit-breakers.ts";
import { rateLimitsView } from "#views/payout/rate-limits.ts";
import { findKnownLanes } from "#ledger/payout/lane/lanes.ts";
import {
  CIRCUIT_BREAKER_SETTING_NAMES,
  CIRCUIT_BREAKER_SETTINGS,
} from "#payout/lane/circuit-breaker-settings.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import { moneyText } from "#money/display.ts";

type Lane = AnswerOf<(typeof API)["GET /api/operations"]>["lanes"][number];
/** The output of `lane show --json`. A contract: fields are only added. */
type LaneDocument = Pick<Lane, "lane" | "stop" | "breakers" | "limits">;

/** Prints the state, limits and circuit breakers of a lane. */
export async function showLane(
  typed: string,
  { json, ...flags }: ServerFlags & { readonly json?: boolean },
): Promise<void> {
  const server = await serverOf(flags);
  const show = (found: LaneDocument | undefined, names: LaneNames) => {
    if (!found) throw unknownLane(typed);
    const { lane, stop, breakers, limits } = found;
    if (json) printJson({ lane, stop, breakers, limits });
    else tell(found, laneWithName(lane, names));
  };
  if (!server)
    return withLedger(async (open) =>
      show(await findLocalLane(await localLane(typed, open), open), await localLaneNames(open)),
    );
  const name = await serverLane(typed, server);
  const { lanes } = await server.call("GET /api/operations");
  show(
    lanes.find(({ lane }) => lane === name),
    await laneNamesOfApi(server),
  );
}

async function findLocalLane(
  name: string,
  { ledger, database, config }: OpenLedger,
): Promise<LaneDocument | undefined> {
  if (!(await findKnownLanes(database)).includes(name)) return undefined;
  const stop = (await ledger.payout.stoppedLanes()).find(({ lane }) => lane === name);
  const breakers = laneThresholdsView(circuitBreakersOf(config)(name));
  const pace = (await ledger.payout.limitedLanes()).find(({ lane }) => lane === name);
  return {
    lane: name,
    stop: stop ? laneStopView(stop) : null,
    breakers,
    limits: rateLimitsView(pace),
  };
}

function tell({ stop, breakers, limits }: LaneDocument, shown: string): void {
  const { counts, in_doubt_amount: amount } = breakers;
  print(
    stop
      ? `${shown} has been stopped since ${timeText(stop.since)}: ${printable(stop.reason)}`
      : `${shown} is open`,
  );
  if (limits) print(rateLimitText(limits));
  if (stop?.breaker) print(circuitBreakerText(stop.breaker.code));
  const rows = CIRCUIT_BREAKER_SETTING_NAMES.map((name) => [
    name,
    String(counts[name]),
    CIRCUIT_BREAKER_SETTINGS[name].says,
  ]);
  const ceiling = amount ? moneyText(amount) : "none";
  const most = [
    "in_doubt_amount",
    ceiling,
    "maximum amount in doubt at once; above this amount, new payouts wait",
  ];
  print(table([["thresholds", "", ""], ...rows, most]));
}
