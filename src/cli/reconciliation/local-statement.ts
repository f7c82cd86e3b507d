import { systemClock } from "#base/clock.ts";
import { ok, type Result } from "#base/result.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import type { StatementResult } from "#api/reconciliation/statements.ts";
import {
  changesOf,
  countOf,
  dayOf,
  type StatementFlags,
  usage,
} from "#cli/reconciliation/statement-flags.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { fileNameOf } from "#cli/terminal/file.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { currentActor } from "#cli/terminal/output.ts";
import { localLane, unknownLane } from "#cli/payout/lane-name.ts";
import type { LoadRefusal, StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import type { StatementBalances } from "#ledger/reconciliation/statements.ts";
import { amountRuleText } from "#money/format.ts";
import { parseDecimal } from "#money/money.ts";
import type { StatementAccount } from "#reconciliation/statement-reader.ts";

/** Loads a statement into this machine's ledger, and compares it. */
export async function reconcileHere(
  file: string,
  flags: StatementFlags,
): Promise<Result<StatementResult, LoadRefusal>> {
  const { loadStatement } = await import("#flows/reconciliation/load-statement.ts");
  const { compareDay } = await import("#flows/reconciliation/compare-day.ts");
  const { statementResult } = await import("#views/reconciliation/statements.ts");
  return withLedger(async (open) => {
    const deps = { ledger: open.ledger, clock: systemClock };
    const loaded = await loadStatement(await uploadOf(file, flags, open), deps);
    if (!loaded.ok) return loaded;
    const { isNew } = loaded.value;
    const statement = { ...loaded.value.statement, isNew };
    if (statement.state !== "current") return ok(statementResult(statement, null));
    const compared = await compareDay(statement, currentActor(), deps);
    if (compared.ok) return ok(statementResult(statement, compared.value));
    throw new CliError(EXIT.problems, "Another statement has replaced this one. Nothing changed.");
  });
}

async function uploadOf(
  file: string,
  flags: StatementFlags,
  open: OpenLedger,
): Promise<StatementUpload> {
  const { createReadStream } = await import("node:fs");
  const lane = await localLane(flags.lane.toUpperCase(), open);
  const account = await accountOf(lane, open);
  return {
    lane,
    account,
    day: await dayOf(flags.day),
    fileName: fileNameOf(file),
    actor: currentActor(),
    open: () => createReadStream(file),
    changes: await changesOf(flags),
    isConfirmed: flags.confirmMapping === true,
    isReview: false,
    outsideDay: countOf(flags.outsideDay, "--outside-day") ?? 0,
    control: {
      lines: countOf(flags.lines, "--lines"),
      total: flags.total === undefined ? null : totalOf(flags.total, account),
    },
    balances: balancesOf(flags, account),
  };
}

async function accountOf(lane: string, { ledger }: OpenLedger): Promise<StatementAccount> {
  const lanes = await ledger.payout.findAllLanes();
  const known = lanes.find((each) => each.lane === lane);
  if (!known) throw unknownLane(lane);
  return { currency: known.currency, minorDigits: known.minorDigits };
}

const wrongAmount = (option: string, { currency, minorDigits }: StatementAccount): Error =>
  usage(`${option} ${amountRuleText(currency, minorDigits)}.`);

function totalOf(text: string, account: StatementAccount) {
  const total = parseDecimal(text, account.minorDigits);
  if (total) return total;
  throw wrongAmount("--total", account);
}

function balancesOf(
  { opening, closing, deposits }: StatementFlags,
  account: StatementAccount,
): StatementBalances | null {
  if (opening === undefined && closing === undefined && deposits === undefined) return null;
  const minor = (text: string | undefined, option: string): bigint => {
    const read = text === undefined ? null : parseDecimal(text, account.minorDigits);
    if (read?.minorDigits !== account.minorDigits) throw wrongAmount(option, account);
    return read.minor;
  };
  return {
    opening: minor(opening, "--opening"),
    closing: minor(closing, "--closing"),
    deposits: deposits === undefined ? 0n : minor(deposits, "--deposits"),
  };
}
