import { type Command, Option } from "commander";
import type { PayoutView } from "#api/payout/payouts.ts";
import { moneyText } from "#money/display.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedger, withPayrun } from "#cli/terminal/open.ts";
import { timeText } from "#base/time-text.ts";
import { currentActor, print, printJson, table } from "#cli/terminal/output.ts";
import { payoutActionCommands } from "#cli/payout/payout-actions.ts";
import { searchSubcommand } from "#cli/payout/search.ts";
import { sentFacts } from "#cli/payout/sent-facts.ts";
import { timelineTable } from "#cli/terminal/timeline.ts";
import {
  withServerOptions,
  isServerNamed,
  type ServerFlags,
  serverOf,
} from "#cli/terminal/server-options.ts";
import { systemClock } from "#base/clock.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";
import type { Payrun } from "#app/wiring.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
}

interface ResolveFlags extends Flags {
  readonly arrived?: boolean;
  readonly notArrived?: boolean;
  readonly reason: string;
}

interface StatusOptions extends Flags {
  readonly currency?: string;
}

/** Adds `payrun payout` to the program. */
export function payoutCommands(program: Command): void {
  const payout = program
    .command("payout")
    .description("search, show, query, hold back, cancel and resolve payouts");
  searchSubcommand(payout);
  payoutActionCommands(payout);
  const on = (name: string, text: string, run: (code: string, flags: Flags) => Promise<void>) =>
    withServerOptions(
      payout
        .command(name)
        .argument("<code>", "transaction code")
        .description(text)
        .option("--json", "print JSON"),
    ).action(run);
  on("show", "show a payout with its history", show);
  on(
    "query",
    "query a payout's status at the gateway and record it, without sending a payout",
    queryStatus,
  );
  withServerOptions(
    payout
      .command("resolve")
      .argument("<code>", "transaction code")
      .description(
        "record the result of a payout on hold; if payrun has users, an approver must confirm it",
      )
      .option("--arrived", "the money arrived, according to your evidence")
      .option("--not-arrived", "the money did not and will not arrive")
      .requiredOption("--reason <text>", "the evidence, such as a bank statement or support ticket")
      .option("--json", "print JSON"),
  ).action(resolve);
  withServerOptions(
    payout
      .command("end-wait")
      .argument("<code>", "transaction code")
      .description(
        "propose ending the wait before a payout in doubt is resent; an approver must confirm it",
      )
      .requiredOption(
        "--reason <text>",
        "evidence that no earlier request can still be in progress, such as a support ticket",
      )
      .option("--json", "print JSON"),
  ).action(endWait);
  program
    .command("status")
    .argument("<code>", "transaction code")
    .description("query a payout's status at the gateway without changing the ledger")
    .option("--json", "print JSON")
    .option("--currency <CUR>", "currency (required if the code is not in the ledger)")
    .addOption(new Option("--server <url>").hideHelp())
    .addOption(new Option("--api-key-file <file>").hideHelp())
    .action(async (code: string, options: StatusOptions) => {
      if (await isServerNamed(options)) throw payoutNotFound(code);
      await withPayrun((payrun) => status(code, options, payrun));
    });
}

const payoutNotFound = (code: string): CliError =>
  new CliError(
    EXIT.usage,
    `"payrun status" queries the gateway from this machine, with its own credentials, but a server is set (--server or PAYRUN_SERVER). To query through that server, run: payrun payout query ${code}`,
  );

async function show(code: string, flags: Flags): Promise<void> {
  const server = await serverOf(flags);
  const params = { code };
  const { localStandstill, serverStandstill } = await import("#cli/terminal/standstill.ts");
  const tellAll = async (payout: PayoutView, standstill: () => Promise<string | null>) => {
    printPayout(payout, flags);
    if (flags.json || isFinal(payout.state)) return;
    const text = await standstill();
    if (text !== null) print(`\n${text}`);
  };
  if (server) {
    const payout = await server.call("GET /api/payouts/:code", { params });
    await tellAll(payout, () => serverStandstill(server));
  } else {
    await withLedger(async (open) =>
      tellAll(await viewOf(code, open), () => localStandstill(open)),
    );
  }
}

async function queryStatus(code: string, flags: Flags): Promise<void> {
  const server = await serverOf(flags);
  const params = { code };
  if (server)
    return printPayout(await server.call("POST /api/payouts/:code/query", { params }), flags);
  const { queryForPerson } = await import("#flows/payout/query-by-hand.ts");
  await withPayrun(async (payrun) => {
    const at = new Date(systemClock.nowMs());
    const asked = await queryForPerson(
      { code, actor: currentActor(), at },
      payrun.deps,
      payrun.ledger,
    );
    if (!asked.ok && asked.error === null) throw noPayout(code);
    if (!asked.ok)
      throw new CliError(EXIT.conflict, `The status of ${code} was not queried: ${asked.error}`);
    printPayout(await viewOf(code, payrun), flags);
  });
}

async function resolve(code: string, said: ResolveFlags): Promise<void> {
  if ((said.arrived === true) === (said.notArrived === true)) {
    throw new CliError(
      EXIT.usage,
      "Specify either --arrived or --not-arrived. No result was recorded.",
    );
  }
  const finding = { arrived: said.arrived === true, evidence: said.reason };
  const server = await serverOf(said);
  if (server) {
    const asked = { params: { code }, body: finding };
    return printPayout(await server.call("POST /api/payouts/:code/resolve", asked), said);
  }
  const { proposePayoutResolution } = await import("#flows/payout/resolve-payout.ts");
  await withLedger(async (open) => {
    const { ledger } = open;
    const by = { code, actor: currentActor(), finding };
    const done = await proposePayoutResolution(by, { ledger, clock: systemClock });
    if (!done.ok && done.error === "not_found") throw noPayout(code);
    if (!done.ok)
      throw new CliError(EXIT.conflict, `${code} is not on hold. No changes were made.`);
    printPayout(await viewOf(code, open), said);
  });
}

