import { createHash } from "node:crypto";
import type { DepositFacts } from "#deposit/decision.ts";
import type { DepositDetails } from "#deposit/deposit.ts";
import type { DepositBank, Destination } from "#deposit/outcome.ts";
import { holdSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import type { Database } from "#ledger/store/database.ts";
import { Erased } from "#ledger/store/keys/subject-keys.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/**
 * Sealed data of a deposit from its creation: the details sent about user and payer, and the
 * operator's own name for the deposit.
 */
export interface SealedDeposit {
  readonly details: DepositDetails;
  readonly paymentCode: string | null;
  readonly callbackUrl: string | null;
  readonly reference: string | null;
  /** True if the payer was erased: all other properties are empty. */
  readonly isErased?: true;
}

/** Details from the gateway that are shown to the payer. */
export interface PaymentInstructions {
  readonly destination: Destination | null;
  readonly banks: readonly DepositBank[] | null;
}

/** The account from which the payer pays (KRW). */
export interface GivenAccount {
  readonly bankCode: string;
  readonly accountNumber: string;
}

interface Parts {
  readonly sealed: SealedDeposit;
  readonly paymentDetails: PaymentInstructions;
  readonly depositor: GivenAccount;
}

/** Names under which parts are sealed. They never change: stored parts open under no other name. */
const SEALED_AS = { sealed: "sealed", paymentDetails: "told", depositor: "depositor" } as const;

const placeOf = (part: keyof Parts, code: string): string => `deposits ${SEALED_AS[part]} ${code}`;

/** The owner of a deposit's data: its transaction code, and the keyed digest of the payer. */
interface Owner {
  readonly code: string;
  readonly payer: Buffer;
}

/** Encrypts one part of a deposit under the key of its payer, bound to its transaction code. */
export function sealPart<Part extends keyof Parts>(
  sealer: Sealer,
  part: Part,
  { code, payer }: Owner,
  content: Parts[Part],
): Buffer {
  const [text, place] = [JSON.stringify(content), placeOf(part, code)];
  const { subjects } = sealer;
  return subjects.isUsed ? subjects.seal(payer, text, place) : sealer.seal(text, place);
}

/**
 * Encrypts a part of a deposit that exists. An erasure waits until the transaction ends. Null: no
 * deposit has this code.
 */
export async function sealPartOf<Part extends keyof Parts>(
  transaction: Database,
  sealer: Sealer,
  { part, code, content }: { part: Part; code: string; content: Parts[Part] },
): Promise<Buffer | null> {
  await holdSubjectKeys(transaction, sealer);
  const found = await transaction
    .selectFrom("deposits")
    .select("user_digest")
    .where("transaction_code", "=", code)
    .executeTakeFirst();
  return found ? sealPart(sealer, part, { code, payer: found.user_digest }, content) : null;
}

/** Seals the destination and banks that the gateway reported. Null: no deposit has this code. */
export const sealInstructions = (
  transaction: Database,
  sealer: Sealer,
  {
    code,
    facts: { accepted, banks } = {},
  }: { readonly code: string; readonly facts?: DepositFacts },
): Promise<Buffer | null> =>
  sealPartOf(transaction, sealer, {
    part: "paymentDetails",
    code,
    content: { destination: accepted?.destination ?? null, banks: banks ?? null },
  });

/** @throws Erased; Error if the text is damaged or was copied from another deposit. */
export const openPart = <Part extends keyof Parts>(
  sealer: Sealer,
  part: Part,
  code: string,
  sealed: Buffer,
): Parts[Part] => JSON.parse(sealer.open(sealed, placeOf(part, code))) as Parts[Part];

/** Opens what was sent about the payer. Returns no details if the payer was erased. */
export function openDetails(sealer: Sealer, code: string, sealed: Buffer): SealedDeposit {
  try {
    return openPart(sealer, "sealed", code, sealed);
  } catch (error) {
    if (!(error instanceof Erased)) throw error;
    return { details: {}, paymentCode: null, callbackUrl: null, reference: null, isErased: true };
  }
}

/**
 * Returns the token of a deposit's payment page. It has 256 bits and cannot be computed without
 * PAYRUN_KEY, so it need not be stored.
 */
export const linkTokenOf = (sealer: Sealer, code: string): string =>
  sealer.digest(`deposit link ${code}`).toString("base64url");

/** Returns the stored digest of the token. A reader of the table cannot open the page with it. */
export const linkDigest = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Returns the keyed digest by which deposits of a client's user are found. */
export const userDigest = (sealer: Sealer, userId: string): Buffer =>
  sealer.digest(`deposit user ${userId}`);

/** Returns the keyed digest by which a payment reference is found. */
export const referenceDigest = (sealer: Sealer, reference: string): Buffer =>
  sealer.digest(`deposit reference ${reference}`);
