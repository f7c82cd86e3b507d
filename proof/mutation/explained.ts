/** The survivors that were looked at, and why each may live. `npm run mutate` holds this list against what it finds. */

interface Explained {
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

/** Where a survivor must be explained: what decides about money. */
export const TABLES: readonly string[] = [
  "src/money/currency.ts",
  "src/payout/lifecycle.ts",
  "src/payout/rules.ts",
  "src/payout/reasons.ts",
  "src/payout/banks/lookup.ts",
  "src/batch/lifecycle.ts",
  "src/batch/problems.ts",
  "src/gateway/answers.ts",
  "src/gateway/states.ts",
  "src/gateway/operations.ts",
  "src/gateway/messages.ts",
  "src/gateway/cipher.ts",
];

const TOLD =
  "words for people; the tests that read them stand on a real ledger, some seconds for each mutant";
const SPEAKS_HTTP =
  "its tests wait for deadlines of a real server, some 15 seconds for each mutant; the contract suite and chaos hold it";

/** By the start of their path. */
export const NOT_MUTATED: readonly { readonly path: string; readonly why: string }[] = [
  {
    path: "src/payout/banks/",
    why: "names and codes as the provider published them; a changed name proves nothing about `lookup.ts`, which is hunted",
  },
  { path: "src/payout/outcome.ts", why: "holds types alone" },
  { path: "src/payout/again.ts", why: "holds one number, and Stryker changes no numbers" },
  { path: "src/deposit/outcome.ts", why: "holds types alone" },
  { path: "src/deposit/outlook.ts", why: TOLD },
  { path: "src/deposit/reasons.ts", why: TOLD },
  { path: "src/deposit/timeline.ts", why: TOLD },
  { path: "src/batch/diff.ts", why: TOLD },
  { path: "src/batch/quarantine.ts", why: TOLD },
  { path: "src/batch/remainder.ts", why: TOLD },
  {
    path: "src/batch/sheet-thread.ts",
    why: "runs in a thread of its own, into which Stryker puts no mutant",
  },
  { path: "src/gateway/gateway.ts", why: "names what others may import, and holds nothing" },
  { path: "src/gateway/client.ts", why: SPEAKS_HTTP },
  { path: "src/gateway/transport.ts", why: SPEAKS_HTTP },
];

const SAVES_TIME =
  "a text without a place to fill comes out of the filling as it was; the check only spares the work";

const LIKE_NO_BANK =
  "a bank without a second name, or a currency without a list: Stryker's text in its place is as far from every code and name";
const FILLER = String.raw`/\b(?:bank|bank of|the|ltd|limited|inc|corp|corporation|company|public|co|plc|berhad|pt|tbk|tmcp|tnhh|mtv|ngan hang)\b|[^\p{L}\p{N}]+/gu`;

export const EXPLAINED: readonly Explained[] = [
  {
    file: "src/gateway/answers.ts",
    original: "apartMs > 0",
    replacement: "apartMs >= 0",
    why: "clocks that agree have left the function two lines before",
  },
  {
    file: "src/payout/reasons.ts",
    original: '""',
    replacement: '"Stryker was here!"',
    why: "no reason has a code of either kind, so an absent text is none",
  },
  {
    file: "src/payout/banks/lookup.ts",
    original: '""',
    replacement: '"Stryker was here!"',
    why: LIKE_NO_BANK,
  },
  {
    file: "src/payout/banks/lookup.ts",
    original: "[]",
    replacement: '["Stryker was here"]',
    why: LIKE_NO_BANK,
  },
  {
    file: "src/payout/banks/lookup.ts",
    original: FILLER,
    replacement: FILLER.replace("]+", "]"),
    why: "every match is taken out: a run of signs at once or one by one",
  },
  {
    file: "src/payout/banks/lookup.ts",
    original: "meant[0] === code",
    replacement: "false",
    why: "the name is among the names of its own code as well; the check only spares the work",
  },
  {
    file: "src/batch/problems.ts",
    original: '!text.includes("{")',
    replacement: "false",
    why: SAVES_TIME,
  },
  { file: "src/batch/problems.ts", original: '"{"', replacement: '""', why: SAVES_TIME },
  {
    file: "src/gateway/cipher.ts",
    original: '"utf8"',
    replacement: '""',
    why: "Node takes an empty name of an encoding for UTF-8",
  },
];
