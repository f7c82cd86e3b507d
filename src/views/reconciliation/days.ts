import type { DayView, Figures, ListedDay } from "#api/reconciliation/days.ts";
import { laneDay, observedOf, openingOf } from "#flows/reconciliation/day-money.ts";
import { findDisplayNames, findActedBy } from "#ledger/people/names.ts";
import { findCountedElsewhere } from "#ledger/reconciliation/counted-days.ts";
import {
  type ClosedDay,
  type DayClose,
  findClosedDays,
  findDayCloses,
  findNextDay,
  findOpenBreaks,
  findOpeningBalances,
  hasUnfinishedStatement,
  type OpeningBalance,
} from "#ledger/reconciliation/day-closes.ts";
import { findDayItems, findDayMoney } from "#ledger/reconciliation/day-figures.ts";
import { type DayProposal, findDayProposals } from "#ledger/reconciliation/day-proposals.ts";
import { findStatement } from "#ledger/reconciliation/statements.ts";
import type { Database } from "#ledger/store/database.ts";
import { laneParts } from "#payout/payout.ts";
import {
  CLOSE_REFUSALS,
  type CloseDocument,
  closeRefusal,
  dayState,
  REOPENING_CAUSES,
  type Reopening,
  VERDICTS,
  verdictOf,
} from "#reconciliation/day-close.ts";
import {
  decimal,
  differenceOf,
  type DayFigures,
  figuresOf,
  MOVEMENTS,
} from "#reconciliation/day-figures.ts";
import type { ServerDeps } from "#views/deps.ts";
import { itemView } from "#views/reconciliation/day-items.ts";
import type { Person } from "#views/person.ts";

type ViewDeps = Pick<ServerDeps, "database">;
type NameOf = (actor: string) => { readonly actor: string; readonly name: string };

async function namesOf(database: Database, actors: readonly string[]): Promise<NameOf> {
  const nameOf = await findDisplayNames(database, actors, null);
  return (actor) => ({ actor, name: nameOf(actor).name });
}

const reopeningOf = (reopening: Reopening | null, nameOf: NameOf) =>
  reopening && {
    cause: reopening.cause,
    cause_text: REOPENING_CAUSES[reopening.cause],
    object: reopening.object === "" ? null : reopening.object,
    by: nameOf(reopening.actor),
    at: reopening.at,
  };

/** Returns the observed balance of a version less its computed one. */
const closeDifference = ({ observed, closing }: Pick<DayClose, "observed" | "closing">) =>
  observed && decimal(differenceOf(observed, closing));

const verdictTexts = (close: Pick<DayClose, "observed" | "closing">, breaks: number) => {
  const verdict = verdictOf({ difference: closeDifference(close), open_breaks: breaks });
  return { verdict, verdict_text: VERDICTS[verdict] };
};

/** Returns the closed days of a period, each with its newest version. */
export async function listedDays(
  period: Parameters<typeof findClosedDays>[1],
  { database }: ViewDeps,
): Promise<ListedDay[]> {
  const days = await findClosedDays(database, period);
  const nameOf = await namesOf(
    database,
    days.flatMap(({ reopening }) => (reopening ? [reopening.actor] : [])),
  );
  return days.map((each) => listedDay(each, nameOf));
}

const listedDay = (day: ClosedDay, nameOf: NameOf): ListedDay => ({
  lane: day.lane,
  day: day.day,
  state: dayState({ isReopened: day.reopening !== null }, day.unresolvedBreaks),
  ...verdictTexts(day, day.breaksAtClose),
  version: day.version,
  currency: laneParts(day.lane).currency,
  closing: decimal(day.closing),
  difference: closeDifference(day),
  open_breaks: day.unresolvedBreaks,
  reopening: reopeningOf(day.reopening, nameOf),
});

const figuresView = (
  figures: DayFigures,
  rest: Omit<Figures, "opening" | "movements" | "closing">,
): Figures => ({
  opening: figures.opening,
  movements: MOVEMENTS.map((name) => ({ name, ...figures.movements[name] })),
  closing: figures.closing,
  ...rest,
});

/** Returns the document of a version. */
const documentOf = ({ document }: DayClose): CloseDocument => JSON.parse(document) as CloseDocument;

/** Returns the figures of a closed version. */
function closedFigures(close: DayClose): Figures {
  const {
    observed,
    difference,
    open_breaks: breaks,
    open_payouts: payouts,
    ...document
  } = documentOf(close);
  return figuresView(document, {
    observed: observed?.amount ?? null,
    observed_statement: observed?.statement ?? null,
    difference,
    payouts_without_fee: document.payouts_without_fee,
    payouts_returned_since: document.payouts_returned_since,
    open_payouts: payouts.length,
    open_breaks: breaks.length,
  });
}

/** Computes the figures that a close would have now. Null: the day before is open. */
async function currentFigures(
  first: OpeningBalance,
  day: string,
  { database }: ViewDeps,
): Promise<Figures | null> {
  const { lane } = first;
  const steps = { findDayCloses: findDayCloses.bind(null, database) };
  const opening = await openingOf(first, day, steps);
  if (!opening) return null;
  const asked = laneDay(first, day);
  const [money, statement, breaks] = await Promise.all([
    findDayMoney(database, asked),
    findStatement(database, lane, day),
    findOpenBreaks(database, lane, day),
  ]);
  const { figures, closing } = figuresOf(opening.amount, money.sums);
  const observed = observedOf(statement);
  return figuresView(figures, {
    observed: observed && decimal(observed.amount),
    observed_statement: observed?.shown.statement ?? null,
    difference: observed && decimal(differenceOf(observed.amount, closing)),
    payouts_without_fee: money.withoutFee,
    payouts_returned_since: money.returnedSince,
    open_payouts: money.openPayouts.length,
    open_breaks: breaks.length,
  });
}

