/** Changes of breaks by other people, and new comparisons of their days. */
import { Client } from "pg";
import { systemClock } from "#base/clock.ts";
import { applyBreakAction, previewBreakAction } from "#flows/reconciliation/break-actions.ts";
import { compareDay } from "#flows/reconciliation/compare-day.ts";
import { decideProposedStatement } from "#flows/reconciliation/decide-statement.ts";
import { loadStatement } from "#flows/reconciliation/load-statement.ts";
import { stepOnBreak, type StepOnBreak } from "#flows/reconciliation/work-breaks.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { Database } from "#ledger/store/database.ts";
import { statementFile } from "#simulator/statements/statement-file.ts";
import { fillSettledDay, type SettledDay, statementRowsOf } from "../../bench/settled-day.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";

/** A ledger without breaks. */
export interface BreakStore {
  readonly database: Database;
  readonly ledger: Ledger;
  /** The address of the database as a superuser. */
  readonly ownerUrl: string;
}

export interface Random {
  /** A whole number from 0 up to, but without, this one. */
  below(end: number): number;
  isTrue(share: number): boolean;
  pick<T>(all: readonly T[]): T;
}

/** The person whose actions are checked. No other step acts as this person. */
export const CHECKED = "user:CHECKED";
const OTHERS = ["user:OTHER", "user:THIRD"] as const;
const UPLOADER = "cli:proof";

const DAYS: readonly SettledDay[] = ["INR", "USD"].flatMap((currency) =>
  ["2026-11-25", "2026-11-26"].map((day) => ({
    lane: `PROOF/${currency}`,
    currency,
    day,
    payouts: 8,
  })),
);
/**
 * The maximum number of each defect; a statement has this many or one less. Most rows have another
 * amount on each statement.
 */
const DEFECTS = { plus_one: 3, minus_one: 3, missing: 1, wrong_fee: 1, doubled: 1 } as const;

type Kind = "assign" | "comment" | "propose" | "replace" | "decide" | "several" | "reconcile";
const KINDS: readonly Kind[] = [
  "assign",
  "comment",
  "propose",
  "propose",
  "replace",
  "decide",
  "decide",
  "several",
  "reconcile",
  "reconcile",
];

/** Makes random changes. */
export class BreakChanges {
  readonly #store: BreakStore;
  readonly #random: Random;
  /** The statements of one lane are loaded one after another. */
  readonly #loading = new Map<string, Promise<void>>();
  readonly counts: Record<Kind, number> = {
    assign: 0,
    comment: 0,
    propose: 0,
    replace: 0,
    decide: 0,
    several: 0,
    reconcile: 0,
  };

  constructor(store: BreakStore, random: Random) {
    this.#store = store;
    this.#random = random;
  }

