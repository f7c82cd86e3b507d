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

const hunt = (folder: string, files: string, ...tests: readonly string[]): Hunt => ({
  files: files.split(" ").map((name) => `src/${folder}/${name}.ts`),
  tests: tests.map((path) => `test/${path}.test.ts`),
});

// biome-ignore format: one hunt per line
export const HUNTS: readonly Hunt[] = [
  hunt("money", "currency format money parse", "money/money"),
  hunt("payout", "lifecycle", "payout/lifecycle", "docs/lifecycle"),
  hunt("payout", "rules layout-limits", "payout/rules", "payout/currencies", "payout/layout-limits", "payout/banks", "batch/code-pages"),
  hunt("payout", "reasons", "payout/reasons"),
  hunt("payout", "causes", "payout/causes"),
  hunt("payout", "lane", "payout/lane"),
  hunt("payout", "decide waits record-money", "payout/decide", "payout/decide-words"),
  hunt("payout", "resend", "payout/resend"),
  hunt("payout", "sent-again", "payout/sent-again"),
  hunt("payout", "since-restore", "payout/since-restore"),
  hunt("payout", "taken-twice", "payout/taken-twice"),
  hunt("payout", "brakes brake-settings", "payout/brakes"),
  hunt("payout", "health", "payout/health"),
  hunt("payout", "canary", "payout/canary"),
  hunt("payout", "lane-pace", "payout/lane-pace", "payout/lane-rivals"),
  hunt("payout", "formats", "payout/formats"),
  hunt("payout", "names", "payout/names"),
  hunt("payout", "by-bank", "payout/by-bank"),
  hunt("payout", "addresses", "payout/addresses"),
  hunt("payout", "edit-distance banks/lookup", "payout/banks"),
  hunt("payout", "payout", "payout/payout"),
  hunt("payout", "pulse", "payout/pulse"),
  hunt("payout", "search", "payout/search"),
  hunt("payout", "outlook", "payout/outlook"),
  hunt("payout", "timeline", "payout/timeline"),
  hunt("batch", "lifecycle approval", "batch/lifecycle", "batch/approval", "docs/lifecycle"),
  hunt("batch", "seen", "batch/seen"),
  hunt("batch", "near", "batch/near"),
  hunt("batch", "priority", "batch/priority"),
  hunt("batch", "repeats", "batch/repeats"),
  hunt("batch", "funds", "batch/funds"),
  hunt("batch", "held-numbers", "batch/held-numbers"),
  hunt("batch", "money-limits", "batch/money-limits"),
  hunt("batch", "limit-units", "batch/limit-units"),
  hunt("batch", "problems", "batch/problems"),
  hunt("batch", "amount-limits columns formula plan visible", "batch/cells", "batch/row", "batch/samples"),
  hunt("batch", "cell no-value", "batch/cells", "batch/lengths", "batch/names", "batch/no-value", "batch/row", "batch/row-words", "batch/samples"),
  hunt("batch", "hidden", "batch/hidden"),
  hunt("batch", "spoilt-letters", "batch/spoilt-letters"),
  hunt("batch", "shape", "batch/shape", "batch/row-words"),
  hunt("batch", "row", "batch/code-pages", "batch/no-value", "batch/row-words", "batch/lengths", "batch/row"),
  hunt("batch", "batch csv limits", "batch/corrections", "batch/files", "batch/samples"),
  hunt("batch", "approval-policy", "batch/approval-policy"),
  hunt("batch", "equation", "batch/equation"),
  hunt("batch", "findings", "batch/findings"),
  hunt("batch", "unusual", "batch/unusual"),
  hunt("batch", "control-totals", "batch/control-totals"),
  hunt("batch", "copy", "batch/copy"),
  hunt("batch", "cover", "batch/cover"),
  hunt("batch", "doubts", "batch/doubts", "batch/workbook-file", "batch/workbook-lost"),
  hunt("batch", "rejects", "batch/rejects", "batch/rejects-back"),
  hunt("batch", "template", "batch/template"),
  hunt("batch", "workbook sheet", "batch/workbook-file", "batch/workbook", "batch/workbook-lost", "batch/workbook-numbers", "batch/workbook-shown", "batch/workbook-looks"),
  hunt("batch", "part-text tags", "batch/part-text", "batch/tags"),
  hunt("batch", "book", "batch/book"),
  hunt("batch", "number-formats memo", "batch/number-formats", "batch/cell-formats"),
  hunt("batch", "turns", "batch/turns"),
  hunt("batch", "overrides", "batch/row", "batch/row-words"),
  hunt("batch", "currency-signs", "batch/currency-signs"),
  hunt("batch", "struck-out", "batch/struck-out"),
  hunt("batch", "text-formats", "batch/text-formats"),
  hunt("batch", "merges", "batch/merges"),
  hunt("batch", "conditional", "batch/conditional"),
  hunt("batch", "marks", "batch/marks"),
  hunt("batch", "zip", "batch/zip"),
  hunt("batch", "grid", "batch/grid"),
  hunt("batch", "lost-values", "batch/lost-values"),
  hunt("batch", "sheet-reader", "batch/sheet-reader"),
  hunt("batch", "header", "batch/header"),
  hunt("batch", "records", "batch/records"),
  hunt("batch", "encoding", "batch/encoding"),
  hunt("gateway", "states status-answer", "gateway/status-answer", "gateway/status-words"),
  hunt("gateway", "not-known", "gateway/not-known"),
  hunt("gateway", "decimal", "gateway/decimal"),
  hunt("gateway", "cipher", "gateway/cipher"),
  hunt("deposit", "deposit", "deposit/deposit", "gateway/deposit-requests"),
  hunt("deposit", "requirements", "deposit/requirements"),
  hunt("deposit", "decide-outcome decide-status decision", "deposit/decide", "deposit/decide-outcome", "deposit/decide-waits"),
  hunt("deposit", "lifecycle", "deposit/lifecycle", "docs/lifecycle"),
  hunt("gateway", "operations requests", "gateway/operations", "gateway/requests"),
  hunt("gateway", "deposit-requests", "gateway/deposit-requests"),
  hunt("gateway", "deposit-answers", "gateway/deposit-answers"),
  hunt("gateway", "deposit-messages", "gateway/deposit-answers", "gateway/deposit-requests", "gateway/balance-answer"),
  hunt("gateway", "deposit-client exchange", "gateway/deposit-client", "gateway/exchange"),
  hunt("gateway", "balance-answer", "gateway/balance-answer"),
  hunt("gateway", "expiry", "gateway/expiry"),
  hunt("gateway", "layout", "gateway/layout"),
  hunt("gateway", "answers", "gateway/answers", "gateway/answer-words", "gateway/deposit-answers"),
  hunt("gateway", "messages", "gateway/messages"),
  hunt("gateway", "callback", "gateway/callback"),
  hunt("gateway", "failures", "gateway/failures"),
  hunt("gateway", "confirm-refusal", "gateway/confirm-refusal"),
  hunt("gateway", "keyring", "gateway/keyring"),
  hunt("gateway", "json", "gateway/json"),
  hunt("gateway", "redact", "gateway/redact"),
  hunt("gateway", "meter", "gateway/meter"),
];

export const ALL_HUNTED: ReadonlySet<string> = new Set(HUNTS.flatMap(({ files }) => files));

/** Files of the mutated folders that are neither in a hunt nor excluded with a reason. */
export const filesMissingFrom = (hunted: ReadonlySet<string>): readonly string[] =>
  globSync("src/{money,payout,deposit,batch,gateway}/**/*.ts", { cwd: ROOT })
    .filter((file) => !NOT_MUTATED.some(({ path }) => file.startsWith(path)))
    .filter((file) => !hunted.has(file))
    .toSorted();
