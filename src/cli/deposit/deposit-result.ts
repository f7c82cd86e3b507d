import type { z } from "zod";
import type { DEPOSIT_LIST_API } from "#api/deposit/deposit-list.ts";
import type { DepositView } from "#api/deposit/deposits.ts";
import { EXIT } from "#cli/terminal/exit.ts";
import { timeText } from "#base/time-text.ts";
import { print, printJson, table } from "#cli/terminal/output.ts";
import { timelineTable } from "#cli/terminal/timeline.ts";
import { moneyText } from "#money/display.ts";
import { groupDigits } from "#money/format.ts";

interface OutputOptions {
  readonly json?: boolean;
}

/** Prints a deposit, as text or JSON. */
export function printDeposit(deposit: DepositView, { json }: OutputOptions): void {
  if (json) return printJson(deposit);
  const { code, currency, amount, payable, paid, state, outlook } = deposit;
  print(`${code}  ${moneyText({ currency, amount })}  ${state}`);
  print(`Has the money arrived? ${outlook.answer}`);
  print(
    `What happens next? ${outlook.next}${outlook.next_at ? ` At ${timeText(outlook.next_at)}.` : ""}`,
  );
  const { expires, destination, banks, resolution } = deposit;
  const facts = {
    "to be paid": payable === null ? "not known yet" : `${currency} ${payable}`,
    paid: paid === null ? "none confirmed" : `${currency} ${paid}`,
    "payment deadline": expires ? `${expires.text} ${expires.zone}` : "unknown",
    "gateway number": deposit.gateway_number ?? "none yet",
    ...(deposit.reference ? { reference: deposit.reference } : {}),
    ...Object.fromEntries(deposit.details.map(({ field, text }) => [field, text])),
    ...(destination ? textsOf(destination) : {}),
    ...(banks ? { banks: banks.map((bank) => `${bank.code} ${bank.name}`).join(", ") } : {}),
    ...(resolution
      ? {
          "proposed result": `${resolution.received === null ? "no money arrived" : `${currency} ${resolution.received} arrived`}, proposed by ${resolution.proposed_by.name}: ${resolution.evidence}. An approver must confirm it on the dashboard.`,
        }
      : {}),
  };
  print(table(Object.entries(facts)));
  print("");
  print(timelineTable(deposit.timeline));
}

/**
 * Prints the answer to the second step and sets the exit code. A deposit that was not accepted
 * waits for another account.
 */
export function printStepResult(deposit: DepositView, flags: OutputOptions): void {
  printDeposit(deposit, flags);
  const { state } = deposit;
  if (state === "declined" || state === "awaiting_bank") process.exitCode = EXIT.declined;
  else if (state !== "awaiting_payment") process.exitCode = EXIT.heldOrInDoubt;
}

/** Prints a new deposit with the URL of its payment page. */
export function printCreatedDeposit(
  made: DepositView & { readonly pay_url: string },
  flags: OutputOptions,
): void {
  printDeposit(made, flags);
  if (!flags.json) print(`\nPayment page (share it only with the payer): ${made.pay_url}`);
}

/** Formats the payment destination with the gateway's field names. */
const textsOf = (destination: NonNullable<DepositView["destination"]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(destination).flatMap(([name, text]) =>
      name === "kind" || !text ? [] : [[name.replaceAll("_", " "), text]],
    ),
  );

type Page = z.output<(typeof DEPOSIT_LIST_API)["GET /api/deposits"]["answer"]>;

/** Prints a page of deposits, as a table or JSON. */
export function printDepositPage({ items, next }: Page, { json }: OutputOptions): void {
  if (json) return printJson({ items, next });
  if (items.length === 0) return print("No deposits match.");
  const rows = items.map(({ code, state, currency, amount, paid, created_at, user_id }) => [
    code,
    state,
    moneyText({ currency, amount }),
    paid === null ? "" : `paid ${groupDigits(paid, currency)}`,
    user_id,
    timeText(created_at),
  ]);
  print(table(rows));
  if (next) print("There are more deposits. Narrow the filters, or raise --limit.");
}
