import type { ApiClient } from "#cli/terminal/api-client.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { Server } from "#cli/terminal/server.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import { findLane } from "#payout/lane/find-lane.ts";
import { laneName } from "#payout/lane/lane.ts";
import { laneParts } from "#payout/payout.ts";

/** The argument of a command for one lane. */
export const LANE_ARGUMENT =
  "MERCHANT/CURRENCY, or just the currency if only one merchant account pays in that currency";

/** Returns the lane of a server that a person named. */
export async function serverLane(typed: string, server: Server): Promise<string> {
  if (isComplete(typed)) return typed;
  const { lanes } = await server.call("GET /api/operations");
  return laneAmong(
    typed,
    lanes.map(({ lane }) => lane),
  );
}

/** Returns the lane that a person named, of a server or of the local ledger. */
export async function laneOfApi(typed: string, client: Pick<ApiClient, "call">): Promise<string> {
  if (isComplete(typed)) return typed;
  // The answer lists all lanes, whatever the month is.
  const query = { month: "2000-01" };
  const { lanes, other_lanes: others } = await client.call("GET /api/days", { query });
  return laneAmong(typed, [...lanes.map(({ lane }) => lane), ...others]);
}

/** Returns the lane of the local ledger that a person named. */
export const localLane = async (
  typed: string,
  { database }: Pick<OpenLedger, "database">,
): Promise<string> => {
  if (isComplete(typed)) return typed;
  const { findKnownLanes } = await import("#ledger/payout/lane/lanes.ts");
  return laneAmong(typed, await findKnownLanes(database));
};

/** Full names and "all" need no list of lanes. */
const isComplete = (typed: string): boolean => typed.includes("/") || typed === "all";

/** @throws CliError if no lane, or more than one, has this name. */
function laneAmong(typed: string, lanes: readonly string[]): string {
  const found = findLane(typed, lanes);
  if (found.ok) return found.value;
  if (found.error.length === 0) throw unknownLane(typed);
  throw new CliError(
    EXIT.usage,
    `${found.error.length} merchant accounts pay in ${typed.toUpperCase()}. Specify one of these lanes: ${found.error.join(", ")}`,
  );
}

/** Returns the error for an unknown lane. */
export const unknownLane = (name: string): CliError =>
  new CliError(
    EXIT.notFound,
    `Lane ${name} has never had a payout. Lane names have the form MERCHANT/CURRENCY. To list the lanes: payrun lane list`,
  );

/** The display name of a lane, as on the dashboard; "" if its merchant account has no name. */
export type LaneNames = (lane: string) => string;

/** Returns the display names of lanes, by the names of merchant accounts. */
function laneNamesOf(
  accounts: readonly { readonly merchant_code: string; readonly name: string | null }[],
): LaneNames {
  const named = accounts.flatMap(({ merchant_code, name }) =>
    name === null ? [] : [[merchant_code, name] as const],
  );
  const names = new Map(named);
  return (lane) =>
    lane.includes("/") && names.has(laneParts(lane).merchantCode) ? laneName(lane, names) : "";
}

/** Returns the display names of the lanes of a server, or of the local ledger through its API. */
export async function laneNamesOfApi(client: Pick<ApiClient, "call">): Promise<LaneNames> {
  const { items } = await client.call("GET /api/merchant-accounts");
  return laneNamesOf(items);
}

/** Returns the display names of the lanes of the local ledger. */
export async function localLaneNames({
  database,
}: Pick<OpenLedger, "database">): Promise<LaneNames> {
  const { findMerchantAccounts } = await import("#ledger/payout/lane/account-names.ts");
  const accounts = await findMerchantAccounts(database);
  return laneNamesOf(
    accounts.map(({ merchantCode, name }) => ({ merchant_code: merchantCode, name })),
  );
}

/** Formats a lane with its display name: "INR · Mumbai office (M1/INR)". */
export function laneWithName(lane: string, names: LaneNames): string {
  const name = names(lane);
  return name === "" ? lane : `${name} (${lane})`;
}

/** Formats a lane of a server with its display name, or without it if the name cannot be read. */
export const serverLaneText = (lane: string, client: Pick<ApiClient, "call">): Promise<string> =>
  laneNamesOfApi(client).then(
    (names) => laneWithName(lane, names),
    () => lane,
  );

/** Formats a lane of the local ledger with its display name. */
export const localLaneText = async (
  lane: string,
  open: Pick<OpenLedger, "database">,
): Promise<string> => laneWithName(lane, await localLaneNames(open));
