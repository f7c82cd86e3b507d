import type { Command } from "commander";
import type { BreakFilter } from "#api/reconciliation/breaks.ts";
import { LANE_ARGUMENT, laneOfApi } from "#cli/payout/lane-name.ts";
import type { BreakActionPort } from "#cli/reconciliation/break-ports.ts";
import { BREAK_CLASSES, type BreakClass } from "#reconciliation/break-classes.ts";
import type { z } from "zod";

/** The options that select breaks. */
export interface FilterFlags {
  readonly lane?: string;
  readonly day?: string;
  readonly class?: string;
  readonly state?: string;
  readonly assignee?: string;
}

const CLASSES = Object.keys(BREAK_CLASSES);
const STATES = ["open", "proposed", "resolved", "closed"];

/** The options that select breaks, with their descriptions. */
const FILTER_OPTIONS: readonly (readonly [string, string])[] = [
  ["--lane <lane>", `only this lane: ${LANE_ARGUMENT}`],
  ["--day <date>", "only this business day, such as 2026-11-26"],
  ["--class <name>", `only this class: ${CLASSES.join(", ")}`],
  ["--state <name>", `only this state: ${STATES.join(", ")}`],
  ["--assignee <user>", "only breaks assigned to this user (ID or name)"],
];

/** Adds the options that select breaks. */
export const withFilterOptions = (command: Command): Command =>
  FILTER_OPTIONS.reduce((extended, [flags, text]) => extended.option(flags, text), command);

/** Returns the filter that the options describe. Null: no option selects breaks. */
export async function filterOf(
  { lane, day, class: kind, state, assignee }: FilterFlags,
  port: Pick<BreakActionPort, "client" | "userNamed">,
): Promise<z.output<typeof BreakFilter> | null> {
  const filter = {
    ...(lane !== undefined && { lane: await laneOfApi(lane, port.client) }),
    ...(day !== undefined && { day }),
    ...(kind !== undefined && { class: kind as BreakClass }),
    ...(state !== undefined && { state: state as "open" }),
    ...(assignee !== undefined && { assignee: await port.userNamed(assignee) }),
  };
  return Object.keys(filter).length > 0 ? filter : null;
}
