/**
 * Allowed imports, one line per folder. `npm run lint` refuses every import that is not listed, and
 * test/boundaries.test.ts proves that for each line of this table. Files of the same folder may always import each
 * other. Later lines win, so the line of a single file follows the line of its folder.
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

/** What every part that is not pure may use. */
const BASICS = ["#base/result.ts", "#base/clock.ts", "#base/ids.ts", "#base/log.ts", "#base/secret.ts", "#base/schema-issues.ts"];
const PURE = [
  "#money/**",
  "#payout/**",
  "#deposit/**",
  "#batch/**",
  "#people/**",
  "#operations/**",
  "#schedule/**",
];

// biome-ignore format: the columns are the point
export const BOUNDARIES: readonly Boundary[] = [
  { files: "src/money/**",        may: ["#base/result.ts"] },
  { files: "src/payout/**",       may: ["#base/result.ts", "#money/**", "zod", "@noble/hashes/**", "@scure/base"] },
  { files: "src/deposit/**",      may: ["#base/result.ts", "#money/**", "#payout/**"] },
  { files: "src/batch/**",        may: ["#base/result.ts", "#money/**", "#payout/**", "csv-parse", "csv-parse/**", "node:crypto"] },
  { files: "src/intake/xlsx-reader.ts", may: ["#base/result.ts", "#money/**", "#payout/**", "node:crypto"] },
  { files: "src/intake/workbook/sheet.ts",   may: ["#base/result.ts", "read-excel-file/node"] },
  { files: "src/intake/workbook/sheet-reader.ts", may: ["#base/result.ts", "node:worker_threads"] },
  { files: "src/intake/workbook/sheet-thread.ts", may: ["node:worker_threads"] },
  { files: "src/intake/workbook/zip.ts",     may: ["#base/result.ts", "node:util", "node:zlib"] },
  { files: "src/people/**",       may: ["#base/result.ts"] },
  { files: "src/people/look-alikes.ts", may: ["unhomoglyph"] },
  { files: "src/people/password-strength.ts", may: ["node:worker_threads"] },
  { files: "src/people/password-strength-thread.ts", may: ["node:worker_threads", "@zxcvbn-ts/*"] },
  { files: "src/operations/**",   may: ["#base/result.ts"] },
  { files: "src/schedule/**",     may: ["#base/result.ts", "#money/currency.ts", "#payout/payout.ts", "#base/invisible-characters.ts", "zod", "temporal-polyfill"] },
  { files: "src/inbox/**",         may: ["#base/result.ts", "#base/clock.ts", "node:fs", "node:fs/promises", "node:path"] },
  { files: "src/pay/**",          may: ["#deposit/**", "qrcode", "node:crypto"] },
  { files: "src/api/**",          may: [...PURE, "#notification/events.ts", "zod"] },
  { files: "src/notices/**",      may: ["#base/secret.ts", "#base/answer-guard.ts", "got", "ipaddr.js", "nodemailer", "node:crypto", "node:dns", "node:net", "node:util"] },
  { files: "src/ledger/**",       may: [...BASICS, ...PURE, "#postgres/client.ts", "#postgres/pool.ts", "#base/version.ts", "pg", "kysely", "node:*", "node:*/**"] },
  { files: "src/gateway/**",      may: [...BASICS, "#money/**", "#payout/**", "#deposit/**", "zod", "node:crypto", "node:util"] },
  { files: "src/gateway/wire/transport.ts", may: ["#base/answer-guard.ts", "#base/clock.ts", "#gateway/**", "got", "node:http", "node:https"] },
  { files: "src/flows/**",        may: [...BASICS, ...PURE, "#ledger/**", "#gateway/**", "#jobs/**", "#notices/**", "#schedule/folder/inbox.ts", "zod", "otpauth", "csv-stringify", "csv-stringify/**", "node:crypto", "node:util", "node:stream", "node:stream/**", "node:events"],
                                  mayAsTypes: ["pino", "kysely"] },
  { files: "src/http/**",         may: [...BASICS, ...PURE, "#notices/**", "#api/**", "#pay/**", "#base/version.ts", "#flows/**", "#jobs/**", "#ledger/**", "zod", "fastify", "fastify/**", "@fastify/*", "@bull-board/**", "qrcode", "csv-stringify", "write-excel-file/node", "node:*", "node:*/**"],
                                  mayAsTypes: ["#app/wiring.ts", "#app/config.ts", "pino"] },
  { files: "src/cli/**",          may: [...BASICS, ...PURE, "#api/**", "#flows/**", "#jobs/**", "#ledger/**", "#http/**", "#notices/**", "#app/bank-days.ts", "#inbox/**", "#app/config.ts", "#app/connections.ts", "#postgres/pool.ts", "#app/gateway-config.ts", "#app/open-ledger.ts", "#app/transport-security.ts", "#app/wiring.ts", "#base/version.ts", "#workers/**", "#simulator/**", "commander", "zod", "csv-stringify", "csv-stringify/**", "node:*", "node:*/**"],
                                  mayAsTypes: ["pino"] },
  { files: "jobs/**",             may: ["#base/result.ts", "#base/clock.ts", "#base/ids.ts", "#base/log.ts", "#batch/**", "#payout/**", "zod"] },
  { files: "jobs/queue.ts",       may: ["#base/result.ts", "#base/clock.ts", "#base/ids.ts", "#base/log.ts", "#base/secret.ts", "#batch/**", "#payout/**", "#jobs/**", "zod", "bullmq", "ioredis", "node:events", "node:util"] },
  { files: "jobs/postgres-queue.ts", may: ["#postgres/pool.ts", "bullmq"], mayAsTypes: ["pg"] },
  { files: "jobs/redis.ts",       may: ["#base/log.ts", "ioredis"] },
  { files: "workers/**",          may: [...BASICS, "#flows/**", "#jobs/**"], mayAsTypes: ["#app/wiring.ts", "#app/config.ts"] },
  { files: "workers/serve.ts",    may: [...BASICS, "#jobs/**", "bullmq", "ioredis"], mayAsTypes: ["#app/wiring.ts", "#app/config.ts", "pg"] },
  { files: "simulator/**",        may: [...BASICS, "#money/**", "#gateway/wire/messages.ts", "#gateway/deposit-messages.ts", "#gateway/wire/endpoints.ts", "#gateway/wire/json.ts", "#gateway/wire/layout.ts", "#gateway/wire/cipher.ts", "qrcode", "zod", "node:*", "node:*/**"] },
  { files: "proof/simulation/**", may: [...BASICS, ...PURE, "#ledger/**", "#gateway/**", "#flows/**", "#jobs/**", "#workers/**", "#simulator/demo-merchants.ts", "#proof/flags.ts", "node:*", "node:*/**"] },
  { files: "proof/sabotage/**",   may: ["#proof/flags.ts", "node:*"] },
  { files: "proof/page/**",       may: ["node:*", "vitest/node"] },
  // The dashboard reads the server's tables as types. No server code is loaded into a browser.
  { files: "dashboard/src/**",    may: ["../**", "react", "react-dom/client", "@mantine/*", "@mantine/**", "@tanstack/*", "uplot", "uplot/**", "lucide-react"],
                                  mayAsTypes: ["#api/api.ts", "#api/app/operation.ts", "#api/app/shapes.ts", "#payout/payout-lifecycle.ts", "#deposit/lifecycle.ts", "#deposit/deposit.ts", "#deposit/requirements.ts", "#intake/batch/batch-lifecycle.ts", "#approval/status-breakdown.ts"] },
  // The simulator judges payrun, so it must not know payrun's internals.
  { files: "proof/chaos/checker/**", may: ["node:*", "node:*/**"] },
];

/** How an import from the same folder is written: "./row.ts", or through the map in package.json. */
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
