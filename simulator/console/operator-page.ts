import type { KnownDeposit } from "#simulator/state/deposits.ts";
import type { KnownPayout } from "#simulator/state/payouts.ts";

const SHOWN_MAX = 200;

export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 90rem; padding: 0 1rem 2rem; }
.band { background: #7a4a00; color: #fff; margin: 0 -1rem; padding: .5rem 1rem; font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: 0 .6rem .4rem; }
th, td { border-bottom: 1px solid #8886; padding: .4rem .6rem; text-align: left; white-space: nowrap; }
td:last-child { white-space: normal; }
td.amount, th.amount { text-align: right; font-variant-numeric: tabular-nums; }
form { display: inline-flex; gap: .25rem; margin-right: .5rem; }
button, input { font: inherit; min-height: 2rem; padding: 0 .6rem; }
input { width: 8rem; }
`;

const SIGNS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? "");

type Known = KnownDeposit | KnownPayout;

/** One form: a button whose accessible name includes the action and the transaction. */
function form({ merchant, code }: Known, action: string, label: string, amount?: string): string {
  const field = (name: string, value: string) =>
    `<input type="hidden" name="${name}" value="${escaped(value)}">`;
  const entry =
    amount === undefined
      ? ""
      : `<input name="amount" value="${escaped(amount)}" inputmode="decimal" aria-label="Amount paid for ${escaped(code)}">`;
  return `<form method="post" action="/operator">${field("merchant", merchant)}${field("code", code)}${entry}<button name="action" value="${action}" aria-label="${label} ${escaped(code)}">${label}</button></form>`;
}

function depositForms(deposit: KnownDeposit): string {
  const { state, amount, hasDestination } = deposit;
  const resend = form(deposit, "resend", "Send callback again");
  if (state === "settled") return resend;
  if (state === "awaiting_bank") return form(deposit, "decline", "Decline");
  const forms = [
    ...(hasDestination
      ? [form(deposit, "pay", state === "failed" ? "Pay late" : "Pay", amount)]
      : []),
    ...(state === "failed" ? [] : [form(deposit, "decline", "Decline")]),
    ...(state === "manual" ? [] : [form(deposit, "manual", "Manual")]),
    ...(state === "pending" ? [] : [resend]),
  ];
  return forms.join("");
}

function payoutForms(payout: KnownPayout): string {
  if (payout.state === "pending") {
    return form(payout, "settle", "Settle") + form(payout, "decline", "Decline");
  }
  const resend = form(payout, "resend", "Send callback again");
  return payout.state === "settled" ? form(payout, "return", "Return") + resend : resend;
}

const timeOf = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

function table(caption: string, known: readonly Known[], rows: readonly string[]): string {
  const more = known.length > SHOWN_MAX ? `, ${SHOWN_MAX} of ${known.length}` : "";
  if (known.length === 0) return `<h2>${caption}</h2><p>None yet.</p>`;
  return `<h2>${caption}</h2><div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><caption>Newest first${more}</caption>
<thead><tr><th scope="col">Code</th><th scope="col">Number</th><th scope="col" class="amount">Amount</th><th scope="col">State</th><th scope="col">Time</th><th scope="col">What you can do</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;
}

const row = (known: Known, state: string, time: string, forms: string): string =>
  `<tr><th scope="row">${escaped(known.code)}</th><td>${escaped(known.number)}</td><td class="amount">${escaped(known.currency)} ${escaped(known.amount)}</td><td>${escaped(state)}</td><td>${time}</td><td>${forms}</td></tr>`;

/** Links to today's statement and balances of the first listed transaction's account. */
function statementLinks(known: readonly Known[], nowMs: number): string {
  const { merchant, currency } = known[0] ?? { merchant: "M1", currency: "INR" };
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const query = new URLSearchParams({ merchant, currency, day });
  const link = (path: string, label: string) =>
    `<a href="${escaped(`${path}?${query.toString()}`)}">${label}</a>`;
  const links = `${link("/statement", "statement")}, ${link("/statement-balances", "balances")}`;
  return `<p>Today (UTC) for merchant ${escaped(merchant)} in ${escaped(currency)}: ${links}. To see another day, time zone or format, or to add defects, edit the address of the statement.</p>`;
}

/** The whole page, without scripts. */
export function operatorPage(
  deposits: readonly KnownDeposit[],
  payouts: readonly KnownPayout[],
  nowMs: number,
): string {
  const depositRows = deposits.slice(0, SHOWN_MAX).map((deposit) => {
    const paid = deposit.paidAmount === null ? "" : `, ${deposit.paidAmount} paid`;
    const time = `until ${timeOf(deposit.expiresAtMs)}`;
    return row(
      deposit,
      `${deposit.variant}, ${deposit.state.replace("_", " ")}${paid}`,
      time,
      depositForms(deposit),
    );
  });
  const payoutRows = payouts
    .slice(0, SHOWN_MAX)
    .map((payout) =>
      row(payout, payout.state, `since ${timeOf(payout.acceptedAtMs)}`, payoutForms(payout)),
    );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated gateway: operator</title><style>${STYLE}</style></head>
<body><p class="band">Simulated gateway: no real money moves here</p><main><h1>Operator</h1>
${statementLinks([...payouts, ...deposits], nowMs)}
${table("Deposits", deposits, depositRows)}
${table("Payouts", payouts, payoutRows)}
</main></body></html>
`;
}
