import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { CliError, EXIT } from "#cli/exit.ts";
import { askedText, findingLines, frozenAdvice, frozenText, unaskedIn } from "#cli/frozen.ts";
import { withLedger } from "#cli/open.ts";
import { actor, print, say } from "#cli/output.ts";
import { AT_ITS_MACHINE, hereAlone } from "#cli/where.ts";
import type { Freeze, LaneAsked } from "#ledger/ledger.ts";
import type { OpenLedger } from "#open-ledger.ts";

interface Flags {
  readonly reason: string;
  readonly yes?: boolean;
  readonly holdUnasked?: boolean;
}

export function freezeCommands(program: Command): void {
  hereAlone(
    program.command("freeze"),
    "What a server sends is stopped from here with: payrun lane pause all --reason TEXT.",
  )
    .description("send nothing at all until unfreeze; what was sent is still followed")
    .requiredOption("--reason <text>", "why")
    .action(({ reason }: Flags) => withLedger((open) => freezeByHand(reason, open)));

  hereAlone(program.command("unfreeze"), AT_ITS_MACHINE)
    .description("let a frozen ledger send again, when every open payout has been asked for")
    .requiredOption("--reason <text>", "why it may")
    .option("--yes", "do not ask")
    .option("--hold-unasked", "hold what could not be asked for, for a person")
    .action((flags: Flags) => withLedger((open) => unfreeze(flags, open)));
}

async function freezeByHand(reason: string, { ledger }: OpenLedger): Promise<void> {
  const before = await ledger.verify();
  const epoch = await ledger.freeze({ reason: `by hand: ${reason}`, actor: actor() });
  if (epoch === null) {
    throw new CliError(
      EXIT.conflict,
      before ? frozenText(before) : "The ledger is frozen already.",
    );
  }
  print(
    `The ledger is frozen, at epoch ${epoch}. Running workers ask the gateway for every open payout; go on with: payrun unfreeze --reason TEXT`,
  );
}

async function unfreeze(
  { reason, yes = false, holdUnasked = false }: Flags,
  { ledger, database }: OpenLedger,
): Promise<void> {
  const freeze = await ledger.verify();
  if (!freeze) throw new CliError(EXIT.conflict, "The ledger is not frozen.");
  const { epoch, since } = freeze;
  const lanes = await ledger.askedPerLane();
  if (!since) throw new CliError(EXIT.conflict, withAdvice(freeze, lanes));

  say(`${frozenText(freeze)}\nSo far ${askedText(lanes)}.`);
  if (unaskedIn(lanes) > 0 && !holdUnasked) throw await notAsked(freeze, lanes, ledger);
  await sayFindings(since, database);
  say(GAP);
  if (!yes) await askForYes();
  if (!(await ledger.unfreeze({ epoch, reason, actor: actor(), holdUnasked }))) {
    throw new CliError(
      EXIT.conflict,
      "It is still frozen: something changed meanwhile. Run the same command again.",
    );
  }
  print(
    `The ledger may send again, at epoch ${epoch}. Where LEDGER_EPOCH is set, set it to ${epoch}.`,
  );
}

const withAdvice = (freeze: Freeze, lanes: readonly LaneAsked[]): string =>
  `${frozenText(freeze)}\n→ ${frozenAdvice(freeze, lanes)}`;

const GAP =
  "Batches that were taken in after the copy was made are unknown to this ledger. Their files would be new batches with new codes, and paid again: compare the gateway's records of that time before any such file comes in.";

async function notAsked(
  freeze: Freeze,
  lanes: readonly LaneAsked[],
  ledger: OpenLedger["ledger"],
): Promise<CliError> {
  const stopped = new Map((await ledger.stoppedLanes()).map((stop) => [stop.lane, stop.reason]));
  const waiting = lanes
    .filter(({ unasked }) => unasked > 0)
    .map(({ lane, unasked }) => {
      const why = stopped.get(lane);
      return `  ${lane}: ${unasked} not asked for yet${why ? ` (stopped: ${why})` : ""}`;
    });
  return new CliError(
    EXIT.notAllowed,
    `${waiting.join("\n")}\n→ ${frozenAdvice(freeze, lanes)}\n  What can never be asked for: payrun unfreeze --hold-unasked`,
  );
}

const SHOWN_MAX = 20;

async function sayFindings(since: Date, database: OpenLedger["database"]): Promise<void> {
  const { findingsSince } = await import("#ledger/since-freeze.ts");
  for (const line of findingLines(await findingsSince(database, since, SHOWN_MAX))) say(line);
}

async function askForYes(): Promise<void> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    throw new CliError(EXIT.usage, "There is no terminal to ask on. Say --yes.");
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question("Let it send again? Type yes: ");
    if (answer.trim().toLowerCase() !== "yes") {
      throw new CliError(EXIT.notAllowed, "It stays frozen.");
    }
  } finally {
    terminal.close();
  }
}
