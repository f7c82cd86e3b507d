import type { Command } from "commander";
import { EXIT, type ExitCode } from "#cli/exit.ts";
import { print, printJson, styled } from "#cli/output.ts";
import type { Config } from "#config.ts";

/** One thing that was looked at. */
interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "broken";
  readonly found: string;
  /** What to do; empty when nothing. */
  readonly advice: string;
}

export function doctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("check database, queue, clock, credentials and gateway, and say what to do")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { readConfig } = await import("#config.ts");
      const config = readConfig();
      const findings = [
        ...(await lookAtLedger(config)),
        ...(await lookAtQueue(config)),
        ...(await lookAtGateway(config)),
      ];
      if (json) printJson(findings);
      else for (const finding of findings) print(sentence(finding));
      process.exitCode = worst(findings);
    });
}

const MARKS = {
  ok: ["green", "ok     "],
  warning: ["yellow", "warning"],
  broken: ["red", "broken "],
} as const;

function sentence({ name, state, found, advice }: Finding): string {
  const [colour, word] = MARKS[state];
  return `${styled(colour, word)}  ${name}: ${found}${advice ? `\n         → ${advice}` : ""}`;
}

function worst(findings: readonly Finding[]): ExitCode {
  const broken = findings.filter(({ state }) => state === "broken");
  if (broken.length === 0) return EXIT.ok;
  return broken.every(({ name }) => name === "credentials") ? EXIT.usage : EXIT.unreachable;
}

const ok = (name: string, found: string): Finding => ({ name, state: "ok", found, advice: "" });
const warning = (name: string, found: string, advice: string): Finding => ({
  name,
  state: "warning",
  found,
  advice,
});
const broken = (name: string, found: string, advice: string): Finding => ({
  name,
  state: "broken",
  found,
  advice,
});
const words = (error: unknown): string =>
  error instanceof Error
    ? error.message || ("code" in error ? String(error.code) : "no reason given")
    : String(error);

/** PostgreSQL's clock and ours may differ by this much before leases and timestamps suffer. */
const CLOCK_OFFSET_MAX_MS = 30_000;

async function lookAtLedger(config: Config): Promise<Finding[]> {
  const { openLedger } = await import("#wiring.ts");
  const { sql } = await import("kysely");
  const place = config.DATABASE_URL ? "DATABASE_URL" : "embedded PostgreSQL";
  try {
    const { database, ledger, close } = await openLedger(config);
    try {
      const { rows } = await sql<{ version: string; fsync: string; commit: string; now: Date }>`
        select current_setting('server_version') as version, current_setting('fsync') as fsync,
          current_setting('synchronous_commit') as commit, clock_timestamp() as now`.execute(
        database,
      );
      const [server] = rows;
      const offsetMs = (server?.now.getTime() ?? 0) - Date.now();
      const findings = [ok("database", `PostgreSQL ${server?.version} (${place})`)];
      if (server?.fsync !== "on" || server.commit === "off") {
        findings.push(
          broken(
            "durability",
            `fsync=${server?.fsync}, synchronous_commit=${server?.commit}`,
            "turn both on: an attempt must be on disk before its payout is sent",
          ),
        );
      }
      findings.push(
        Math.abs(offsetMs) > CLOCK_OFFSET_MAX_MS
          ? warning(
              "clock",
              `${Math.round(offsetMs / 1000)} s apart from the database's`,
              "synchronise both machines (NTP)",
            )
          : ok("clock", `${Math.round(offsetMs)} ms apart from the database's`),
      );
      for (const { lane, reason, needs } of await ledger.stoppedLanes()) {
        findings.push(
          warning(
            "lane",
            `${lane} is stopped: ${reason}`,
            needs === "person"
              ? "mend the cause, then: payrun batch resume ID"
              : "it is tried again by itself",
          ),
        );
      }
      return findings;
    } finally {
      await close();
    }
  } catch (error) {
    return [
      broken(
        "database",
        words(error),
        config.DATABASE_URL
          ? "check DATABASE_URL and PAYRUN_KEY, and that the server runs"
          : "see the log in the data folder, or set DATABASE_URL",
      ),
    ];
  }
}

async function lookAtQueue(config: Config): Promise<Finding[]> {
  if (!config.REDIS_URL) return [ok("queue", "in PostgreSQL, beside the ledger")];
  const { inspectRedis } = await import("#jobs/inspect.ts");
  try {
    const { version, policy, appendOnly } = await inspectRedis(config.REDIS_URL);
    return [
      ok("queue", `Redis ${version}`),
      policy === "noeviction"
        ? ok("eviction", policy)
        : broken(
            "eviction",
            `maxmemory-policy is ${policy}`,
            "set maxmemory-policy noeviction: Redis would throw jobs away when it is full",
          ),
      appendOnly
        ? ok("persistence", "append-only file")
        : warning(
            "persistence",
            "no append-only file",
            "nothing is lost without it (jobs are rebuilt from the ledger), but a restart takes a moment longer",
          ),
    ];
  } catch (error) {
    return [broken("queue", words(error), "check REDIS_URL, and that the server runs")];
  }
}

async function lookAtGateway(config: Config): Promise<Finding[]> {
  const { gatewayConfig } = await import("#config.ts");
  const { createGatewayClient } = await import("#gateway/client.ts");
  const { makeKeyring } = await import("#gateway/keyring.ts");
  const { systemClock } = await import("#clock.ts");
  const { mintTransactionCode } = await import("#ids.ts");
  let setup: ReturnType<typeof gatewayConfig>;
  try {
    setup = gatewayConfig(config);
  } catch (error) {
    return [
      broken(
        "credentials",
        words(error).replaceAll("\n", " "),
        "set what is missing, in the environment or in .env",
      ),
    ];
  }
  const keyring = makeKeyring(setup.merchants);
  const gateway = createGatewayClient({
    url: setup.url,
    keyring,
    timeoutMs: Math.min(config.GATEWAY_TIMEOUT_MS, 10_000),
    payoutLayout: config.GATEWAY_PAYOUT_LAYOUT,
    escaping: config.GATEWAY_ESCAPING,
    statusEncoding: config.GATEWAY_STATUS_ENCODING,
    maxSockets: 4,
    clock: systemClock,
    userAgent: "payrun doctor",
  });
  try {
    const { reachable, detail, clockOffsetMs } = await gateway.probe();
    if (!reachable)
      return [
        broken(
          "gateway",
          `${setup.url}: ${detail}`,
          "check GATEWAY_URL, the network, and whether this address is allowed",
        ),
      ];
    const findings = [ok("gateway", `${setup.url} answers`)];
    if (clockOffsetMs !== null && Math.abs(clockOffsetMs) > CLOCK_OFFSET_MAX_MS) {
      findings.push(
        broken(
          "gateway clock",
          `${Math.round(clockOffsetMs / 1000)} s apart from ours`,
          "synchronise this machine (NTP): the gateway refuses timestamps older than 1 h or more than 5 min ahead",
        ),
      );
    }
    // A status query for a code that cannot exist: harmless, and it shows whether the keys are understood.
    for (const merchant of keyring.all) {
      const { answer } = await gateway.status(merchant.currencies[0] ?? "", mintTransactionCode());
      const name = `credentials of ${merchant.merchantCode}`;
      findings.push(
        answer.kind === "no_answer"
          ? broken(
              name,
              `the gateway does not answer a status query: ${answer.text || answer.code}`,
              "check merchant code, API key and secret of this merchant",
            )
          : ok(name, `accepted (${merchant.currencies.join(", ")})`),
      );
    }
    return findings;
  } finally {
    gateway.close();
  }
}
