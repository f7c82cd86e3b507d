import type { Command } from "commander";
import { CliError, EXIT } from "#cli/exit.ts";
import { limitCommand, limitText, unknownLane } from "#cli/lane-limits.ts";
import { withLedger } from "#cli/open.ts";
import { actor, print, printJson, table } from "#cli/output.ts";
import type { Server } from "#cli/server.ts";
import { atServer, type ServerFlags, serverOf } from "#cli/where.ts";
import { systemClock } from "#clock.ts";
import { EVERY_LANE, laneName } from "#payout/lane.ts";
import type { OpenLedger } from "#wiring.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly reason: string;
  readonly until?: string;
}

/** What `lane list --json` prints. A contract: fields are only added. */
interface LanesDocument {
  readonly lanes: readonly string[];
  readonly paused: readonly {
    readonly lane: string;
    readonly reason: string;
    readonly actor: string;
    readonly paused_at: string;
    readonly until: string | null;
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

export function laneCommand(program: Command): void {
  const lane = program
    .command("lane")
    .description("what of a merchant and currency is sent, and how fast: look, pause, resume, set");
  atServer(
    lane
      .command("list")
      .description("every lane, and why it sends nothing where it does")
      .option("--json", "print JSON"),
  ).action(async (flags: Flags) => {
    const server = await serverOf(flags);
    if (server) list(flags, await lanesThere(server));
    else await withLedger(async (open) => list(flags, await lanesHere(open)));
  });
  atServer(
    lane
      .command("show")
      .argument("<lane>", "as MERCHANT/CURRENCY")
      .description("what keeps one lane from sending, what that protects and how it opens")
      .option("--json", "print JSON"),
  ).action(async (name: string, flags: ServerFlags & { readonly json?: boolean }) => {
    const { showLane } = await import("#cli/lane-show.ts");
    await showLane(name, flags);
  });
  limitCommand(lane);
  atServer(
    lane
      .command("pause")
      .argument("<lane>", `as MERCHANT/CURRENCY, or "all"`)
      .description("send nothing more; what was sent is still followed")
      .requiredOption("--reason <text>", "why")
      .option("--until <time>", "go on by itself then (ISO 8601)"),
  ).action(pause);
  atServer(
    lane
      .command("resume")
      .argument(
        "<lane>",
        `as MERCHANT/CURRENCY, or "all": the pause of all, not those of single lanes`,
      )
      .description("take a pause back")
      .requiredOption("--reason <text>", "why it may"),
  ).action(resume);
}

async function lanesHere({ ledger, database }: OpenLedger): Promise<LanesDocument> {
  const { knownLanes } = await import("#ledger/lanes.ts");
  const [pauses, stopped, lanes, paced] = await Promise.all([
    ledger.lanePauses(),
    ledger.stoppedLanes(),
    knownLanes(database),
    ledger.pacedLanes(),
  ]);
  return {
    lanes,
    paused: pauses.map(({ lane, reason, actor: by, pausedAt, until }) => ({
      lane: laneName(lane),
      reason,
      actor: by,
      paused_at: pausedAt.toISOString(),
      until: until?.toISOString() ?? null,
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

async function lanesThere(server: Server): Promise<LanesDocument> {
  const { lanes, pause_of_all: all } = await server.call("GET /api/operations");
  const pauses = [{ lane: EVERY_LANE, pause: all }, ...lanes];
  return {
    lanes: lanes.map(({ lane }) => lane),
    paused: pauses.flatMap(({ lane, pause: paused }) => {
      if (!paused) return [];
      const { reason, actor: by, since, until } = paused;
      return [{ lane: laneName(lane), reason, actor: by, paused_at: since, until }];
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
): void {
  if (json) return printJson({ lanes, paused, stopped, limits });
  const rows = [
    ...paused.map(({ lane, reason, actor: by, paused_at: since, until }) => {
      const end = until ? `until ${until}` : "until it is resumed";
      return [lane, "paused", since, `${reason} (${by}, ${end})`];
    }),
    ...stopped.map(({ lane, reason, stopped_at: since }) => [lane, "stopped", since, reason]),
  ];
  const closed = new Set(rows.map(([lane]) => lane));
  const open = lanes.filter((lane) => !closed.has(lane)).map((lane) => [lane, "open", "", ""]);
  const paces = limits.map((limit) => [
    limit.lane,
    "limited",
    limit.set_at ?? "",
    limitText(limit),
  ]);
  print(table([["lane", "", "since", "why"], ...rows, ...open, ...paces]));
}

async function pause(name: string, flags: Flags): Promise<void> {
  const { reason, until: given } = flags;
  const until = given === undefined ? null : new Date(given);
  if (until && Number.isNaN(until.getTime())) throw noTimeToCome(given);
  const server = await serverOf(flags);
  if (server) {
    const body = { lane: name, reason, until: until?.toISOString() ?? null };
    await server.call("POST /api/lanes/pause", { body });
  } else {
    const order = { name, reason, actor: actor(), until };
    await withLedger((open) => pauseHere(order, given, open));
  }
  const end = until ? ` until ${until.toISOString()}` : "";
  print(`${name}: paused${end}. Nothing more is sent, what was sent is still followed.`);
}

async function pauseHere(
  order: { name: string; reason: string; actor: string; until: Date | null },
  given: string | undefined,
  { ledger }: OpenLedger,
): Promise<void> {
  const { pauseLane } = await import("#flows/control-lanes.ts");
  const paused = await pauseLane(order, { ledger, clock: systemClock });
  if (paused.ok) return;
  throw paused.error === "time_is_over" ? noTimeToCome(given) : unknownLane(order.name);
}

const noTimeToCome = (given: string | undefined): CliError =>
  new CliError(EXIT.usage, `${given} is no time to come. Write it as 2026-12-31T09:00:00Z.`);

async function resume(name: string, flags: Flags): Promise<void> {
  const { reason } = flags;
  const server = await serverOf(flags);
  if (server) await server.call("POST /api/lanes/resume", { body: { lane: name, reason } });
  else {
    const { resumeLane } = await import("#flows/control-lanes.ts");
    await withLedger(async ({ ledger }) => {
      const resumed = await resumeLane({ name, reason, actor: actor() }, ledger);
      if (!resumed.ok)
        throw new CliError(EXIT.conflict, `${name} is not paused. See: payrun lane list`);
    });
  }
  print(`${name}: goes on`);
}
