import type { Command } from "commander";
import type { DEPOSIT_API, DepositView } from "#api/deposit/deposits.ts";
import { describeIssue } from "#base/schema-issues.ts";
import { CliError, EXIT, exitCodeOfStatus, refusalText } from "#cli/terminal/exit.ts";
import { withLedger, withPayrun } from "#cli/terminal/open.ts";
import {
  printDeposit,
  printStepResult,
  printCreatedDeposit,
  printDepositPage,
} from "#cli/deposit/deposit-result.ts";
import { currentActor, print, printJson } from "#cli/terminal/output.ts";
import { withServerOptions, type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";
import type { Payrun } from "#app/wiring.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
}

interface CreateFlags extends Flags {
  readonly currency: string;
  readonly amount: string;
  readonly user: string;
  readonly name: string;
  readonly identity?: string;
  readonly phone?: string;
  readonly bank?: string;
  readonly paymentCode?: string;
  readonly reference?: string;
  readonly key?: string;
}

interface AccountFlags extends Flags {
  readonly bank: string;
  readonly account: string;
}

interface ResolveFlags extends Flags {
  readonly received?: string;
  readonly notReceived?: boolean;
  readonly reason: string;
}

interface ListFlags extends Flags {
  readonly state?: string;
  readonly currency?: string;
  readonly user?: string;
  readonly reference?: string;
  readonly limit?: string;
}

/** Adds `payrun deposit` to the program. */
export function depositCommands(program: Command): void {
  const deposit = program.command("deposit").description("request and track deposits");
  const command = (name: string, text: string) =>
    withServerOptions(deposit.command(name).description(text).option("--json", "print JSON"));

  command("create", "request a deposit from the gateway")
    .requiredOption("--currency <CUR>", "INR, BDT, VND, JPY, KRW, BRL, TRY or MMK")
    .requiredOption("--amount <amount>", "amount as an exact decimal, such as 500.00")
    .requiredOption("--user <id>", "your ID for the payer")
    .requiredOption("--name <name>", "payer's name")
    .option("--identity <id>", "payer's identity number (required for TRY)")
    .option(
      "--phone <number>",
      "payer's phone number: 11 digits without the country code (required for BDT)",
    )
    .option("--bank <code>", "bank code, if the payment method requires one")
    .option("--payment-code <code>", "payment method (default: the merchant's payment method)")
    .option("--reference <text>", "your reference; never sent to the gateway")
    .option("--key <text>", "idempotency key: reusing it never creates a second deposit")
    .action(create);
  command(
    "krw-account",
    "send the payer's bank account to the gateway (second step of a KRW deposit)",
  )
    .argument("<code>", "transaction code")
    .requiredOption("--bank <code>", "bank code from the gateway's list")
    .requiredOption("--account <number>", "payer's account number")
    .action(krwAccount);
  command("show", "show a deposit with its history")
    .argument("<code>", "transaction code")
    .action(show);
  command("link", "print the payment page URL for the payer")
    .argument("<code>", "transaction code")
    .action(link);
  command("list", "list deposits, newest first")
    .option("--state <states>", "filter by state; separate multiple states with commas")
    .option("--currency <CUR>", "filter by currency")
    .option("--user <id>", "filter by your ID for the payer")
    .option("--reference <text>", "filter by your reference")
    .option("--limit <n>", "number of deposits to list, at most 200 (default: 50)")
    .action(list);
  command("query", "query a deposit's status at the gateway and record it, without moving money")
    .argument("<code>", "transaction code")
    .action(queryStatus);
  command("resolve", "propose the result of a deposit on hold; an approver must confirm it")
    .argument("<code>", "transaction code")
    .option("--received <amount>", "the amount that arrived, according to your evidence")
    .option("--not-received", "no money arrived")
    .requiredOption("--reason <text>", "the evidence, such as a bank statement or support ticket")
    .action(resolve);
}

async function create(wish: CreateFlags): Promise<void> {
  const body = given({
    currency: wish.currency,
    amount: wish.amount,
    user_id: wish.user,
    deposit_name: wish.name,
    identity_id: wish.identity,
    phone: wish.phone,
    bank_code: wish.bank,
    payment_code: wish.paymentCode,
    reference: wish.reference,
  });
  const server = await serverOf(wish);
  const { key } = wish;
  if (server) {
    return printCreatedDeposit(await server.call("POST /api/deposits", { body, key }), wish);
  }
  await withLocalDeposits(async (payrun) => {
    const { createDeposit } = await import("#views/deposit/deposits.ts");
    const read = await reader("POST /api/deposits");
    const code = await createDeposit(
      read.body.parse(body, SHOWING),
      { actor: currentActor(), key: key ?? null },
      payrun.deposits,
    );
    const { payUrlOf } = await import("#views/deposit/deposit.ts");
    printCreatedDeposit({ ...(await viewOf(code, payrun)), pay_url: payUrlOf(code, payrun) }, wish);
  });
}

async function krwAccount(code: string, flags: AccountFlags): Promise<void> {
  const body = { bank_code: flags.bank, account_number: flags.account };
  const server = await serverOf(flags);
  if (server) {
    const input = { params: { code }, body };
    return printStepResult(await server.call("POST /api/deposits/:code/krw-account", input), flags);
  }
  await withLocalDeposits(async (payrun) => {
    const { providePayerAccount } = await import("#views/deposit/deposits.ts");
    const read = await reader("POST /api/deposits/:code/krw-account");
    await providePayerAccount(
      { code, actor: currentActor() },
      read.body.parse(body, SHOWING),
      payrun.deposits,
    );
    printStepResult(await viewOf(code, payrun), flags);
  });
}

