import type { Command } from "commander";
import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { timeText } from "#base/time-text.ts";
import { plural, print, printJson, say } from "#cli/terminal/output.ts";
import {
  RUN_ON_LEDGER_MACHINE,
  withServerOptions,
  localOnly,
  type ServerFlags,
  serverOf,
} from "#cli/terminal/server-options.ts";
import { systemClock } from "#base/clock.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/** Adds `payrun migrate` and `payrun audit` to the program. */
export function adminCommands(program: Command): void {
  localOnly(program.command("migrate"), RUN_ON_LEDGER_MACHINE)
    .description("migrate the ledger to this payrun version, using DATABASE_OWNER_URL if set")
    .action(() => withLedger(migrated));

  const audit = program.command("audit").description("verify the audit log");
  withServerOptions(
    audit
      .command("verify")
      .description("recompute the audit log's hash chain and compare the ledger with the log")
      .option("--checkpoint <line:hash>", "saved checkpoint that the log must still contain")
      .option("--json", "print JSON"),
  ).action(async (flags: ServerFlags & { json?: boolean; checkpoint?: string }) => {
    const server = await serverOf(flags);
    const { json = false, checkpoint: head } = flags;
    const { parseAuditPosition } = await import("#integrity/audit-checkpoint.ts");
    if (head !== undefined && !parseAuditPosition(head)) {
      const form = "a line number and its hash, such as 48211:9f3c… (64 hexadecimal digits)";
      throw new CliError(EXIT.usage, `--checkpoint ${head}: expected ${form}`);
    }
    if (server)
      tell(json, await server.call("GET /api/audit/verify", { query: { checkpoint: head } }));
    else await withLedger((open) => verify(json, head, open));
  });
}

/** Opening the ledger has migrated it. */
async function migrated({ database }: OpenLedger): Promise<void> {
  const { appliedMigrations } = await import("#ledger/store/migrate.ts");
  for (const { name, at } of await appliedMigrations(database)) print(`${name}  ${timeText(at)}`);
  say("The ledger is up to date.");
}

async function verify(
  json: boolean,
  head: string | undefined,
  { database }: OpenLedger,
): Promise<void> {
  const { auditVerdict } = await import("#views/integrity/audit-verdict.ts");
  tell(json, await auditVerdict(database, new Date(systemClock.nowMs()), head));
}

function tell(json: boolean, verdict: AnswerOf<(typeof API)["GET /api/audit/verify"]>): void {
  const { intact, lines, latest_hash: head, root, broken_at: brokenAt, why } = verdict;
  if (json) printJson(verdict);
  else if (intact)
    print(
      `The audit log is intact: ${plural(lines, "line")}, latest hash ${lines}:${head}\nRoot for evidence packs: ${lines}:${root}`,
    );
  if (!intact) {
    throw new CliError(
      EXIT.unexpected,
      `The audit log is ${brokenAt === null ? "intact, but" : `broken at line ${brokenAt}:`} ${why}. Stop sending payouts, keep the database unchanged, and compare it with a backup.`,
    );
  }
}
