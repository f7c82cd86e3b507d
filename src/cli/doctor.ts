import type { Command } from "commander";
import { systemClock } from "#clock.ts";
import { EXIT, type ExitCode } from "#cli/exit.ts";
import { print, printJson, styled } from "#cli/output.ts";
import type { Config } from "#config.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { OpenLedger } from "#open-ledger.ts";
import type { StatusAnswer } from "#payout/outcome.ts";

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
        ...(await lookAtFolder(config)),
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
  if (broken.every(({ name }) => name === LEDGER)) return EXIT.heldOrInDoubt;
  return broken.every(({ name }) => name === FOLDER || name.startsWith(CREDENTIALS))
    ? EXIT.usage
    : EXIT.unreachable;
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

/** Clocks may differ by this much before leases and timestamps suffer. */
const CLOCK_OFFSET_MAX_MS = 30_000;

async function lookAtLedger(config: Config): Promise<Finding[]> {
  const { openLedger } = await import("#open-ledger.ts");
  const { inspectDatabase } = await import("#ledger/inspect.ts");
  const place = config.DATABASE_URL ? "DATABASE_URL" : "embedded PostgreSQL";
  try {
    const { database, ledger, close } = await openLedger(config);
    try {
      const { version, isDurable, clockOffsetMs } = await inspectDatabase(database, systemClock);
      const findings = [ok("database", `PostgreSQL ${version} (${place})`)];
      if (!isDurable) {
        findings.push(
          broken(
            "durability",
            "fsync or synchronous_commit is off",
            "turn both on: an attempt must be on disk before its payout is sent",
          ),
        );
      }
      const apart = `${Math.round(clockOffsetMs)} ms apart from the database's`;
      findings.push(
        Math.abs(clockOffsetMs) > CLOCK_OFFSET_MAX_MS
          ? warning("clock", apart, "synchronise both machines (NTP)")
          : ok("clock", apart),
      );
      findings.push(await lookAtEpoch(ledger, database));
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
      for (const { lane, actor, reason } of await ledger.lanePauses()) {
        const { laneName } = await import("#payout/lane.ts");
        const found = `${laneName(lane)} is paused by ${actor}: ${reason}`;
        findings.push(warning("lane", found, `payrun lane resume ${laneName(lane)} --reason TEXT`));
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

const LEDGER = "ledger";

async function lookAtEpoch(ledger: Ledger, database: OpenLedger["database"]): Promise<Finding> {
  const { epochOf } = await import("#ledger/epoch.ts");
  const { askedText, frozenAdvice, frozenText } = await import("#cli/frozen.ts");
  const freeze = await ledger.verify();
  if (!freeze) {
    return ok(LEDGER, `epoch ${await epochOf(database)}, as it was written last: it may send`);
  }
  const lanes = await ledger.askedPerLane();
  const found = freeze.since
    ? `${frozenText(freeze)} So far ${askedText(lanes)}.`
    : frozenText(freeze);
  return broken(LEDGER, found, frozenAdvice(freeze, lanes));
}

async function lookAtQueue(config: Config): Promise<Finding[]> {
  if (!config.REDIS_URL) return [ok("queue", "in PostgreSQL, beside the ledger")];
  const { inspectRedis } = await import("#jobs/queue.ts");
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

async function lookAtFolder({ WATCH_FOLDER: root }: Config): Promise<Finding[]> {
  if (root === undefined) return [];
  const { foldersIn } = await import("#inbox/folder.ts");
  const inbox = await foldersIn(root)(".");
  const advice = "make the folder, let this user read and write it, or take WATCH_FOLDER out";
  return [inbox.ok ? ok(FOLDER, root) : broken(FOLDER, `${root}: ${inbox.error}`, advice)];
}

async function lookAtGateway(config: Config): Promise<Finding[]> {
  const { ConfigError } = await import("#config.ts");
  const { isInTheClear } = await import("#gateway-config.ts");
  const { openGateway } = await import("#wiring.ts");
  const { randomMint } = await import("#ids.ts");
  let opened: ReturnType<typeof openGateway>;
  try {
    opened = openGateway(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = "set what is missing, in the environment or in .env";
    return error.problems.map((problem) => broken(CREDENTIALS, problem, advice));
  }
  const { gateway, keyring } = opened;
  try {
    const { reachable, detail, clockOffsetMs } = await gateway.probe();
    if (!reachable)
      return [
        broken(
          "gateway",
          `${config.GATEWAY_URL}: ${detail}`,
          "check GATEWAY_URL, the network, and whether this address is allowed",
        ),
      ];
    const findings = [ok("gateway", `${config.GATEWAY_URL} answers`)];
    if (isInTheClear(config.GATEWAY_URL ?? "")) {
      findings.push(
        warning(
          "gateway TLS",
          `${config.GATEWAY_URL} is not https`,
          "use the https address: the gateway's cipher shows which requests begin alike, and stops no change",
        ),
      );
    }
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
      const { answer, evidence } = await gateway.status(
        merchant.currencies[0] ?? "",
        randomMint.transactionCode(),
      );
      findings.push(answerAbout(merchant, answer, evidence.httpStatus));
    }
    return findings;
  } finally {
    gateway.close();
  }
}

const CREDENTIALS = "credentials";
const FOLDER = "watched folder";

/** What a gateway answers that knows nobody by these keys, or not from here. */
const REFUSED = /^(?:115|118|124|http_40[13])$/;

function answerAbout(
  {
    merchantCode,
    currencies,
  }: { readonly merchantCode: string; readonly currencies: readonly string[] },
  answer: StatusAnswer,
  httpStatus: number | null,
): Finding {
  const credentials = `${CREDENTIALS} of ${merchantCode}`;
  const status = `status of ${merchantCode}`;
  if (answer.kind === "not_found") return ok(credentials, `accepted (${currencies.join(", ")})`);
  if (answer.kind === "found") {
    return broken(
      status,
      "the gateway shows a transaction under a code that was made up for this question",
      "ask the gateway's provider: an answer about a code must be about that code alone",
    );
  }
  const words = answer.text || answer.code;
  if (REFUSED.test(answer.code)) {
    return broken(
      credentials,
      `the gateway refuses a status query: ${words}`,
      "check merchant code, API key and secret of this merchant, and whether this address is allowed",
    );
  }
  const said =
    httpStatus === null || words.startsWith("HTTP") ? words : `HTTP ${httpStatus}, ${words}`;
  return broken(
    status,
    `a status query has no usable answer: ${said}`,
    "expected is an empty list, or words that it has no such transaction. Check the path in GATEWAY_URL and the merchant code; if both are right, ask the gateway's provider: without status answers nothing is proven to be settled",
  );
}
