/**
 * `npm run chaos`: pays files with real processes while they and their servers are killed, frozen
 * and disconnected. A checker that shares no code with payrun judges the result:
 * docs/understand/proof/chaos.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitOf } from "#proof/commit.ts";
import { flagsOf } from "#proof/flags.ts";
import { prepareTests } from "../../scripts/prepare-tests.ts";
import { REST_MS, runCampaign } from "./campaign.ts";
import { QUEUES } from "./plan.ts";
import { SIZES } from "./sizes.ts";

const USAGE = `npm run chaos -- [--size ${Object.keys(SIZES).join("|")}] [--queue ${QUEUES.join("|")}] [--payouts N] [--files N] [--kills N] [--servers N] [--workers N] [--step MS] [--seed N] [--standby] [--previous last|COMMIT|FOLDER] [--report FILE] [--keep FOLDER]`;
const { values } = flagsOf(USAGE, {
  options: {
    size: { type: "string", default: "smoke" },
    payouts: { type: "string" },
    files: { type: "string" },
    kills: { type: "string" },
    servers: { type: "string" },
    workers: { type: "string" },
    step: { type: "string" },
    seed: { type: "string", default: "1" },
    queue: { type: "string", default: "redis" },
    standby: { type: "boolean", default: false },
    previous: { type: "string" },
    report: { type: "string" },
    keep: { type: "string" },
  },
});
const size = Object.entries(SIZES).find(([name]) => name === values.size)?.[1];
const engine = QUEUES.find((name) => name === values.queue);
if (!size || !engine) {
  console.error(USAGE);
  process.exit(2);
}

prepareTests();
const folder = values.keep ?? mkdtempSync(join(tmpdir(), "payrun-chaos-"));
const wished = {
  ...size,
  payouts: Number(values.payouts ?? size.payouts),
  files: Number(values.files ?? size.files),
  kills: Number(values.kills ?? size.kills),
  servers: Number(values.servers ?? size.servers),
  workers: Number(values.workers ?? size.workers),
  stepMs: Number(values.step ?? size.stepMs),
  seed: Number(values.seed),
  engine,
  standby: values.standby === true,
  previous: values.previous ?? null,
};
const result = await runCampaign({ ...wished, folder, say: (text) => console.error(text) });
const { violations, figures } = result.verdict;
for (const { check, about, text } of violations) console.error(`${check}: ${about}: ${text}`);
for (const words of result.collapses) console.error(`collapse: ${words}`);
const report = { command: commandOf(wished), commit: commitOf(), ...wished, ...result };
if (values.report) writeFileSync(values.report, `${JSON.stringify(report, null, 2)}\n`);
console.log(JSON.stringify(figures, null, 2));
const at =
  result.restSeconds === null
    ? `not within ${REST_MS / 1000} s`
    : `after ${result.restSeconds.toFixed(1)} s`;
console.log(
  `${wished.payouts} payouts, ${result.kills} kills, queue on ${engine}, seed ${wished.seed}: ${violations.length} violations, all at rest ${at}`,
);
const isBad = violations.length > 0 || result.collapses.length > 0 || result.restSeconds === null;
if (isBad) process.exitCode = 1;
if (!values.keep) rmSync(folder, { recursive: true, force: true });

/** The command that repeats this. */
function commandOf({ seed }: { readonly seed: number }): string {
  const own = (["payouts", "files", "kills", "servers", "workers", "step"] as const).filter(
    (name) => values[name] !== undefined,
  );
  const flags = [
    `--size ${values.size} --queue ${values.queue}`,
    ...own.map((name) => `--${name} ${values[name]}`),
    `--seed ${seed}`,
    ...(values.standby ? ["--standby"] : []),
    ...(values.previous === undefined ? [] : [`--previous ${values.previous}`]),
  ];
  return `npm run chaos -- ${flags.join(" ")}`;
}
