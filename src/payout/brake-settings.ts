import type { AmountUnit } from "#money/currency.ts";
import type { Money } from "#money/money.ts";
import { parseMoney } from "#money/parse.ts";
import type { Ceiling } from "#payout/brakes.ts";
import { laneParts } from "#payout/payout.ts";

/** How far each brake lets things go, in whole numbers. What is not set has its default. */
// biome-ignore format: the columns are the point
export const BRAKE_SETTINGS = {
  doubt_count: { default: 500, min: 1, max: 100_000, says: "payouts in doubt at once, above which nothing new is sent" },
  errors_percent: { default: 50, min: 1, max: 100, says: "percent of the last sends in doubt, from which the lane stops" },
  errors_sends: { default: 20, min: 2, max: 100, says: "last sends that the percentage is of" },
  silence_sends: { default: 10, min: 1, max: 100, says: "sends in a row without an answer, from which the lane stops" },
  late_sends: { default: 5, min: 1, max: 100, says: "timeouts among the last 20 sends, or answers that came after one, from which the lane stops" },
  unread_answers: { default: 5, min: 0, max: 100_000, says: "times that the same unknown answer is taken before the lane stops" },
  unended_payouts: { default: 100, min: 1, max: 100_000, says: "payouts that were accepted long ago, from which the lane stops while none ends" },
  unended_minutes: { default: 240, min: 1, max: 10_000, says: "minutes that are long for that" },
  canary_payouts: { default: 0, min: 0, max: 10_000, says: "of each lane of a batch go first, where its bringer says nothing; for all lanes alone" },
  canary_minutes: { default: 30, min: 1, max: 10_000, says: "minutes that a canary may be under way before the batch is paused" },
} as const satisfies Record<string, { default: number; min: number; max: number; says: string }>;

export type BrakeSetting = keyof typeof BRAKE_SETTINGS;
export const BRAKE_SETTING_NAMES = Object.keys(BRAKE_SETTINGS) as [BrakeSetting, ...BrakeSetting[]];

/** What holds in one lane. */
export interface LaneBrakes extends Readonly<Record<BrakeSetting, number>> {
  /** In doubt at once, above which nothing new is sent; null: the count alone has a ceiling. */
  readonly doubt_amount: Money | null;
}

/** By setting, and before its name a lane or a currency where it is of that one: "M1/INR.doubt_count", "doubt_count". */
export type BrakeSettings = ReadonlyMap<string, bigint>;

const AMOUNT = "doubt_amount";
/** So many of the largest payouts of the currency may be in doubt at once, where no amount is set. */
const LARGEST_IN_DOUBT = 100n;

interface Amounts {
  /** The largest amount of one payout, by currency. */
  readonly largest: ReadonlyMap<string, bigint>;
  readonly units: ReadonlyMap<string, AmountUnit>;
}

export function laneBrakes(
  lane: string,
  settings: BrakeSettings,
  { largest, units }: Amounts = { largest: new Map(), units: new Map() },
): LaneBrakes {
  const { currency } = laneParts(lane);
  const given = (name: string) =>
    settings.get(`${lane}.${name}`) ?? settings.get(`${currency}.${name}`) ?? settings.get(name);
  const numbers = Object.fromEntries(
    BRAKE_SETTING_NAMES.map((name) => [name, Number(given(name) ?? BRAKE_SETTINGS[name].default)]),
  ) as Record<BrakeSetting, number>;
  const minor = given(AMOUNT) ?? (largest.get(currency) ?? 0n) * LARGEST_IN_DOUBT;
  const { minorDigits } = units.get(currency) ?? {};
  const isSet = minor > 0n && minorDigits !== undefined;
  return { ...numbers, doubt_amount: isSet ? { currency, minor, minorDigits } : null };
}

export const ceilingOf = ({ doubt_count, doubt_amount }: LaneBrakes): Ceiling => ({
  count: doubt_count,
  minor: doubt_amount?.minor ?? null,
});

/** "doubt_count=200, INR.doubt_amount=500000.00": one entry read; null: it says nothing that can be kept. */
export function readBrakeSetting(
  entry: string,
  units: ReadonlyMap<string, AmountUnit>,
): readonly [string, bigint] | null {
  const match = /^(?:(.+)\.)?([a-z_]+)=([0-9.]+)$/.exec(entry);
  const [, scope, name = "", value = ""] = match ?? [];
  const key = scope === undefined ? name : `${scope}.${name}`;
  const unit = scope === undefined ? undefined : units.get(laneParts(scope).currency);
  if (scope !== undefined && !unit) return null;
  if (name === AMOUNT) {
    const amount = unit && parseMoney(value, unit);
    return amount?.ok ? [key, amount.value.minor] : null;
  }
  if (name === "canary_payouts" && scope !== undefined) return null;
  if (!Object.hasOwn(BRAKE_SETTINGS, name) || !/^\d{1,9}$/.test(value)) return null;
  const { min, max } = BRAKE_SETTINGS[name as BrakeSetting];
  const count = Number(value);
  return count >= min && count <= max ? [key, BigInt(count)] : null;
}
