/**
 * Allowed imports, one line per folder. `npm run lint` refuses every import that is not listed, and
 * test/boundaries.test.ts proves that for each line of this table. Files of the same folder may
 * always import each other. Later lines win, so the line of a single file follows the line of its
 * folder.
 */
import type { OxlintOverride } from "oxlint";

interface Boundary {
  /** Pattern of the files, relative to the root. */
  readonly files: string;
  /** Import specifiers as written in the code; `*` and `**` as in .gitignore. */
  readonly may: readonly string[];
  /** Imports allowed as types only: they are erased before the code runs. */
  readonly mayAsTypes?: readonly string[];
}

/** The ground floor: used by every part, and uses none of those parts. */
const BASE = ["#base/**"];
/** Text rules of the ground floor that are pure. */
const PURE_BASE = [
  "#base/result.ts",
  "#base/hidden-characters.ts",
  "#base/invisible-characters.ts",
];
/** The folders with the domain's rules, without database or network. */
const DOMAIN = [
  "#money/**",
  "#intake/**",
  "#approval/**",
  "#comment/**",
  "#payout/**",
  "#deposit/**",
  "#reconciliation/**",
  "#schedule/**",
  "#people/**",
  "#operations/**",
  "#integrity/**",
];

/**
 * The ledger's folders, for flows. A flow calls their functions through a `Ledger` and imports
 * only their types, errors and pure functions: it has no database connection to call them with.
 */
const LEDGER_FOLDERS = [
  "#ledger/intake/**",
  "#ledger/approval/**",
  "#ledger/comment/**",
  "#ledger/payout/**",
  "#ledger/deposit/**",
  "#ledger/reconciliation/**",
  "#ledger/schedule/**",
  "#ledger/people/**",
  "#ledger/notification/**",
  "#ledger/feed/**",
  "#ledger/operations/**",
  "#ledger/integrity/**",
  "#ledger/erasure/**",
];

