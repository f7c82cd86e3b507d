import type { DepositBank, Destination, Expiry } from "#deposit/outcome.ts";
import {
  DEPOSIT_REQUIREMENTS,
  type DepositCurrency,
  isDepositCurrency,
} from "#deposit/requirements.ts";
import type { End, Language } from "./messages.ts";

/** An exact decimal beside its currency. */
export interface PayAmount {
  readonly currency: string;
  readonly amount: string;
}

/** What the payer is shown, and nothing else of the deposit: no user, no name, no merchant's keys. */
export interface PayView {
  /** The transaction code, which the payer quotes when they ask. */
  readonly code: string;
  readonly requested: PayAmount;
  readonly stage: Stage;
}

export type Stage =
  | {
      readonly kind: "bank";
      readonly banks: readonly DepositBank[];
      /** An account was handed in, and was not taken, or nobody knows. */
      readonly notice: "notTaken" | "notSeen" | null;
    }
  | {
      readonly kind: "pay";
      /** What is to be paid; the gateway may have changed it. */
      readonly amount: PayAmount;
      readonly destination: Destination;
      readonly expiry: Expiry | null;
      /** Null: the gateway takes none for this currency. */
      readonly payerReference: PayerReferenceStage | null;
    }
  /** `paid` is what the gateway reports; null: nothing. `asked` is what the payer was told to pay. */
  | {
      readonly kind: "completed";
      readonly paid: PayAmount | null;
      readonly asked: PayAmount;
    }
  /** The payer may have paid all the same. */
  | { readonly kind: "late" | "expired"; readonly payerReference: PayerReferenceStage | null }
  | { readonly kind: Exclude<End, "late" | "expired"> };

export interface PayerReferenceStage {
  readonly currency: ReferenceCurrency;
  /** The payer has handed one in. */
  readonly isGiven: boolean;
}

/** Null: the payer has none to give. */
export const payerReferenceOf = ({ stage }: PayView): PayerReferenceStage | null =>
  "payerReference" in stage ? stage.payerReference : null;

/** The currencies whose payers may give the reference of their payment. */
export type ReferenceCurrency = {
  [C in DepositCurrency]: (typeof DEPOSIT_REQUIREMENTS)[C]["reference"] extends null ? never : C;
}[DepositCurrency];

export const takesReference = (currency: string): currency is ReferenceCurrency =>
  isDepositCurrency(currency) && DEPOSIT_REQUIREMENTS[currency].reference !== null;

/** What every page of a payment is made with. */
export interface Frame {
  readonly language: Language;
  readonly nowMs: number;
  /** The address of the payment, `/pay/…`. */
  readonly address: string;
  /** Goes with every form. */
  readonly formToken: string;
  readonly environment: "live" | "sandbox" | "simulated";
  readonly files: { readonly css: string; readonly js: string };
}
