import type { Command } from "commander";
import type { OpenLedger } from "#app/open-ledger.ts";
import {
  LANE_ARGUMENT,
  localLane,
  localLaneText,
  serverLane,
  serverLaneText,
} from "#cli/payout/lane-name.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { currentActor, print } from "#cli/terminal/output.ts";
import type { Server } from "#cli/terminal/server.ts";
import { withServerOptions, type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";

/** `lane restart`: restarts a lane that a circuit breaker stopped. */
export function restartSubcommand(lane: Command): void {
  withServerOptions(
    lane
      .command("restart")
      .argument("<lane>", LANE_ARGUMENT)
      .description("restart a lane that a circuit breaker stopped, after you fixed the cause")
      .requiredOption("--reason <text>", "reason"),
  ).action(restart);
}

async function restart(
  typed: string,
  flags: ServerFlags & { readonly reason: string },
): Promise<void> {
  const { reason } = flags;
  const server = await serverOf(flags);
  const shown = server
    ? await restartServerLane(typed, reason, server)
    : await withLedger((open) => restartLocalLane(typed, reason, open));
  print(`${shown}: restarted`);
}

async function restartServerLane(typed: string, reason: string, server: Server): Promise<string> {
  const lane = await serverLane(typed, server);
  await server.call("POST /api/lanes/open", { body: { lane, reason } });
  return serverLaneText(lane, server);
}

async function restartLocalLane(typed: string, reason: string, open: OpenLedger): Promise<string> {
  const { openLane } = await import("#flows/payout/lane/control-lanes.ts");
  const name = await localLane(typed, open);
  const opened = await openLane({ name, reason, actor: currentActor() }, open.ledger);
  if (!opened.ok)
    throw new CliError(EXIT.conflict, `${name} is not stopped. See: payrun lane list`);
  return localLaneText(name, open);
}
