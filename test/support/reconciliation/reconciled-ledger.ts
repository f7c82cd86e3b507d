import { sql } from "kysely";
import { Client } from "pg";
import { afterEach, beforeEach } from "vitest";
import { systemClock } from "#base/clock.ts";
import { compareDay } from "#flows/reconciliation/compare-day.ts";
import { decideProposedStatement } from "#flows/reconciliation/decide-statement.ts";
import { loadStatement } from "#flows/reconciliation/load-statement.ts";
import type { StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import { findBreaks } from "#ledger/reconciliation/breaks.ts";
import { insertUser } from "#ledger/people/users.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { fillSettledDay, type SettledDay } from "../../../bench/settled-day.ts";
import { openTestLedger, type TestLedger } from "../ledger.ts";
import { asTestOwner } from "../servers/postgres.ts";
import { SETTLED_DAY, uploadOf } from "./statement-of-day.ts";

export const LANE = SETTLED_DAY.lane;
/** The day of which each test has settled payouts, and the next one. */
export const DAY: SettledDay = { ...SETTLED_DAY, payouts: 20 };
export const NEXT: SettledDay = { ...DAY, day: "2026-11-27" };

type Changes = Partial<StatementUpload>;

/** A ledger with settled payouts for each test of a file, and the steps of a reconciliation. */
export class ReconciledLedger {
  #open: TestLedger | null = null;

  constructor() {
    beforeEach(async () => {
      this.#open = await openTestLedger();
      await this.addPayouts(DAY);
    });
    afterEach(() => this.open.close());
  }

  get open(): TestLedger {
    if (!this.#open) throw new Error("no test is running");
    return this.#open;
  }

  get database(): TestLedger["database"] {
    return this.open.database;
  }

  deps() {
    return { ledger: this.open.ledger, clock: systemClock };
  }

  addPayouts(day: SettledDay): Promise<void> {
    return fillSettledDay(asTestOwner(this.open.url), day);
  }

  /** Loads a statement. The first one of a lane stores its mapping. */
  async load(csv: string, changes: Changes = {}) {
    const { lane = LANE } = changes;
    const known = await this.open.ledger.reconciliation.findStatementMapping(lane);
    const first = known ? {} : { changes: { zone: "UTC" } };
    return loadStatement(uploadOf(csv, { ...first, ...changes }), this.deps());
  }

  /** Loads and compares a statement. An approver confirms it if it replaces another one. */
  async reconcile(csv: string, changes: Changes = {}, approver: string | null = null) {
    const loaded = await this.load(csv, changes);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const { id } = loaded.value.statement;
    if (approver !== null) {
      await decideProposedStatement({ id, agree: true, actor: approver }, this.deps());
    }
    return { ...loaded.value, ...(await this.compare(loaded.value.statement)) };
  }

  async compare(statement: { readonly id: string; readonly lane: string }) {
    const compared = await compareDay(statement, "cli:asha", this.deps());
    if (!compared.ok) throw new Error(compared.error);
    return compared.value;
  }

  /** The unresolved breaks, such as "2026-11-26 amount". */
  async unresolved(): Promise<string[]> {
    const found = await findBreaks(this.database, { limit: 100 });
    return found.map((each) => `${each.day} ${each.class}`).toSorted();
  }

  async breakOf(kind: string) {
    const found = await findBreaks(this.database, { limit: 100 });
    const first = found.find((each) => each.class === kind);
    if (!first) throw new Error(`there is no break ${kind}`);
    return first;
  }

  async audit(): Promise<{ action: string; facts: Record<string, unknown> }[]> {
    const { rows } = await sql<{ action: string; facts: string }>`
      select action, facts from audit order by seq`.execute(this.database);
    return rows.map(({ action, facts }) => ({ action, facts: JSON.parse(facts) }));
  }

  async person(role: "operator" | "approver", name: string = role): Promise<string> {
    const user = { email: `${name}@example.com`, name, roles: [role], at: new Date() };
    return `user:${await insertUser(this.database, user)}`;
  }

  /** Moves a payout at a time, as the gateway's answers would have done. */
  move(code: string, to: PayoutState, at: string): Promise<void> {
    const payout = `(select payout_id from payout_details where transaction_code = '${code}')`;
    return this.change(
      `update payouts set state = '${to}', seq = seq + 1 where id = ${payout};
       insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
       select id, seq, 'test', 'accepted', '${to}', 'test', '${at}' from payouts where id = ${payout}`,
    );
  }

  /** Changes stored rows as a superuser, without triggers. */
  async change(statement: string): Promise<void> {
    const client = new Client({ connectionString: asTestOwner(this.open.url) });
    await client.connect();
    try {
      const settings = "set session_replication_role = replica; set search_path to payrun";
      await client.query(`${settings}; ${statement}`);
    } finally {
      await client.end();
    }
  }
}
