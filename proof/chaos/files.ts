import { seededRandom } from "#simulator/faults/seeded-random.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { FAST, makeFile, type TestRow } from "../../test/support/servers/payrun.ts";

/** First digits of every account number in a campaign, so that it is found anywhere. */
const ACCOUNT_PREFIX = "731695084";

/** Every account number and every key, which may appear in no log, queue or error text. */
export const SECRETS: readonly string[] = [
  `${ACCOUNT_PREFIX}\\d{6}`,
  ...DEMO_MERCHANTS.flatMap(({ api_key, api_secret }) => [api_key, api_secret]).map((key) =>
    RegExp.escape(decodeURIComponent(key)),
  ),
  FAST["PAYRUN_KEY"] ?? "",
];

export const CURRENCIES = ["INR", "THB", "PHP", "MYR", "KRW"] as const;

export interface PayFile {
  readonly path: string;
  /** `--total CUR=AMOUNT` for each of its currencies. */
  readonly totals: readonly string[];
  /** Number of payouts of each lane that go first; 0: all go together. */
  readonly canary: number;
}

/** The second of every five files has one. */
const canaryOf = (file: number): number => (file % 5 === 1 ? 2 : 0);

/**
 * The files of a campaign: the rows come from the seed, and every other file has its own
 * transaction codes.
 */
export function makeFiles(
  folder: string,
  {
    seed,
    payouts,
    files,
  }: { readonly seed: number; readonly payouts: number; readonly files: number },
): readonly PayFile[] {
  const first = (file: number) => Math.floor((file * payouts) / files);
  return Array.from({ length: files }, (_, file) => {
    const size = first(file + 1) - first(file);
    const rows = Array.from({ length: size }, (__, at): TestRow => {
      const number = first(file) + at + 1;
      return {
        ...rowOf(seed, number),
        ...(file % 2 === 0 ? { code: `CHAOS-${seed}-${number}` } : {}),
      };
    });
    return { ...makeFile(folder, rows), canary: canaryOf(file) };
  });
}

export const LIST_ROWS = 12;
/** Beyond the rows of every campaign. */
const LIST_FROM = 900_000;

/** The list that is paid again every day. */
export function makeList(folder: string, { seed }: { readonly seed: number }): PayFile {
  const rows = Array.from({ length: LIST_ROWS }, (_, at) => rowOf(seed, LIST_FROM + at));
  return { ...makeFile(folder, rows), canary: 0 };
}

function rowOf(seed: number, number: number): TestRow {
  const currency =
    CURRENCIES[Math.floor(seededRandom(seed, "currency", number) * CURRENCIES.length)] ?? "INR";
  const whole = 10 + Math.floor(seededRandom(seed, "amount", number) * 5_000);
  const amount =
    currency === "KRW" ? String(whole * 10) : `${whole}.${String(number % 100).padStart(2, "0")}`;
  return { currency, amount, account: ACCOUNT_PREFIX + String(number).padStart(6, "0") };
}
