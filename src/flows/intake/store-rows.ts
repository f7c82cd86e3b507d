import { type Problem, problem } from "#intake/text/problems.ts";
import type { RejectedRow, RowVerdict } from "#intake/row.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import { type OtherRow, RECENT_DAYS } from "#ledger/intake/paid-lately.ts";
import type { NewPayout, RowWriter } from "#ledger/intake/row-writer.ts";
import { laneOf } from "#payout/payout.ts";

interface StoreSettings {
  readonly keyring: Keyring;
  /**
   * The codes to look up in the ledger: those given in the file, or the codes derived from the file
   * as well. Derived codes are looked up only after one was found in the ledger, and for
   * corrections.
   */
  readonly looksFor: "own codes" | "every code";
}

/**
 * Gives each good row its code and its lane, and writes the rows. A code that is already in the
 * ledger makes its row a rejected one. Returns all problems and warnings of the rows.
 */
export async function storeRows(
  chunk: readonly RowVerdict[],
  writer: RowWriter,
  { keyring, looksFor }: StoreSettings,
): Promise<Problem[]> {
  const own = chunk.flatMap((row) =>
    row.kind === "draft" && row.draft.transactionCode !== null ? [row.draft.transactionCode] : [],
  );
  const codes = codesOf(chunk, writer);
  const inUse = await writer.findCodesInUse(looksFor === "own codes" ? own : [...codes.values()]);
  const payouts: NewPayout[] = [];
  const rejected: RejectedRow[] = [];
  const found: Problem[] = [];
  const warnings = new Map<NewPayout, Problem[]>();
  for (const row of chunk) {
    const { line, cells } = row;
    if (row.kind === "rejected") {
      rejected.push(row);
      found.push(...row.problems);
      continue;
    }
    const { money, details, payoutCode, callbackUrl, reference } = row.draft;
    const transactionCode = codes.get(row) ?? "";
    const earlier = inUse.get(transactionCode);
    const merchant = keyring.forCurrency(money.currency);
    if (earlier) {
      const problems = [codeInUse(line, transactionCode, earlier), ...row.warnings];
      rejected.push({ kind: "rejected", line, cells, problems });
      found.push(...problems);
      continue;
    }
    if (!merchant) {
      throw new Error(`no merchant for ${money.currency}: the row check let it through`);
    }
    const payout = {
      line,
      cells,
      lane: laneOf(merchant.merchantCode, money.currency),
      reference,
      order: {
        transactionCode,
        money,
        details,
        payoutCode,
        callbackUrl,
      },
    };
    payouts.push(payout);
    warnings.set(payout, [...row.warnings]);
  }
  // Rows whose person an unfinished retry batch also pays.
  for (const [payout, { batchId, line: first }] of await writer.findOpenRetries(payouts)) {
    const values = { batch: batchId, first };
    warnings.get(payout)?.push(problem("being_retried", { line: payout.line }, values));
  }
  const paidLately = await writer.addPayouts(payouts);
  for (const [payout, { batchId, line: first }] of paidLately) {
    const values = { batch: batchId, first, days: RECENT_DAYS };
    warnings.get(payout)?.push(problem("paid_lately", { line: payout.line }, values));
  }
  const warned = [...warnings].flatMap(([{ line, cells }, problems]) =>
    problems.length > 0 ? [{ line, cells, problems }] : [],
  );
  await writer.addRejected(rejected);
  await writer.addWarned(warned);
  return [...found, ...warned.flatMap(({ problems }) => problems)];
}

/** Returns the code of each good row: its own, or the one that is derived from the file. */
const codesOf = (chunk: readonly RowVerdict[], writer: RowWriter): Map<RowVerdict, string> =>
  new Map(
    chunk.flatMap((row) => {
      if (row.kind !== "draft") return [];
      const { line, cells, codedCells = cells, draft } = row;
      return [[row, draft.transactionCode ?? writer.codeFor({ line, cells: codedCells })] as const];
    }),
  );

function codeInUse(line: number, code: string, earlier: OtherRow): Problem {
  const at = { line, column: "transaction_code", found: code };
  return problem("transaction_code_in_use", at, { batch: earlier.batchId, first: earlier.line });
}
