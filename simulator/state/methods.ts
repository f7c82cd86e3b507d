import type { SimulatedMerchant } from "#simulator/wire/merchants.ts";

/** How a payer pays, by the payment code of a deposit (specification, Deposit response). */
export interface Method {
  readonly variant: "upi" | "wallet" | "match_code" | "bank" | "krw";
  /** Whether the request must name a bank. */
  readonly asksBank: boolean;
}

/** Codes that every merchant may use, so that each variant can be tried in each currency. */
// biome-ignore format: the table is easier to read in columns
const METHODS: Readonly<Record<string, Method>> = {
  P1001: { variant: "upi",        asksBank: false },
  P1002: { variant: "wallet",     asksBank: false },
  P1003: { variant: "match_code", asksBank: false },
  P1004: { variant: "bank",       asksBank: false },
  P1005: { variant: "bank",       asksBank: true  },
};

/** Method behind a merchant's own payment code. */
const USUAL: Readonly<Record<string, Method["variant"]>> = {
  BDT: "wallet",
  INR: "upi",
  MMK: "match_code",
};

/** Null: no such method. KRW always uses the two-step flow (specification, Endpoints). */
export function methodOf(
  { paymentCode }: SimulatedMerchant,
  code: string,
  currency: string,
): Method | null {
  const own = code === paymentCode ? { variant: USUAL[currency] ?? "bank", asksBank: false } : null;
  const method = own ?? METHODS[code] ?? null;
  return method && currency === "KRW" ? { ...method, variant: "krw" } : method;
}
