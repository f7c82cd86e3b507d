import { EVERY_LANE, nameOfLane } from "#payout/lane/lane.ts";
import { laneParts } from "#payout/payout.ts";
import { err, ok, type Result } from "#base/result.ts";

/**
 * Returns the lane that a person means: its full name, "all", or only the currency if one merchant
 * account pays it. The error lists the lanes of the currency; it is empty if there are none.
 */
export function findLane(
  typed: string,
  lanes: readonly string[],
): Result<string, readonly string[]> {
  if (lanes.includes(typed) || typed === nameOfLane(EVERY_LANE)) return ok(typed);
  const currency = typed.toUpperCase();
  const found = lanes.filter((lane) => laneParts(lane).currency === currency);
  const [only, ...more] = found;
  return only !== undefined && more.length === 0 ? ok(only) : err(found);
}
