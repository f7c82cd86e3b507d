import type { Command } from "commander";
import { CliError, EXIT } from "#cli/exit.ts";
import { withLedger } from "#cli/open.ts";
import { actor, print, printJson, table } from "#cli/output.ts";
import { ALL, laneNamed, nameOf } from "#cli/stops.ts";
import { systemClock } from "#clock.ts";
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
    .description("the lanes that send nothing, and why")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => withLedger((open) => list(json === true, open)));
  lane
    .command("pause")
    .argument("<lane>", `as MERCHANT/CURRENCY, or "${ALL}"`)
    .description("send nothing more; what was sent is still followed")
    .requiredOption("--reason <text>", "why")
    .option("--until <time>", "go on by itself then (ISO 8601)")
    .action((name: string, flags: Flags) => withLedger((open) => pause(name, flags, open)));
  lane
    .command("resume")
    .argument(
      "<lane>",
      `as MERCHANT/CURRENCY, or "${ALL}": the pause of all, not those of single lanes`,
    )
    .description("take a pause back")
    .requiredOption("--reason <text>", "why it may")
    .action((name: string, flags: Flags) => withLedger((open) => resume(name, flags, open)));
}

async function list(json: boolean, { ledger }: OpenLedger): Promise<void> {
  const [pauses, stopped] = await Promise.all([ledger.lanePauses(), ledger.stoppedLanes()]);
  if (json) {
    return printJson({
      paused: pauses.map(({ lane, reason, actor: by, pausedAt, until }) => ({
        lane: nameOf(lane),
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
      return [nameOf(lane), "paused", pausedAt.toISOString(), `${reason} (${by}, ${end})`];
    }),
    ...stopped.map(({ lane, reason, stoppedAt }) => [
      lane,
      "stopped",
      stoppedAt.toISOString(),
      reason,
    ]),
  ];
  print(rows.length === 0 ? "Every lane is open." : table([["lane", "", "since", "why"], ...rows]));
}

async function pause(
  name: string,
  { reason, until }: Flags,
  { ledger }: OpenLedger,
): Promise<void> {
  const end = until === undefined ? null : new Date(until);
  if (end && !(end.getTime() > systemClock.nowMs())) {
    throw new CliError(
      EXIT.usage,
      `${until} is no time to come. Write it as 2026-12-31T09:00:00Z.`,
    );
  }
  const lane = laneNamed(name);
  if (!(await ledger.pauseLane({ lane, reason, actor: actor(), until: end }))) {
    throw new CliError(
      EXIT.notFound,
      `There was never a payout in a lane ${name}. Lanes are MERCHANT/CURRENCY, as in: payrun batch show ID --json`,
    );
  }
  print(
    `${name}: paused${end ? ` until ${end.toISOString()}` : ""}. Nothing more is sent, what was sent is still followed.`,
  );
}

async function resume(name: string, { reason }: Flags, { ledger }: OpenLedger): Promise<void> {
  if (!(await ledger.resumeLane({ lane: laneNamed(name), reason, actor: actor() }))) {
    throw new CliError(EXIT.conflict, `${name} is not paused. See: payrun lane list`);
  }
  print(`${name}: goes on`);
}
