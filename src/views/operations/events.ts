import type { EVENT_KINDS, MONITORING_API } from "#api/operations/monitoring.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { findOperationEvents } from "#ledger/operations/events.ts";
import { findLaneNames } from "#ledger/payout/lane/account-names.ts";
import { findDisplayNames } from "#ledger/people/names.ts";
import type { Database } from "#ledger/store/database.ts";
import { nameOfLane } from "#payout/lane/lane.ts";

type Events = AnswerOf<(typeof MONITORING_API)["GET /api/operations/events"]>;
type Kind = (typeof EVENT_KINDS)[number];

const LISTED = 200;

/** Actions on the audit log that the operations page lists. */
const ACTIONS = [
  "pause_lane",
  "resume_lane",
  "open_lane",
  "set_lane",
  "name_account",
  "freeze",
  "unfreeze",
] as const satisfies readonly Kind[];

/** Events whose object is a lane. */
const ABOUT_LANES: ReadonlySet<string> = new Set([
  "pause_lane",
  "resume_lane",
  "open_lane",
  "set_lane",
]);

/** Returns recent alarms and actions on lanes, accounts and the ledger, newest first. */
export async function eventsView(database: Database, hours: number): Promise<Events> {
  const found = await findOperationEvents(database, { actions: ACTIONS, hours, max: LISTED + 1 });
  const [displayOf, laneNameOf] = await Promise.all([
    findDisplayNames(
      database,
      found.flatMap(({ actor }) => actor ?? []),
      null,
    ),
    findLaneNames(database),
  ]);
  const items = found.slice(0, LISTED).map(({ at, kind, object, text, actor }) => {
    const lane = ABOUT_LANES.has(kind) ? nameOfLane(object) : null;
    return {
      at: at.toISOString(),
      kind: kind as Kind,
      lane,
      lane_name: lane?.includes("/") ? laneNameOf(lane) : lane,
      text: kind === "name_account" ? `${object}: ${text}` : text,
      actor_name: actor === null ? null : displayOf(actor).name,
    };
  });
  return { items, is_more: found.length > LISTED };
}
