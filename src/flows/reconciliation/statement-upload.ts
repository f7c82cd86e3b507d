import type { Clock } from "#base/clock.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { Statement, StatementBalances } from "#ledger/reconciliation/statements.ts";
import type { ExactAmount } from "#reconciliation/records.ts";
import type { StatementField, StatementMapping } from "#reconciliation/statement-mapping.ts";
import type { StatementAccount } from "#reconciliation/statement-reader.ts";
import type { StatementProblem } from "#reconciliation/statement-table.ts";

export interface StatementDeps {
  readonly ledger: LedgerSteps;
  readonly clock: Pick<Clock, "nowMs">;
}

/** A statement of one lane and business day that a person wants to load. */
export interface StatementUpload {
  readonly lane: string;
  readonly account: StatementAccount;
  /** "2026-11-26" */
  readonly day: string;
  readonly fileName: string;
  readonly actor: string;
  /** Opens the file. It is opened again for its header or its digest. */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Choices of a person. They replace those of the stored or suggested mapping. */
  readonly changes: Partial<StatementMapping>;
  /** True: the person has seen the mapping and wants to store it. */
  readonly isConfirmed: boolean;
  /** True: the person wants to see the mapping. The statement is not loaded. */
  readonly isReview: boolean;
  /** Number of lines with a time outside the day that the person has confirmed. */
  readonly outsideDay: number;
  /** Number of lines and sum of their amounts, as the back office shows them. Null: not given. */
  readonly control: {
    readonly lines: number | null;
    readonly total: ExactAmount | null;
  };
  /** Null: not given. */
  readonly balances: StatementBalances | null;
}

/** The lines of a statement as an unconfirmed mapping reads them. */
export interface StatementReview {
  readonly lines: number;
  /** Sum of the amounts in the currency of the account, without signs. */
  readonly total: ExactAmount;
  /** Number of lines with a time outside the day. */
  readonly outsideDay: number;
  /** The first rows that cannot be read. */
  readonly problems: readonly StatementProblem[];
}

/** A mapping that a person must confirm before the statement is loaded. */
export interface MappingQuestion {
  readonly kind: "mapping_unconfirmed";
  readonly mapping: StatementMapping;
  /** The names of all columns in the file. */
  readonly names: readonly string[];
  /** The first values of each column. */
  readonly samples: readonly (readonly string[])[];
  readonly missing: readonly StatementField[];
  /** Null: the mapping cannot read the file. */
  readonly review: StatementReview | null;
  /** False: the request was made by an API key or a process, which cannot confirm a mapping. */
  readonly isByPerson: boolean;
}

/** Lines with a time outside the day, which a person must confirm. */
export interface OutsideDay {
  readonly kind: "outside_day";
  readonly count: number;
}

export type LoadRefusal =
  | MappingQuestion
  | OutsideDay
  | { readonly kind: "unreadable"; readonly problems: readonly StatementProblem[] };

export interface LoadedStatement {
  /** A proposed statement is compared after an approver has confirmed it. */
  readonly statement: Statement;
  readonly mapping: StatementMapping & { readonly version: number };
  /** False: this file had been loaded before. */
  readonly isNew: boolean;
}
