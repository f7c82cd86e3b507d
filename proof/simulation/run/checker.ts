import { type ApprovedRow, CANARY, hundredths, isSameAmount } from "./approved-row.ts";
import { wrongTotals } from "./approved-totals.ts";
import { RetryChains } from "./retry-chains.ts";
import type { TransactionLog, LogEntry } from "#proof/simulation/gateway/transaction-log.ts";
import type { Message } from "#proof/simulation/gateway/message.ts";
import { ResolutionChecker, resultOf } from "#proof/simulation/operators/resolution-checker.ts";
import { ReceivedAnswers } from "./received-answers.ts";
import type { PayoutRow, Tables } from "#proof/simulation/ledger/tables.ts";
import { LaneChecker } from "./lane-checker.ts";
import type { SimProcess } from "#proof/simulation/world/process.ts";
import type { Scenario } from "./scenario.ts";
import { Timetable } from "./timetable.ts";
import type { RequestFate } from "#proof/simulation/gateway/gateway.ts";
import type { Watcher } from "./wire.ts";
import { ENDED, lastState } from "./legal-moves.ts";
import type { World } from "#proof/simulation/world/world.ts";
import type { Faults } from "#proof/simulation/run/fault-injector.ts";

export interface Violation {
  readonly invariant: string;
  readonly what: string;
}

/**
 * Checks the guarantees of payrun at every step and at the end. It tracks three sets and their
 * sums: approved payouts, payouts that the gateway accepted, and payouts that payrun calls
 * settled. It shares no rule with the product and has its own copy of the lifecycle.
 */
export class Checker implements Watcher {
  readonly #tables: Tables;
  readonly #log: TransactionLog;
  readonly #rows = new Map<string, ApprovedRow>();
  /** Includes codes that a restored ledger has lost. */
  readonly #everyRow = new Map<string, ApprovedRow>();
  /** Codes of files that a restore has lost completely. */
  readonly #lost = new Set<string>();
  readonly #sent = new Map<string, number>();
  /** Names that are in the ledger but not in the file. */
  readonly #names = new Map<string, string>();
  /** In progress after a restore, without a gateway answer since. */
  readonly #unqueried = new Set<string>();
  /** Sent in a lost history of the ledger: one wrong "not found" cancels it as unsent. */
  readonly #forgotten = new Set<string>();
  #restoredMs = Infinity;
  readonly #chains: RetryChains;
  readonly #lanes: LaneChecker;
  /** The batch of each occurrence of a schedule. */
  readonly #occurrences = new Map<string, string>();
  readonly timetable = new Timetable();
  readonly #slots: number;
  readonly #world: World;
  /** Whether the ledger has accepted every statement. */
  readonly #isLedgerSound: () => boolean;
  readonly #received = new ReceivedAnswers();
  readonly #resolutions = new ResolutionChecker();
  #seen = 0;
  violation: Violation | null = null;

  constructor(
    tables: Tables,
    log: TransactionLog,
    scenario: Scenario,
    world: World,
    sky: Pick<Faults, "isLedgerSound" | "isClockTrue">,
  ) {
    this.#tables = tables;
    this.#log = log;
    this.#chains = new RetryChains(tables, log, scenario.resendAfterMs, this.#fail.bind(this));
    this.#lanes = new LaneChecker(tables, world, sky, (what) => this.#fail("I13", what));
    this.#slots = scenario.slots;
    this.#world = world;
    this.#isLedgerSound = () => sky.isLedgerSound();
  }

