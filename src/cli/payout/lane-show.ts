import { drawn } from "#base/invisible-characters.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import type { API } from "#api/api.ts";
import { brakeText } from "#cli/batch/circuit-breakers.ts";
import { limitText, unknownLane } from "#cli/payout/rate-limit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { print, printJson, table } from "#cli/terminal/output.ts";
import { type ServerFlags, serverOf } from "#cli/terminal/where.ts";
import { brakesOf } from "#app/config.ts";
import { laneBrakesShown, stopShown } from "#views/payout/circuit-breakers.ts";
import { limitsShown } from "#views/payout/rate-limits.ts";
import { knownLanes } from "#ledger/payout/lane/lanes.ts";
import { BRAKE_SETTING_NAMES, BRAKE_SETTINGS } from "#payout/lane/circuit-breaker-settings.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

type Lane = AnswerOf<(typeof API)["GET /api/operations"]>["lanes"][number];
/** The output of `lane show --json`. A contract: fields are only added. */
type LaneDocument = Pick<Lane, "lane" | "stop" | "breakers" | "limits">;

/** Prints the state, limits and circuit breakers of a lane. */
export async function showLane(
  name: string,
  { json, ...flags }: ServerFlags & { readonly json?: boolean },
): Promise<void> {
  const server = await serverOf(flags);
  const show = (found: LaneDocument | undefined) => {
    if (!found) throw unknownLane(name);
    const { lane, stop, breakers, limits } = found;
    if (json) printJson({ lane, stop, breakers, limits });
    else tell(found);
  };
  if (!server) return withLedger(async (open) => show(await laneHere(name, open)));
  const { lanes } = await server.call("GET /api/operations");
  show(lanes.find(({ lane }) => lane === name));
}

async function laneHere(
  name: string,
  { ledger, database, config }: OpenLedger,
): Promise<LaneDocument | undefined> {
  if (!(await knownLanes(database)).includes(name)) return undefined;
  const stop = (await ledger.payout.stoppedLanes()).find(({ lane }) => lane === name);
  const breakers = laneBrakesShown(brakesOf(config)(name));
  const pace = (await ledger.payout.pacedLanes()).find(({ lane }) => lane === name);
  return { lane: name, stop: stop ? stopShown(stop) : null, breakers, limits: limitsShown(pace) };
}

function tell({ lane, stop, breakers, limits }: LaneDocument): void {
  const { counts, in_doubt_amount: amount } = breakers;
  print(
    stop
      ? `${lane} has been stopped since ${stop.since}: ${drawn(stop.reason)}`
      : `${lane} is open`,
  );
  if (limits) print(limitText(limits));
  if (stop?.breaker) print(brakeText(stop.breaker.code));
  const rows = BRAKE_SETTING_NAMES.map((name) => [
    name,
    String(counts[name]),
    BRAKE_SETTINGS[name].says,
  ]);
  const ceiling = amount ? `${amount.currency} ${amount.amount}` : "none";
  const most = [
    "in_doubt_amount",
    ceiling,
    "maximum amount in doubt at once; above this amount, new payouts wait",
  ];
  print(table([["thresholds", "", ""], ...rows, most]));
}