  /** Creates the people and the breaks of all days. */
  async start(): Promise<void> {
    const client = new Client({ connectionString: this.#store.ownerUrl });
    await client.connect();
    try {
      const ids = [CHECKED, ...OTHERS].map((actor) => actor.slice("user:".length));
      await client.query(
        `insert into payrun.users (id, email, name, roles, password)
          select id, lower(id) || '@payer.example', id, '{operator,approver}', 'x'
          from unnest($1::text[]) id`,
        [ids],
      );
    } finally {
      await client.end();
    }
    for (const day of DAYS) {
      await fillSettledDay(this.#store.ownerUrl, day);
      await this.#reconcile(day, this.#random.below(2 ** 31));
    }
  }

  place(): { readonly lane: string; readonly day: string } {
    const { lane, day } = this.#random.pick(DAYS);
    return { lane, day };
  }

  assignee(): string {
    return this.#random.pick(OTHERS);
  }

  /**
   * Makes this number of changes at the same time, many of them to these breaks. All random choices
   * are made before they start.
   */
  async several(count: number, previewed: readonly number[]): Promise<void> {
    if (count === 0) return;
    const { breaks } = await snapshotOf(this.#store.database);
    const all = [...breaks.keys()];
    const chosen = Array.from({ length: count }, () =>
      this.#choose(previewed.length > 0 && this.#random.isTrue(0.7) ? previewed : all, breaks),
    );
    await Promise.all(
      chosen.map(async ([kind, change]) => {
        this.counts[kind] += 1;
        await change();
      }),
    );
  }

  #choose(ids: readonly number[], breaks: Snapshot["breaks"]): [Kind, () => Promise<unknown>] {
    const random = this.#random;
    const kind = random.pick(KINDS);
    const actor = random.pick(OTHERS);
    const id = random.pick(ids);
    const step = (made: (proposal: number) => StepOnBreak) => () => this.#step(id, actor, made);
    const agree = random.isTrue(0.6);
    // A new statement of the day that the action is about: its breaks often get other values.
    const { lane, day: date } = breaks.get(id) ?? {};
    const day = DAYS.find((each) => each.lane === lane && each.day === date) ?? random.pick(DAYS);
    const seed = random.below(2 ** 31);
    const some = [random.pick(ids), random.pick(ids), random.pick(ids), random.pick(ids)];
    const action = random.pick(["assign", "propose", "confirm", "reject"] as const);
    const changes: Record<Kind, () => Promise<unknown>> = {
      assign: step(() => ({ kind: "assign", assignee: agree ? actor : null })),
      comment: step(() => ({ kind: "comment", text: "status query sent" })),
      propose: step(() => ({ kind: "propose", explanation: `by ${actor}` })),
      replace: () => this.#replaceProposal(id, actor),
      decide: step((proposal) => ({ kind: "decide", agree, proposal })),
      several: () => this.#actOnSeveral(action, some, actor),
      reconcile: () => this.#inTurn(day.lane, () => this.#reconcile(day, seed)),
    };
    return [kind, changes[kind]];
  }

  async #step(id: number, actor: string, made: (proposal: number) => StepOnBreak): Promise<void> {
    const { ledger } = this.#store;
    const found = await ledger.reconciliation.findBreak(id);
    if (!found) throw new Error(`there is no break ${id}`);
    const seen = { id, version: found.version, actor };
    // The ledger may refuse the step, as it would a person whose page is old.
    await stepOnBreak(seen, made(found.proposalId ?? 0), { ledger, clock: systemClock });
  }

  /** Another proposal for the same difference. One of the two may not refuse their own. */
  async #replaceProposal(id: number, actor: string): Promise<void> {
    for (const other of OTHERS) {
      await this.#step(id, other, (proposal) => ({ kind: "decide", agree: false, proposal }));
    }
    await this.#step(id, actor, () => ({ kind: "propose", explanation: `again by ${actor}` }));
  }

  async #actOnSeveral(
    action: "assign" | "propose" | "confirm" | "reject",
    chosen: readonly number[],
    actor: string,
  ): Promise<void> {
    const deps = { ledger: this.#store.ledger, clock: systemClock };
    const seen = await previewBreakAction({ action, chosen, actor }, deps);
    if (!seen.ok) throw new Error(seen.error);
    const input = { assignee: actor, explanation: `several by ${actor}` };
    await applyBreakAction({ id: seen.value.id, actions: [action], actor, ...input }, deps);
  }

  /** Loads another statement of a day, confirms it if it replaces one, and compares it. */
  async #reconcile(day: SettledDay, seed: number): Promise<void> {
    const deps = { ledger: this.#store.ledger, clock: systemClock };
    const rows = Object.fromEntries(
      Object.entries(DEFECTS).map(([name, most], place) => [
        name,
        most - ((seed >> (place * 3)) % 2),
      ]),
    );
    const { csv } = statementFile(statementRowsOf(day), { seed, rows, file: [] });
    const loaded = await loadStatement(uploadOf(day, csv), deps);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const { statement } = loaded.value;
    if (statement.state === "proposed") {
      const decision = { id: statement.id, agree: true, actor: "user:THIRD" };
      const decided = await decideProposedStatement(decision, deps);
      if (!decided.ok) throw new Error(decided.error);
    }
    const compared = await compareDay(statement, UPLOADER, deps);
    if (!compared.ok) throw new Error(compared.error);
  }

  async #inTurn(lane: string, work: () => Promise<void>): Promise<void> {
    const previous = this.#loading.get(lane) ?? Promise.resolve();
    const own = previous.then(work, work);
    this.#loading.set(lane, own);
    await own;
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const uploadOf = ({ lane, currency, day }: SettledDay, csv: string) => ({
  lane,
  account: { currency, minorDigits: 2 },
  day,
  fileName: `${day}.csv`,
  actor: UPLOADER,
  open: () => bytesOf(csv),
  changes: { zone: "UTC" },
  isConfirmed: true,
  isReview: false,
  outsideDay: 0,
  control: { lines: null, total: null },
  balances: null,
});
