import { createHash } from "node:crypto";
import type { IdGenerator } from "#base/ids.ts";
import type { CircuitBreakerSettings } from "#payout/lane/circuit-breaker-settings.ts";
import { type ApprovedRow, CANARY } from "./approved-row.ts";
import type { Random } from "#proof/simulation/world/random.ts";

/** Settings of this run's installation, and the files it pays. */
export interface Scenario {
  readonly workers: number;
  readonly slots: number;
  readonly timeoutMs: number;
  readonly resolveAfterMs: number;
  /** How long after its end a request may still be processed. The gateway respects it. */
  readonly resendAfterMs: number;
  /** How long the gateway refuses a repeated code, as configured in payrun. */
  readonly remembersMs: number;
  /** Maximum age of a timestamp at the gateway. */
  readonly windowMs: number;
  readonly gatewayOffsetMs: number;
  readonly layout: "name=value" | "json";
  readonly escaping: "none" | "percent";
  readonly statusEncoding: "base64" | "percent";
  /** Share of the codes for which callbacks are sent. */
  readonly callbacks: number;
  /** When faults end. */
  readonly faultsEndMs: number;
  /** Thresholds of the circuit breakers: small numbers, so that few payouts reach them. */
  readonly circuitBreakers: CircuitBreakerSettings;
  readonly files: readonly File[];
}

export interface File {
  readonly name: string;
  readonly rows: readonly ApprovedRow[];
  readonly bytes: Buffer;
  /** Delay between approval and send time. Null: immediately. */
  readonly sendAfterMs: number | null;
  /**
   * It comes from a schedule: created by several processes at once, and identified by its
   * occurrence instead of its bytes.
   */
  readonly occurrence: string | null;
  /** The ledger's identity of its batch. */
  readonly digest: string;
  /** How many payouts of each lane go first. */
  readonly canary: number;
}

const MINUTE_MS = 60_000;
/**
 * Maximum time between payrun's last submission of a code and its arrival, in addition to the age
 * of its timestamp: clocks ahead of the gateway's, a slow commit, a database clock that was set
 * back.
 */
const SLACK_MS = 10 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const REMEMBERS_MS = { short: HOUR_MS / 2, hour: HOUR_MS, hours: 3 * HOUR_MS, day: 24 * HOUR_MS };
/** The longer the window, the more idle hours a run must wait through. */
const REMEMBERS_WEIGHTS = { short: 12, hour: 5, hours: 2, day: 1 };

/** Draws the settings and the files of one run. */
export function drawScenario(random: Random, payouts: number): Scenario {
  const remembersMs = REMEMBERS_MS[random.weighted(REMEMBERS_WEIGHTS)];
  const faultsEndMs = random.pick([60_000, 200_000, 400_000, 900_000]);
  return {
    workers: random.whole(1, 3),
    slots: random.pick([1, 4, 8, 32]),
    timeoutMs: random.pick([2_000, 10_000, 30_000]),
    resolveAfterMs: random.pick([500, 2_000, 5_000]),
    resendAfterMs: random.pick([5_000, 20_000, 60_000]),
    remembersMs,
    windowMs: Math.min(HOUR_MS, remembersMs / 2 - SLACK_MS),
    gatewayOffsetMs: random.pick([0, 0, 20_000, -20_000]),
    layout: random.pick(["name=value", "json"]),
    escaping: random.pick(["none", "percent"]),
    statusEncoding: random.pick(["base64", "percent"]),
    callbacks: random.pick([0, 0.1, 0.4]),
    faultsEndMs,
    files: drawFiles(random, payouts, faultsEndMs),
    circuitBreakers: new Map([
      ["in_doubt_count", BigInt(random.pick([1, 3, 20]))],
      ["errors_sends", BigInt(random.pick([4, 20]))],
      ["silence_sends", BigInt(random.pick([2, 10]))],
      ["no_final_state_payouts", BigInt(random.pick([2, 100]))],
      ["no_final_state_minutes", BigInt(random.pick([1, 5]))],
      ["unknown_answers", BigInt(random.pick([0, 2, 5]))],
    ]),
  };
}

export const CURRENCIES = {
  INR: { decimals: 2, bank: "HDFC0000001,HDFC,HDFC Bank" },
  THB: { decimals: 2, bank: ",6,KTB Net Bank" },
  KRW: { decimals: 0, bank: ",BANK,Some Bank" },
  IDR: { decimals: 0, bank: ",BNI,Bank Negara Indonesia" },
} as const;
const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,reference";
const NAMES = ["Asha Rao", "Somchai Dee", "Kim Minseo", "Agus Wijaya"];

function drawFiles(random: Random, payouts: number, stormMs: number): File[] {
  const files: File[] = [];
  const count = Math.min(random.whole(1, 3), payouts);
  for (let index = 0; index < count; index += 1) {
    const size = Math.floor(payouts / count) + (index < payouts % count ? 1 : 0);
    const currencies = Object.keys(CURRENCIES)
      .filter(() => random.isTrue(0.4))
      .slice(0, 2) as (keyof typeof CURRENCIES)[];
    if (currencies.length === 0) currencies.push("INR");
    // Some files have amounts that a float cannot distinguish from their neighbours.
    const isLarge = random.isTrue(0.15);
    const rows = Array.from({ length: size }, (_, row) => {
      const currency = random.pick(currencies);
      const { decimals } = CURRENCIES[currency];
      const small = random.whole(20_000, 400_000);
      const whole = isLarge ? `${small}${random.whole(100_000_000, 999_999_999)}` : small;
      const amount = decimals === 0 ? `${whole}` : `${whole}.${random.whole(10, 99)}`;
      const account = `${CANARY}${String(index * 100_000 + row).padStart(6, "0")}`;
      return { currency, amount, account, name: random.pick(NAMES) };
    });
    const lines = rows.map(
      ({ currency, amount, account, name }, row) =>
        `U-${row},${currency},${amount},${name},${account},${CURRENCIES[currency].bank},file ${index}`,
    );
    const bytes = Buffer.from(`${[HEADER, ...lines].join("\n")}\n`);
    const name = `file-${index}.csv`;
    const sendAfterMs = random.isTrue(0.3) ? random.between(1_000, stormMs) : null;
    const occurrence = random.isTrue(0.3) ? digestOf(`schedule ${index}`) : null;
    const digest = occurrence ?? digestOf(bytes);
    const canary = random.pick([0, 0, 1, 3]);
    files.push({ name, rows, bytes, sendAfterMs, occurrence, digest, canary });
  }
  return files;
}

/** SHA-256 of a file in hex. */
export const digestOf = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

const ALPHABET = Array.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ");

/** Batch ids in the usual form, from the seed. */
export function idsFrom(random: Random): IdGenerator {
  const text = (length: number) => {
    let minted = "";
    while (minted.length < length) minted += random.pick(ALPHABET);
    return minted;
  };
  return { batchId: () => `B${text(10)}` };
}
