import type { Config } from "#app/config.ts";
import type { DepositState } from "#deposit/lifecycle.ts";
import type { DepositBank, Destination } from "#deposit/outcome.ts";
import { newTransactionCode } from "#base/ids.ts";
import type { Database } from "#ledger/store/database.ts";
import { linkDigest, linkTokenOf, sealPart, userDigest } from "#ledger/deposit/sealed-deposits.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { unitOf } from "#money/currency.ts";
import { parseMoney } from "#money/parse.ts";
import { laneOf } from "#payout/payout.ts";
import { force } from "./postgres.ts";

export interface TestDeposit {
  readonly state: DepositState;
  readonly currency?: "BDT" | "INR" | "JPY" | "KRW";
  readonly amount?: string;
  readonly payable?: string;
  readonly paid?: string;
  readonly destination?: Destination;
  readonly banks?: readonly DepositBank[];
  /** From now. */
  readonly expiresInMs?: number;
  readonly expiresText?: string;
  readonly merchantCode?: string;
}

interface DepositDeps {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly config: Pick<Config, "DATABASE_URL">;
}

const SIX_HOURS_MS = 6 * 3_600_000;

/** A deposit in this state, whatever led to it, with the address of its payment page. */
export async function insertDeposit(
  { database, sealer, config }: DepositDeps,
  wanted: TestDeposit,
  nowMs: number,
): Promise<{ readonly code: string; readonly token: string; readonly path: string }> {
  const { state, currency = "INR", amount = "1250.50", expiresInMs, destination, banks } = wanted;
  const databaseUrl = config.DATABASE_URL ?? "";
  const code = newTransactionCode();
  const token = linkTokenOf(sealer, code);
  const minorOf = (text: string) => {
    const money = parseMoney(text, unitOf(currency));
    if (!money.ok) throw new Error(money.error);
    return String(money.value.minor);
  };
  const endMs = expiresInMs === undefined ? null : nowMs + expiresInMs;
  // Written by a gateway in Dhaka.
  const local = new Date((endMs ?? 0) + SIX_HOURS_MS).toISOString();
  const expiresText = wanted.expiresText ?? `${local.slice(0, 10)} ${local.slice(11, 19)}`;
  const sealed = {
    details: { user_id: "u1" },
    paymentCode: null,
    callbackUrl: null,
    reference: null,
  };
  const owner = { code, payer: userDigest(sealer, "u1") };
  const { sql, parameters } = database
    .insertInto("deposits")
    .values({
      transaction_code: code,
      lane: laneOf(wanted.merchantCode ?? "lane", currency),
      currency,
      amount_minor: minorOf(amount),
      minor_digits: unitOf(currency).minorDigits,
      payable_minor: wanted.payable === undefined ? null : minorOf(wanted.payable),
      paid_minor: wanted.paid === undefined ? null : minorOf(wanted.paid),
      state,
      expires_at: endMs === null ? null : new Date(endMs),
      expires_text: endMs === null && wanted.expiresText === undefined ? null : expiresText,
      expires_zone: "GMT+06:00",
      created_by: "test",
      payload_digest: Buffer.alloc(32),
      user_digest: owner.payer,
      reference_digest: null,
      request_digest: null,
      link_digest: linkDigest(token),
      sealed: sealPart(sealer, "sealed", owner, sealed),
      payment_details: sealPart(sealer, "paymentDetails", owner, {
        destination: destination ?? null,
        banks: banks ?? null,
      }),
    })
    .compile();
  // The database's lifecycle rules let no deposit start in this state.
  await force(databaseUrl, sql, [...parameters]);
  return { code, token, path: `/pay/${token}` };
}
