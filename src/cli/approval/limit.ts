import { Argument, type Command, Option } from "commander";
import type { z } from "zod";
import type { InvalidLimit } from "#approval/limit-units.ts";
import { LIMIT_SCOPE_NAMES } from "#approval/payout-limits.ts";
import type { PAYOUT_LIMIT_API } from "#api/approval/payout-limits.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedger, withPayrun } from "#cli/terminal/open.ts";
import { timeText } from "#base/time-text.ts";
import { currentActor, print, printJson, table } from "#cli/terminal/output.ts";
import {
  withServerOptions,
  localOnly,
  type ServerFlags,
  serverOf,
} from "#cli/terminal/server-options.ts";
import { systemClock } from "#base/clock.ts";
import type { LimitTerms } from "#ledger/approval/payout-limits.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
}
type Limits = typeof PAYOUT_LIMIT_API;
type Terms = AnswerOf<Limits["GET /api/payout-limits"]>;
type Headroom = AnswerOf<Limits["GET /api/payout-limits/headroom"]>;

const scope = () => new Argument("<scope>", "scope of the limit").choices(LIMIT_SCOPE_NAMES);

/** On a server, a change requires a user and a second admin. */
const BY_PEOPLE = "On a server, users change payout limits under Settings → Payout limits.";

/** Adds `payrun limit` to the program. */
export function limitCommand(program: Command): void {
  const limit = program
    .command("limit")
    .description(
      "show and set payout limits, the maximum amounts that may be approved in a period",
    );
  const json = (name: string, says: string) =>
    withServerOptions(limit.command(name).description(says).option("--json", "print JSON"));

  json("list", "list payout limits").action(async (flags: Flags) => {
    const server = await serverOf(flags);
    if (server) list(flags, await server.call("GET /api/payout-limits"));
    else {
      const { readPayoutLimits } = await import("#ledger/approval/payout-limits.ts");
      await withLedger(async ({ database }) => list(flags, await readPayoutLimits(database)));
    }
  });
  json("headroom", "show how much of each payout limit remains, and each lane's balance")
    .option("--query", "query the balances at the gateway first (a server does this automatically)")
    .action(headroom);
  localOnly(limit.command("set"), BY_PEOPLE)
    .addArgument(scope())
    .argument("<currency>", "currency code, such as INR")
    .argument("<amount>", "maximum amount, such as 5000000.00")
    .option(
      "--soft",
      "set a soft limit: a batch above it needs one more approver (default: a hard limit, which prevents approval)",
    )
    .description("create or change a payout limit")
    .action((scope: string, currency: string, amount: string, { soft }: { soft?: boolean }) => {
      const wanted = { scope, currency: currency.toUpperCase(), amount, hard: soft !== true };
      return change((terms) => ({
        ...terms,
        limits: [...terms.limits.filter((each) => !isSame(each, wanted)), wanted],
      }));
    });
  localOnly(limit.command("remove"), BY_PEOPLE)
    .addArgument(scope())
    .argument("<currency>", "currency code, such as INR")
    .option("--soft", "remove the soft limit (default: the hard limit)")
    .description("remove a payout limit")
    .action((scope: string, currency: string, { soft }: { soft?: boolean }) => {
      const gone = { scope, currency: currency.toUpperCase(), hard: soft !== true };
      return change((terms) => {
        const limits = terms.limits.filter((each) => !isSame(each, gone));
        if (limits.length === terms.limits.length) throw noSuchLimit(gone.hard);
        return { ...terms, limits };
      });
    });
  rulesCommand(limit);
}

function rulesCommand(limit: Command): void {
  localOnly(limit.command("rules"), BY_PEOPLE)
    .option("--zone <name>", "time zone that determines when a day begins, such as Asia/Kolkata")
    .addOption(
      new Option("--when-short <rule>", "rule for batches that exceed the known balance").choices([
        "warn",
        "refuse",
      ]),
    )
    .description("set rules for all payout limits")
    .action(({ zone, whenShort }: { zone?: string; whenShort?: string }) => {
      if (zone === undefined && whenShort === undefined) {
        throw new CliError(
          EXIT.usage,
          "Specify a rule: --zone Asia/Kolkata, --when-short refuse, or both. No changes were made.",
        );
      }
      return change((terms) => ({
        ...terms,
        ...(zone === undefined ? {} : { zone }),
        ...(whenShort === undefined ? {} : { when_short: whenShort }),
      }));
    });
}

