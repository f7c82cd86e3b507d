import type { LanePauseOrder } from "#flows/payout/lane/control-lanes.ts";
import type { Command } from "commander";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import {
  LANE_ARGUMENT,
  type LaneNames,
  laneNamesOfApi,
  localLane,
  localLaneNames,
  localLaneText,
  serverLane,
  serverLaneText,
  unknownLane,
} from "#cli/payout/lane-name.ts";
import { restartSubcommand } from "#cli/payout/lane-restart.ts";
import { limitSubcommand, rateLimitText } from "#cli/payout/rate-limit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { timeText } from "#base/time-text.ts";
import { currentActor, print, printJson, table } from "#cli/terminal/output.ts";
import type { Server } from "#cli/terminal/server.ts";
import { withServerOptions, type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";
import { systemClock } from "#base/clock.ts";
import { EVERY_LANE, nameOfLane } from "#payout/lane/lane.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly reason: string;
  readonly until?: string;
  readonly drain?: boolean;
}

/** The output of `lane list --json`. A contract: fields are only added. */
interface LanesDocument {
  readonly lanes: readonly string[];
  readonly paused: readonly {
    readonly lane: string;
    readonly reason: string;
    readonly actor: string;
    readonly paused_at: string;
    readonly until: string | null;
    readonly mode: "freeze" | "drain";
    /** Number of batches that are still sending. */
    readonly finishing: number;
  }[];
  readonly stopped: readonly {
    readonly lane: string;
    readonly reason: string;
    readonly needs: string;
    readonly stopped_at: string;
    readonly retry_at: string | null;
  }[];
  readonly limits: readonly {
    readonly lane: string;
    readonly rate: number | null;
    readonly concurrency: number | null;
    readonly slow_rate: number | null;
    readonly set_by: string | null;
    readonly set_at: string | null;
  }[];
}

/** Adds `payrun lane` to the program. */
export function laneCommand(program: Command): void {
  const lane = program
    .command("lane")
    .description(
      "list, pause and resume lanes (merchant account × currency), and limit their rates",
    );
  withServerOptions(
    lane
      .command("list")
      .description("list lanes, with the reason for each pause or stop")
      .option("--json", "print JSON"),
  ).action(async (flags: Flags) => {
    const server = await serverOf(flags);
    if (server) list(flags, await listServerLanes(server), await laneNamesOfApi(server));
    else
      await withLedger(async (open) =>
        list(flags, await listLocalLanes(open), await localLaneNames(open)),
      );
  });
  withServerOptions(
    lane
      .command("show")
      .argument("<lane>", LANE_ARGUMENT)
      .description(
        "show why a lane is not sending, what the stop protects against, and how to resume sending",
      )
      .option("--json", "print JSON"),
  ).action(async (name: string, flags: ServerFlags & { readonly json?: boolean }) => {
    const { showLane } = await import("#cli/payout/lane-show.ts");
    await showLane(name, flags);
  });
  limitSubcommand(lane);
  withServerOptions(
    lane
      .command("pause")
      .argument("<lane>", `${LANE_ARGUMENT}, or "all"`)
      .description("pause a lane; payrun keeps tracking payouts already sent")
      .requiredOption("--reason <text>", "reason")
      .option(
        "--until <time>",
        "resume automatically at this time, such as 2026-12-31T09:00:00Z or 2026-12-31 09:00 Asia/Kolkata",
      )
      .option("--drain", "finish batches already being sent, but do not start new ones"),
  ).action(pause);
  withServerOptions(
    lane
      .command("resume")
      .argument(
        "<lane>",
        `${LANE_ARGUMENT}, or "all" to end the pause on all lanes (pauses of individual lanes remain)`,
      )
      .description("resume a paused lane")
      .requiredOption("--reason <text>", "reason"),
  ).action(resume);
  restartSubcommand(lane);
}

async function listLocalLanes({ ledger, database }: OpenLedger): Promise<LanesDocument> {
  const { findKnownLanes } = await import("#ledger/payout/lane/lanes.ts");
  const [pauses, stopped, lanes, paced] = await Promise.all([
    ledger.payout.lanePauses(),
    ledger.payout.stoppedLanes(),
    findKnownLanes(database),
    ledger.payout.limitedLanes(),
  ]);
  return {
    lanes,
    paused: pauses.map(({ lane, reason, actor: by, pausedAt, until, finishing }) => ({
      lane: nameOfLane(lane),
      reason,
      actor: by,
      paused_at: pausedAt.toISOString(),
      until: until?.toISOString() ?? null,
      mode: finishing === null ? "freeze" : "drain",
      finishing: finishing?.length ?? 0,
    })),
    stopped: stopped.map(({ lane, reason, needs, retryAt, stoppedAt }) => ({
      lane,
      reason,
      needs,
      stopped_at: stoppedAt.toISOString(),
      retry_at: retryAt?.toISOString() ?? null,
    })),
    limits: paced.map(({ lane, rate, concurrency, slowRate, setBy, setAt }) => ({
      lane,
      rate,
      concurrency,
      slow_rate: slowRate,
      set_by: setBy,
      set_at: setAt?.toISOString() ?? null,
    })),
  };
}

