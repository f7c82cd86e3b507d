import { resolve } from "node:path";
import type { Command } from "commander";
import { systemClock } from "#base/clock.ts";
import { CREDENTIALS, checkGateway } from "#cli/operations/doctor-gateway.ts";
import { EXIT, type ExitCode } from "#cli/terminal/exit.ts";
import {
  broken,
  CLOCK_OFFSET_MAX_MS,
  type Finding,
  findingText,
  ok,
  warning,
  words,
} from "#cli/operations/doctor-finding.ts";
import { newLedgerText } from "#cli/terminal/open.ts";
import { print, printJson } from "#cli/terminal/output.ts";
import { RUN_ON_LEDGER_MACHINE, localOnly } from "#cli/terminal/server-options.ts";
import type { Config } from "#app/config.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/** Adds `payrun doctor` to the program. */
export function doctorCommand(program: Command): void {
  localOnly(program.command("doctor"), RUN_ON_LEDGER_MACHINE)
    .description("check the database, queue, clock, credentials and gateway, and suggest fixes")
    .option("--archives <folder>", "also verify the archive files in this folder")
    .option("--json", "print JSON")
    .action(async ({ json, archives }: { json?: boolean; archives?: string }) => {
      const { readConfig } = await import("#app/config.ts");
      const { checkQueue } = await import("#cli/operations/doctor-queue.ts");
      const config = readConfig();
      const findings = [
        ...(await checkLedger(config, archives)),
        ...(await checkRestoreMarker(config)),
        ...(await checkQueue(config)),
        ...(await checkWatchedFolder(config)),
        ...(await checkSecretFiles(config)),
        ...(await checkPlaintext(config)),
        ...(await checkGateway(config)),
      ];
      if (json) printJson(findings);
      else for (const finding of findings) print(findingText(finding));
      process.exitCode = worst(findings);
    });
}

function worst(findings: readonly Finding[]): ExitCode {
  const broken = findings.filter(({ state }) => state === "broken").map(({ name }) => name);
  if (broken.length === 0) return EXIT.ok;
  const isSetWrong = (name: string) =>
    CONFIGURATION_FINDINGS.has(name) || name.startsWith(CREDENTIALS);
  if (!broken.every((name) => name === LEDGER || isSetWrong(name))) return EXIT.unreachable;
  return broken.includes(LEDGER) ? EXIT.heldOrInDoubt : EXIT.usage;
}

async function checkLedger(config: Config, archives: string | undefined): Promise<Finding[]> {
  const { openLedger } = await import("#app/open-ledger.ts");
  try {
    const open = await openLedger(config);
    try {
      const { checkArchives } = await import("#cli/operations/doctor-archives.ts");
      return [...(await checkOpenLedger(open)), ...(await checkArchives(open, archives))];
    } finally {
      await open.close();
    }
  } catch (error) {
    return ledgerNotOpened(error, config);
  }
}

async function checkOpenLedger(open: OpenLedger): Promise<Finding[]> {
  const { inspectDatabase, isOneSession } = await import("#ledger/store/server-properties.ts");
  const { nameOfLane } = await import("#payout/lane/lane.ts");
  const { config, database, ledger } = open;
  const place = config.DATABASE_URL ? "DATABASE_URL" : "embedded PostgreSQL";
  const { version, isDurable, clockOffsetMs } = await inspectDatabase(database, systemClock);
  const findings = [
    (await isOneSession(database))
      ? ok("database", `PostgreSQL ${version} (${place})`)
      : broken(
          "database",
          `PostgreSQL ${version} (${place}), behind a pooler that gives each transaction a different session`,
          "point DATABASE_URL directly at PostgreSQL, or switch the pooler to session mode: otherwise locks, prepared statements and settings are lost",
        ),
  ];
  if (!isDurable) {
    findings.push(
      broken(
        "durability",
        "fsync or synchronous_commit is off",
        "turn both on: an attempt must be stored on disk before its payout is sent",
      ),
    );
  }
  const aheadMs = Math.round(clockOffsetMs);
  const apart = `the database's clock is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine's`;
  findings.push(
    Math.abs(clockOffsetMs) > CLOCK_OFFSET_MAX_MS
      ? warning("clock", apart, "synchronise the clocks of both machines (NTP)")
      : ok("clock", apart),
  );
  const { checkDatabaseRoles } = await import("#cli/operations/doctor-roles.ts");
  findings.push(await checkDatabaseRoles(open));
  const { checkConnections } = await import("#cli/operations/doctor-connections.ts");
  findings.push(await checkConnections(open));
  const written = await checkWrites(database);
  findings.push(written);
  // Checking the epoch may freeze the ledger, which is a write.
  if (written.state === "ok") findings.push(await checkEpoch(open));
  const { checkApiKeys } = await import("#cli/operations/doctor-keys.ts");
  findings.push(...(await checkApiKeys(open, new Date(systemClock.nowMs()))));
  const { checkUsers } = await import("#cli/operations/doctor-people.ts");
  findings.push(...(await checkUsers(open)));
  for (const { lane, reason, needs } of await ledger.payout.stoppedLanes()) {
    const advice =
      needs === "person"
        ? `fix the cause, then run payrun lane restart ${lane} --reason TEXT`
        : "payrun will try to restart the lane automatically";
    findings.push(warning("lane", `${lane} is stopped: ${reason}`, advice));
  }
  for (const { lane, actor, reason } of await ledger.payout.lanePauses()) {
    const found = `${nameOfLane(lane)} is paused by ${actor}: ${reason}`;
    findings.push(warning("lane", found, `payrun lane resume ${nameOfLane(lane)} --reason TEXT`));
  }
  return findings;
}