async function endWait(code: string, said: ResolveFlags): Promise<void> {
  const server = await serverOf(said);
  if (server) {
    const asked = { params: { code }, body: { reason: said.reason } };
    return printPayout(await server.call("POST /api/payouts/:code/end-wait", asked), said);
  }
  const { proposeWaitEnding } = await import("#flows/payout/end-wait.ts");
  await withLedger(async (open) => {
    const by = { code, actor: currentActor(), reason: said.reason };
    const done = await proposeWaitEnding(by, { ledger: open.ledger, clock: systemClock });
    if (!done.ok && done.error === "not_found") throw noPayout(code);
    if (!done.ok)
      throw new CliError(
        EXIT.conflict,
        `${code} is not waiting to be resent. No changes were made.`,
      );
    printPayout(await viewOf(code, open), said);
  });
}

async function viewOf(
  code: string,
  open: Pick<Payrun, "config" | "database" | "sealer">,
): Promise<PayoutView> {
  const { sentDefaultsOf } = await import("#app/wiring.ts");
  const { payoutView } = await import("#views/payout/payout.ts");
  const { Problem } = await import("#api/app/problems.ts");
  try {
    return await payoutView(code, {
      ...open,
      deps: sentDefaultsOf(open.config),
      clock: systemClock,
    });
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") throw noPayout(code);
    throw error;
  }
}

const noPayout = (code: string): CliError =>
  new CliError(EXIT.notFound, `There is no payout ${code} in this ledger.`);
function printPayout(payout: PayoutView, { json }: Flags): void {
  if (json) return printJson(payout);
  const { code, state, outlook } = payout;
  print(`${code}  ${moneyText(payout)}  ${payout.needs_duplicate_reason ? "blocked" : state}`);
  print(`Has money moved? ${outlook.answer}`);
  const nextAt = outlook.next_at ? ` At ${timeText(outlook.next_at)}.` : "";
  print(`What happens next? ${outlook.next}${nextAt}`);
  if (outlook.wait) {
    const { reason_text: because } = outlook.wait;
    const until = timeText(outlook.wait.until);
    print(`payrun is waiting until ${until} before it resends this payout, because ${because}.`);
  }
  if (payout.wait_ending) {
    const { proposed_by: by, reason } = payout.wait_ending;
    print(
      `${by.name} has proposed ending the wait before the payout is resent: ${reason}. An approver must confirm this on the dashboard.`,
    );
  }
  const facts = {
    batch: `${payout.batch_id}, line ${payout.line}`,
    lane: payout.lane,
    "gateway number": payout.gateway_number ?? "none yet",
    fee: feeText(payout),
    ...(payout.assignment ? { "assigned to": assignmentText(payout.assignment) } : {}),
    ...(payout.reference ? { reference: payout.reference } : {}),
    ...Object.fromEntries(payout.details.map(({ field, text }) => [field, text])),
    ...sentFacts(payout),
  };
  print(table(Object.entries(facts)));
  print(`\n${timelineTable(payout.timeline)}`);
}

const feeText = ({ currency, fee, unreadable_fee: unreadable }: PayoutView): string =>
  [
    fee === null ? null : `${currency} ${fee}`,
    unreadable === null ? null : `reported as "${unreadable}", which cannot be read`,
  ]
    .filter((text) => text !== null)
    .join("; ") || "none reported";

/** Formats an assignment like "Asha, snoozed until 2026-11-24 00:00 UTC by Ravi". */
function assignmentText({
  assigned_to: to,
  snooze,
}: NonNullable<PayoutView["assignment"]>): string {
  const who = to === null ? "no one" : `${to.name}${to.is_active ? "" : " (disabled)"}`;
  if (!snooze) return who;
  const is = snooze.ended_by === null ? "" : " (over)";
  return `${who}, snoozed until ${timeText(snooze.until)} by ${snooze.by}${is}`;
}

async function status(
  code: string,
  { json, currency }: StatusOptions,
  { ledger, gateway, keyring }: Payrun,
): Promise<void> {
  const known = await ledger.payout.findStatusQuery(code);
  const paidIn = currency ?? known?.money.currency;
  if (!paidIn) {
    throw new CliError(
      EXIT.notFound,
      `There is no payout ${code} in this ledger. To query it anyway, specify its currency: --currency INR`,
    );
  }
  if (!keyring.forCurrency(paidIn)) {
    const known = [...new Set(keyring.all.flatMap(({ currencies }) => currencies))].sort();
    throw new CliError(
      EXIT.usage,
      `No merchant is configured for ${paidIn}. Merchants are configured for ${known.join(", ")}.`,
    );
  }
  const { answer, evidence } = await gateway.status(paidIn, code);
  if (answer.kind === "no_answer") process.exitCode = EXIT.unreachable;
  if (answer.kind === "not_found") process.exitCode = EXIT.notFound;
  if (json)
    printJson({ transaction_code: code, our_state: known?.state ?? null, ...answer, evidence });
  else if (answer.kind === "not_found")
    print(`The gateway reports that transaction ${code} does not exist: ${answer.text}`);
  else if (answer.kind === "no_answer")
    print(`The gateway did not return a usable response: ${answer.text}`);
  else {
    const { state, says, gatewayNumber, fee } = answer.record;
    print(
      table([
        ["gateway status", says ? `${says} (${state})` : state],
        ["amount", moneyText(answer.record)],
        ["gateway number", gatewayNumber ?? "none"],
        ["fee", fee ?? "none"],
        ["state in payrun", known?.state ?? "not in this ledger"],
      ]),
    );
  }
}