async function listServerLanes(server: Server): Promise<LanesDocument> {
  const { lanes, pause_of_all: all } = await server.call("GET /api/operations");
  const pauses = [{ lane: EVERY_LANE, pause: all }, ...lanes];
  return {
    lanes: lanes.map(({ lane }) => lane),
    paused: pauses.flatMap(({ lane, pause: paused }) => {
      if (!paused) return [];
      const { reason, actor: by, since, until, mode, finishing } = paused;
      return [
        { lane: nameOfLane(lane), reason, actor: by, paused_at: since, until, mode, finishing },
      ];
    }),
    stopped: lanes.flatMap(({ lane, stop }) => {
      if (!stop) return [];
      const { reason, needs, since, retry_at } = stop;
      return [{ lane, reason, needs, stopped_at: since, retry_at }];
    }),
    limits: lanes.flatMap(({ lane, limits }) => (limits ? [{ lane, ...limits }] : [])),
  };
}

function list(
  { json }: Pick<Flags, "json">,
  { lanes, paused, stopped, limits }: LanesDocument,
  names: LaneNames,
): void {
  if (json) return printJson({ lanes, paused, stopped, limits });
  const rows = [
    ...paused.map(({ lane, reason, actor: by, paused_at: since, until, mode, finishing }) => {
      const end = until ? `until ${timeText(until)}` : "until it is resumed";
      const drains = mode === "drain" ? `, ${drainText(finishing)}` : "";
      return [lane, "paused", timeText(since), `${reason} (${by}, ${end}${drains})`];
    }),
    ...stopped.map(({ lane, reason, stopped_at: at }) => [lane, "stopped", timeText(at), reason]),
  ];
  const closed = new Set(rows.map(([lane]) => lane));
  const limited = new Set(limits.map(({ lane }) => lane));
  const open = lanes
    .filter((lane) => !closed.has(lane) && !limited.has(lane))
    .map((lane) => [lane, "open", "", ""]);
  const paces = limits.map((limit) => [
    limit.lane,
    closed.has(limit.lane) ? "limited" : "open, limited",
    limit.set_at === null ? "" : timeText(limit.set_at),
    rateLimitText(limit),
  ]);
  const all = [...rows, ...open, ...paces].map(([lane = "", ...rest]) => [
    lane,
    names(lane),
    ...rest,
  ]);
  print(table([["lane", "name", "", "since", "reason"], ...all]));
}

const drainText = (finishing: number): string =>
  finishing === 0
    ? "no batches are still being sent"
    : `${finishing} ${finishing === 1 ? "batch" : "batches"} still being sent`;

async function pause(typed: string, flags: Flags): Promise<void> {
  const { reason, until: given, drain = false } = flags;
  const until = given === undefined ? null : await untilOf(given);
  const server = await serverOf(flags);
  const order = { reason, actor: currentActor(), until, drain };
  const shown = server
    ? await pauseServerLane({ ...order, name: typed }, server)
    : await withLedger((open) => pauseLocalLane({ ...order, name: typed }, given, open));
  const end = until ? ` until ${timeText(until)}` : "";
  const what = drain
    ? "Batches already being sent will finish, but no other batches will start"
    : "payrun will not send more payouts, but keeps tracking those already sent";
  print(`${shown}: paused${end}. ${what}.`);
}

async function pauseServerLane(
  { name, reason, until, drain }: LanePauseOrder,
  server: Server,
): Promise<string> {
  const lane = await serverLane(name, server);
  const mode = drain ? ("drain" as const) : ("freeze" as const);
  const body = { lane, reason, until: until?.toISOString() ?? null, mode };
  await server.call("POST /api/lanes/pause", { body });
  return serverLaneText(lane, server);
}

async function pauseLocalLane(
  order: LanePauseOrder,
  given: string | undefined,
  open: OpenLedger,
): Promise<string> {
  const { pauseLane } = await import("#flows/payout/lane/control-lanes.ts");
  const name = await localLane(order.name, open);
  const paused = await pauseLane({ ...order, name }, { ledger: open.ledger, clock: systemClock });
  if (paused.ok) return localLaneText(name, open);
  throw paused.error === "time_passed" ? noTimeToCome(given) : unknownLane(name);
}

/**
 * Parses a time that must be complete: the time zone of this machine may not be the intended one.
 */
async function untilOf(given: string): Promise<Date> {
  const { readInstant } = await import("#schedule/local-time.ts");
  const until = readInstant(given);
  if (until) return until;
  throw new CliError(
    EXIT.usage,
    `--until ${given}: expected a time with a time zone, such as 2026-12-31T09:00:00Z, 2026-12-31T14:30+05:30 or "2026-12-31 14:30 Asia/Kolkata".`,
  );
}

const noTimeToCome = (given: string | undefined): CliError =>
  new CliError(
    EXIT.usage,
    `--until ${given}: expected a time in the future, such as 2026-12-31T09:00:00Z.`,
  );

async function resume(typed: string, flags: Flags): Promise<void> {
  const { reason } = flags;
  const server = await serverOf(flags);
  const shown = server
    ? await resumeServerLane(typed, reason, server)
    : await withLedger((open) => resumeLocalLane(typed, reason, open));
  print(`${shown}: resumed`);
}

async function resumeServerLane(typed: string, reason: string, server: Server): Promise<string> {
  const lane = await serverLane(typed, server);
  await server.call("POST /api/lanes/resume", { body: { lane, reason } });
  return serverLaneText(lane, server);
}

async function resumeLocalLane(typed: string, reason: string, open: OpenLedger): Promise<string> {
  const { resumeLane } = await import("#flows/payout/lane/control-lanes.ts");
  const name = await localLane(typed, open);
  const resumed = await resumeLane({ name, reason, actor: currentActor() }, open.ledger);
  if (!resumed.ok)
    throw new CliError(EXIT.conflict, `${name} is not paused. See: payrun lane list`);
  return localLaneText(name, open);
}
