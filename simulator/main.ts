import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { z } from "zod";
import { MERCHANT_ENTRY } from "#gateway/wire/messages.ts";
import { describeIssue } from "#base/schema-issues.ts";
import { startSimulator } from "./app.ts";
import { DEMO_MERCHANTS, DEMO_MERCHANTS_FILE } from "./demo-merchants.ts";
import { FAULT_RULES } from "#simulator/faults/fault-rules.ts";
import { OPTIONS } from "#simulator/state/option-table.ts";
import { BadOptions, readOptions } from "#simulator/state/options.ts";

/**
 * Runs the simulator in this process until SIGTERM or SIGINT. Prints one line with its address to
 * stderr when it is ready.
 *
 * @throws BadOptions that lists every problem.
 */
export async function runSimulator(
  given: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const options = readOptions(given);
  const simulator = await startSimulator({
    host: options.host,
    port: options.port,
    merchants: options.merchants
      ? readJson("merchants", options.merchants, MERCHANT_ENTRY.array())
      : DEMO_MERCHANTS,
    faults: options.faults ? readJson("faults", options.faults, FAULT_RULES) : [],
    seed: options.seed,
    logPath: options["transaction-log"],
    settleMs: options["settle-ms"],
    declines: options.declines,
    feePercent: options.fee,
    balances: options.balance ?? {},
    refusals: options.refusals,
    unknownCodeShape: options.unknown,
    parsing: { escaping: options.escaping, dialect: options.dialect },
    expireMs: options["expire-ms"],
    zone: options.zone,
    backOfficeUrl: options["callback-url"] ?? null,
  });
  process.stderr.write(
    `simulated gateway at ${simulator.url}, transaction log in ${options["transaction-log"]}\n`,
  );
  if (!options.merchants) {
    process.stderr.write(
      `To pay through it from another terminal:\n  export GATEWAY_URL=${simulator.url} MERCHANTS_FILE=${DEMO_MERCHANTS_FILE}\n`,
    );
  }

  await new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  await simulator.stop();
}

function readJson<T>(flag: "merchants" | "faults", path: string, schema: z.ZodType<T>): T {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const { code = "it is not JSON" } = error as NodeJS.ErrnoException;
    throw new BadOptions(`--${flag} ${path}: cannot be read as JSON (${code})`);
  }
  const read = schema.safeParse(content, { error: describeIssue });
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path: [place, ...field], message }) => {
    if (place === undefined) return `  expected ${message}`;
    return `  ${[`entry ${Number(place) + 1}`, field.join("."), message].filter(Boolean).join(": ")}`;
  });
  throw new BadOptions(`--${flag} ${path}:\n${wrong.join("\n")}`);
}

/** `node simulator/main.ts`: a separate process, without payrun's command line. */
if (import.meta.main) {
  const options = Object.fromEntries(
    OPTIONS.map(({ flag }) => [flag, { type: "string" as const }]),
  );
  await runSimulator(parseArgs({ options }).values);
}
