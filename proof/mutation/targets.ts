import { globSync } from "node:fs";
import { join } from "node:path";
import { NOT_MUTATED } from "./explained-survivors.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * The tests that hunt the mutants of each file. Every mutant costs a run of these tests, so the
 * list contains the tests that concern the file, and none that wait for a server.
 */
export interface MutationTarget {
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

/** @param files paths below `src`, separated by blanks; @param tests paths below `test`. */
const target = (files: string, ...tests: readonly string[]): MutationTarget => ({
  files: files.split(" ").map((name) => `src/${name}.ts`),
  tests: tests.map((path) => `test/${path}.test.ts`),
});

// biome-ignore format: one hunt per line
export const MUTATION_TARGETS: readonly MutationTarget[] = [
  target("money/currency money/format money/money money/parse", "money/money"),
  target("money/display money/median", "money/display", "money/median"),
  target("payout/payout-lifecycle", "payout/payout-lifecycle", "docs/lifecycle"),
  target("payout/rules/currency-rules payout/rules/layout-limits", "payout/rules/currency-rules", "payout/rules/currencies", "payout/rules/layout-limits", "payout/rules/bank-codes", "intake/text/code-pages"),
  target("ledger/erasure/personal-texts", "ledger/erasure/personal-texts"),
  target("payout/reasons", "payout/reasons"),
  target("payout/failure-explanations", "payout/failure-explanations"),
  target("payout/lane/lane", "payout/lane/lane"),
  target("payout/decide payout/backoff payout/record-money", "payout/decide", "payout/decide-words"),
  target("payout/resend", "payout/resend"),
  target("payout/why-not-resent", "payout/why-not-resent"),
  target("payout/refused-since-restore", "payout/refused-since-restore"),
  target("payout/second-payment", "payout/second-payment"),
  target("payout/circuit-breakers payout/lane/circuit-breaker-settings", "payout/circuit-breakers"),
  target("payout/lane/lane-health", "payout/lane/lane-health"),
  target("payout/lane/canary", "payout/lane/canary"),
  target("payout/lane/rate-limit", "payout/lane/rate-limit", "payout/lane/lane-rivals"),
  target("payout/rules/formats payout/rules/ifsc", "payout/rules/formats"),
  target("payout/rules/names", "payout/rules/names"),
  target("payout/rules/bank-rules", "payout/rules/bank-rules"),
  target("payout/rules/addresses", "payout/rules/addresses"),
  target("payout/rules/edit-distance payout/rules/bank-codes/bank-codes", "payout/rules/bank-codes"),
  target("payout/payout", "payout/payout"),
  target("operations/traffic-counters", "operations/traffic-counters"),
  target("operations/report-period", "operations/report-period"),
  target("payout/search", "payout/search"),
  target("payout/outlook payout/retry-batch-left-out", "payout/outlook"),
  target("payout/timeline", "payout/timeline"),
  target("intake/batch/batch-lifecycle approval/approval", "intake/batch/batch-lifecycle", "approval/approval", "docs/lifecycle"),
  target("intake/text/first-seen", "intake/text/first-seen"),
  target("approval/possible-duplicates", "approval/possible-duplicates"),
  target("payout/priority", "payout/priority"),
  target("intake/batch/exact-duplicates", "intake/batch/exact-duplicates"),
  target("intake/header/added-columns", "intake/reading/added-columns"),
  target("intake/batch/total-row", "intake/batch/total-row"),
  target("intake/text/typed-problems", "intake/text/typed-problems"),
  target("intake/batch/suggested-fix", "intake/batch/suggested-fix"),
  target("approval/funds", "approval/funds"),
  target("reconciliation/suggest-mapping", "reconciliation/suggest-mapping"),
  target("reconciliation/camt/amounts reconciliation/camt/decimal", "reconciliation/camt/amounts"),
  target("reconciliation/camt/batch reconciliation/camt/entry reconciliation/camt/element reconciliation/camt/statement-collector reconciliation/camt/summary reconciliation/camt/camt-table reconciliation/camt/xml-stream", "reconciliation/camt/camt", "simulator/camt-file"),
  target("reconciliation/match reconciliation/records", "reconciliation/match", "reconciliation/match-watch"),
  target("reconciliation/compare-code reconciliation/break-classes", "reconciliation/match", "reconciliation/compare-code"),
  target("reconciliation/statement-balances", "reconciliation/statement-balances"),
  target("reconciliation/mapping-choices", "reconciliation/mapping-choices"),
  target("reconciliation/canonical-json", "reconciliation/canonical-json"),
  target("reconciliation/break-difference", "reconciliation/break-difference"),
  target("reconciliation/day-close reconciliation/balance-movement reconciliation/day-figures", "reconciliation/day-close"),
  target("reconciliation/statement-reader reconciliation/statement-table reconciliation/statement-mapping reconciliation/statement-time", "reconciliation/statement-reader"),
  target("intake/workbook/numeric-accounts", "intake/workbook/numeric-accounts"),
  target("approval/payout-limits", "approval/payout-limits"),
  target("approval/limit-units", "approval/limit-units"),
  target("intake/text/problems", "intake/text/problems"),
  target("intake/amount-limits intake/columns intake/text/formula intake/row-plan base/invisible-characters", "intake/text/cells", "intake/row", "intake/text/samples"),
  target("intake/cell-check intake/cell-doubts intake/text/error-values", "intake/text/cells", "intake/lengths", "intake/names", "intake/text/error-values", "intake/row", "intake/row-words", "intake/text/samples"),
  target("base/hidden-characters", "base/hidden-characters"),
  target("intake/text/mojibake", "intake/text/mojibake"),
  target("intake/text/trailing-cells", "intake/text/trailing-cells", "intake/row-words"),
  target("intake/row intake/row-settings", "intake/text/code-pages", "intake/text/error-values", "intake/row-words", "intake/lengths", "intake/row"),
  target("intake/file-reader intake/csv-reader intake/table/table-reader intake/table/sheet-table intake/text/file-limits", "reconciliation/statement-reader", "intake/file/corrections", "intake/file/files", "intake/text/samples"),
  target("approval/approval-policy", "approval/approval-policy"),
  target("approval/status-breakdown", "approval/status-breakdown"),
  target("intake/findings", "intake/findings"),
  target("approval/anomalies", "approval/anomalies"),
  target("intake/batch/control-totals", "intake/batch/control-totals"),
  target("intake/copy-guard", "intake/copy-guard"),
  target("intake/masking", "intake/masking"),
  target("intake/rejected-row", "intake/rejected-row", "intake/file/workbook-file", "intake/file/workbook-lost"),
  target("intake/rejects-file", "intake/rejects-file", "intake/rejects-back"),
  target("intake/template", "intake/template"),
  target("intake/xlsx-reader intake/workbook/cell-text intake/workbook/sheet", "intake/file/workbook-file", "intake/xlsx-reader", "intake/file/workbook-lost", "intake/workbook/workbook-numbers", "intake/file/workbook-shown", "intake/file/workbook-looks"),
  target("intake/workbook/part-text intake/workbook/xml-tags", "intake/workbook/part-text", "intake/workbook/xml-tags"),
  target("intake/workbook/workbook-parts", "intake/workbook/workbook-parts"),
  target("intake/workbook/number-formats intake/workbook/memoize", "intake/workbook/number-formats", "intake/workbook/cell-formats"),
  target("intake/text/upload-turns", "intake/text/upload-turns"),
  target("intake/overrides", "intake/row", "intake/row-words"),
  target("intake/workbook/currency-signs", "intake/workbook/currency-signs"),
  target("intake/workbook/strikethrough", "intake/workbook/strikethrough"),
  target("intake/workbook/text-formats", "intake/workbook/text-formats"),
  target("intake/workbook/merged-cells", "intake/workbook/merged-cells"),
  target("intake/workbook/conditional-formats", "intake/workbook/conditional-formats"),
  target("intake/workbook/cell-marks", "intake/workbook/cell-marks"),
  target("intake/workbook/zip", "intake/workbook/zip"),
  target("intake/workbook/grid", "intake/workbook/grid"),
  target("intake/workbook/lost-values", "intake/workbook/lost-values"),
  target("intake/workbook/sheet-reader", "intake/workbook/sheet-reader"),
  target("intake/header intake/header/columns", "intake/header"),
  target("intake/header/column-mapping intake/header/column-names intake/header/column-synonyms", "intake/reading/column-mapping", "intake/header"),
  target("intake/amount-cell intake/amount-detection intake/file-interpretation intake/text/reading-proposal", "intake/reading/amount-detection", "intake/reading/column-mapping"),
  target("approval/cell-changes", "approval/cell-changes"),
  target("approval/acknowledgements", "approval/acknowledgements"),
  target("payout/lane/find-lane", "payout/lane/find-lane"),
  target("payout/retry-rule", "payout/retry-rule"),
  target("intake/text/records", "intake/text/records"),
  target("intake/text/csv-encoding", "intake/text/csv-encoding"),
  target("gateway/transaction-states gateway/status-answer", "gateway/status-answer", "gateway/status-words"),
  target("gateway/not-found", "gateway/not-found"),
  target("gateway/wire/decimal", "gateway/wire/decimal"),
  target("gateway/wire/cipher", "gateway/wire/cipher"),
  target("deposit/deposit", "deposit/deposit", "gateway/deposit-requests"),
  target("deposit/requirements", "deposit/requirements"),
  target("deposit/decide-outcome deposit/decide-status deposit/decision", "deposit/decide", "deposit/decide-outcome", "deposit/decide-waits"),
  target("deposit/lifecycle", "deposit/lifecycle", "docs/lifecycle"),
  target("gateway/wire/endpoints gateway/requests", "gateway/wire/endpoints", "gateway/requests"),
  target("gateway/deposit-requests", "gateway/deposit-requests"),
  target("gateway/deposit-answers", "gateway/deposit-answers"),
  target("gateway/deposit-messages", "gateway/deposit-answers", "gateway/deposit-requests", "gateway/balance-answer"),
  target("gateway/deposit-client gateway/exchange", "gateway/deposit-client", "gateway/exchange"),
  target("gateway/balance-answer", "gateway/balance-answer"),
  target("gateway/wire/expiry", "gateway/wire/expiry"),
  target("gateway/wire/layout", "gateway/wire/layout"),
  target("gateway/payout-answers gateway/error-codes", "gateway/payout-answers", "gateway/answer-words", "gateway/deposit-answers"),
  target("gateway/wire/messages", "gateway/wire/messages"),
  target("gateway/callback", "gateway/callback"),
  target("gateway/wire/connection-failures", "gateway/wire/connection-failures"),
  target("gateway/confirm-refusal", "gateway/confirm-refusal"),
  target("gateway/wire/keyring", "gateway/wire/keyring"),
  target("gateway/wire/timestamp-freshness", "gateway/wire/timestamp-freshness"),
  target("gateway/wire/json", "gateway/wire/json"),
  target("gateway/wire/redact", "gateway/wire/redact"),
  target("gateway/meter", "gateway/meter"),
  target("integrity/archive/manifest integrity/archive/read integrity/archive/totals", "integrity/archive-file"),
  target("integrity/retention", "integrity/retention"),
  target("ledger/store/keys/keyed-digest", "ledger/store/keys/keyed-digest"),
  target("postgres/array-text", "postgres/array-text"),
];

export const MUTATED_FILES: ReadonlySet<string> = new Set(
  MUTATION_TARGETS.flatMap(({ files }) => files),
);

/** The folders below `src` in which every file is mutated, or excluded with a reason. */
export const MUTATED_FOLDERS = [
  "money",
  "payout",
  "deposit",
  "intake",
  "approval",
  "gateway",
  "reconciliation",
];

/** Files of the mutated folders that are neither in a hunt nor excluded with a reason. */
export const filesWithoutTarget = (hunted: ReadonlySet<string>): readonly string[] =>
  globSync(`src/{${MUTATED_FOLDERS.join(",")}}/**/*.ts`, { cwd: ROOT })
    .filter((file) => !NOT_MUTATED.some(({ path }) => file.startsWith(path)))
    .filter((file) => !hunted.has(file))
    .toSorted();
