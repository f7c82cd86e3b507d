import { globSync } from "node:fs";
import { join } from "node:path";
import { NOT_MUTATED } from "./explained.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * The tests that hunt the mutants of each file. Every mutant costs a run of these tests, so the
 * list contains the tests that concern the file, and none that wait for a server.
 */
export interface Hunt {
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

/** @param files paths below `src`, separated by blanks; @param tests paths below `test`. */
const hunt = (files: string, ...tests: readonly string[]): Hunt => ({
  files: files.split(" ").map((name) => `src/${name}.ts`),
  tests: tests.map((path) => `test/${path}.test.ts`),
});

// biome-ignore format: one hunt per line
export const HUNTS: readonly Hunt[] = [
  hunt("money/currency money/format money/money money/parse", "money/money"),
  hunt("payout/payout-lifecycle", "payout/payout-lifecycle", "docs/lifecycle"),
  hunt("payout/rules/currency-rules payout/rules/layout-limits", "payout/rules/currency-rules", "payout/rules/currencies", "payout/rules/layout-limits", "payout/rules/banks", "intake/text/code-pages"),
  hunt("payout/reasons", "payout/reasons"),
  hunt("payout/causes", "payout/causes"),
  hunt("payout/lane/lane", "payout/lane/lane"),
  hunt("payout/decide payout/backoff payout/record-money", "payout/decide", "payout/decide-words"),
  hunt("payout/resend", "payout/resend"),
  hunt("payout/sent-again", "payout/sent-again"),
  hunt("payout/since-restore", "payout/since-restore"),
  hunt("payout/taken-twice", "payout/taken-twice"),
  hunt("payout/circuit-breakers payout/lane/circuit-breaker-settings", "payout/circuit-breakers"),
  hunt("payout/lane/lane-health", "payout/lane/lane-health"),
  hunt("payout/lane/canary", "payout/lane/canary"),
  hunt("payout/lane/rate-limit", "payout/lane/rate-limit", "payout/lane/lane-rivals"),
  hunt("payout/rules/formats payout/rules/ifsc", "payout/rules/formats"),
  hunt("payout/rules/names", "payout/rules/names"),
  hunt("payout/rules/bank-rules", "payout/rules/bank-rules"),
  hunt("payout/rules/addresses", "payout/rules/addresses"),
  hunt("payout/rules/edit-distance payout/rules/banks/lookup", "payout/rules/banks"),
  hunt("payout/payout", "payout/payout"),
  hunt("operations/traffic-counters", "operations/traffic-counters"),
  hunt("payout/search", "payout/search"),
  hunt("payout/outlook", "payout/outlook"),
  hunt("payout/timeline", "payout/timeline"),
  hunt("intake/batch/batch-lifecycle approval/approval", "intake/batch/batch-lifecycle", "approval/approval", "docs/lifecycle"),
  hunt("intake/text/first-seen", "intake/text/first-seen"),
  hunt("approval/possible-duplicates", "approval/possible-duplicates"),
  hunt("payout/priority", "payout/priority"),
  hunt("intake/batch/exact-duplicates", "intake/batch/exact-duplicates"),
  hunt("approval/funds", "approval/funds"),
  hunt("intake/workbook/numeric-accounts", "intake/workbook/numeric-accounts"),
  hunt("approval/payout-limits", "approval/payout-limits"),
  hunt("approval/limit-units", "approval/limit-units"),
  hunt("intake/text/problems", "intake/text/problems"),
  hunt("intake/amount-limits intake/columns intake/text/formula intake/row-plan base/invisible-characters", "intake/text/cells", "intake/row", "intake/text/samples"),
  hunt("intake/cell-check intake/text/error-values", "intake/text/cells", "intake/lengths", "intake/names", "intake/text/error-values", "intake/row", "intake/row-words", "intake/text/samples"),
  hunt("base/hidden-characters", "base/hidden-characters"),
  hunt("intake/text/mojibake", "intake/text/mojibake"),
  hunt("intake/text/trailing-cells", "intake/text/trailing-cells", "intake/row-words"),
  hunt("intake/row intake/row-settings", "intake/text/code-pages", "intake/text/error-values", "intake/row-words", "intake/lengths", "intake/row"),
  hunt("intake/file-reader intake/csv-reader intake/text/file-limits", "intake/file/corrections", "intake/file/files", "intake/text/samples"),
  hunt("approval/approval-policy", "approval/approval-policy"),
  hunt("approval/status-breakdown", "approval/status-breakdown"),
  hunt("intake/findings", "intake/findings"),
  hunt("approval/anomalies", "approval/anomalies"),
  hunt("intake/batch/control-totals", "intake/batch/control-totals"),
  hunt("intake/copy-guard", "intake/copy-guard"),
  hunt("intake/masking", "intake/masking"),
  hunt("intake/rejected-row", "intake/rejected-row", "intake/file/workbook-file", "intake/file/workbook-lost"),
  hunt("intake/rejects-file", "intake/rejects-file", "intake/rejects-back"),
  hunt("intake/template", "intake/template"),
  hunt("intake/xlsx-reader intake/workbook/sheet", "intake/file/workbook-file", "intake/xlsx-reader", "intake/file/workbook-lost", "intake/workbook/workbook-numbers", "intake/file/workbook-shown", "intake/file/workbook-looks"),
  hunt("intake/workbook/part-text intake/workbook/xml-tags", "intake/workbook/part-text", "intake/workbook/xml-tags"),
  hunt("intake/workbook/workbook-parts", "intake/workbook/workbook-parts"),
  hunt("intake/workbook/number-formats intake/workbook/memo", "intake/workbook/number-formats", "intake/workbook/cell-formats"),
  hunt("intake/text/upload-turns", "intake/text/upload-turns"),
  hunt("intake/overrides", "intake/row", "intake/row-words"),
  hunt("intake/workbook/currency-signs", "intake/workbook/currency-signs"),
  hunt("intake/workbook/strikethrough", "intake/workbook/strikethrough"),
  hunt("intake/workbook/text-formats", "intake/workbook/text-formats"),
  hunt("intake/workbook/merged-cells", "intake/workbook/merged-cells"),
  hunt("intake/workbook/conditional-formats", "intake/workbook/conditional-formats"),
  hunt("intake/workbook/cell-marks", "intake/workbook/cell-marks"),
  hunt("intake/workbook/zip", "intake/workbook/zip"),
  hunt("intake/workbook/grid", "intake/workbook/grid"),
  hunt("intake/workbook/lost-values", "intake/workbook/lost-values"),
  hunt("intake/workbook/sheet-reader", "intake/workbook/sheet-reader"),
  hunt("intake/header", "intake/header"),
  hunt("intake/text/records", "intake/text/records"),
  hunt("intake/text/encoding", "intake/text/encoding"),
  hunt("gateway/transaction-states gateway/status-answer", "gateway/status-answer", "gateway/status-words"),
  hunt("gateway/not-found", "gateway/not-found"),
  hunt("gateway/wire/decimal", "gateway/wire/decimal"),
  hunt("gateway/wire/cipher", "gateway/wire/cipher"),
  hunt("deposit/deposit", "deposit/deposit", "gateway/deposit-requests"),
  hunt("deposit/requirements", "deposit/requirements"),
  hunt("deposit/decide-outcome deposit/decide-status deposit/decision", "deposit/decide", "deposit/decide-outcome", "deposit/decide-waits"),
  hunt("deposit/lifecycle", "deposit/lifecycle", "docs/lifecycle"),
  hunt("gateway/wire/endpoints gateway/requests", "gateway/wire/endpoints", "gateway/requests"),
  hunt("gateway/deposit-requests", "gateway/deposit-requests"),
  hunt("gateway/deposit-answers", "gateway/deposit-answers"),
  hunt("gateway/deposit-messages", "gateway/deposit-answers", "gateway/deposit-requests", "gateway/balance-answer"),
  hunt("gateway/deposit-client gateway/exchange", "gateway/wire/deposit-client", "gateway/wire/exchange"),
  hunt("gateway/balance-answer", "gateway/balance-answer"),
  hunt("gateway/wire/expiry", "gateway/wire/expiry"),
  hunt("gateway/wire/layout", "gateway/wire/layout"),
  hunt("gateway/payout-answers gateway/error-codes", "gateway/payout-answers", "gateway/answer-words", "gateway/deposit-answers"),
  hunt("gateway/wire/messages", "gateway/wire/messages"),
  hunt("gateway/callback", "gateway/wire/callback"),
  hunt("gateway/wire/connection-failures", "gateway/wire/connection-failures"),
  hunt("gateway/confirm-refusal", "gateway/confirm-refusal"),
  hunt("gateway/wire/keyring", "gateway/wire/keyring"),
  hunt("gateway/wire/timestamp", "gateway/wire/timestamp"),
  hunt("gateway/wire/json", "gateway/wire/json"),
  hunt("gateway/wire/redact", "gateway/wire/redact"),
  hunt("gateway/meter", "gateway/meter"),
];

export const ALL_HUNTED: ReadonlySet<string> = new Set(HUNTS.flatMap(({ files }) => files));

/** Files of the mutated folders that are neither in a hunt nor excluded with a reason. */
export const filesMissingFrom = (hunted: ReadonlySet<string>): readonly string[] =>
  globSync("src/{money,payout,deposit,intake,approval,gateway}/**/*.ts", { cwd: ROOT })
    .filter((file) => !NOT_MUTATED.some(({ path }) => file.startsWith(path)))
    .filter((file) => !hunted.has(file))
    .toSorted();
