import { createHash } from "node:crypto";
import type { DepositDetails } from "#deposit/deposit.ts";
import type { DepositBank, Destination } from "#deposit/outcome.ts";
import type { Sealer } from "#ledger/sealed.ts";

/** What is sealed of a deposit from its first moment: what is sent about user and payer, and what its operator calls it. */
export interface SealedDeposit {
  readonly details: DepositDetails;
  readonly paymentCode: string | null;
  readonly callbackUrl: string | null;
  readonly reference: string | null;
}

/** What the gateway told for the payer to see. */
export interface Told {
  readonly destination: Destination | null;
  readonly banks: readonly DepositBank[] | null;
}

/** The account that the payer pays from (KRW). */
export interface GivenAccount {
  readonly bankCode: string;
  readonly accountNumber: string;
}

interface Parts {
  readonly sealed: SealedDeposit;
  readonly told: Told;
  readonly depositor: GivenAccount;
}

const placeOf = (part: keyof Parts, code: string): string => `deposits ${part} ${code}`;

export const sealPart = <Part extends keyof Parts>(
  sealer: Sealer,
  part: Part,
  code: string,
  content: Parts[Part],
): Buffer => sealer.seal(JSON.stringify(content), placeOf(part, code));

/** @throws Error when the text is damaged, or was moved here from another deposit. */
export const openPart = <Part extends keyof Parts>(
  sealer: Sealer,
  part: Part,
  code: string,
  sealed: Buffer,
): Parts[Part] => JSON.parse(sealer.open(sealed, placeOf(part, code))) as Parts[Part];

/** The token of a deposit's payment page: 256 bits that nobody finds without PAYRUN_KEY, so that it need not be kept. */
export const linkTokenOf = (sealer: Sealer, code: string): string =>
  sealer.digest(`deposit link ${code}`).toString("base64url");

/** What is kept of the token: who reads the table cannot open the page. */
export const linkDigest = (token: string): Buffer => createHash("sha256").update(token).digest();

export const userDigest = (sealer: Sealer, userId: string): Buffer =>
  sealer.digest(`deposit user ${userId}`);

export const referenceDigest = (sealer: Sealer, reference: string): Buffer =>
  sealer.digest(`deposit reference ${reference}`);