async function show(code: string, flags: Flags): Promise<void> {
  const server = await serverOf(flags);
  const params = { code };
  if (server) return printDeposit(await server.call("GET /api/deposits/:code", { params }), flags);
  await reportRefusals(() =>
    withLedger(async (open) => printDeposit(await viewOf(code, open), flags)),
  );
}

async function link(code: string, flags: Flags): Promise<void> {
  const tellLink = (told: { readonly pay_url: string }) =>
    flags.json ? printJson(told) : print(told.pay_url);
  const server = await serverOf(flags);
  const params = { code };
  if (server) return tellLink(await server.call("GET /api/deposits/:code/pay-url", { params }));
  await reportRefusals(() =>
    withLedger(async (open) => {
      const { payUrlOf } = await import("#views/deposit/deposit.ts");
      await viewOf(code, open); // Throws if it does not exist.
      tellLink({ pay_url: payUrlOf(code, open) });
    }),
  );
}

async function list(wanted: ListFlags): Promise<void> {
  const query = given({
    state: wanted.state,
    currency: wanted.currency,
    user_id: wanted.user,
    reference: wanted.reference,
    limit: wanted.limit,
  });
  const server = await serverOf(wanted);
  if (server) return printDepositPage(await server.call("GET /api/deposits", { query }), wanted);
  await reportRefusals(() =>
    withLedger(async (open) => {
      const { pageOfDeposits } = await import("#views/deposit/deposit-list.ts");
      const { DEPOSIT_LIST_API } = await import("#api/deposit/deposit-list.ts");
      const asked = DEPOSIT_LIST_API["GET /api/deposits"].query.parse(query, SHOWING);
      printDepositPage(await pageOfDeposits(asked, open), wanted);
    }),
  );
}

async function queryStatus(code: string, flags: Flags): Promise<void> {
  const server = await serverOf(flags);
  const params = { code };
  if (server)
    return printDeposit(await server.call("POST /api/deposits/:code/query", { params }), flags);
  await withLocalDeposits(async (payrun) => {
    const { queryDeposit } = await import("#views/deposit/deposits.ts");
    await queryDeposit({ code, actor: currentActor() }, payrun.deposits);
    printDeposit(await viewOf(code, payrun), flags);
  });
}

async function resolve(code: string, said: ResolveFlags): Promise<void> {
  if ((said.received === undefined) !== (said.notReceived === true)) {
    throw new CliError(
      EXIT.usage,
      "Specify either --received AMOUNT or --not-received. No result was recorded.",
    );
  }
  const body = { received: said.received ?? null, evidence: said.reason };
  const server = await serverOf(said);
  if (server) {
    return printDeposit(
      await server.call("POST /api/deposits/:code/resolve", { params: { code }, body }),
      said,
    );
  }
  await withLocalDeposits(async (payrun) => {
    const { proposeResolution } = await import("#views/deposit/deposits.ts");
    const read = await reader("POST /api/deposits/:code/resolve");
    await proposeResolution(
      { code, actor: currentActor() },
      read.body.parse(body, SHOWING),
      payrun.deposits,
    );
    printDeposit(await viewOf(code, payrun), said);
  });
}

/** Keeps only the given options. */
const given = <Named extends Record<string, string | undefined>>(named: Named) =>
  Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Named]: NonNullable<Named[Name]>;
  };

async function reader<Name extends keyof typeof DEPOSIT_API>(
  name: Name,
): Promise<(typeof DEPOSIT_API)[Name]> {
  return (await import("#api/deposit/deposits.ts")).DEPOSIT_API[name];
}

const withLocalDeposits = (run: (payrun: Payrun) => Promise<void>): Promise<void> =>
  reportRefusals(() => withPayrun(run));

/** The issues include the value found. */
const SHOWING = { reportInput: true, error: describeIssue };

/** Fields with a different name on the command line. */
const FLAGS: Readonly<Record<string, string>> = {
  user_id: "--user",
  deposit_name: "--name",
  identity_id: "--identity",
  bank_code: "--bank",
  payment_code: "--payment-code",
  account_number: "--account",
  received: "--received",
  evidence: "--reason",
};

/** Fields that never appear in an error message (I14). */
const SECRET: ReadonlySet<string> = new Set(["account_number", "identity_id", "phone"]);

/** Reports refusals in the same words as the server. */
async function reportRefusals(run: () => Promise<void>): Promise<void> {
  const { Problem } = await import("#api/app/problems.ts");
  const { ZodError } = await import("zod");
  try {
    await run();
  } catch (error) {
    if (error instanceof Problem) {
      throw new CliError(exitCodeOfStatus(error.status), refusalText(error.document()));
    }
    if (!(error instanceof ZodError)) throw error;
    const faults = error.issues.map(({ path, message, input }) => {
      const field = String(path[0]);
      const found = SECRET.has(field) ? "" : `, but found ${JSON.stringify(input)}`;
      return `${FLAGS[field] ?? `--${field}`}: expected ${message}${found}.`;
    });
    throw new CliError(EXIT.usage, faults.join("\n"));
  }
}

const viewOf = async (
  code: string,
  open: Pick<Payrun, "database" | "sealer" | "config">,
): Promise<DepositView> => (await import("#views/deposit/deposit.ts")).depositView(code, open);
