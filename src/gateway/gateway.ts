/**
 * The public exports of `payrun-gateway` (README.md): the client and its parameters.
 */
export { systemClock } from "#base/clock.ts";
export type { Depositor, DepositOrder, PayerReference } from "#deposit/deposit.ts";
export type { DepositOutcome, Destination } from "#deposit/outcome.ts";
export type { Money } from "#money/money.ts";
export type { Outcome, StatusAnswer } from "#payout/outcome.ts";
export type { PayoutOrder } from "#payout/payout.ts";
export { type CallbackHint, openCallback } from "./callback.ts";
export { createGatewayClient, type GatewayClient, type GatewayClientOptions } from "./client.ts";
export { type Keyring, makeKeyring, parseMerchants } from "#gateway/wire/keyring.ts";
