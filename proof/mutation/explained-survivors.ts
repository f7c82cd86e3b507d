/**
 * Reviewed surviving mutants, with the reason why each may survive. `npm run mutate` compares this
 * list with its findings.
 */

interface ExplainedSurvivor {
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

/** Where a surviving mutant needs an explanation: code that decides about money. */
export const TABLES: readonly string[] = [
  "src/money/currency.ts",
  "src/payout/payout-lifecycle.ts",
  "src/payout/rules/currency-rules.ts",
  "src/payout/reasons.ts",
  "src/payout/rules/bank-codes/bank-codes.ts",
  "src/intake/batch/batch-lifecycle.ts",
  "src/intake/text/problems.ts",
  "src/gateway/error-codes.ts",
  "src/gateway/payout-answers.ts",
  "src/gateway/transaction-states.ts",
  "src/gateway/wire/endpoints.ts",
  "src/gateway/wire/messages.ts",
  "src/gateway/wire/cipher.ts",
];

const TEXT_FOR_PEOPLE =
  "texts for people; their tests need a real ledger, which takes several seconds per mutant";
const SPEAKS_HTTP =
  "its tests wait for the deadlines of a real server, about 15 seconds per mutant; the contract tests and the chaos campaigns cover it";

/** By the start of their path. */
export const NOT_MUTATED: readonly { readonly path: string; readonly why: string }[] = [
  { path: "src/payout/action/payout-action.ts", why: "names, limits and texts, no decisions" },
  { path: "src/reconciliation/break-action.ts", why: "names, limits and texts, no decisions" },
  { path: "src/reconciliation/camt/problem.ts", why: "contains only types" },
  {
    path: "src/payout/rules/bank-codes/",
    why: "names and codes as published by the provider; changing a name would prove nothing about `lookup.ts`, which is mutated",
  },
  {
    path: "src/deposit/page/",
    why: "the payer's page: its tests need a browser or a server, which takes seconds for each mutant",
  },
  { path: "src/payout/outcome.ts", why: "contains only types" },
  { path: "src/payout/decision.ts", why: "contains only types" },
  { path: "src/deposit/outcome.ts", why: "contains only types" },
  { path: "src/deposit/outlook.ts", why: TEXT_FOR_PEOPLE },
  { path: "src/deposit/reasons.ts", why: TEXT_FOR_PEOPLE },
  { path: "src/deposit/timeline.ts", why: TEXT_FOR_PEOPLE },
  { path: "src/approval/comparison.ts", why: TEXT_FOR_PEOPLE },
  { path: "src/intake/batch/quarantine.ts", why: TEXT_FOR_PEOPLE },
  {
    path: "src/intake/rows/row-list.ts",
    why: "its tests need a server with a ledger, which takes several seconds per mutant",
  },
  { path: "src/intake/batch/batch-facts.ts", why: "contains only types" },
  { path: "src/payout/retry-batch-left-out.ts", why: TEXT_FOR_PEOPLE },
  {
    path: "src/intake/workbook/sheet-thread.ts",
    why: "runs in a separate thread, where Stryker cannot place mutants",
  },
  { path: "src/gateway/gateway.ts", why: "contains only re-exports, no code" },
  { path: "src/gateway/client.ts", why: SPEAKS_HTTP },
  { path: "src/gateway/wire/transport.ts", why: SPEAKS_HTTP },
];

const SAVES_TIME =
  "filling leaves a text without placeholders unchanged; the check only avoids unnecessary work";

const LIKE_NO_BANK =
  "used for a bank without a second name or a currency without a list; Stryker's text does not match any code or name either";
const FILLER = String.raw`/\b(?:bank|bank of|the|ltd|limited|inc|corp|corporation|company|public|co|plc|berhad|pt|tbk|tmcp|tnhh|mtv|ngan hang)\b|[^\p{L}\p{N}]+/gu`;

export const EXPLAINED_SURVIVORS: readonly ExplainedSurvivor[] = [
  {
    file: "src/gateway/payout-answers.ts",
    original: "apartMs > 0",
    replacement: "apartMs >= 0",
    why: "if the clocks are equal, the function has already returned two lines earlier",
  },
  {
    file: "src/payout/reasons.ts",
    original: '""',
    replacement: '"Stryker was here!"',
    why: "no reason has either kind of code, so a missing text has the same effect",
  },
  {
    file: "src/payout/rules/bank-codes/bank-codes.ts",
    original: '""',
    replacement: '"Stryker was here!"',
    why: LIKE_NO_BANK,
  },
  {
    file: "src/payout/rules/bank-codes/bank-codes.ts",
    original: "[]",
    replacement: '["Stryker was here"]',
    why: LIKE_NO_BANK,
  },
  {
    file: "src/payout/rules/bank-codes/bank-codes.ts",
    original: FILLER,
    replacement: FILLER.replace("]+", "]"),
    why: "every match is removed, whether as a run of characters or one by one",
  },
  {
    file: "src/payout/rules/bank-codes/bank-codes.ts",
    original: "meant[0] === code",
    replacement: "false",
    why: "the name is among the names of its own code as well; the check only spares the work",
  },
  {
    file: "src/intake/text/problems.ts",
    original: '!text.includes("{")',
    replacement: "false",
    why: SAVES_TIME,
  },
  { file: "src/intake/text/problems.ts", original: '"{"', replacement: '""', why: SAVES_TIME },
  {
    file: "src/gateway/wire/cipher.ts",
    original: '"utf8"',
    replacement: '""',
    why: "Node reads an empty encoding name as UTF-8",
  },
];