/** Explains why the ledger could not be checked. */
async function ledgerNotOpened(error: unknown, config: Config): Promise<Finding[]> {
  const { ConfigError } = await import("#app/config.ts");
  if (error instanceof ConfigError) {
    // Never suggest another ledger: an empty one instead of a full one pays twice.
    const advice = "fix the configuration or the key; do not switch to another ledger";
    return error.problems.map((problem) => broken(CONFIGURATION, problem, advice));
  }
  const { OtherVersion } = await import("#ledger/store/migrate.ts");
  if (error instanceof OtherVersion) return [broken("database", words(error), error.advice)];
  const { refusalIn } = await import("#ledger/store/outage.ts");
  const looked = config.DATABASE_URL
    ? "check DATABASE_URL and PAYRUN_KEY, and that the server is running"
    : "read keeper.log and pg/log in the data folder, and check that its disk has free space";
  return [broken("database", words(error), refusalIn(error)?.advice ?? looked)];
}

const LEDGER = "ledger";

/** A ledger that cannot be written sends no payout. */
async function checkWrites(database: OpenLedger["database"]): Promise<Finding> {
  const { testWrite } = await import("#ledger/store/server-properties.ts");
  try {
    await testWrite(database);
    return ok(WRITES, "the database accepts writes");
  } catch (error) {
    const advice =
      "payrun cannot send payouts until the database accepts writes: free up space on its disk, or set DATABASE_URL to the primary";
    return broken(WRITES, words(error), advice);
  }
}

const WRITES = "writes";

async function checkRestoreMarker(config: Config): Promise<Finding[]> {
  const { dataFolder } = await import("#app/config.ts");
  const { checkMarkerWritable } = await import("#ledger/integrity/restore-marker.ts");
  const folder = dataFolder(config);
  try {
    await checkMarkerWritable(folder);
    return [];
  } catch (error) {
    const advice =
      "give this user write access to PAYRUN_DATA, on a disk with free space: without the restore marker, a restore is harder to detect";
    return [warning("restore marker", `${folder} cannot be written: ${words(error)}`, advice)];
  }
}

async function checkEpoch({ config, database, ledger, isNew }: OpenLedger): Promise<Finding> {
  const { epochOf } = await import("#ledger/integrity/freeze.ts");
  const { queryProgressText, frozenAdviceText, frozenText } = await import(
    "#cli/terminal/frozen.ts"
  );
  const freeze = await ledger.integrity.verify();
  if (!freeze && isNew) {
    const advice =
      "to use an existing ledger, point PAYRUN_DATA or DATABASE_URL to it. A new ledger does not recognise files that were paid from another ledger";
    return warning(LEDGER, await newLedgerText(config), advice);
  }
  if (!freeze) {
    return ok(
      LEDGER,
      `epoch ${await epochOf(database)}, which matches the last recorded epoch; not frozen`,
    );
  }
  const lanes = await ledger.integrity.laneProgress();
  const found = freeze.since
    ? `${frozenText(freeze)} So far, ${queryProgressText(lanes)}.`
    : frozenText(freeze);
  return broken(LEDGER, found, frozenAdviceText(freeze, lanes));
}

async function checkWatchedFolder({ WATCH_FOLDER: root }: Config): Promise<Finding[]> {
  if (root === undefined) return [];
  const { openFoldersIn } = await import("#schedule/folder/watched-folder.ts");
  const inbox = await openFoldersIn(root)(".");
  const advice =
    "create the folder, give this user read and write access to it, or unset WATCH_FOLDER";
  return [inbox.ok ? ok(FOLDER, root) : broken(FOLDER, `${root}: ${inbox.error}`, advice)];
}

/** Checks who can read the files with secrets: any reader can pay. */
async function checkSecretFiles({ MERCHANTS_FILE }: Config): Promise<Finding[]> {
  const { stat } = await import("node:fs/promises");
  const findings: Finding[] = [];
  for (const path of [".env", MERCHANTS_FILE].flatMap((each) => each ?? [])) {
    const { mode = 0 } = (await stat(path).catch(() => null)) ?? {};
    if ((mode & 0o077) === 0) continue;
    const found = `${resolve(path)} is accessible to other users on this machine: expected mode 600, found ${(mode & 0o777).toString(8)}`;
    findings.push(warning("secrets", found, `chmod 600 ${resolve(path)}`));
  }
  return findings;
}

/** Only with ALLOW_PLAINTEXT=yes. Otherwise such a configuration is refused. */
async function checkPlaintext(config: Config): Promise<Finding[]> {
  const { findUnprotected } = await import("#app/transport-security.ts");
  const found =
    "this connection leaves your network without verified TLS, because ALLOW_PLAINTEXT=yes is set";
  return findUnprotected(config).map(({ name, advice }) => warning(name, found, advice));
}

const FOLDER = "watched folder";
const CONFIGURATION = "configuration";
const CONFIGURATION_FINDINGS: ReadonlySet<string> = new Set([FOLDER, CONFIGURATION]);
