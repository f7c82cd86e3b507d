import type {
  AwaitingBank,
  DepositAccepted,
  DepositBank,
  Destination,
  Expiry,
  ReferenceOutcome,
} from "#deposit/outcome.ts";
import type { NotAcceptedOutcome } from "#payout/outcome.ts";
import { type Dialect, type HttpAnswer, readAnswer } from "./payout-answers.ts";
import {
  BANK_NAMES,
  DEPOSIT_ANSWER,
  KRW_STEP_1,
  KRW_STEP_2,
  UPI_FIELDS,
  WALLET_FIELDS,
} from "./deposit-messages.ts";
import { readExpiry } from "#gateway/wire/expiry.ts";
import type { JsonObject } from "#gateway/wire/json.ts";
import { gatewayNumberOf } from "./status-answer.ts";
import { type CodeMeaning } from "#gateway/error-codes.ts";

/**
 * Every documented code of deposits (gateway.md section 6.3). The numbers have other meanings
 * than for payouts. 113 means that the gateway already has the deposit; the status query shows its
 * state.
 */
// biome-ignore format: the table is easier to read in columns
export const DEPOSIT_ANSWERS: Readonly<Record<string, CodeMeaning & { readonly words: string }>> = {
  "109": { kind: "declined",                 words: "Incomplete parameter",                   says: "a required parameter is missing" },
  "110": { kind: "declined",                 words: "Invalid Bank ID",                        says: "the payment method does not support this bank" },
  "111": { kind: "duplicate",                words: "Invalid Transaction Code ( not unique )", says: "the transaction code has already been used" },
  "112": { kind: "deferred",                 words: "Invalid Timestamp",                      says: "the timestamp is outside the window" },
  "113": { kind: "duplicate",                words: "Invalid Transaction. The transaction is already processed", says: "the transaction has already been processed" },
  "114": { kind: "deferred", stop: "wait",   words: "Active bank account is not found",       says: "the gateway has no receiving account available at the moment" },
  "115": { kind: "deferred", stop: "person", words: "Invalid Key / Merchant code",            says: "wrong key or merchant code" },
  "116": { kind: "deferred", stop: "wait",   words: "Bank is under maintenance",              says: "the bank is under maintenance" },
  "117": { kind: "in_doubt",                 words: "Server Error for this payout method !",  says: "server error in the payment method" },
  "118": { kind: "deferred", stop: "person", words: "Format Key Paramater Invalid",           says: "the gateway cannot read the key parameter" },
  "119": { kind: "deferred", stop: "wait",   words: "Insufficient Balance",                   says: "insufficient balance" },
};

const PREFIX = /^\[DP\]\s*/i;
/**
 * Messages of deposits are documented without their number, so their words are compared, ignoring
 * punctuation and case.
 */
const wordsOf = (text: string): string =>
  text
    .replace(PREFIX, "")
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, " ")
    .trim();
const CODES_BY_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(DEPOSIT_ANSWERS).map(([code, { words }]) => [wordsOf(words), code]),
);

const isSuccess = ({ status }: JsonObject): boolean =>
  typeof status === "string" && status.trim().toLowerCase() === "success";

/** `status` reports success (specification, Errors). The accepted data must also be readable. */
const depositDialect = <Taken>(read: (body: JsonObject) => Taken | null): Dialect<Taken> => ({
  meanings: DEPOSIT_ANSWERS,
  codeOfMessage: (message) => CODES_BY_WORDS.get(wordsOf(message)) ?? null,
  reportsAcceptance: isSuccess,
  readAccepted: (body) => (isSuccess(body) ? (read(body) ?? UNREADABLE) : null),
});

const UNREADABLE: NotAcceptedOutcome = {
  kind: "in_doubt",
  code: "unreadable",
  text: "the response reports success, but its deposit details cannot be read",
};

/** Reads the gateway's answer to a deposit request, including KRW step 1. */
export const readDepositAnswer = (answer: HttpAnswer, transactionCode: string) =>
  readAnswer(
    answer,
    depositDialect(
      (body) =>
        readStep1(body, transactionCode) ?? readAccepted(body, transactionCode, destinationVariant),
    ),
  );

/** Reads the gateway's answer to the payer's account, KRW step 2. */
export const readDepositorAnswer = (answer: HttpAnswer, transactionCode: string) =>
  readAnswer(
    answer,
    depositDialect((body) => readAccepted(body, transactionCode, krwAccountOf)),
  );

