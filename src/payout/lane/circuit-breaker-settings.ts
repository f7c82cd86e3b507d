import type { AmountUnit } from "#money/currency.ts";
import type { Money } from "#money/money.ts";
import { parseMoney } from "#money/parse.ts";
import type { InDoubtLimit } from "#payout/circuit-breakers.ts";
import { laneParts } from "#payout/payout.ts";

/**
 * Thresholds of the circuit breakers and of the marks on the Operations page: whole numbers, each
 * with its default.
 */
// biome-ignore format: the columns are the point
export const CIRCUIT_BREAKER_SETTINGS = {
  in_doubt_count: { default: 500, min: 1, max: 100_000, says: "maximum number of payouts in doubt at once; above this number, new payouts wait" },
  errors_percent: { default: 50, min: 1, max: 100, says: "percentage of recent submissions in doubt at which the lane stops" },
  errors_sends: { default: 20, min: 2, max: 100, says: "number of recent submissions of which payrun calculates the percentage in doubt" },
  silence_sends: { default: 10, min: 1, max: 100, says: "number of consecutive submissions without a response after which the lane stops" },
  late_sends: { default: 5, min: 1, max: 100, says: "number of timeouts or late responses among the last 20 submissions at which the lane stops" },
  unknown_answers: { default: 5, min: 0, max: 100_000, says: "number of times the same unknown response may occur before the lane stops" },
  no_final_state_payouts: { default: 100, min: 1, max: 100_000, says: "number of payouts accepted longer ago than the time without a result at which the lane stops, if none has reached a final state since" },
  no_final_state_minutes: { default: 240, min: 1, max: 10_000, says: "time after acceptance without a result, in minutes" },
  canary_payouts: { default: 0, min: 0, max: 10_000, says: "number of payouts that payrun sends first in each lane, unless the uploader sets a different number; cannot be set for a single lane" },
  canary_minutes: { default: 30, min: 1, max: 10_000, says: "minutes after which payrun pauses a batch whose canary has not settled" },
  low_acceptance_percent: { default: 90, min: 0, max: 100, says: "acceptance rate of the last ten minutes, in percent; below it, Operations marks the lane as low, but does not stop it" },
  critical_acceptance_percent: { default: 50, min: 0, max: 100, says: "acceptance rate of the last ten minutes, in percent; below it, Operations marks a lane with at least five submissions as critical, but does not stop it" },
} as const satisfies Record<string, { default: number; min: number; max: number; says: string }>;

export type CircuitBreakerSetting = keyof typeof CIRCUIT_BREAKER_SETTINGS;
export const CIRCUIT_BREAKER_SETTING_NAMES = Object.keys(CIRCUIT_BREAKER_SETTINGS) as [
  CircuitBreakerSetting,
  ...CircuitBreakerSetting[],
];

/** The thresholds that apply to one lane. */
export interface LaneThresholds extends Readonly<Record<CircuitBreakerSetting, number>> {
  /**
   * Amount in doubt at one time above which no new payout is sent. Null: only the count is limited.
   */
  readonly in_doubt_amount: Money | null;
}

/**
 * Settings by name, with the lane or currency as a prefix if they apply only to it:
 * "M1/INR.in_doubt_count", "in_doubt_count".
 */
export type CircuitBreakerSettings = ReadonlyMap<string, bigint>;

const AMOUNT = "in_doubt_amount";
/**
 * Default in-doubt limit on the amount, in multiples of the largest payout allowed in the currency.
 */
const LARGEST_IN_DOUBT = 100n;

interface Amounts {
  /** Maximum amount of one payout, by currency. */
  readonly largest: ReadonlyMap<string, bigint>;
  readonly units: ReadonlyMap<string, AmountUnit>;
}

/** Returns the circuit breaker settings of a lane, with the defaults for its currency. */
export function laneThresholds(
  lane: string,
  settings: CircuitBreakerSettings,
  { largest, units }: Amounts = { largest: new Map(), units: new Map() },
): LaneThresholds {
  const { currency } = laneParts(lane);
  const given = (name: string) =>
    settings.get(`${lane}.${name}`) ?? settings.get(`${currency}.${name}`) ?? settings.get(name);
  const numbers = Object.fromEntries(
    CIRCUIT_BREAKER_SETTING_NAMES.map((name) => [
      name,
      Number(given(name) ?? CIRCUIT_BREAKER_SETTINGS[name].default),
    ]),
  ) as Record<CircuitBreakerSetting, number>;
  const minor = given(AMOUNT) ?? (largest.get(currency) ?? 0n) * LARGEST_IN_DOUBT;
  const { minorDigits } = units.get(currency) ?? {};
  const isSet = minor > 0n && minorDigits !== undefined;
  return { ...numbers, in_doubt_amount: isSet ? { currency, minor, minorDigits } : null };
}

/** Returns the in-doubt limit of a lane. */
export const inDoubtLimitOf = ({
  in_doubt_count,
  in_doubt_amount,
}: LaneThresholds): InDoubtLimit => ({
  count: in_doubt_count,
  minor: in_doubt_amount?.minor ?? null,
});

/**
 * Parses one entry, such as "in_doubt_count=200" or "INR.in_doubt_amount=500000.00". Null: the
 * entry is not valid.
 */
export function parseCircuitBreakerSetting(
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
  if (!Object.hasOwn(CIRCUIT_BREAKER_SETTINGS, name) || !/^\d{1,9}$/.test(value)) return null;
  const { min, max } = CIRCUIT_BREAKER_SETTINGS[name as CircuitBreakerSetting];
  const count = Number(value);
  return count >= min && count <= max ? [key, BigInt(count)] : null;
}
