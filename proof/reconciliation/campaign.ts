/**
 * Reconciles generated days of two lanes with known defects through the ledger, and compares every
 * stored break with the defects of the simulator. The payouts have all states, settle around
 * midnight, and are listed late or on two statements. Some complete on one day, and payrun records
 * that on the next.
 */
import { sql } from "kysely";
import { systemClock } from "#base/clock.ts";
import { compareDay } from "#flows/reconciliation/compare-day.ts";
import { loadStatement } from "#flows/reconciliation/load-statement.ts";
import type { StatementDeps, StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { Database } from "#ledger/store/database.ts";
import { laneOf } from "#payout/payout.ts";
import { BREAK_CLASSES } from "#reconciliation/break-classes.ts";
import { seededRandom } from "#simulator/faults/seeded-random.ts";
import { ROW_DEFECT_NAMES, type StatementRow } from "#simulator/statements/defects.ts";
import { statementFile, type StatementPlan } from "#simulator/statements/statement-file.ts";
import { fillSettledDay, type SettledDay } from "../../bench/settled-day.ts";
import { COUNTED, ExpectedBreaks, sparedIn } from "./expected-breaks.ts";
import { applyFates, rowsOf } from "./mixed-day.ts";

export interface CampaignOptions {
  readonly days: number;
  /** Payouts of a day in both lanes. */
  readonly rows: number;
  readonly seed: number;
}

export interface CampaignResult {
  readonly lines: number;
  /** Number of expected breaks by class, and of payouts that count on their statement's day. */
  readonly expected: Readonly<Record<string, number>>;
  /** Breaks and counted payouts of the ledger that nothing explains, and those that it lacks. */
  readonly falseBreaks: readonly string[];
  readonly missed: readonly string[];
  /** Cut files that were loaded although the number of their lines was known. */
  readonly loadedDamaged: readonly string[];
  /** Days whose second comparison, with the same file, changed something. */
  readonly notRepeatable: readonly string[];
}

interface Store {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly ownerUrl: string;
}

const MERCHANT = "PROOF";
/** The lanes with their shares of the rows. The first one's statements have lines of the second. */
const LANES = [
  { currency: "INR", share: 4 },
  { currency: "USD", share: 1 },
] as const;
const SHARES = LANES.reduce((sum, { share }) => sum + share, 0);
const DEFECTS_MAX = 6;
/** Every so many days, a file is cut between rows, cut within a row, or balances are given. */
const [TRUNCATED_EVERY, CUT_EVERY, BALANCES_EVERY] = [10, 13, 7];
const FOREIGN_LINES = 3;

const dayAt = (index: number): string =>
  new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);

const isClean = (index: number): boolean => index % BALANCES_EVERY === 3;