/** Reads the gateway's answer to the payer's reference, which has only `status` and a message. */
export const readReferenceAnswer = (answer: HttpAnswer) =>
  readAnswer(
    answer,
    depositDialect((): Extract<ReferenceOutcome, { kind: "taken" }> => ({ kind: "taken" })),
  );

function readStep1(body: JsonObject, transactionCode: string): AwaitingBank | null {
  const common = DEPOSIT_ANSWER.safeParse(body);
  const step = KRW_STEP_1.safeParse(body);
  if (!common.success || !step.success) return null;
  if (common.data.transaction_code !== transactionCode) return null;
  const banks = step.data.bank_lists.flatMap((entry) => bankOf(entry) ?? []);
  return { kind: "awaiting_bank", amount: common.data.amount, banks };
}

function readAccepted(
  body: JsonObject,
  transactionCode: string,
  destinationOf: (body: JsonObject) => Destination | null,
): DepositAccepted | null {
  const common = DEPOSIT_ANSWER.safeParse(body);
  const destination = destinationOf(body);
  if (!common.success || destination === null) return null;
  if (common.data.transaction_code !== transactionCode) return null;
  return {
    kind: "accepted",
    gatewayNumber: gatewayNumberOf(common.data.transaction_no),
    amount: common.data.amount,
    destination,
    expiry: expiryOf(common.data),
  };
}

/**
 * Detects one of the four variants (specification, Deposit response). An answer with features of
 * two matches none.
 */
function destinationVariant(body: JsonObject): Destination | null {
  const upi = UPI_FIELDS.safeParse(body);
  const wallet = WALLET_FIELDS.safeParse(body);
  if (upi.success && wallet.success) return null;
  if (upi.success) {
    return { kind: "upi", upiId: upi.data.upi_id, qrUrl: webAddress(upi.data.qr) };
  }
  if (!wallet.success) return null;

  const {
    wallet_number: walletNumber,
    wallet_name: walletName,
    wallet_number_type: walletNumberType,
    wallet_code: walletCode,
    match_code: matchCode,
  } = wallet.data;
  if (matchCode) {
    return {
      kind: "match_code",
      walletNumber,
      walletName,
      walletCode: walletCode ?? "",
      matchCode,
    };
  }
  return walletCode
    ? {
        kind: "wallet",
        walletNumber,
        walletNumberType: walletNumberType ?? null,
        walletName,
        walletCode,
      }
    : { kind: "bank", accountNumber: walletNumber, accountName: walletName };
}

function krwAccountOf(body: JsonObject): Destination | null {
  const step = KRW_STEP_2.safeParse(body);
  if (!step.success) return null;
  return {
    kind: "krw_account",
    bankName: step.data.bank_name,
    accountName: step.data.account_name,
    accountNumber: step.data.account_number,
  };
}

function expiryOf(answer: {
  readonly expired_at?: string | null | undefined;
  readonly expired_timezone?: string | null | undefined;
}): Expiry | null {
  const { expired_at: at, expired_timezone: zone } = answer;
  return at ? readExpiry(at, zone ?? "") : null;
}

const BANK_CHARS_MAX = 100;

/**
 * Reads one entry of `bank_lists`, a text or an object. Null: it does not identify a bank. A code
 * is selected and sent unchanged, so one that is too long to store is left out: truncated, it would
 * be another bank's code.
 */
function bankOf(entry: unknown): DepositBank | null {
  const fields: ReadonlyMap<string, unknown> =
    typeof entry === "string"
      ? new Map([["code", entry]])
      : new Map(Object.entries(Object(entry) as object));
  const first = (names: readonly string[]): string | undefined =>
    names
      .map((name) => fields.get(name))
      .map((value) => (typeof value === "string" ? value.trim() : ""))
      .find((value) => value !== "");
  const [code, name] = [first(BANK_NAMES.code), first(BANK_NAMES.name)];
  const chosen = code ?? name;
  if (chosen === undefined || chosen.length > BANK_CHARS_MAX) return null;
  return { code: chosen, name: (name ?? chosen).slice(0, BANK_CHARS_MAX) };
}

function webAddress(text: string | null | undefined): string | null {
  const url = text ? URL.parse(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
