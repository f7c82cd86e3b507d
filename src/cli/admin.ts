import type { Command } from "commander";
import { CliError, EXIT } from "#cli/exit.ts";
import { withLedger } from "#cli/open.ts";
import { print, printJson, say } from "#cli/output.ts";
import type { OpenLedger } from "#wiring.ts";

export function adminCommands(program: Command): void {
  program
    .command("migrate")
    .description("bring the ledger's tables up to this version (every start does it too)")
    .action(() => withLedger(migrated));

  program
    .command("audit")
    .description("the audit log")
    .command("verify")
    .description("recompute the hash chain of the audit log")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => withLedger((open) => verify(json === true, open)));
}

/** Opening the ledger has migrated it. */
async function migrated({ database }: OpenLedger): Promise<void> {
  const { appliedMigrations } = await import("#ledger/migrate.ts");
  for (const { name, at } of await appliedMigrations(database))
    print(`${name}  ${at.toISOString()}`);
  say("The ledger is up to date.");
}

async function verify(json: boolean, { database }: OpenLedger): Promise<void> {
  const { verifyAudit } = await import("#ledger/audit.ts");
  const verdict = await verifyAudit(database);
  if (json) printJson(verdict);
  else if (verdict.intact)
    print(`The audit log is intact: ${verdict.lines} lines, head ${verdict.head}`);
  if (!verdict.intact) {
    throw new CliError(
      EXIT.unexpected,
      `The audit log is broken at line ${verdict.brokenAt}: ${verdict.why}. Stop sending, keep the database as it is, and compare it with a backup.`,
    );
  }
}
