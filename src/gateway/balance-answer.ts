import {
  codesIn,
  statusClass,
  type HttpAnswer,
  messageText,
  unreadableText,
} from "./payout-answers.ts";
import { BALANCE_ANSWER } from "./deposit-messages.ts";
import { parseObject } from "#gateway/wire/json.ts";

/** The balance of the account at the gateway, in the digits of its answer. */
export interface ReportedBalance {
  readonly currency: string;
  readonly balance: string;
  readonly frozen: string | null;
  readonly available: string | null;
}

export type BalanceAnswer =
  | { readonly kind: "told"; readonly balance: ReportedBalance }
  | { readonly kind: "no_answer"; readonly code: string; readonly text: string };

/**
 * Reads the older answer (numbers) and the newer one (texts and two further amounts),
 * gateway.md section 10. A balance in a currency other than the requested one is not an
 * answer.
 */
export function readBalanceAnswer(
  { status, body }: Pick<HttpAnswer, "status" | "body">,
  currency: string,
): BalanceAnswer {
  const silent = (code: string, text: string): BalanceAnswer => ({ kind: "no_answer", code, text });
  const answer = body === null ? null : parseObject(body);
  const { message } = answer ?? {};
  const text = typeof message === "string" ? message : "";
  if (statusClass(status) !== 2) {
    return silent(
      `http_${status}`,
      text ? messageText(status, text) : unreadableText({ status, body }),
    );
  }
  const [code] = codesIn(text);
  if (code !== undefined) return silent(code, text);
  const read = BALANCE_ANSWER.safeParse(answer);
  if (body === null) return silent("unreadable", unreadableText({ status, body }));
  if (!read.success) return silent("unreadable", text || "no readable balance");
  if (read.data.currency_code !== currency) {
    return silent("conflict", "a balance in a different currency");
  }
  const { balance, frozen_balance: frozen, available_balance: available } = read.data;
  return {
    kind: "told",
    balance: { currency, balance, frozen: frozen ?? null, available: available ?? null },
  };
}