function planOf(index: number, seed: number, spared: ReadonlySet<string>): StatementPlan {
  const roll = (name: string) => Math.floor(seededRandom(seed, index, name) * (DEFECTS_MAX + 1));
  const file = [
    ...(roll("shuffled") > DEFECTS_MAX / 2 ? (["shuffled"] as const) : []),
    ...(!isClean(index) && index % TRUNCATED_EVERY === 4 ? (["truncated"] as const) : []),
  ];
  const rows = Object.fromEntries(ROW_DEFECT_NAMES.map((name) => [name, roll(name)]));
  return { seed: seed + index, rows: isClean(index) ? {} : rows, file, spared };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Runs the campaign on an empty ledger. */
export async function runCampaign(
  { days, rows, seed }: CampaignOptions,
  store: Store,
): Promise<CampaignResult> {
  const lanes = LANES.map(({ currency, share }, place) => {
    const payouts = Math.floor((rows * share) / SHARES);
    return new LaneCampaign({ currency, payouts, seed: seed + place * 10_000 }, store);
  });
  for (let index = 0; index < days; index += 1) {
    const foreign: StatementRow[] = [];
    // The second lane first: its rows are also on the statement of the first.
    for (const lane of lanes.toReversed()) {
      foreign.push(...(await lane.reconcile(index, foreign.splice(0))));
    }
  }
  const stored = new Set(await unresolved(store.database));
  const expected = new Set(lanes.flatMap((lane) => [...lane.end()]));
  const counts = [...Object.keys(BREAK_CLASSES), COUNTED].map((kind) => {
    const count = [...expected].filter((name) => name.split(" ")[2] === kind).length;
    return [kind, count] as const;
  });
  return {
    lines: lanes.reduce((sum, lane) => sum + lane.lines, 0),
    expected: Object.fromEntries(counts),
    falseBreaks: [...stored].filter((each) => !expected.has(each)),
    missed: [...expected].filter((each) => !stored.has(each)),
    loadedDamaged: lanes.flatMap((lane) => lane.loadedDamaged),
    notRepeatable: lanes.flatMap((lane) => lane.notRepeatable),
  };
}

/** The statements of one lane, day after day. */
class LaneCampaign {
  readonly #currency: string;
  readonly #payouts: number;
  readonly #seed: number;
  readonly #store: Store;
  readonly #deps: StatementDeps;
  readonly #lane: string;
  readonly #expected: ExpectedBreaks;
  readonly loadedDamaged: string[] = [];
  readonly notRepeatable: string[] = [];
  /** Rows of payouts of the day before. */
  #carried: readonly StatementRow[] = [];
  #spared: readonly string[] = [];
  lines = 0;

  constructor(
    given: { readonly currency: string; readonly payouts: number; readonly seed: number },
    store: Store,
  ) {
    this.#currency = given.currency;
    this.#payouts = given.payouts;
    this.#seed = given.seed;
    this.#store = store;
    this.#deps = { ledger: store.ledger, clock: systemClock };
    this.#lane = laneOf(MERCHANT, given.currency);
    this.#expected = new ExpectedBreaks(this.#lane);
  }

  /** Reconciles one day. Returns rows that may also be on the statement of another lane. */
  async reconcile(index: number, foreign: readonly StatementRow[]): Promise<StatementRow[]> {
    const [lane, currency] = [this.#lane, this.#currency];
    const day: SettledDay = { lane, currency, day: dayAt(index), payouts: this.#payouts };
    await fillSettledDay(this.#store.ownerUrl, day);
    await applyFates(this.#store.ownerUrl, day);
    const all = Array.from({ length: day.payouts }, (_, place) => rowsOf(day, place));
    const own = all.flatMap(({ today }) => today);
    const given = [...this.#carried, ...foreign, ...own];
    const spared = sparedIn(day);
    const plan = planOf(
      index,
      this.#seed,
      new Set([...this.#spared, ...spared, ...foreign.map(({ code }) => code)]),
    );
    const file = statementFile(given, plan);
    this.#expected.addDay(day, file.applied);
    const upload = this.#upload(day, given, index);
    await this.#refuseCut(upload, { given, plan, index });
    await this.#load(upload, file, index);
    this.#carried = all.flatMap(({ tomorrow }) => tomorrow);
    this.#spared = spared;
    return own.filter(({ status }) => status === "Completed").slice(0, FOREIGN_LINES);
  }

  #upload(day: SettledDay, given: readonly StatementRow[], index: number): StatementUpload {
    const balances = isClean(index) ? balancesOf(given, day, index) : null;
    if (balances?.isWrong) this.#expected.add(day.day, "unexplained_movement", "");
    return {
      lane: day.lane,
      account: { currency: day.currency, minorDigits: 2 },
      day: day.day,
      fileName: `${day.day}.csv`,
      actor: "cli:proof",
      open: () => bytesOf(""),
      changes: index === 0 ? { zone: "UTC" } : {},
      isConfirmed: true,
      isReview: false,
      outsideDay: 0,
      control: { lines: null, total: null },
      balances,
    };
  }

  /** Uploads the file cut within a row, and on some days cut between rows, with its line count. */
  async #refuseCut(
    upload: StatementUpload,
    { given, plan, index }: { given: StatementRow[]; plan: StatementPlan; index: number },
  ): Promise<void> {
    if (index === 0 || index % CUT_EVERY !== 0) return;
    const lines = statementFile(given, { ...plan, file: [] }).csv.split("\n").length - 2;
    for (const how of ["cut_row", "truncated"] as const) {
      const { csv } = statementFile(given, { ...plan, file: [how] });
      const control = { lines, total: null };
      const loaded = await loadFile({ ...upload, control }, csv, this.#deps);
      if (loaded.ok) this.loadedDamaged.push(`${upload.lane} ${upload.day} ${how}`);
    }
  }

  async #load(
    upload: StatementUpload,
    { csv }: { readonly csv: string },
    index: number,
  ): Promise<void> {
    const loaded = await loadFile(upload, csv, this.#deps);
    if (!loaded.ok) throw new Error(`${upload.day}: ${JSON.stringify(loaded.error)}`);
    const { statement } = loaded.value;
    this.lines += statement.lines;
    const first = await compareDay(statement, "cli:proof", this.#deps);
    if (!first.ok) throw new Error(first.error);
    if (index % TRUNCATED_EVERY !== 0 || index === 0) return;
    const again = await loadFile({ ...upload, changes: {} }, csv, this.#deps);
    const second = await compareDay(statement, "cli:proof", this.#deps);
    const isSame =
      second.ok && JSON.stringify({ ...first.value, closed: 0 }) === JSON.stringify(second.value);
    if (!again.ok || again.value.isNew || !isSame) this.notRepeatable.push(upload.day);
  }

  /** Returns the expected breaks of all days. */
  end(): ReadonlySet<string> {
    this.#expected.end();
    return this.#expected.names;
  }
}

/** Loads a file, and confirms its lines outside the day. */
async function loadFile(upload: StatementUpload, csv: string, deps: StatementDeps) {
  const open = () => bytesOf(csv);
  const loaded = await loadStatement({ ...upload, open }, deps);
  if (loaded.ok || loaded.error.kind !== "outside_day") return loaded;
  return loadStatement({ ...upload, open, outsideDay: loaded.error.count }, deps);
}

/** The balances of a day, of which every second one has an unexplained debit of 0.01. */
function balancesOf(rows: readonly StatementRow[], { day, currency }: SettledDay, index: number) {
  const minor = (text: string) => BigInt(text.replace(".", ""));
  const from = Date.parse(`${day}T00:00:00Z`);
  const change = rows
    .filter((row) => row.currency === currency && row.at >= from)
    .reduce((sum, { amount, fee, status }) => {
      if (status === "Completed") return sum - minor(amount) - minor(fee);
      return status === "Returned" ? sum + minor(amount) : sum;
    }, 0n);
  const opening = 10n ** 15n;
  const deposits = 123n;
  const isWrong = (index / BALANCES_EVERY) % 2 < 1;
  const closing = opening + deposits + change - (isWrong ? 1n : 0n);
  return { opening, closing, deposits, isWrong };
}

async function unresolved(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select lane || ' ' || day || ' ' || class || ' ' || code as name from breaks
    where state in ('open', 'proposed')
    union all
    select c.lane || ' ' || c.day || ' ' || ${COUNTED}::text || ' ' || d.transaction_code
    from counted_days c join payout_details d on d.payout_id = c.payout_id
    where c.ended_at is null`.execute(database);
  return rows.map(({ name }) => name);
}
