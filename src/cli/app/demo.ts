import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { systemClock } from "#base/clock.ts";
import { CONNECTIONS_DEFAULT_WITH_WORKERS } from "#app/connections.ts";
import { EXIT, type ExitCode } from "#cli/terminal/exit.ts";
import { startSimulator } from "#cli/app/demo-simulator.ts";
import type { DemoPerson } from "#cli/app/demo-people.ts";
import { print, quoted, say, styled } from "#cli/terminal/output.ts";
import type { Config } from "#app/config.ts";
import type { Payrun } from "#app/wiring.ts";

/** Adds `payrun demo` to the program. */
export function demoCommand(program: Command): void {
  program
    .command("demo")
    .description("pay a sample batch through a simulated gateway on this machine")
    .option("--once", "exit when the batch finishes instead of keeping the server running")
    .addHelpText("after", HELP)
    .action(demo);
}

const HELP = `
Each start sets new passwords for the demo users, and pays the sample again.

Environment variables (the demo ignores all others):
  PORT         port of the dashboard (default: 3000); if in use, a free one
  PAYRUN_DATA  folder with the ledger of the demo, in "demo" (default: .payrun)
  LOG_LEVEL    log level (default: fatal)`;

/** The payer on the receipts of the demo. */
const COMPANY = "Meridian Trading";

const ROOT = join(import.meta.dirname, "../../..");
const SAMPLE = join(ROOT, "samples/mixed.csv");
/**
 * Two batches for users of the dashboard: one to approve, one to correct. They are the same at
 * every start.
 */
const TO_APPROVE = {
  path: join(ROOT, "samples/inr.csv"),
  fileName: "mumbai-suppliers.csv",
  name: "Mumbai suppliers",
  purpose: "Supplier invoices",
};
const TO_CORRECT = {
  path: join(ROOT, "samples/contractors.csv"),
  fileName: "contractors-october.csv",
};

/**
 * Starts embedded PostgreSQL, the simulated gateway as a separate process, HTTP for callbacks, and
 * workers, and pays one batch. The demo has its own data folder. From the environment it reads only
 * the path of that folder, the port and the log level: it must not touch real databases, merchants
 * or mail servers.
 */
async function demo({ once }: { once?: boolean }): Promise<void> {
  const { readConfig, dataFolder } = await import("#app/config.ts");
  const { makeDataFolder } = await import("#app/open-ledger.ts");
  const { openPayrun } = await import("#app/wiring.ts");
  const { endedDay, prepareDemoDay } = await import("#cli/app/demo-day.ts");
  const { environmentText } = await import("#cli/app/demo-environment.ts");
  const { demoPeople } = await import("#cli/app/demo-people.ts");
  const { uploadForApproval, uploadSample } = await import("#cli/app/demo-uploads.ts");
  const { startServer } = await import("#composition/server.ts");
  const { holdPort } = await import("#ledger/embedded/port.ts");
  const { waitForAbort, interruptSignal } = await import("#cli/terminal/signals.ts");

  const asked = readConfig({ GATEWAY_URL: "" }, { LOG_LEVEL: "fatal" });
  const folder = join(dataFolder(asked), "demo");
  await makeDataFolder(folder);
  const merchants = await writeMerchants(folder);

  const interrupted = interruptSignal("Stopping the demo.");
  say("The demo pays a sample file through a simulated gateway. No real money moves.\n");
  const log = join(folder, "simulator-transactions.jsonl");
  const simulator = await startSimulator(log);
  say(`simulated gateway  ${simulator.url}  (transaction log: ${simulator.url}/transaction-log)`);
  try {
    // The port is reserved until the server listens, because addresses in the configuration contain
    // it.
    const held = (await holdPort(asked.PORT)) ?? (await holdPort());
    if (!held) throw new Error("no free port on 127.0.0.1");
    const port = String(held.port);
    const settings = settingsOf(asked, {
      PAYRUN_DATA: folder,
      GATEWAY_URL: simulator.url,
      MERCHANTS_FILE: merchants,
      PORT: port,
    });
    const config = readConfig(settings);
    const environment = join(folder, "environment");
    writeOwn(environment, environmentText(settings));
    const payrun = await openPayrun(config);
    say(`ledger             embedded PostgreSQL in ${relative(process.cwd(), folder)}`);
    await held.release();
    const server = await startServer(payrun, { workers: true, environment: "simulated" });
    say(`payrun             ${server.url}  (dashboard, callbacks, health)\n`);
    try {
      const people = await demoPeople(payrun.database, payrun.deps.clock);
      const [maker, checker] = people;
      if (!maker || !checker) throw new Error("the demo users are missing");
      const file = freshSample(folder);
      const ended = endedDay(payrun.deps.clock.nowMs());
      const code = await paySample(file, { maker, checker }, payrun, interrupted);
      // Declined payouts are part of the sample.
      if (code !== EXIT.ok) process.exitCode = code === EXIT.declined ? EXIT.ok : code;
      sayTerminalCommands(environment);
      if (!once && !interrupted.aborted) {
        await uploadSample(TO_CORRECT, maker, payrun);
        await uploadForApproval(TO_APPROVE, maker, payrun);
        const day = { log, folder, person: checker, ended, write: writeOwn };
        await sayDashboardLinks(server.url, people, await prepareDemoDay(day, payrun));
        say("\nThe server keeps running. Press Ctrl-C to stop it.");
        await waitForAbort(interrupted);
      }
    } finally {
      await server.close();
      await payrun.close();
    }
  } finally {
    await simulator.stop();
  }
}

