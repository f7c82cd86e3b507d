import type { Command } from "commander";
import { withLedger } from "#cli/terminal/open.ts";
import { printAll } from "#cli/terminal/output.ts";
import { RUN_ON_LEDGER_MACHINE, localOnly } from "#cli/terminal/server-options.ts";
import type { ExportedDeposit } from "#ledger/integrity/export/deposits.ts";
import type { ExportRecord } from "#ledger/integrity/export/export.ts";
import { formatMoney } from "#money/format.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import { historyDocument, payoutDocument } from "#views/integrity/payout-document.ts";

/** Adds `payrun export` to the program. */
export function exportCommand(program: Command): void {
  localOnly(program.command("export"), RUN_ON_LEDGER_MACHINE)
    .description("export a snapshot of the whole ledger as JSON lines (docs/reference/export.md)")
    .action(() => withLedger(write));
}

async function write({ database }: OpenLedger): Promise<void> {
  const { exportLedger } = await import("#ledger/integrity/export/export.ts");
  await exportLedger(database, (records) => printAll(lines(records)));
}

async function* lines(records: AsyncIterable<ExportRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(documentOf(record))}\n`;
}

/** The format of a record. A contract (docs/reference/export.md): fields are only added. */
function documentOf(record: ExportRecord): Readonly<Record<string, unknown>> {
  const { kind } = record;
  switch (kind) {
    case "batch": {
      const { id, file_name: file, ...rest } = record.batch;
      return { kind, batch_id: id, file, ...rest };
    }
    case "rejected_row":
      return { kind, ...record.row };
    case "payout":
      return { kind, ...payoutDocument(record.payout) };
    case "deposit":
      return { kind, ...depositDocument(record.deposit) };
    case "audit":
      return { kind, ...record.line, hash: record.line.hash.toString("hex") };
  }
}

const depositDocument = (deposit: ExportedDeposit) => {
  const { money, payable, paid } = deposit;
  return {
    transaction_code: deposit.transactionCode,
    lane: deposit.lane,
    currency: money.currency,
    amount: formatMoney(money),
    payable: payable && formatMoney(payable),
    paid: paid && formatMoney(paid),
    state: deposit.state,
    reason: deposit.reason,
    gateway_number: deposit.gatewayNumber,
    expires_at: deposit.expiresAt,
    created_at: deposit.createdAt,
    attempts: deposit.attempts.map(({ number, kind, opened_at, key_id, worker }) => ({
      number,
      kind,
      opened_at,
      key_id,
      worker,
    })),
    ...historyDocument(deposit),
  };
};