async function headroom(flags: Flags & { readonly query?: boolean }): Promise<void> {
  const server = await serverOf(flags);
  if (server) return tell(flags, await server.call("GET /api/payout-limits/headroom"));
  const { headroomDocument } = await import("#views/approval/headroom.ts");
  const show = async ({ database }: OpenLedger) =>
    tell(flags, await headroomDocument(database, currentActor(), new Date(systemClock.nowMs())));
  if (!flags.query) return withLedger(show);
  const { queryBalances } = await import("#flows/approval/query-balance.ts");
  const { findAllLanes } = await import("#ledger/payout/lane/balances.ts");
  return withPayrun(async (payrun) => {
    const { database, ledger, deps, gateway } = payrun;
    await queryBalances(await findAllLanes(database), { ...deps, ledger, gateway });
    await show(payrun);
  });
}

type Named = Readonly<Record<"scope" | "currency", string>> & { readonly hard: boolean };
const isSame = (a: Named, b: Named): boolean =>
  a.scope === b.scope && a.currency === b.currency && a.hard === b.hard;

const noSuchLimit = (hard: boolean): CliError =>
  new CliError(
    EXIT.notFound,
    `This ${hard ? "hard" : "soft"} limit does not exist. No changes were made. To list the limits: payrun limit list`,
  );

const NO_LIMIT = "No payout limits are set. To set one: payrun limit set --help";

const issueText = ({ path, message, input }: z.core.$ZodIssue): string =>
  typeof input === "string"
    ? `${String(path.at(-1))} "${input}": expected ${message}`
    : `${path.join(".")}: ${message}`;

const wrongText = ({ field, found, expected }: InvalidLimit): string =>
  `${field} "${found}": expected ${expected}`;

const notChanged = (why: readonly string[]): CliError =>
  new CliError(EXIT.usage, `${why.join("; ")}. No changes were made.`);

async function change(next: (terms: LimitTerms) => object): Promise<void> {
  const { LimitTerms: Given } = await import("#api/approval/payout-limits.ts");
  const { describeIssue } = await import("#base/schema-issues.ts");
  const { readPayoutLimits, writePayoutLimits } = await import("#ledger/approval/payout-limits.ts");
  const { unitsOf } = await import("#intake/amount-limits.ts");
  const { findInvalidLimits } = await import("#approval/limit-units.ts");
  await withLedger(async ({ config, database }) => {
    const units = unitsOf(config.CRYPTO_CURRENCIES);
    const at = new Date(systemClock.nowMs());
    const after = await database.transaction().execute(async (transaction) => {
      const before = await readPayoutLimits(transaction);
      const given = Given.safeParse(next(before), { reportInput: true, error: describeIssue });
      if (!given.success) throw notChanged(given.error.issues.map(issueText));
      const wrong = findInvalidLimits(given.data.limits, before.limits, units);
      if (wrong.length > 0) throw notChanged(wrong.map(wrongText));
      await writePayoutLimits(transaction, given.data, { actor: currentActor(), at });
      return given.data;
    });
    list({}, after);
  });
}

const SHORT: Readonly<Record<(Terms | LimitTerms)["when_short"], string>> = {
  warn: "warns the approvers (warn)",
  refuse: "prevents its approval (refuse)",
};

function list({ json }: Flags, terms: Terms | LimitTerms): void {
  if (json) return printJson(terms);
  const rows = terms.limits.map(({ scope, currency, amount, hard }) => [
    scope,
    currency,
    amount,
    hard ? "hard" : "soft",
  ]);
  if (rows.length === 0) print(NO_LIMIT);
  else print(table([["scope", "currency", "limit", ""], ...rows], new Set([2])));
  print(
    `Days are counted in the time zone ${terms.zone}. If the known balance does not cover a batch, payrun ${SHORT[terms.when_short]}.`,
  );
}

function tell({ json }: Flags, { zone, items, lanes }: Headroom): void {
  if (json) return printJson({ zone, items, lanes });
  const rows = items.map(({ says, currency, amount, hard, used, left }) => [
    says,
    currency,
    hard ? "hard" : "soft",
    amount,
    used?.amount ?? "",
    left.amount,
  ]);
  if (rows.length === 0) print(NO_LIMIT);
  else
    print(table([["scope", "currency", "", "limit", "used", "left"], ...rows], new Set([3, 4, 5])));
  const accounts = lanes.map(({ lane, balance, reported_at: at, reserved, free }) => [
    lane,
    balance?.amount ?? "unknown",
    at === null ? "" : timeText(at),
    reserved.amount,
    free?.amount ?? "unknown",
  ]);
  if (accounts.length === 0)
    return print("No batches have been uploaded yet, so there are no balances to show.");
  const heading = ["lane", "balance", "as of", "reserved", "available"];
  print(`\n${table([heading, ...accounts], new Set([1, 3, 4]))}`);
}
