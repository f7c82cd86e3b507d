import { type FileHandle, open, rm } from "node:fs/promises";
import type { Command } from "commander";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { timeText } from "#base/time-text.ts";
import { plural, print, printJson } from "#cli/terminal/output.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";
import { Refused } from "#cli/terminal/transport.ts";
import { parseAuditPosition } from "#integrity/audit-checkpoint.ts";
import { moneyText } from "#money/display.ts";

const CHECKPOINT = "--checkpoint <line:root>";

interface PackFlags extends ServerFlags {
  readonly output?: string;
  readonly full?: boolean;
  readonly checkpoint?: string;
}

interface VerifyFlags {
  readonly key: string;
  readonly checkpoint?: string;
  readonly json?: boolean;
}

/** Adds `payrun evidence` and `payrun verify` to the program. */
export function evidenceCommands(program: Command): void {
  withServerOptions(
    program
      .command("evidence")
      .argument("<code-or-batch>", "transaction code or batch ID")
      .description("create a signed evidence pack (ZIP) of a payout or a batch")
      .option("--full", "include full account numbers, names and references")
      .option("--output <file>", "file to create; default: ID-evidence.zip in this folder")
      .option(CHECKPOINT, "published root of the audit log that covers the pack's entries"),
  ).action(async (id: string, flags: PackFlags) => {
    const { withLedgerApi } = await import("#cli/terminal/local-api.ts");
    return withLedgerApi(flags, (client) => createPack(id, flags, client));
  });
  program
    .command("verify")
    .argument("<pack>", "evidence pack, from: payrun evidence")
    .description("verify an evidence pack offline")
    .requiredOption("--key <key>", "public key of the installation, from: payrun key public")
    .option(CHECKPOINT, "published root of the audit log, from: payrun audit verify")
    .option("--json", "print JSON")
    .action(verify);
}

async function createPack(
  id: string,
  { output = `${id}-evidence.zip`, full, checkpoint }: PackFlags,
  client: Pick<ApiClient, "readFile">,
): Promise<void> {
  rootIn(checkpoint);
  const query = { checkpoint, ...(full ? { accounts: "in_full" as const } : {}) };
  const pieces = firstOf(
    client.readFile("GET /api/payouts/:code/evidence-pack", { params: { code: id }, query }),
  );
  const found = await pieces.catch((error: unknown) => {
    if (!(error instanceof Refused) || error.document.status !== 404) throw error;
    return firstOf(
      client.readFile("GET /api/batches/:id/evidence-pack", { params: { id }, query }),
    );
  });
  const file = await created(output);
  try {
    for await (const piece of found) await file.write(piece);
    await file.sync();
  } catch (error) {
    await rm(output, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  print(output);
}

/** Waits for the first piece, so that a refusal creates no file. */
async function firstOf(pieces: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const first = await pieces.next();
  return (async function* all() {
    if (!first.done) yield first.value;
    yield* pieces;
  })();
}

async function created(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "it already exists" : code;
    throw new CliError(EXIT.usage, `--output ${path}: the file cannot be created (${why})`);
  }
}

async function verify(path: string, { key, checkpoint, json }: VerifyFlags): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(key)) {
    throw new CliError(EXIT.usage, `--key ${key}: expected 64 hexadecimal digits`);
  }
  const { verifyPack } = await import("#integrity/evidence-pack/verify.ts");
  const { PackError } = await import("#integrity/evidence-pack/archive-reader.ts");
  const trusted = { key, checkpoint: rootIn(checkpoint) };
  const verified = await verifyPack(path, trusted).catch((error: unknown) => {
    if (error instanceof PackError)
      throw new CliError(EXIT.problems, `The evidence pack is not valid: ${error.message}`);
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new CliError(EXIT.notFound, `${path} cannot be read (${code})`);
  });
  const { manifest, totals, entries } = verified;
  if (json) return printJson({ manifest, totals, entries });
  const { subject, created_at: createdAt, log } = manifest;
  print(
    `The evidence pack of ${subject.kind} ${subject.id} is valid. Created ${timeText(createdAt)}.`,
  );
  for (const { lane, outcome, payouts, currency, amount } of totals)
    print(`${lane}  ${outcome}  ${plural(payouts, "payout")}  ${moneyText({ currency, amount })}`);
  print(`Audit log entries: ${entries}`);
  for (const each of [log, ...(log.checkpoint ? [log.checkpoint] : [])])
    print(`Root of the audit log: ${each.line}:${each.root}`);
}

/** @throws CliError if this is not a line number and a root. */
function rootIn(text: string | undefined) {
  if (text === undefined) return undefined;
  const position = parseAuditPosition(text);
  if (position) return { line: position.line, root: position.hash };
  const form = "a line number and the root of the log, such as 48211:9f3c… (64 hexadecimal digits)";
  throw new CliError(EXIT.usage, `--checkpoint ${text}: expected ${form}`);
}
