import { laneParts } from "#payout/payout.ts";

/** The name under which all lanes are paused together, including future ones. */
export const EVERY_LANE = "*";

/** The name of all lanes for users. The name of a single lane contains a "/". */
const ALL = "all";
/** Returns the lane with this name; "all" is every lane. */
export const laneFromName = (name: string): string => (name === ALL ? EVERY_LANE : name);
/** Returns the name of a lane, "all" for every lane. */
export const nameOfLane = (lane: string): string => (lane === EVERY_LANE ? ALL : lane);

/**
 * Returns the display name of a lane: "INR · Main account".
 *
 * @param names display names by merchant code. An account without one is shown by its code.
 */
export function laneName(lane: string, names: ReadonlyMap<string, string>): string {
  const { merchantCode, currency } = laneParts(lane);
  return `${currency} · ${names.get(merchantCode) ?? merchantCode}`;
}
