import type { Command } from "commander";
import { CliError, EXIT } from "#cli/exit.ts";
import { withLedger } from "#cli/open.ts";
import { actor, print, printJson, table } from "#cli/output.ts";
import { systemClock } from "#clock.ts";
import { laneName } from "#payout/lane.ts";
import type { OpenLedger } from "#wiring.ts";

interface Flags {
  readonly json?: boolean;
  readonly reason: string;
  readonly until?: string;
}

export function laneCommand(program: Command): void {
  const lane = program
    .command("lane")
    .description("what of a merchant and currency is sent: look, pause, resume");
  lane
    .command("list")
    .description("every lane, and why it sends nothing where it does")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => withLedger((open) => list(json === true, open)));
  lane
    .command("pause")
    .argument("<lane>", `as MERCHANT/CURRENCY, or "all"`)
    .description("send nothing more; what was sent is still followed")
    .requiredOption("--reason <text>", "why")
    .option("--until <time>", "go on by itself then (ISO 8601)")
    .action((name: string, flags: Flags) => withLedger((open) => pause(name, flags, open)));
  lane
    .command("resume")
    .argument(
      "<lane>",
      `as MERCHANT/CURRENCY, or "all": the pause of all, not those of single lanes`,
    )
    .description("take a pause back")
    .requiredOption("--reason <text>", "why it may")
    .action((name: string, flags: Flags) => withLedger((open) => resume(name, flags, open)));
}

async function list(json: boolean, { ledger, database }: OpenLedger): Promise<void> {
  const { knownLanes } = await import("#ledger/lanes.ts");
  const [pauses, stopped, known] = await Promise.all([
    ledger.lanePauses(),
    ledger.stoppedLanes(),
    knownLanes(database),
  ]);
  if (json) {
    return printJson({
      lanes: known,
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
    });
  }
  const rows = [
    ...pauses.map(({ lane, reason, actor: by, pausedAt, until }) => {
      const end = until ? `until ${until.toISOString()}` : "until it is resumed";
      return [laneName(lane), "paused", pausedAt.toISOString(), `${reason} (${by}, ${end})`];
    }),
    ...stopped.map(({ lane, reason, stoppedAt }) => [
      lane,
      "stopped",
      stoppedAt.toISOString(),
      reason,
    ]),
  ];
  const closed = new Set(rows.map(([lane]) => lane));
  const open = known.filter((lane) => !closed.has(lane)).map((lane) => [lane, "open", "", ""]);
  print(table([["lane", "", "since", "why"], ...rows, ...open]));
}

async function pause(name: string, flags: Flags, { ledger }: OpenLedger): Promise<void> {
  const { reason, until: given } = flags;
  const until = given === undefined ? null : new Date(given);
  const order = { name, reason, actor: actor(), until };
  const { pauseLane } = await import("#flows/control-lanes.ts");
  const paused = await pauseLane(order, { ledger, clock: systemClock });
  if (!paused.ok) {
    throw paused.error === "time_is_over"
      ? new CliError(EXIT.usage, `${given} is no time to come. Write it as 2026-12-31T09:00:00Z.`)
      : new CliError(
          EXIT.notFound,
          `There was never a payout in a lane ${name}. Lanes are MERCHANT/CURRENCY, as in: payrun lane list`,
        );
  }
  const end = until ? ` until ${until.toISOString()}` : "";
  print(`${name}: paused${end}. Nothing more is sent, what was sent is still followed.`);
}

async function resume(name: string, { reason }: Flags, { ledger }: OpenLedger): Promise<void> {
  const { resumeLane } = await import("#flows/control-lanes.ts");
  const resumed = await resumeLane({ name, reason, actor: actor() }, ledger);
  if (!resumed.ok)
    throw new CliError(EXIT.conflict, `${name} is not paused. See: payrun lane list`);
  print(`${name}: goes on`);
}
