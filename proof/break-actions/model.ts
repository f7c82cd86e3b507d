/**
 * The rules of actions on several breaks, written again from their description. Nothing here uses
 * the product's code.
 */

/** A break as the database shows it, or as its events have left it. */
export interface KnownBreak {
  readonly id: number;
  readonly lane: string;
  readonly day: string;
  readonly class: string;
  readonly state: string;
  readonly version: number;
  readonly assignee: string | null;
  readonly ledgerShows: string | null;
  readonly statementShows: string | null;
  /** The proposal for this version that nobody has decided. */
  readonly proposal: { readonly id: number | null; readonly by: string } | null;
}

export interface BreakEventRow {
  readonly id: number;
  readonly breakId: number;
  readonly event: string;
  readonly actor: string;
  readonly text: string;
}

export type Action = "assign" | "propose" | "confirm" | "reject";

/** Selects breaks. Without a state: open and proposed ones. */
export interface Filter {
  readonly lane?: string;
  readonly day?: string;
  readonly class?: string;
  readonly state?: string;
  readonly assignee?: string;
}

/** Returns the breaks of a filter, or those with these numbers, by number. */
export function selectedBy(
  chosen: readonly number[] | Filter,
  breaks: ReadonlyMap<number, KnownBreak>,
): readonly KnownBreak[] {
  const all = [...breaks.values()].toSorted((left, right) => left.id - right.id);
  if ("length" in chosen) return all.filter(({ id }) => chosen.includes(id));
  const { state, ...rest } = chosen;
  const wanted = Object.entries(rest);
  return all.filter(
    (each) =>
      (state === undefined ? !isFinished(each) : each.state === state) &&
      wanted.every(([name, value]) => each[name as keyof Filter] === value),
  );
}

const isFinished = ({ state }: KnownBreak): boolean => state === "resolved" || state === "closed";

/** Returns why an action of this person does not apply to a break. Null: it does. */
export function whyNot(action: Action, actor: string, found: KnownBreak): string | null {
  if (isFinished(found)) return "finished";
  const { proposal } = found;
  if (action === "assign") return null;
  if (action === "propose") return proposal ? "proposed" : null;
  if (!proposal) return "not_proposed";
  return proposal.by === actor ? "own_proposal" : null;
}

/** Returns why an action does not apply to a break that was previewed earlier. Null: it does. */
export function whyLeft(
  action: Action,
  actor: string,
  { now, seen }: { readonly now: KnownBreak; readonly seen: KnownBreak },
): string | null {
  const why = whyNot(action, actor, now);
  if (why !== null) return why;
  const isDecision = action === "confirm" || action === "reject";
  const isSame =
    now.version === seen.version && (!isDecision || now.proposal?.id === seen.proposal?.id);
  return isSame ? null : "moved";
}

/** Returns the break after an event. A new proposal has no number yet. */
export function after(found: KnownBreak, { event, actor, text }: BreakEventRow): KnownBreak {
  switch (event) {
    case "assigned":
      return { ...found, assignee: text === "" ? null : text };
    case "proposed":
      return { ...found, state: "proposed", proposal: { id: null, by: actor } };
    case "refused":
      return { ...found, state: "open", proposal: null };
    case "resolved":
      return { ...found, state: "resolved", proposal: null };
    case "closed":
      return { ...found, state: "closed" };
    case "changed":
    case "found_again":
      return { ...found, state: "open", version: found.version + 1, proposal: null };
    default:
      return found;
  }
}

const AMOUNT = /(?:^|[,;] )(-?)(\d+)\.(\d\d) ([A-Z]{3})(?=$|[,;])/g;

function amountOf(text: string | null): { minor: bigint; currency: string } | null {
  const [first, ...more] = [...(text ?? "").matchAll(AMOUNT)];
  if (!first || more.length > 0) return null;
  const [, sign, whole, cents, currency = ""] = first;
  const minor = BigInt(`${whole}${cents}`);
  return { minor: sign === "-" ? -minor : minor, currency };
}

/** Returns the count and the sum of differences of each class, as texts in order. */
export function sumsOf(breaks: readonly KnownBreak[]): readonly string[] {
  const texts = [...Map.groupBy(breaks, (each) => each.class)].map(([name, same]) => {
    const sums = new Map<string, bigint>();
    for (const { ledgerShows, statementShows } of same) {
      const [ours, theirs] = [amountOf(ledgerShows), amountOf(statementShows)];
      const isKnown = (ours || ledgerShows === null) && (theirs || statementShows === null);
      const currency = ours?.currency ?? theirs?.currency;
      if (!isKnown || currency === undefined) continue;
      if (ours && theirs && ours.currency !== theirs.currency) continue;
      const difference = (theirs?.minor ?? 0n) - (ours?.minor ?? 0n);
      if (difference !== 0n) sums.set(currency, (sums.get(currency) ?? 0n) + difference);
    }
    const amounts = [...sums].map(([currency, minor]) => `${currency} ${minor}`).toSorted();
    return `${name} ${same.length} ${amounts.join(" ")}`.trim();
  });
  return texts.toSorted();
}

/** Writes the sums of a preview or of the audit log like `sumsOf`. */
export const shownSums = (
  kinds: readonly {
    readonly class: string;
    readonly count: number;
    readonly differences: readonly { readonly currency: string; readonly amount: string }[];
  }[],
): readonly string[] =>
  kinds
    .map(({ class: name, count, differences }) => {
      const amounts = differences.map(
        ({ currency, amount }) => `${currency} ${BigInt(amount.replace(".", ""))}`,
      );
      return `${name} ${count} ${amounts.toSorted().join(" ")}`.trim();
    })
    .toSorted();
