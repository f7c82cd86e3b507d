import type { DepositView } from "#api/deposit/deposits.ts";
import { maskText } from "#intake/masking.ts";
import { baseUrl } from "#app/base-url.ts";
import { depositActions, depositOutlook } from "#deposit/outlook.ts";
import type { Destination } from "#deposit/outcome.ts";
import { depositReasonText } from "#deposit/reasons.ts";
import { depositTimeline } from "#deposit/timeline.ts";
import { iso } from "#views/approval/approval-state.ts";
import type { ServerDeps } from "#views/deps.ts";
import { timelineEntryView } from "#views/payout/payout.ts";
import { Problem } from "#api/app/problems.ts";
import { type Deposit, findDeposit } from "#ledger/deposit/deposits.ts";
import { findProposedResolution } from "#ledger/deposit/manual-resolution.ts";
import { findDepositHistory } from "#ledger/deposit/history.ts";
import { findDisplayNames } from "#ledger/people/names.ts";
import { linkTokenOf } from "#ledger/deposit/sealed-deposits.ts";
import { formatMoney } from "#money/format.ts";

/**
 * Returns a deposit as every dashboard user may see it.
 *
 * @throws Problem if the deposit does not exist.
 */
export async function depositView(
  code: string,
  { database, sealer }: Pick<ServerDeps, "database" | "sealer">,
): Promise<DepositView> {
  const deposit = await findDeposit(database, sealer, code);
  if (!deposit) throw new Problem("not_found", { detail: `There is no deposit ${code}.` });
  const story = await findDepositHistory(database, deposit.id);
  const closing =
    deposit.state === "manual" ? await findProposedResolution(database, deposit) : null;
  const happenings = depositTimeline({ ...story, state: deposit.state });
  const actors = [
    deposit.createdBy,
    ...(closing ? [closing.proposedBy] : []),
    ...happenings.flatMap(({ actor }) => (actor === null ? [] : [actor])),
  ];
  const displayOf = await findDisplayNames(database, actors, null);
  const nameOf = (actor: string) => displayOf(actor).name;
  const { nextAt, ...outlook } = depositOutlook(deposit);
  const { reason, depositor, expiry, details } = deposit;
  return {
    ...depositListItem(deposit),
    reason_text: reason && depositReasonText(reason),
    step: deposit.step,
    lane: deposit.lane,
    created_by: nameOf(deposit.createdBy),
    expires: expiry && { text: expiry.text, zone: expiry.zone },
    destination: deposit.destination && shownDestination(deposit.destination),
    banks: deposit.banks && [...deposit.banks],
    depositor: depositor && {
      bank_code: depositor.bankCode,
      account_number: maskText(depositor.accountNumber),
    },
    details: Object.entries(details).map(([field, text]) => ({
      field,
      text: MASKED_FIELDS.has(field) ? maskText(text) : text,
    })),
    outlook: { ...outlook, next_at: iso(nextAt) },
    timeline: happenings.map(timelineEntryView(displayOf)),
    resolution: closing && {
      id: closing.id,
      received: closing.cameIn && formatMoney(closing.cameIn),
      evidence: closing.evidence,
      proposed_by: { actor: closing.proposedBy, name: nameOf(closing.proposedBy) },
      at: closing.at.toISOString(),
    },
    actions: depositActions(deposit.state, deposit.money.currency),
  };
}

/**
 * The address of the payment page. A person who has it may do everything that the payer may do
 * there.
 */
export const payUrlOf = (
  code: string,
  { sealer, config }: Pick<ServerDeps, "sealer" | "config">,
  reached?: string,
): string => `${baseUrl(config, reached)}/pay/${linkTokenOf(sealer, code)}`;

const MASKED_FIELDS: ReadonlySet<string> = new Set(["identity_id", "phone"]);

/** Returns a deposit as lists show it, without personal data. */
export const depositListItem = (deposit: Deposit) => ({
  code: deposit.code,
  state: deposit.state,
  reason: deposit.reason,
  currency: deposit.money.currency,
  amount: formatMoney(deposit.money),
  payable: deposit.payable && formatMoney(deposit.payable),
  paid: deposit.paid && formatMoney(deposit.paid),
  user_id: deposit.details.user_id ?? "",
  deposit_name: deposit.details.deposit_name ?? null,
  is_erased: deposit.isErased,
  reference: deposit.reference,
  gateway_number: deposit.gatewayNumber,
  attempts: deposit.attempts,
  expires_at: iso(deposit.expiry?.at ?? null),
  created_at: deposit.createdAt.toISOString(),
  updated_at: deposit.updatedAt.toISOString(),
});

function shownDestination(destination: Destination): DepositView["destination"] {
  switch (destination.kind) {
    case "upi":
      return { kind: "upi", upi_id: destination.upiId, qr_url: destination.qrUrl };
    case "wallet":
      return {
        kind: "wallet",
        wallet_number: destination.walletNumber,
        wallet_number_type: destination.walletNumberType,
        wallet_name: destination.walletName,
        wallet_code: destination.walletCode,
      };
    case "match_code":
      return {
        kind: "match_code",
        wallet_number: destination.walletNumber,
        wallet_name: destination.walletName,
        wallet_code: destination.walletCode,
        match_code: destination.matchCode,
      };
    case "bank":
      return {
        kind: "bank",
        account_number: destination.accountNumber,
        account_name: destination.accountName,
      };
    case "krw_account":
      return {
        kind: "krw_account",
        bank_name: destination.bankName,
        account_name: destination.accountName,
        account_number: destination.accountNumber,
      };
  }
}