/** Writes the merchants of the demo, and returns the path of the file. */
async function writeMerchants(folder: string): Promise<string> {
  const { DEMO_MERCHANTS } = await import("#simulator/demo-merchants.ts");
  const path = join(folder, "merchants.json");
  const named = DEMO_MERCHANTS.map((merchant) => ({ ...merchant, display_name: COMPANY }));
  writeOwn(path, JSON.stringify(named, null, 2));
  return path;
}

/**
 * Returns the settings of the demo. Those of the caller are empty: the demo must not touch real
 * databases, merchants or mail servers.
 */
const settingsOf = (
  asked: Config,
  own: Readonly<Record<"PAYRUN_DATA" | "GATEWAY_URL" | "MERCHANTS_FILE" | "PORT", string>>,
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.keys(asked).map((name) => [name, ""])),
  DATABASE_CONNECTIONS: String(CONNECTIONS_DEFAULT_WITH_WORKERS),
  ...own,
  PUBLIC_URL: `http://127.0.0.1:${own.PORT}`,
  RESOLVE_AFTER_MS: "2000",
  RESEND_AFTER_MS: "5000",
  // Webhooks can be tried against a receiver on this machine.
  WEBHOOK_ALLOW_PRIVATE: "yes",
  LOG_LEVEL: asked.LOG_LEVEL,
});

/** Prints how commands in another terminal reach the demo. */
function sayTerminalCommands(environment: string): void {
  say(`\n${styled("bold", "To inspect the result, run in another terminal:", process.stderr)}`);
  say(`  . ${quoted(resolve(environment))}`);
  say(`  ${launcher()} batch list`);
  say(`  ${launcher()} payout show CODE`);
}