  #fail(invariant: string, what: string): void {
    this.violation ??= { invariant, what };
  }

  /** Compares a batch in the ledger with its file: each row once, each with its own code. */
  addBatch(batchId: string, rows: readonly ApprovedRow[]): void {
    // Lost in a restore while the process that uploaded it slept. It uploads the file again.
    if (this.#restoredMs < Infinity && !this.#tables.batches.has(batchId)) return;
    const stored = this.#tables.payouts.filter((payout) => payout.batchId === batchId);
    if (stored.length !== rows.length) {
      this.#fail("I3", `${batchId} has ${stored.length} payouts for ${rows.length} rows`);
    }
    for (const { line, order } of stored) {
      const row = rows[line - 2];
      const code = order.transactionCode;
      const known = this.#everyRow.get(code);
      if (known && known !== row) this.#fail("I5", `${code} belongs to two rows`);
      if (!row) this.#fail("I5", `${code} belongs to no row`);
      else this.#knows(code, row);
    }
  }

  #knows(code: string, row: ApprovedRow): void {
    this.#rows.set(code, row);
    this.#everyRow.set(code, row);
  }

  /** An occurrence is one batch, however often its tick comes and however its list changes. */
  recordOccurrence(occurrence: string, batchId: string): void {
    const known = this.#occurrences.get(occurrence) ?? batchId;
    this.#occurrences.set(occurrence, known);
    if (known !== batchId) this.#fail("I11", `${known} and ${batchId} belong to one occurrence`);
  }

  allowSecondPayment(batchId: string): void {
    this.#chains.addBatch(batchId, this.#rows);
    for (const [code, row] of this.#rows) this.#everyRow.set(code, row);
  }

  /** After a restore, payouts in progress must be queried before any payout is sent (F26). */
  restored(): void {
    this.#restoredMs = this.#world.nowMs;
    this.#log.restored();
    for (const [code] of this.#rows) {
      if (this.#tables.byCode.has(code)) continue;
      this.#rows.delete(code);
      this.#names.delete(code);
      const wasSent = this.#sent.delete(code);
      // A retry batch that is created again has the same codes as the lost one.
      if (wasSent) this.#forgotten.add(code);
      if (!this.#chains.has(code)) this.#lost.add(code);
    }
    for (const [occurrence, batchId] of this.#occurrences) {
      if (!this.#tables.batches.has(batchId)) this.#occurrences.delete(occurrence);
    }
    this.timetable.restored();
    for (const { state, attempted, order } of this.#tables.payouts) {
      const code = order.transactionCode;
      const sent = this.#sent.get(code) ?? 0;
      this.#sent.set(code, Math.min(sent, attempted.length));
      if (sent > attempted.length) this.#forgotten.add(code);
      if (!ENDED.has(state)) this.#unqueried.add(code);
      if (order.details.account_name !== this.#names.get(code)) this.#names.delete(code);
    }
  }

  recordRequest(proc: SimProcess, { kind, code, fields }: Message): void {
    if (kind !== "payout") return;
    // Asleep since before the restore, with its clock set back: no clock shows that it is late.
    const hasSlept = proc.pausedUntilMs >= this.#restoredMs;
    if (!hasSlept && this.#unqueried.has(code)) {
      this.#fail("I1", `${code} is sent after a restore, before it was queried`);
    }
    const row = this.#rows.get(code);
    const payout = this.#tables.byCode.get(code);
    if (!row || !payout) return this.#fail("I5", `${code} is sent and belongs to no row`);
    const sent = (this.#sent.get(code) ?? 0) + 1;
    this.#sent.set(code, sent);
    if (!hasSlept && payout.attempted.length < sent) {
      this.#fail("I4", `${code} is sent ${sent} times with ${payout.attempted.length} attempts`);
    }
    const earlyMs = this.timetable.earlyMs(payout.batchId, this.#world.nowMs);
    if (earlyMs !== null) this.#fail("I7", `${code} is sent ${earlyMs} ms too early`);
    const by = payout.attempted.at(-1)?.worker;
    if (ENDED.has(payout.state) || payout.state === "awaiting_approval") {
      this.#fail("I7", `${code} is sent although it is ${payout.state}, by ${proc.name} (${by})`);
    }
    const differs =
      !isSameAmount(fields.get("transaction_amount") ?? "", row.amount) ||
      fields.get("currency_code") !== row.currency ||
      fields.get("bank_account_number") !== row.account ||
      fields.get("account_name") !== (this.#names.get(code) ?? row.name);
    if (differs) this.#fail("I7", `${code} is sent with content other than approved`);
  }

  recordAnswer(proc: SimProcess, { kind, code }: Message, fate: RequestFate): void {
    if (kind === "status") this.#unqueried.delete(code);
    if (kind !== "payout") return;
    this.#received.add(code, proc);
    this.#lanes.recordAnswer(proc, code, fate);
  }

  /** The row was stored like this, whatever its file said: a mistake that the row check missed. */
  recordStoredName(code: string, name: string): void {
    this.#names.set(code, name);
  }

  recordInFlight(proc: SimProcess, count: number): void {
    if (count > this.#slots) this.#fail("I13", `${proc.name} has ${count} requests in flight`);
  }

  /** The gateway has moved money. */
  recordMoneyMoved({ code, times }: LogEntry): void {
    if (times > 1 && !this.#log.broken.has(code))
      this.#fail("I1", `${code} is paid ${times} times`);
  }

  /** An action on many payouts did something other than its preview announced. */
  recordWrongAction(what: string): void {
    this.#fail("I15", what);
  }

  /** Text that leaves the process: log lines, jobs, errors. */
  checkText(text: string): void {
    if (text.includes(CANARY)) this.#fail("I14", `an account number in ${text.slice(0, 200)}`);
  }

  /** Checks the changes in the ledger since the previous call. */
  checkChanges(): void {
    const { journal } = this.#tables;
    for (; this.#seen < journal.length; this.#seen += 1) {
      this.#checkPayout(journal[this.#seen] as PayoutRow);
    }
  }

  #checkPayout(payout: PayoutRow): void {
    const { transitions, order, evidence } = payout;
    const code = order.transactionCode;
    const { state, wrong } = lastState(transitions, this.#restoredMs < Infinity);
    if (wrong !== null) this.#fail("I8", `${code}: ${wrong}`);
    const isCalledUnsent = state === "approved" && transitions.length > 1;
    // A deferred payout is sent again, and the gateway refuses it then: docs/operate/restore.md.
    if (isCalledUnsent && !this.#forgotten.has(code) && this.#isAccepted(code)) {
      this.#fail("I9", `${code} is reported unsent, but the gateway has accepted it`);
    }
    if (state === "submitting") {
      this.#chains.recordClaim(payout);
      this.#lanes.recordClaim(payout);
    }
    const unlisted = this.#resolutions.whyUnlisted(payout, this.#tables);
    if (unlisted !== null) this.#fail("I9", unlisted);
    if (state === "cancelled" || state === "resolved") this.#compare(code, resultOf(payout));
    const proof = evidence.at(-1);
    this.checkText(payout.reason ?? "");
    if (proof) this.checkText(JSON.stringify(proof.facts));
    const told = this.#log.statementsAbout(code);
    if (state === "accepted" && !told.known) {
      this.#fail("I9", `${code} is accepted, but the gateway never reported that`);
    }
    if (state !== "settled" && state !== "declined" && state !== "returned") return;
    if (!this.#log.proves(code, state) || (proof?.kind !== "status" && proof?.kind !== "answer")) {
      this.#fail("I9", `${code} is ${state}, but the gateway never reported that`);
    }
    this.#compare(code, state);
  }

  /** Whether the gateway has accepted our request and never contradicted itself about the code. */
  #isAccepted(code: string): boolean {
    const entry = this.#log.entries.get(code);
    return !!entry && !entry.isBurned && !entry.isForeign && !this.#log.broken.has(code);
  }

  /** Compares settled, declined, returned and cancelled payouts with what the gateway did. */
  #compare(code: string, state: string): void {
    if (this.#log.broken.has(code)) return;
    if (this.#forgotten.has(code) && state === "cancelled") return; // a known gap: docs/operate/restore.md
    const entry = this.#log.entries.get(code);
    const money = this.#log.moneyMovedFor(code, this.#world.nowMs);
    const isPaid = entry?.fate === "completed" && money !== "pending" && money !== null;
    const isWrong =
      state === "settled" || state === "returned"
        ? !isPaid || (state === "returned" && !entry.isReversed)
        : money === "pending" || money === "completed";
    if (isWrong) this.#fail("I9", `${code} is ${state}, but the log says ${money}`);
  }

  /** When everything should be at rest: sets and sums. */
  end(): void {
    this.checkChanges();
    const sums = new Map<string, { approved: bigint; here: bigint }>();
    let payouts = 0;
    for (const payout of this.#tables.payouts) {
      const { state, order } = payout;
      const code = order.transactionCode;
      const row = this.#rows.get(code);
      payouts += 1;
      if (!row) return this.#fail("I5", `${code} belongs to no row`);
      if (!ENDED.has(state)) this.#fail("I2", `${code} is ${state}, and no further work is due`);
      if (state !== "on_hold") this.#compare(code, resultOf(payout));
      const sum = sums.get(row.currency) ?? { approved: 0n, here: 0n };
      sum.approved += hundredths(row.amount);
      sum.here += order.money.minor * 10n ** BigInt(2 - order.money.minorDigits);
      sums.set(row.currency, sum);
    }
    if (payouts !== this.#rows.size) this.#fail("I2", `${this.#rows.size - payouts} rows missing`);
    for (const [currency, { approved, here }] of sums) {
      if (approved !== here) this.#fail("I3", `${currency}: ${approved} approved, ${here} here`);
    }
    for (const [code] of this.#log.entries) {
      if (!this.#everyRow.has(code)) this.#fail("I5", `the gateway has ${code}, not a row`);
    }
    this.#chains.end(this.#world.nowMs, (code) => this.#everyRow.get(code), this.#lost);
    if (this.#isLedgerSound()) this.#received.end(this.#tables, (what) => this.#fail("I9", what));
    for (const what of wrongTotals(this.#tables, this.#rows)) this.#fail("I3", what);
    for (const { id, state } of this.#tables.batches.values()) {
      const isOver = state.startsWith("finished") || state === "cancelled";
      if (!isOver) this.#fail("I2", `batch ${id} is ${state}, and no further work is due`);
    }
  }

  /** Payouts that the gateway paid twice because it broke a condition of the guarantee. */
  get paidTwiceByBreach(): number {
    const entries = [...this.#log.entries.values()];
    return entries.filter(({ times }) => times > 1).length + this.#chains.denied;
  }
}
