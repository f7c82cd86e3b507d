import type { Command } from "commander";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { DecisionFlags } from "#cli/integrity/freeze-decisions.ts";
import {
  queryProgressText,
  findingLines,
  frozenAdviceText,
  frozenText,
  unqueriedIn,
} from "#cli/terminal/frozen.ts";
import { ask, hasTerminal } from "#cli/terminal/prompt.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { currentActor, print, say } from "#cli/terminal/output.ts";
import { collect } from "#cli/terminal/totals.ts";
import { RUN_ON_LEDGER_MACHINE, localOnly } from "#cli/terminal/server-options.ts";
import type { Freeze, LaneProgress } from "#ledger/ledger.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

interface Flags extends DecisionFlags {
  readonly reason: string;
  readonly yes?: boolean;
  readonly holdUnqueried?: boolean;
}

/** Adds `payrun freeze` and `payrun unfreeze` to the program. */
export function freezeCommands(program: Command): void {
  localOnly(
    program.command("freeze"),
    "To stop a server from here, run: payrun lane pause all --reason TEXT.",
  )
    .description(
      "freeze the ledger so that no payouts are sent until you unfreeze it; payrun keeps tracking payouts already sent",
    )
    .requiredOption("--reason <text>", "reason")
    .action(({ reason }: Flags) => withLedger((open) => freezeLedger(reason, open)));

  localOnly(program.command("unfreeze"), RUN_ON_LEDGER_MACHINE)
    .description("unfreeze the ledger after payrun has queried every payout in progress")
    .requiredOption("--reason <text>", "reason")
    .option(
      "--yes",
      "skip the confirmation prompt; each pending decision still requires its own option",
    )
    .option("--hold-unqueried", "put on hold any payouts that cannot be queried")
    .option("--release <batch>", "release a batch from quarantine; repeatable", collect)
    .option("--keep <batch>", "keep a batch in quarantine; repeatable", collect)
    .option(
      "--acknowledge-lost <file>",
      "acknowledge that the ledger has lost this batch (file name or batch ID); repeatable",
      collect,
    )
    .option(
      "--without-memory",
      "acknowledge that payrun might not recognise files whose payouts have already been paid",
    )
    .action((flags: Flags) => withLedger((open) => unfreeze(flags, open)));
}

async function freezeLedger(reason: string, { ledger }: OpenLedger): Promise<void> {
  const before = await ledger.integrity.verify();
  const epoch = await ledger.integrity.freeze({
    reason: `manually: ${reason}`,
    actor: currentActor(),
  });
  if (epoch === null) {
    throw new CliError(
      EXIT.conflict,
      before ? frozenText(before) : "The ledger is already frozen.",
    );
  }
  print(
    `The ledger is frozen at epoch ${epoch}. Running workers will query every payout in progress at the gateway. To resume sending after that: payrun unfreeze --reason TEXT`,
  );
}

async function unfreeze(
  { reason, yes = false, holdUnqueried = false, ...flags }: Flags,
  { ledger, database }: OpenLedger,
): Promise<void> {
  const freeze = await ledger.integrity.verify();
  if (!freeze) throw new CliError(EXIT.conflict, "The ledger is not frozen.");
  const { epoch, since } = freeze;
  const lanes = await ledger.integrity.laneProgress();
  if (!since) throw new CliError(EXIT.conflict, withAdvice(freeze, lanes));

  say(`${frozenText(freeze)}\nSo far, ${queryProgressText(lanes)}.`);
  if (unqueriedIn(lanes) > 0 && !holdUnqueried) throw await notQueriedError(freeze, lanes, ledger);
  await sayFindings(since, database);
  const { decide } = await import("#cli/integrity/freeze-decisions.ts");
  const decided = await decide(flags, {
    database,
    since,
    memorySince: await ledger.integrity.restoreMemorySince(),
  });
  if (!yes) await confirmUnfreeze();
  const order = { epoch, reason, actor: currentActor(), holdUnqueried, ...decided };
  if (!(await ledger.integrity.unfreeze(order))) {
    throw new CliError(
      EXIT.conflict,
      "The ledger changed in the meantime, so it is still frozen and no decisions were recorded. Run the same command again.",
    );
  }
  print(
    `The ledger is no longer frozen. It is now at epoch ${epoch}: wherever LEDGER_EPOCH is set, change it to ${epoch}.`,
  );
}

const withAdvice = (freeze: Freeze, lanes: readonly LaneProgress[]): string =>
  `${frozenText(freeze)}\n→ ${frozenAdviceText(freeze, lanes)}`;

async function notQueriedError(
  freeze: Freeze,
  lanes: readonly LaneProgress[],
  ledger: OpenLedger["ledger"],
): Promise<CliError> {
  const stopped = new Map(
    (await ledger.payout.stoppedLanes()).map((stop) => [stop.lane, stop.reason]),
  );
  const waiting = lanes
    .filter(({ unqueried }) => unqueried > 0)
    .map(({ lane, unqueried }) => {
      const why = stopped.get(lane);
      return `  ${lane}: ${unqueried} not queried yet${why ? ` (stopped: ${why})` : ""}`;
    });
  return new CliError(
    EXIT.notAllowed,
    `${waiting.join("\n")}\n→ ${frozenAdviceText(freeze, lanes)}\n  To put on hold any payouts that cannot be queried: payrun unfreeze --hold-unqueried`,
  );
}

const SHOWN_MAX = 20;

async function sayFindings(since: Date, database: OpenLedger["database"]): Promise<void> {
  const { findSinceFreeze } = await import("#ledger/integrity/since-freeze.ts");
  for (const line of findingLines(await findSinceFreeze(database, since, SHOWN_MAX))) say(line);
}

async function confirmUnfreeze(): Promise<void> {
  if (!hasTerminal())
    throw new CliError(
      EXIT.usage,
      "Confirmation requires a terminal. To skip the confirmation, add --yes. The ledger stays frozen.",
    );
  if ((await ask("Resume sending? Type yes: ")).toLowerCase() !== "yes") {
    throw new CliError(EXIT.notAllowed, "The ledger stays frozen.");
  }
}