/** Uploads a file as the maker and approves it as the checker, with the totals of the file. */
async function paySample(
  file: string,
  { maker, checker }: { readonly maker: DemoPerson; readonly checker: DemoPerson },
  payrun: Payrun,
  interrupted: AbortSignal,
): Promise<ExitCode> {
  const { nameDemoAccounts } = await import("#cli/app/demo-account-names.ts");
  const { uploadForApproval } = await import("#cli/app/demo-uploads.ts");
  const { showWaitResult } = await import("#cli/batch/batch-result.ts");
  const { waitForBatch } = await import("#cli/batch/wait.ts");
  const { totalsOf } = await import("#flows/approval/approve.ts");
  const { approveAs } = await import("#flows/approval/record-approval.ts");
  const { allowExactDuplicates } = await import("#ledger/intake/exact-duplicates.ts");
  const { ledger, database, deps } = payrun;
  const { clock } = deps;
  const startedMs = clock.monotonicMs();
  print(
    `${maker.name} uploads ${relative(process.cwd(), resolve(file))}. ${checker.name} approves it.`,
  );
  await nameDemoAccounts(database, new Date(clock.nowMs()));
  const name = `${monthOf(clock.nowMs())} payroll`;
  const fileName = `${name.toLowerCase().replace(" ", "-")}.csv`;
  const sample = { path: file, fileName, name, purpose: "Salaries" };
  const batch = await uploadForApproval(sample, maker, payrun);
  const { id: batchId, contentDigest } = batch;
  // An earlier demo may have paid the same people the same amounts.
  const order = { batchId, contentDigest, reason: "the demo was restarted", actor: "cli:demo" };
  const at = new Date(clock.nowMs());
  await database
    .transaction()
    .execute((transaction) => allowExactDuplicates(transaction, { ...order, at }));
  const approval = { batchId, userId: checker.userId, contentDigest, totals: totalsOf(batch) };
  const approved = await approveAs(approval, { ledger, clock });
  if (!approved.ok) throw new Error(`the demo batch was not approved: ${approved.error.kind}`);
  const waited = await waitForBatch(batchId, { ledger, clock, interrupted });
  return showWaitResult(batch, waited, { startedMs, json: false, hasNextSteps: false }, payrun);
}

/** Host names of one machine keep the cookies separate, so all users can be signed in at once. */
const HOSTS = ["127.0.0.1", "localhost", "approver.localhost"];

async function sayDashboardLinks(
  url: string,
  people: readonly DemoPerson[],
  hasNewDay: boolean,
): Promise<void> {
  const { enterLink } = await import("#cli/app/demo-people.ts");
  say(`\n${styled("bold", "Sign in to the dashboard as one of these users:", process.stderr)}`);
  for (const [place, person] of people.entries()) {
    const address = url.replace("127.0.0.1", HOSTS[place] ?? "127.0.0.1");
    const { name, email, roles, password } = person;
    say(`  ${name}, ${roles.join(" and ")}`);
    say(`    ${enterLink(address, person)}`);
    say(`    or with the e-mail address ${email} and the password ${password.reveal()}`);
  }
  say(
    "  The demo does not require a second factor. A new installation requires one for approvers and admins.",
  );
  const [maker, checker, approver] = people.map(({ name }) => name);
  say(
    `  One batch is waiting for the approval of ${checker}, and another for corrections by ${maker}.`,
  );
  if (hasNewDay)
    say(
      `  One business day can be closed: ${checker} explains its break and closes it, and ${approver} confirms the explanation.`,
    );
}

/**
 * Writes the sample with a unique reference (its last column). The identical file would be the same
 * batch, which is already paid.
 */
function freshSample(folder: string): string {
  const nowMs = systemClock.nowMs();
  const stamp = new Date(nowMs).toISOString().replaceAll(":", "-");
  const [header = "", ...rows] = readFileSync(SAMPLE, "utf8").trimEnd().split("\n");
  const text = [header, ...rows.map((row) => row.replace(/[^,]*$/, `Payroll ${stamp}`))].join("\n");
  const file = join(folder, `${monthOf(nowMs).toLowerCase()}-payroll-${stamp}.csv`);
  writeOwn(file, `${text}\n`);
  return file;
}

/** "November", in UTC. */
const monthOf = (ms: number): string =>
  new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format(ms);

/** Returns the path of the launcher as a command of the shell. */
function launcher(): string {
  const path = relative(process.cwd(), join(ROOT, "payrun"));
  return path.startsWith("..") ? join(ROOT, "payrun") : `./${path}`;
}

/** Creates the file for this user alone, even if an earlier start created it for others. */
function writeOwn(file: string, text: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600 });
}
