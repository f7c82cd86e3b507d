import type { DepositBank, Destination, Expiry } from "#deposit/outcome.ts";
import { type ReferenceCurrency } from "#deposit/requirements.ts";
import type { Language } from "./languages/catalogue.ts";
import type { PageEnd } from "./languages/messages.ts";

/** An exact decimal amount with its currency. */
export interface PayAmount {
  readonly currency: string;
  readonly amount: string;
}

/** The part of a deposit that the payer sees: no user, no name, no merchant keys. */
export interface PayView {
  /** The transaction code, which the payer quotes in questions. */
  readonly code: string;
  readonly requested: PayAmount;
  /** The display name of the merchant who is paid. Null: none is configured. */
  readonly merchant: string | null;
  readonly stage: Stage;
}

export type Stage =
  | {
      readonly kind: "bank";
      readonly banks: readonly DepositBank[];
      /** An account was sent, and was not taken or the result is unknown. */
      readonly notice: "notTaken" | "notSeen" | null;
    }
  | {
      readonly kind: "pay";
      /** The amount to pay; the gateway may have changed it. */
      readonly amount: PayAmount;
      readonly destination: Destination;
      readonly expiry: Expiry | null;
      /** Null: the gateway accepts none for this currency. */
      readonly payerReference: PayerReferenceStage | null;
    }
  /**
   * `paid` is the amount that the gateway reports; null: none. `asked` is the amount that the payer
   * was asked to pay.
   */
  | {
      readonly kind: "completed";
      readonly paid: PayAmount | null;
      readonly asked: PayAmount;
    }
  /** The payer may still have paid. */
  | { readonly kind: "late" | "expired"; readonly payerReference: PayerReferenceStage | null }
  | { readonly kind: Exclude<PageEnd, "late" | "expired"> };

export interface PayerReferenceStage {
  readonly currency: ReferenceCurrency;
  /** Whether the payer has sent one. */
  readonly isGiven: boolean;
}

/** Null: the payer has none to enter. */
export const payerReferenceOf = ({ stage }: PayView): PayerReferenceStage | null =>
  "payerReference" in stage ? stage.payerReference : null;

/** The settings with which every page of a payment is rendered. */
export interface Frame {
  readonly language: Language;
  readonly nowMs: number;
  /** The address of the payment, `/pay/…`. */
  readonly address: string;
  /** The query that keeps the payer's choice of language, such as "?lang=hi". Empty: no choice. */
  readonly query: string;
  /** Sent with every form. */
  readonly formToken: string;
  readonly environment: "live" | "sandbox" | "simulated";
  readonly files: { readonly css: string; readonly js: string };
}

/** Returns the address of the payment, or of a page below it, in the chosen language. */
export const addressOf = ({ address, query }: Frame, page?: "account" | "reference"): string =>
  `${address}${page ? `/${page}` : ""}${query}`;
