import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { say } from "#cli/terminal/output.ts";
import { ask, hasTerminal } from "#cli/terminal/prompt.ts";

interface InitFlags {
  readonly gatewayUrl?: string;
  readonly merchants?: string;
  readonly databaseUrl?: string;
  readonly publicUrl?: string;
}

const FILE = ".env";

/** Adds `payrun init` to the program. */
export function initCommand(program: Command): void {
  program
    .command("init")
    .description("write a commented .env file in this folder, and check the gateway")
    .option("--gateway-url <url>", "base URL of the gateway")
    .option("--merchants <file>", "JSON list of your merchant accounts and their keys")
    .option("--database-url <url>", "PostgreSQL database for the ledger (default: embedded)")
    .option("--public-url <url>", "URL at which browsers and the gateway reach payrun")
    .action(async (flags: InitFlags) => {
      if (existsSync(FILE)) {
        throw new CliError(
          EXIT.conflict,
          `${resolve(FILE)} already exists and was not changed. To see its settings: payrun config show`,
        );
      }
      const answers = hasTerminal() ? await askFor(flags) : flags;
      // Exclusive, and only for this user: the file will contain credentials.
      writeFileSync(FILE, settingsFile(answers), { mode: 0o600, flag: "wx" });
      say(`Wrote ${resolve(FILE)}, readable only by you.`);
      await checkNewSettings();
    });
}

/** Asks for the settings that no flag has given. An empty answer keeps the default. */
async function askFor(flags: InitFlags): Promise<InitFlags> {
  const questions = [
    ["gatewayUrl", "Base URL of the gateway (Enter: set it later): "],
    ["merchants", "File with your merchant accounts (Enter: set it later): "],
    ["databaseUrl", "PostgreSQL URL of the ledger (Enter: embedded database): "],
    ["publicUrl", "URL at which browsers reach payrun (Enter: this machine only): "],
  ] as const;
  const answers: Record<string, string> = {};
  for (const [name, question] of questions) {
    const answer = flags[name] ?? (await ask(question));
    if (answer !== "") answers[name] = answer;
  }
  return answers;
}

/** Returns the text of the settings file. Settings without a value are comments. */
function settingsFile({ gatewayUrl, merchants, databaseUrl, publicUrl }: InitFlags): string {
  const line = (name: string, value: string | undefined, example: string) =>
    value === undefined ? `# ${name}=${example}` : `${name}=${quoted(value)}`;
  return `# Settings of payrun. Every payrun process in this folder reads this file. Environment variables take
# precedence. All variables: docs/reference/configuration.md. Current values: payrun config show

# Base URL of the gateway.
${line("GATEWAY_URL", gatewayUrl, "https://gateway.example.com")}

# Your merchant accounts: a JSON list of {currencies, merchant_code, api_key, api_secret, payout_code}.
${line("MERCHANTS_FILE", merchants && resolve(merchants), "/etc/payrun/merchants.json")}
# For a single merchant account, set these four instead.
# MERCHANT_CODE=
# MERCHANT_API_KEY=
# MERCHANT_API_SECRET=
# PAYOUT_CODE=

# The ledger: PostgreSQL 13 or newer. Without it, payrun runs an embedded PostgreSQL in PAYRUN_DATA.
${line("DATABASE_URL", databaseUrl, "postgres://payrun:password@db.example/payrun?sslmode=verify-full")}

# Data folder. A different folder is a new, empty ledger that does not recognise files paid from this one.
PAYRUN_DATA=${quoted(join(process.cwd(), ".payrun"))}

# Encrypts beneficiaries in the ledger. Required with DATABASE_URL: 32 random bytes, such as from
# openssl rand -hex 32. An embedded ledger creates its own key in PAYRUN_DATA.
# PAYRUN_KEY=

# URL at which browsers and the gateway's callbacks reach payrun.
${line("PUBLIC_URL", publicUrl, "https://payrun.example.com")}
`;
}

/** Quotes a value with characters that have a meaning in the file. */
function quoted(value: string): string {
  if (/^[\w./:@?=&%+,-]*$/.test(value)) return value;
  const quote = ["'", '"', "`"].find((mark) => !value.includes(mark));
  if (quote === undefined || /[\r\n]/.test(value)) {
    throw new CliError(
      EXIT.usage,
      `"${value}" cannot be written to ${FILE}. Set it in the environment.`,
    );
  }
  return `${quote}${value}${quote}`;
}

/** Reads the new settings, and queries the gateway if it is set. */
async function checkNewSettings(): Promise<void> {
  const { readConfig } = await import("#app/config.ts");
  const { merchantsIfAny } = await import("#app/gateway-config.ts");
  const config = readConfig();
  if (config.GATEWAY_URL === undefined || merchantsIfAny(config) === null) {
    say("Set GATEWAY_URL and your merchant accounts in the file, then run: payrun doctor");
    return;
  }
  const { checkGateway } = await import("#cli/operations/doctor-gateway.ts");
  const { findingText } = await import("#cli/operations/doctor-finding.ts");
  const findings = await checkGateway(config);
  for (const finding of findings) say(findingText(finding));
  if (findings.some(({ state }) => state === "broken")) process.exitCode = EXIT.unreachable;
  else say("Next: payrun check FILE, payrun pay FILE, or payrun serve for the dashboard");
}
