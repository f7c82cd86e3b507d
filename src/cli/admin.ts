import type { Command } from "commander";
import { CliError, EXIT } from "#cli/exit.ts";
import { print, printJson, say } from "#cli/output.ts";

export function adminCommands(program: Command): void {
  program
    .command("migrate")
    .description("bring the ledger's tables up to this version (every start does it too)")
    .action(async () => {
      const { readConfig } = await import("#config.ts");
      const { openLedger } = await import("#wiring.ts");
      const { database, close } = await openLedger(readConfig());
      try {
        const rows = await database
          .selectFrom("migrations")
          .selectAll()
          .orderBy("number")
          .execute();
        for (const { name, at } of rows) print(`${name}  ${at.toISOString()}`);
        say("The ledger is up to date.");
      } finally {
        await close();
      }
    });

  program
    .command("audit")
    .description("the audit log")
    .command("verify")
    .description("recompute the hash chain of the audit log")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { readConfig } = await import("#config.ts");
      const { openLedger } = await import("#wiring.ts");
      const { verifyAudit } = await import("#ledger/audit.ts");
      const { database, close } = await openLedger(readConfig());
      try {
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
      } finally {
        await close();
      }
    });
}
