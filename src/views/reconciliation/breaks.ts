import type { BreakItem, BreakView } from "#api/reconciliation/breaks.ts";
import { findBeneficiaries } from "#ledger/approval/beneficiaries.ts";
import { type Break, findBreak, findBreakEvents } from "#ledger/reconciliation/breaks.ts";
import { findActedBy, findDisplayNames } from "#ledger/people/names.ts";
import { BREAK_CLASSES } from "#reconciliation/break-classes.ts";
import { formatMoney } from "#money/format.ts";
import { differenceOf } from "#reconciliation/break-difference.ts";
import { CLOSING_BALANCE } from "#reconciliation/day-close.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";

type ViewDeps = Pick<ServerDeps, "database" | "sealer">;

/** Returns breaks as a person sees them. */
export async function breakItems(
  breaks: readonly Break[],
  person: Person,
  { database, sealer }: ViewDeps,
): Promise<BreakItem[]> {
  const actors = breaks.flatMap(({ assignee, proposedBy, decidedBy }) =>
    [assignee ?? [], proposedBy ?? [], decidedBy ?? []].flat(),
  );
  const nameOf = await findDisplayNames(database, actors, null);
  const own = await findActedBy(database, person.actor, actors);
  const payouts = breaks.map(({ payoutId }) => payoutId);
  const beneficiaries = await findBeneficiaries(database, sealer, payouts);
  const personOf = (actor: string) => ({ actor, name: nameOf(actor).name });
  return breaks.map((each) => ({
    id: each.id,
    lane: each.lane,
    day: each.day,
    class: each.class,
    class_text: BREAK_CLASSES[each.class],
    code: isAboutBalance(each) ? null : each.code,
    has_payout: each.hasPayout,
    beneficiary: (each.payoutId !== null && beneficiaries.get(each.payoutId)?.name) || null,
    batch_id: each.batchId,
    batch_name: each.batchName,
    settled_at: each.settledAt?.toISOString() ?? null,
    ledger_shows: each.ledgerShows === null ? null : withStateNames(each.ledgerShows),
    statement_shows: each.statementShows,
    difference: differenceView(each),
    file_name: each.fileName,
    lines: [...each.lines],
    state: each.state,
    version: each.version,
    assigned_to: each.assignee === null ? null : personOf(each.assignee),
    found_at: each.foundAt.toISOString(),
    proposal: proposalOf(each, personOf, own),
    resolution: resolutionOf(each, personOf),
  }));
}

function differenceView(found: Break): BreakItem["difference"] {
  const difference = differenceOf(found);
  return difference && { currency: difference.currency, amount: formatMoney(difference) };
}

/** Writes the states of payouts in a stored text as names: "on hold, 10.00 INR". */
const withStateNames = (text: string): string =>
  text.replaceAll(
    /(?<=^|[,;:] |showed )(?:on_hold|in_doubt|held_back|awaiting_approval)\b/g,
    (state) => state.replace("_", " "),
  );

const isAboutBalance = ({ code }: Break): boolean => code === "" || code === CLOSING_BALANCE;

type PersonOf = (actor: string) => { actor: string; name: string };

function proposalOf(found: Break, personOf: PersonOf, own: ReadonlySet<string>) {
  const { proposalId: id, explanation, proposedBy, outcome } = found;
  if (id === null || explanation === null || proposedBy === null || outcome !== null) return null;
  return { id, explanation, by: personOf(proposedBy), is_own: own.has(proposedBy) };
}

function resolutionOf({ explanation, proposedBy, outcome, decidedBy }: Break, personOf: PersonOf) {
  if (explanation === null || proposedBy === null || decidedBy === null) return null;
  return {
    explanation,
    proposed_by: personOf(proposedBy),
    decided_by: personOf(decidedBy),
    by_two: outcome === "agreed",
  };
}

/** Returns a break with its history. Null: there is none with this ID. */
export async function breakView(
  id: number,
  person: Person,
  deps: ViewDeps,
): Promise<BreakView | null> {
  const { database } = deps;
  const found = await findBreak(database, id);
  if (!found) return null;
  const [[item], events] = await Promise.all([
    breakItems([found], person, deps),
    findBreakEvents(database, id),
  ]);
  if (!item) throw new Error(`break ${id} has no item`);
  const actors = events.flatMap(({ actor, event, text }) =>
    event === "assigned" ? [actor, text] : [actor],
  );
  const nameOf = await findDisplayNames(database, actors, null);
  return {
    ...item,
    events: events.map(({ at, event, actor, text }) => ({
      at: at.toISOString(),
      event,
      by: { actor, name: nameOf(actor).name },
      text: event === "assigned" && text !== "" ? nameOf(text).name : withStateNames(text),
    })),
  };
}
