import type { ZoneLabel } from "./time-zone.ts";
import type { KnownDeposit } from "./deposits.ts";
import { STEP_1_TEXT, STEP_2_TEXT, TAKEN_TEXT } from "#simulator/faults/texts.ts";

/** Banks that a KRW payer may pay from. Objects, as in most lists of the gateway. */
const KRW_BANKS = [
  { bank_code: "kookmin_kr", bank_name: "Kookmin Bank" },
  { bank_code: "shinhan_kr", bank_name: "Shinhan Bank" },
  { bank_code: "woori_kr", bank_name: "Woori Bank" },
  { bank_code: "KDB_KR", bank_name: "Korea Development Bank" },
] as const;
/** `YYYY-MM-DD HH:MM:SS` in that zone. */
const localText = (atMs: number, { offsetMinutes }: ZoneLabel): string =>
  new Date(atMs + offsetMinutes * 60_000).toISOString().slice(0, 19).replace("T", " ");

/** "1000" and "1000.5" as decimals with two places, as in the gateway's answers. */
const twoPlaces = (amount: string): string => {
  const [whole = "0", fraction = ""] = amount.split(".");
  return `${whole}.${fraction.slice(0, 2).padEnd(2, "0")}`;
};

/** The last digits of the number vary the destination. */
const digitsOf = ({ number }: KnownDeposit, count: number): string => number.slice(-count);

const VARIANTS: Readonly<
  Record<Exclude<KnownDeposit["variant"], "krw">, (deposit: KnownDeposit, url: string) => object>
> = {
  upi: (deposit, url) => {
    const upiId = `simulated.${digitsOf(deposit, 4)}@upi`;
    const payment = `upi://pay?pa=${upiId}&am=${twoPlaces(deposit.amount)}&cu=${deposit.currency}`;
    const image = Buffer.from(payment).toString("base64url");
    return { upi_id: upiId, qr: `${url}/image?encoded=true&url=${image}` };
  },
  wallet: (deposit) => ({
    wallet_number: `018${digitsOf(deposit, 8)}`,
    wallet_number_type: "agent",
    wallet_name: "Simulated Wallet",
    wallet_code: "1001",
  }),
  match_code: (deposit) => ({
    wallet_number: `097${digitsOf(deposit, 8)}`,
    wallet_name: "Simulated Wallet",
    wallet_code: "KBZPAY",
    match_code: digitsOf(deposit, 5),
  }),
  bank: (deposit) => ({
    wallet_number: `7700${digitsOf(deposit, 8)}`,
    wallet_number_type: null,
    wallet_name: "Simulated Bank, Simulated Company",
    wallet_code: "",
  }),
};

/** Answer to an accepted deposit. For KRW: step 1. */
export function depositBody(deposit: KnownDeposit, url: string, zone: ZoneLabel): string {
  const { code, number, amount, variant } = deposit;
  if (variant === "krw") {
    const banks = JSON.stringify(KRW_BANKS);
    // Written by hand, because the amount is a JSON number with exactly the digits of the request.
    return `{"status":"success","step":1,"message":"${STEP_1_TEXT}","transaction_code":${JSON.stringify(code)},"amount":${amount},"bank_lists":${banks}}`;
  }
  return JSON.stringify({
    status: "success",
    message: TAKEN_TEXT,
    transaction_no: number,
    transaction_code: code,
    amount: twoPlaces(amount),
    ...VARIANTS[variant](deposit, url),
    expired_at: localText(deposit.expiresAtMs, zone),
    expired_timezone: zone.label,
  });
}

/** Answer to KRW step 2. */
export const krwBody = (deposit: KnownDeposit): string =>
  JSON.stringify({
    status: "success",
    step: 2,
    message: STEP_2_TEXT,
    transaction_no: deposit.number,
    transaction_code: deposit.code,
    amount: twoPlaces(deposit.amount),
    bank_name: "Simulated Bank of Korea",
    account_name: "Simulated Company",
    account_number: `110-${digitsOf(deposit, 6)}`,
  });

/** Returns whether a KRW payer may pay from the bank with this code. */
export const isKrwBank = (code: string): boolean =>
  KRW_BANKS.some(({ bank_code }) => bank_code === code);
