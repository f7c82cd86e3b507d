import type { Manifest } from "#integrity/evidence-pack/manifest.ts";
import type { PackTotal } from "#integrity/evidence-pack/records.ts";
import type { PackedPayout } from "#views/integrity/evidence-pack/payouts.ts";
import type { PayoutEvent } from "#payout/payout-lifecycle.ts";
import { payoutTimeline, type RecordedPayout } from "#payout/timeline.ts";

/** Maximum number of payouts and of audit entries on the page. The data files contain all. */
export const PAGE_ROWS_MAX = 1_000;

/** The content of the page. */
export interface PackPage extends Pick<Manifest, "subject" | "created_at" | "beneficiaries"> {
  readonly log: Manifest["log"];
  readonly key: string;
  readonly totals: readonly PackTotal[];
  readonly approvals: readonly {
    readonly name: string;
    readonly at: string;
    readonly method: string | null;
    readonly content_digest: string;
    readonly withdrawn_at: string | null;
  }[];
  /** The first payouts, and their number in the pack. */
  readonly payouts: readonly PackedPayout[];
  readonly payoutCount: number;
  readonly audit: readonly {
    readonly line: number;
    readonly at: string;
    readonly name: string;
    readonly action: string;
    readonly object: string;
  }[];
  readonly auditCount: number;
}

/** Texts of outcomes that claim something about money. */
const OUTCOMES: Readonly<Record<string, string>> = {
  settled: "settled, shown by a status answer",
  returned: "returned, shown by a status answer",
  return_reported: "settled, then reported as failed or reversed; not confirmed yet",
  unproven: "final in the ledger, but no status answer in this pack shows it",
  resolved: "resolved manually",
};

const outcomeText = (outcome: string): string => OUTCOMES[outcome] ?? outcome.replaceAll("_", " ");

/** Yields the readable page: HTML without scripts, styles of others, or links. */
export function* pageHtml(page: PackPage): Generator<string> {
  const { subject, payouts, payoutCount, audit, auditCount, log } = page;
  const title = `Evidence pack: ${subject.kind} ${subject.id}`;
  yield `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<title>${escaped(title)}</title>\n<style>${STYLE}</style>\n<h1>${escaped(title)}</h1>\n`;
  yield facts([
    ["Created", page.created_at],
    ["Account numbers, names and references", page.beneficiaries],
    ["Audit log", `${log.line} lines, root ${log.root}`],
    ...(log.checkpoint
      ? [["Published checkpoint", `${log.checkpoint.line}:${log.checkpoint.root}`] as const]
      : []),
    ["Public key", page.key],
  ]);
  yield "<p>This page is readable, but it is not proof by itself. Verify the pack with the public key that the sender has published: <code>payrun verify PACK --key KEY</code>, or <code>verify-pack.mjs</code> without payrun.</p>\n";
  yield table(
    "Totals",
    ["Lane", "Outcome", "Payouts", "Amount"],
    page.totals.map(({ lane, outcome, payouts: count, currency, amount }) => [
      lane,
      outcomeText(outcome),
      String(count),
      `${currency} ${amount}`,
    ]),
  );
  yield table(
    "Approvals",
    ["Approver", "Time", "Method", "Approved content (SHA-256)", "Withdrawn"],
    page.approvals.map(({ name, at, method, content_digest, withdrawn_at }) => [
      name,
      at,
      method ?? "",
      content_digest,
      withdrawn_at ?? "",
    ]),
  );
  const [only] = payouts;
  if (subject.kind === "payout" && only) yield* payoutParts(only);
  else
    yield table(
      `Payouts${limited(payouts.length, payoutCount, "payouts.csv")}`,
      ["Code", "Amount", "Outcome", "Gateway number", "Proven at"],
      payouts.map(({ document: { transaction_code, currency, amount, outcome, ...rest } }) => [
        transaction_code,
        `${currency} ${amount}`,
        outcomeText(outcome),
        rest.gateway_number ?? "",
        rest.proven_at ?? "",
      ]),
    );
  yield table(
    `Audit log entries${limited(audit.length, auditCount, "audit.jsonl")}`,
    ["Line", "Time", "By", "Action", "Object"],
    audit.map(({ line, at, name, action, object }) => [String(line), at, name, action, object]),
  );
}

const limited = (shown: number, all: number, name: string): string =>
  shown === all ? "" : ` (the first ${shown} of ${all}; all are in ${name})`;

function* payoutParts({ payout, document }: PackedPayout): Generator<string> {
  const { currency, amount, outcome, beneficiary, reference, fee, gateway_number } = document;
  yield facts([
    ["Amount", `${currency} ${amount}`],
    ["Outcome", outcomeText(outcome)],
    ["Proven at", document.proven_at ?? "not proven"],
    ["Gateway number", gateway_number ?? "none"],
    ["Fee", fee === null ? "none reported" : `${currency} ${fee}`],
    ["Reference", reference ?? "none"],
    ...Object.entries(beneficiary),
  ]);
  yield table(
    "Attempts, gateway answers, status answers, callbacks and transitions",
    ["Time", "Event", "Details"],
    payoutTimeline(recorded({ payout, document })).map(({ at, title, text, facts: said }) => [
      at.toISOString(),
      title,
      [text ?? "", ...said.map(({ name, value }) => `${name}: ${value}`)].join("\n").trim(),
    ]),
  );
}

const recorded = ({ payout }: PackedPayout): RecordedPayout => ({
  state: payout.state,
  attempts: payout.attempts.map(({ number, opened_at, key_id, worker }) => ({
    number,
    openedAt: opened_at,
    keyId: key_id,
    worker,
  })),
  evidence: payout.evidence.map(({ facts: stored, ...each }) => ({
    ...each,
    facts: stored as Readonly<Record<string, unknown>>,
  })),
  transitions: payout.transitions.map(({ event, ...each }) => ({
    ...each,
    event: event as PayoutEvent,
  })),
});

const STYLE =
  "body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#111;background:#fff}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ccc;overflow-wrap:anywhere;white-space:pre-line}th{border-bottom-color:#111}dl{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.2rem 1rem}dt{color:#555}dd{margin:0;overflow-wrap:anywhere}@media print{body{margin:0;max-width:none;font-size:10pt}tr{break-inside:avoid}thead{display:table-header-group}h2{break-after:avoid}@page{margin:15mm}}";

const facts = (of: readonly (readonly [name: string, value: string])[]): string =>
  `<dl>${of.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join("\n")}</dl>\n`;

function table(
  title: string,
  names: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return `<h2>${escaped(title)}</h2>\n<p>None.</p>\n`;
  const head = names.map((name) => `<th scope="col">${escaped(name)}</th>`).join("");
  const body = rows.map(
    (cells) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`,
  );
  return `<h2>${escaped(title)}</h2>\n<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join("\n")}\n</tbody>\n</table>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&${ENTITIES[character]};`);
