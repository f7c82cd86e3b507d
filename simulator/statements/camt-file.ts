import { seededRandom } from "#simulator/faults/seeded-random.ts";
import { scaled, unscaled } from "#simulator/state/transaction-log.ts";
import { type AppliedDefect, damaged, type StatementRow } from "./defects.ts";
import type { DayBalances, DepositRow } from "./statement-day.ts";
import type { StatementPlan } from "./statement-file.ts";

/** The account and day of a statement. */
export interface CamtAccount {
  readonly merchant: string;
  readonly currency: string;
  /** "2026-11-26" */
  readonly day: string;
  readonly balances: Pick<DayBalances, "opening" | "closing">;
  readonly deposits: readonly DepositRow[];
}

/** A statement as camt.053.001.08, and the defects that it contains. */
export interface CamtFile {
  readonly xml: string;
  readonly applied: readonly AppliedDefect[];
}

/**
 * Writes a statement as camt.053 with the planned defects. The same plan gives the same bytes. The
 * totals count every entry, so a reader can detect a truncated file.
 */
export function camtFile(
  given: readonly StatementRow[],
  plan: StatementPlan,
  account: CamtAccount,
): CamtFile {
  const { rows, applied } = damaged(given, plan);
  const entries = [...rows.map(payoutEntry), ...account.deposits.map(depositEntry(account))];
  const isCut = plan.file.includes("truncated") || plan.file.includes("cut_row");
  const share = isCut ? 0.5 + seededRandom(plan.seed, "cut") / 2 : 1;
  const kept = entries.slice(0, Math.floor(entries.length * share));
  const order = plan.file.includes("shuffled") ? plan.seed : null;
  const xml = [
    ...head(account, entries),
    ...kept.map((entry) => entryText(entry, order)),
    ...(plan.file.includes("cut_row") ? [] : ["</Stmt></BkToCstmrStmt></Document>", ""]),
  ].join("\n");
  // The last entry is cut anywhere, also within a tag.
  const cut = Math.floor(seededRandom(plan.seed, "cut row") * entryText(kept.at(-1), order).length);
  return { xml: plan.file.includes("cut_row") ? xml.slice(0, xml.length - cut) : xml, applied };
}

/** An entry, with the elements that follow its direction. */
interface Entry {
  readonly amount: string;
  readonly currency: string;
  readonly isDebit: boolean;
  readonly parts: readonly string[];
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const money = (name: string, amount: string, currency: string): string =>
  `<${name} Ccy="${escaped(currency)}">${amount}</${name}>`;

/** ISO 20022 has no status for a payout that failed, so the bank states its own. */
const STATUSES: Readonly<Record<StatementRow["status"], string>> = {
  Completed: "<Cd>BOOK</Cd>",
  Returned: "<Cd>BOOK</Cd>",
  Pending: "<Cd>PDNG</Cd>",
  Failed: "<Prtry>Failed</Prtry>",
};

function payoutEntry(row: StatementRow): Entry {
  const { amount, currency, fee, status } = row;
  const isReturn = status === "Returned";
  const hasCharge = !isReturn && scaled(fee) > 0n;
  const charge = `<Chrgs><Rcrd>${money("Amt", fee, currency)}<CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>`;
  const details = `<AmtDtls><TxAmt>${money("Amt", amount, currency)}</TxAmt></AmtDtls>`;
  return {
    amount: hasCharge ? unscaled(scaled(amount) + scaled(fee)) : amount,
    currency,
    isDebit: !isReturn,
    parts: [
      ...(isReturn ? ["<RvslInd>true</RvslInd>"] : []),
      `<Sts>${STATUSES[status]}</Sts>`,
      ...times(row.at),
      ...(hasCharge ? [charge] : []),
      transaction(row.code, row.number, details),
    ],
  };
}

const depositEntry =
  ({ currency }: CamtAccount) =>
  ({ amount, code, number, at }: DepositRow): Entry => ({
    amount,
    currency,
    isDebit: false,
    parts: [`<Sts>${STATUSES.Completed}</Sts>`, ...times(at), transaction(code, number, "")],
  });

function times(at: number): readonly string[] {
  const time = `<DtTm>${new Date(at).toISOString()}</DtTm>`;
  const kind = "<BkTxCd><Prtry><Cd>PAYOUT</Cd></Prtry></BkTxCd>";
  return [`<BookgDt>${time}</BookgDt>`, `<ValDt>${time}</ValDt>`, kind];
}

const transaction = (code: string, number: string, details: string): string => {
  const ids = `<EndToEndId>${escaped(code)}</EndToEndId><TxId>${escaped(number)}</TxId>`;
  return `<NtryDtls><TxDtls><Refs>${ids}</Refs>${details}</TxDtls></NtryDtls>`;
};

/** Writes an entry, or "" for none. A seed puts its elements into another order. */
function entryText(entry: Entry | undefined, seed: number | null): string {
  if (!entry) return "";
  const { amount, currency, isDebit, parts } = entry;
  const direction = `<CdtDbtInd>${isDebit ? "DBIT" : "CRDT"}</CdtDbtInd>`;
  const all = [money("Amt", amount, currency), direction, ...parts];
  const ordered =
    seed === null
      ? all
      : all
          .map((part, at) => ({ part, order: seededRandom(seed, "element", at) }))
          .toSorted((left, right) => left.order - right.order)
          .map(({ part }) => part);
  return `<Ntry>${ordered.join("")}</Ntry>`;
}

function head(account: CamtAccount, entries: readonly Entry[]): readonly string[] {
  const { merchant, currency, day, balances } = account;
  const balance = (type: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money("Amt", amount.replace("-", ""), currency)}<CdtDbtInd>${amount.startsWith("-") ? "DBIT" : "CRDT"}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const count = (name: string, all: readonly Entry[]) => {
    const sum = unscaled(all.reduce((total, { amount }) => total + scaled(amount), 0n));
    return `<${name}><NbOfNtries>${all.length}</NbOfNtries><Sum>${sum}</Sum></${name}>`;
  };
  const totals = [
    count("TtlNtries", entries),
    ...[false, true].map((isDebit) =>
      count(
        isDebit ? "TtlDbtNtries" : "TtlCdtNtries",
        entries.filter((entry) => entry.isDebit === isDebit),
      ),
    ),
  ];
  const id = escaped(`${merchant}-${currency}-${day}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
    `<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${day}T23:59:59Z</CreDtTm></GrpHdr>`,
    `<Stmt><Id>${id}</Id><CreDtTm>${day}T23:59:59Z</CreDtTm>`,
    `<Acct><Id><Othr><Id>${escaped(merchant)}</Id></Othr></Id><Ccy>${escaped(currency)}</Ccy></Acct>`,
    balance("OPBD", balances.opening),
    balance("CLBD", balances.closing),
    `<TxsSummry>${totals.join("")}</TxsSummry>`,
  ];
}