/** Number of deposits, returns and manual resolutions that a page lists. */
const ITEMS_MAX = 200;

/** The day of a lane that a person asks for. */
export interface AskedVersion {
  readonly lane: string;
  readonly day: string;
  /** Absent: the newest one, or the figures of now if the day is not closed. */
  readonly version?: number | undefined;
}

/** Returns a version of a day. Null: the day or the version does not exist. */
export async function findVersion(
  { lane, day, version }: AskedVersion,
  { database }: ViewDeps,
): Promise<DayClose | null> {
  const versions = await findDayCloses(database, lane, day);
  return versions.find((each) => version === undefined || each.version === version) ?? null;
}

/**
 * Returns a business day of a lane. Null: the lane's days start later, or no such version exists.
 */
export async function dayView(
  { lane, day, version }: AskedVersion,
  person: Person,
  deps: ViewDeps,
): Promise<DayView | null> {
  const { database } = deps;
  const [first] = await findOpeningBalances(database, lane);
  if (!first || day < first.day) return null;
  const asked = laneDay(first, day);
  const [versions, breaks, proposals, items, elsewhere] = await Promise.all([
    findDayCloses(database, lane, day),
    findOpenBreaks(database, lane, day),
    findDayProposals(database, lane, day),
    findDayItems(database, asked, { limit: ITEMS_MAX }),
    findCountedElsewhere(database, asked),
  ]);
  const [newest] = versions;
  const isClosed = newest !== undefined && newest.reopening === null;
  const wanted = version ?? (isClosed ? newest.version : undefined);
  const shown = versions.find((each) => each.version === wanted);
  if (version !== undefined && !shown) return null;
  const nameOf = await namesOf(database, actorsOf(versions, proposals));
  const own = await findActedBy(
    database,
    person.actor,
    proposals.map((each) => each.proposedBy),
  );
  const { statement, refusal } = await closeFacts(first, day, isClosed, deps);
  return {
    lane,
    day,
    currency: laneParts(lane).currency,
    zone: first.zone,
    starts_at: asked.startsAt.toISOString(),
    ends_at: asked.endsAt.toISOString(),
    state: dayState(newest ? { isReopened: !isClosed } : null, breaks.length),
    version: shown?.version ?? null,
    figures: shown ? closedFigures(shown) : await currentFigures(first, day, deps),
    ...(shown ? verdictTexts(shown, openBreaksOf(shown)) : { verdict: null, verdict_text: null }),
    unresolved_breaks: breaks.length,
    items: items.items.map(itemView),
    items_total: items.total,
    counted_elsewhere: elsewhere.out,
    settled_elsewhere: elsewhere.in,
    proposals: proposals.filter(isOf(shown)).map((each) => ({
      id: each.id,
      kind: each.kind,
      amount: each.amount && decimal(each.amount),
      reason: each.reason,
      by: nameOf(each.proposedBy),
      is_own: own.has(each.proposedBy),
      decided_by: each.decidedBy === null ? null : nameOf(each.decidedBy),
      by_two: each.outcome === "agreed",
    })),
    versions: versions.map((each) => versionView(each, nameOf)),
    statement: statement?.id ?? null,
    statement_file: statement?.fileName ?? null,
    close: {
      may: refusal === null,
      why_not: refusal && CLOSE_REFUSALS[refusal],
      reason: refusal,
    },
  };
}

const versionView = (close: DayClose, nameOf: NameOf) => ({
  version: close.version,
  digest: close.digest,
  by: nameOf(close.actor),
  at: close.at.toISOString(),
  closing: decimal(close.closing),
  difference: closeDifference(close),
  ...verdictTexts(close, openBreaksOf(close)),
  reopening: reopeningOf(close.reopening, nameOf),
});

/**
 * Selects the proposals that were decided before a version that no longer counts; otherwise all.
 * A proposal is decided only while the version for which it was made is the newest one.
 */
const isOf =
  (shown: DayClose | undefined) =>
  ({ version, outcome }: DayProposal): boolean =>
    !shown?.reopening || (version < shown.version && outcome !== null);

const openBreaksOf = (close: DayClose): number => documentOf(close).open_breaks.length;

const actorsOf = (versions: readonly DayClose[], proposals: readonly DayProposal[]) => [
  ...versions.flatMap(({ actor, reopening }) => [actor, reopening?.actor ?? []].flat()),
  ...proposals.flatMap(({ proposedBy, decidedBy }) => [proposedBy, decidedBy ?? []].flat()),
];

/** Returns the statement of the day, and why the day cannot be closed now. Null: it can. */
async function closeFacts(
  first: OpeningBalance,
  day: string,
  isClosed: boolean,
  { database }: ViewDeps,
) {
  const { lane } = first;
  const [next, isUnfinished, statement] = await Promise.all([
    findNextDay(database, lane),
    hasUnfinishedStatement(database, lane, day),
    findStatement(database, lane, day),
  ]);
  const refusal = closeRefusal({
    ...laneDay(first, day),
    now: new Date(),
    firstDay: first.day,
    isClosed,
    areEarlierClosed: next !== null && day <= next,
    hasUnfinishedStatement: isUnfinished,
    statement,
  });
  return { statement, refusal };
}
