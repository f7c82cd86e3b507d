import type { Command } from "commander";
import type { OpenLedger } from "#app/open-ledger.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { currentActor, print } from "#cli/terminal/output.ts";
import { withServerOptions, type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";
import {
  LANE_ARGUMENT,
  localLane,
  localLaneText,
  serverLane,
  serverLaneText,
  unknownLane,
} from "#cli/payout/lane-name.ts";
import type { Server } from "#cli/terminal/server.ts";

interface LimitFlags extends ServerFlags {
  readonly rate?: string;
  readonly concurrency?: string;
  readonly reason: string;
}

interface Limits {
  readonly rate?: number | null;
  readonly concurrency?: number | null;
}

/** `lane limit`: limits the sending rate of a lane, for all processes together. */
export function limitSubcommand(lane: Command): void {
  withServerOptions(
    lane
      .command("limit")
      .alias("set")
      .argument("<lane>", LANE_ARGUMENT)
      .description("set a lane's rate limits across all processes; omitted limits stay unchanged")
      .option(
        "--rate <rate>",
        `payouts per second or minute, such as 20/s or 90/min; "none" for no limit`,
      )
      .option("--concurrency <count>", `maximum number of concurrent requests; "none" for no limit`)
      .requiredOption("--reason <text>", "reason"),
  ).action(limit);
}

async function limit(typed: string, flags: LimitFlags): Promise<void> {
  const { rate, concurrency, reason } = flags;
  if (rate === undefined && concurrency === undefined)
    throw new CliError(
      EXIT.usage,
      "Specify a limit: --rate 20/s, --concurrency 8, or both. No changes were made.",
    );
  const limits: Limits = {
    ...(rate === undefined ? {} : { rate: await rateOf(rate) }),
    ...(concurrency === undefined ? {} : { concurrency: countOf(concurrency) }),
  };
  const server = await serverOf(flags);
  const shown = server
    ? await limitServerLane(typed, { reason, ...limits }, server)
    : await withLedger((open) => limitLocalLane(typed, { reason, ...limits }, open));
  print(`${shown}: ${wordsOf(limits)}`);
}

async function limitServerLane(
  typed: string,
  limits: Limits & { readonly reason: string },
  server: Server,
): Promise<string> {
  const lane = await serverLane(typed, server);
  await server.call("POST /api/lanes/rate-limits", { body: { lane, ...limits } });
  return serverLaneText(lane, server);
}

async function limitLocalLane(
  typed: string,
  limits: Limits & { readonly reason: string },
  open: OpenLedger,
): Promise<string> {
  const { limitLane } = await import("#flows/payout/lane/control-lanes.ts");
  const name = await localLane(typed, open);
  const limited = await limitLane({ name, actor: currentActor(), ...limits }, open.ledger);
  if (!limited.ok) throw unknownLane(name);
  return localLaneText(name, open);
}

const NONE = "none";
const RATE = /^(\d{1,5}(?:\.\d{1,3})?)(?:\/(s|min))?$/;
const PER_MINUTE = 60;

/** Parses a rate: "20/s", "20" and "1200/min" are the same. */
async function rateOf(text: string): Promise<number | null> {
  if (text === NONE) return null;
  const { RATE_MIN } = await import("#api/payout/lanes.ts");
  const [, number, unit] = RATE.exec(text) ?? [];
  const rate = Number(number) / (unit === "min" ? PER_MINUTE : 1);
  if (rate >= RATE_MIN) return rate;
  if (rate >= 0) {
    throw new CliError(
      EXIT.usage,
      `--rate ${text}: expected at least one payout per hour (0.017/min). To stop sending, use payrun lane pause.`,
    );
  }
  throw new CliError(
    EXIT.usage,
    `--rate ${text}: expected a rate such as 20/s or 90/min, or none.`,
  );
}

function countOf(text: string): number | null {
  if (text === NONE) return null;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new CliError(
    EXIT.usage,
    `--concurrency ${text}: expected a number of requests such as 8, or none.`,
  );
}

const wordsOf = ({ rate, concurrency }: Limits): string =>
  [
    ...(rate === undefined ? [] : [rate === null ? "no rate limit" : rateText(rate)]),
    ...(concurrency === undefined
      ? []
      : [concurrency === null ? "no limit on concurrent requests" : atOnceText(concurrency)]),
  ].join(", ");

const rateText = (rate: number): string =>
  rate < 0.1
    ? `at most ${Math.round(rate * 36_000) / 10} payouts per hour`
    : `at most ${Math.round(rate * 1_000) / 1_000} payouts per second`;
const atOnceText = (count: number): string => `at most ${count} concurrent requests`;

/**
 * Formats limits like "at most 20 payouts per second, at most 8 at once (asha), slowed to 8 by the
 * gateway's answers".
 */
export function rateLimitText(limit: {
  readonly rate: number | null;
  readonly concurrency: number | null;
  readonly slow_rate: number | null;
  readonly set_by: string | null;
}): string {
  const { rate, concurrency, slow_rate: slow, set_by: by } = limit;
  const set = [
    ...(rate === null ? [] : [rateText(rate)]),
    ...(concurrency === null ? [] : [atOnceText(concurrency)]),
  ].join(", ");
  const said = set === "" ? [] : [by === null ? set : `${set} (${by})`];
  const slowed =
    slow === null ? [] : [`slowed to ${slow} per second because of the gateway's responses`];
  return [...said, ...slowed].join(", ");
}