// biome-ignore format: the columns are the point
export const BOUNDARIES: readonly Boundary[] = [
  { files: "src/base/**",         may: ["zod", "node:crypto", "node:fs", "node:net", "node:util"], mayAsTypes: ["got"] },
  { files: "src/base/log.ts",     may: ["pino"] },
  { files: "src/money/**",        may: PURE_BASE },
  { files: "src/payout/**",       may: [...PURE_BASE, "#money/**", "zod", "@noble/hashes/**", "@scure/base"] },
  { files: "src/deposit/**",      may: [...PURE_BASE, "#money/**", "#payout/**"] },
  { files: "src/deposit/page/**", may: ["#deposit/**", "qrcode", "node:crypto"] },
  { files: "src/intake/**",       may: [...PURE_BASE, "#money/**", "#payout/**", "csv-parse", "csv-parse/**", "node:crypto"] },
  { files: "src/intake/workbook/**", may: [...PURE_BASE, "#intake/**", "#money/**", "#payout/**"] },
  { files: "src/intake/workbook/sheet.ts", may: [...PURE_BASE, "#intake/**", "read-excel-file/node"] },
  { files: "src/intake/workbook/sheet-reader.ts", may: ["#base/result.ts", "#intake/**", "node:worker_threads"] },
  { files: "src/intake/workbook/sheet-thread.ts", may: ["#intake/**", "node:worker_threads"] },
  { files: "src/intake/workbook/zip.ts", may: ["#base/result.ts", "#intake/**", "yauzl", "fflate", "node:stream/consumers"] },
  { files: "src/approval/**",     may: [...PURE_BASE, "#money/**", "#payout/**"] },
  { files: "src/reconciliation/**", may: [...PURE_BASE, "#money/**", "#payout/payout-lifecycle.ts", "#intake/table/table-reader.ts", "#intake/text/records.ts", "#intake/text/file-limits.ts", "#schedule/local-time.ts", "temporal-polyfill"] },
  { files: "src/reconciliation/camt/**", may: [...PURE_BASE, "#money/money.ts", "#intake/text/**", "#reconciliation/camt/**", "node:crypto", "saxes"] },
  { files: "src/comment/**",      may: PURE_BASE },
  { files: "src/people/**",       may: PURE_BASE },
  { files: "src/people/look-alikes.ts", may: ["unhomoglyph"] },
  { files: "src/people/password-strength.ts", may: ["node:worker_threads"] },
  { files: "src/people/password-strength-thread.ts", may: ["node:worker_threads", "@zxcvbn-ts/*"] },
  { files: "src/operations/**",   may: PURE_BASE, mayAsTypes: ["#integrity/freeze-causes.ts"] },
  { files: "src/integrity/**",    may: PURE_BASE },
  { files: "src/integrity/evidence-pack/**", may: [...PURE_BASE, "node:crypto", "node:fs/promises", "node:stream", "node:zlib"] },
  { files: "src/integrity/archive/**", may: [...PURE_BASE, "#integrity/evidence-pack/**", "node:crypto", "node:fs/promises"] },
  { files: "src/schedule/**",     may: [...PURE_BASE, "#money/currency.ts", "#money/parse.ts", "#payout/payout.ts", "zod", "temporal-polyfill"] },
  { files: "src/schedule/folder/**", may: ["#base/result.ts", "#base/clock.ts", "node:fs", "node:fs/promises", "node:path"] },
  { files: "src/notification/**", may: [...BASE, "#money/format.ts", "#operations/feed-events.ts", "got", "ipaddr.js", "nodemailer", "node:crypto", "node:dns", "node:net", "node:util"] },
  { files: "src/postgres/**",     may: ["#base/clock.ts", "pg", "node:crypto"] },
  { files: "src/gateway/**",      may: [...BASE, "#money/**", "#payout/**", "#deposit/**", "#operations/traffic-counters.ts", "zod"] },
  { files: "src/gateway/wire/**", may: [...BASE, "#gateway/**", "#money/**", "#payout/**", "#deposit/**", "zod", "node:crypto", "node:util"] },
  { files: "src/gateway/wire/transport.ts", may: [...BASE, "#gateway/**", "undici"] },
  { files: "src/ledger/**",       may: [...BASE, ...DOMAIN, "#postgres/**", "pg", "kysely", "node:*", "node:*/**"] },
  { files: "src/flows/**",        may: [...BASE, ...DOMAIN, ...LEDGER_FOLDERS, "#ledger/ledger.ts", "#ledger/store/database-errors.ts", "#gateway/**", "#jobs/**", "#notification/**", "zod", "otpauth", "csv-stringify", "csv-stringify/**", "node:crypto", "node:util", "node:stream", "node:stream/**", "node:events"],
                                  mayAsTypes: ["pino", "#ledger/store/sealing.ts"] },
  { files: "src/api/**",          may: [...PURE_BASE, ...DOMAIN, "#notification/events.ts", "#notification/event-groups.ts", "zod"] },
  { files: "src/views/**",        may: [...BASE, ...DOMAIN, "#api/**", "#flows/**", "#jobs/**", "#ledger/**", "#app/base-url.ts", "zod", "csv-stringify", "write-excel-file/node", "node:stream"],
                                  mayAsTypes: ["#app/wiring.ts", "#app/config.ts"] },
  { files: "src/views/integrity/evidence-pack/**", may: [...BASE, ...DOMAIN, "#api/**", "#ledger/**", "#views/**", "node:fs/promises", "node:os", "node:path"] },
  { files: "src/http/**",         may: [...BASE, ...DOMAIN, "#notification/**", "#api/**", "#views/**", "#flows/**", "#jobs/**", "#ledger/**", "#app/base-url.ts", "zod", "fastify", "fastify/**", "@fastify/*", "@bull-board/**", "qrcode", "csv-stringify", "node:*", "node:*/**"],
                                  mayAsTypes: ["#app/wiring.ts", "#app/config.ts", "pino"] },
  { files: "src/app/**",          may: [...BASE, ...DOMAIN, "#notification/**", "#gateway/**", "#postgres/**", "#ledger/**", "#flows/**", "#jobs/**", "zod", "node:*", "node:*/**"] },
  { files: "src/app/telemetry/**", may: [...BASE, "#app/**", "node:async_hooks", "node:crypto", "@opentelemetry/*"] },
  { files: "src/cli/**",          may: [...BASE, ...DOMAIN, "#notification/**", "#postgres/**", "#ledger/**", "#flows/**", "#api/**", "#views/**", "#app/**", "#composition/**", "#jobs/**", "#workers/**", "#simulator/**", "commander", "zod", "csv-stringify", "csv-stringify/**", "node:*", "node:*/**"],
                                  mayAsTypes: ["pino"] },
  // Composition root: assembles the HTTP server, so that no command imports src/http.
  { files: "src/composition/**",  may: [...BASE, "#schedule/folder/watched-folder.ts", "#app/**", "#flows/**", "#jobs/**", "#ledger/**", "#views/**", "#notification/**", "#http/**", "#workers/**"] },
  { files: "jobs/**",             may: ["#base/result.ts", "#base/clock.ts", "#base/ids.ts", "#base/log.ts", "#intake/**", "#payout/**", "zod"] },
  { files: "jobs/queue.ts",       may: ["#base/result.ts", "#base/clock.ts", "#base/ids.ts", "#base/log.ts", "#base/secret.ts", "#intake/**", "#payout/**", "#jobs/**", "zod", "bullmq", "node:events", "node:util"] },
  { files: "jobs/postgres-queue.ts", may: ["#postgres/**", "bullmq"], mayAsTypes: ["pg"] },
  { files: "jobs/redis.ts",       may: ["#base/log.ts", "ioredis"] },
  { files: "jobs/redis-client.ts", may: ["#base/result.ts", "#base/clock.ts", "#base/ids.ts", "ioredis"] },
  { files: "jobs/redis-sentinels.ts", may: ["#base/log.ts", "ioredis"] },
  { files: "workers/**",          may: [...BASE, "#flows/**", "#jobs/**", "#app/ticker.ts"], mayAsTypes: ["#app/wiring.ts", "#app/config.ts"] },
  { files: "workers/serve.ts",    may: [...BASE, "#jobs/**", "bullmq"], mayAsTypes: ["#app/wiring.ts", "#app/config.ts", "pg"] },
  { files: "simulator/**",        may: [...BASE, "#money/**", "#gateway/deposit-messages.ts", "#gateway/wire/messages.ts", "#gateway/wire/endpoints.ts", "#gateway/wire/json.ts", "#gateway/wire/layout.ts", "#gateway/wire/cipher.ts", "#gateway/wire/timestamp-freshness.ts", "qrcode", "zod", "node:*", "node:*/**"] },
  { files: "proof/simulation/**", may: [...BASE, ...DOMAIN, "#ledger/**", "#gateway/**", "#flows/**", "#jobs/**", "#workers/**", "#simulator/demo-merchants.ts", "#proof/flags.ts", "node:*", "node:*/**"] },
  { files: "proof/sabotage/**",   may: ["#proof/flags.ts", "node:*"] },
  { files: "proof/page/**",       may: ["node:*", "vitest/node"] },
  // The dashboard reads the server's tables as types. No server code is loaded into a browser.
  { files: "dashboard/src/**",    may: ["../**", "react", "react-dom/client", "@mantine/*", "@mantine/**", "@tanstack/*", "uplot", "uplot/**", "lucide-react"],
                                  mayAsTypes: ["#api/api.ts", "#api/app/operation.ts", "#api/app/shapes.ts", "#payout/payout-lifecycle.ts", "#deposit/lifecycle.ts", "#deposit/deposit.ts", "#deposit/requirements.ts", "#intake/batch/batch-lifecycle.ts", "#approval/status-breakdown.ts", "#integrity/audit-actions.ts", "#people/roles.ts"] },
  // The API client is for other programs, so it loads no code of the server.
  { files: "client/**",           may: [] },
  // The simulator judges payrun, so it must not know payrun's internals.
  { files: "proof/chaos/checker/**", may: ["node:*", "node:*/**"] },
];

/**
 * How an import from the same folder is written: "./row.ts", or through the map in package.json.
 */
function ownFolder(files: string): readonly string[] {
  const folder =
    /^(?:src\/)?(.+)\/\*\*$/.exec(files)?.[1] ?? /^(?:src\/)?(.+)\/[^/]+$/.exec(files)?.[1];
  return folder === undefined ? ["./**"] : ["./**", `#${folder}/**`];
}

/** The table as overrides of the linter's configuration. */
export const boundaryOverrides = BOUNDARIES.map(
  ({ files, may, mayAsTypes = [] }): OxlintOverride => {
    const allowed = [...ownFolder(files), ...may, ...mayAsTypes].map(
      (specifier) => `!${specifier}`,
    );
    const message = "see boundaries.ts for what this folder may import";
    const paths = mayAsTypes.map((name) => ({
      name,
      allowTypeImports: true,
      message: `only as a type; ${message}`,
    }));
    const patterns = [{ group: ["**", ...allowed], message }];
    return {
      files: [files.endsWith("/**") ? `${files}/*.{ts,tsx}` : files],
      rules: { "no-restricted-imports": ["error", { paths, patterns }] },
    };
  },
);
