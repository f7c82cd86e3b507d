/** Requests that the dashboard's pages send. */
import { sealAccount } from "#views/payout/sealed-account.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { accountOf, type Filled } from "./million.ts";

export type DashboardRequests = Readonly<Record<string, (turn: number) => string>>;

/**
 * Sums and comparisons that the approver's pages compute, over a batch with a tenth of all payouts.
 */
export const approverRequests = ({ waiting }: Filled): DashboardRequests => ({
  "approval sheet": () => `/api/batches/${waiting}/approval`,
  "limits of a batch awaiting approval": () => `/api/batches/${waiting}/limits`,
  "comparison with the previous batch": () => `/api/batches/${waiting}/comparison`,
  headroom: () => "/api/payout-limits/headroom",
});

/** Each request uses different search words every time, as people do. */
export const dashboardRequests = (
  { batchIds, working, waiting }: Filled,
  sealer: Sealer,
): DashboardRequests => {
  const old = (turn: number) => batchIds[turn % 20] ?? "";
  const list = (query: string) => `/api/payouts?${query}`;
  return {
    "list, newest": () => list(""),
    "list, oldest": () => list("sort=oldest"),
    "list, last changed": () => list("sort=changed"),
    "list, largest": () => list("sort=largest"),
    "state: declined, largest": () => list("state=declined&sort=largest"),
    "rare currency, largest": () => list("currency=MYR&sort=largest"),
    "one batch, largest": (turn) => list(`batch=${old(turn)}&sort=largest`),
    "the large batch, smallest": () => list(`batch=${working}&sort=smallest`),
    "state: settled": () => list("state=settled"),
    "state: in doubt": () => list("state=in_doubt"),
    "state: declined, on_hold, returned": () => list("state=declined,on_hold,returned"),
    cause: () => list("reason=resend_window_over"),
    currency: () => list("currency=INR"),
    "rare currency": () => list("currency=MYR"),
    "rare currency, declined": () => list("currency=MYR&state=declined"),
    amount: (turn) => list(`amount=${100 + turn * 13}`),
    "range of amounts": (turn) =>
      list(`amount_from=${turn * 50}&amount_to=${turn * 50 + 5}&currency=INR`),
    "wide range of amounts": (turn) => list(`amount_from=${turn}&amount_to=${50_000 + turn}`),
    "name, two words": (turn) => list(`name=first${turn}%20last${turn}`),
    "name, very common": () => list("name=nguyen"),
    "name, very common, declined": () => list("name=nguyen&state=declined"),
    "name and amount": (turn) => list(`name=first${turn}&amount=${1_000 + turn}`),
    account: (turn) => list(`account=${sealAccount(sealer, accountOf(turn * 31))}`),
    "last digits of an account": (turn) => list(`account_last4=${accountOf(turn * 31).slice(-4)}`),
    "bank, declined": (turn) => list(`bank=BANK${turn % 40}&state=declined`),
    "gateway number": (turn) => list(`gateway_number=GW${turn * 1_001}`),
    "beginning of a transaction code": (turn) =>
      list(`code=PR${"0123456789ABCDEF"[turn % 16]}${turn % 10}`),
    "one batch": (turn) => list(`batch=${old(turn)}`),
    "the large batch, settled": () => list(`batch=${working}&state=settled`),
    "one row of the large batch": (turn) => list(`batch=${working}&line=${2 + turn * 997}`),
    "sent on a day": (turn) => {
      const at = Date.now() - (turn + 1) * 86_400_000;
      return list(
        `sent_from=${new Date(at).toISOString()}&sent_to=${new Date(at + 86_400_000).toISOString()}`,
      );
    },
    "search: name and amount": (turn) => `/api/search?q=first${turn}%20${1_000 + turn}`,
    "search: one name": (turn) => `/api/search?q=last${turn}`,
    "search: a number": (turn) => `/api/search?q=${accountOf(turn * 17)}`,
    batches: () => "/api/batches",
    "batches, largest": () => "/api/batches?sort=largest",
    "a batch": (turn) => `/api/batches/${old(turn)}`,
    "the large batch": () => `/api/batches/${working}`,
    home: () => "/api/home",
    "tasks of the home page": () => "/api/home/tasks",
    "figures of the home page": () => "/api/home/figures",
    failures: () => "/api/failures",
    "failures of a currency": () => "/api/failures?currency=INR",
    "failures of a batch": (turn) => `/api/failures?batch=${old(turn)}`,
    "charts of the large batch": () => `/api/batches/${working}/progress`,
    "timeline of a batch": (turn) => `/api/batches/${old(turn)}/timeline`,
    "payouts that can be retried": (turn) => `/api/batches/${old(turn)}/retry-batch`,
    approvals: () => "/api/approvals",
    findings: () => `/api/batches/${waiting}/findings`,
    operations: () => "/api/operations",
    rates: () => "/api/operations/rates",
    schedules: () => "/api/schedules",
    deposits: () => "/api/deposits",
    audit: () => "/api/audit",
  };
};
