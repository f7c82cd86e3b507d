/**
 * Previews actions on random selections of breaks, changes breaks before and while each action is
 * applied, and checks that the effect is the previewed one, or that each difference has its reason.
 */
import { systemClock } from "#base/clock.ts";
import { applyBreakAction, previewBreakAction } from "#flows/reconciliation/break-actions.ts";
import type { BreakApplyOrder } from "#ledger/reconciliation/bulk/apply.ts";
import type { StoredBreakAction } from "#ledger/reconciliation/bulk/break-actions.ts";
import type { BreakOrder } from "#ledger/reconciliation/bulk/preview.ts";
import { BreakChanges, type BreakStore, CHECKED, type Random } from "./changes.ts";
import { contradictionsOf } from "./check.ts";
import { type Action, type Filter, selectedBy } from "./model.ts";
import { eventsSince, keptOf, snapshotOf } from "./snapshot.ts";

export interface BreakActionResult {
  readonly runs: number;
  /** Breaks that qualified at the preview, and those of them that an action changed. */
  readonly qualified: number;
  readonly changed: number;
  /** Previewed breaks that an action left, by reason. */
  readonly left: Readonly<Record<string, number>>;
  /** Changes by others between preview and effect, by kind. */
  readonly changes: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

const ACTIONS = ["assign", "propose", "propose", "confirm", "confirm", "reject"] as const;
const BEFORE_MAX = 3;
const MEANWHILE_MAX = 3;

/** Runs the campaign on a ledger without breaks. */
export async function runBreakActions(
  { runs, seed }: { readonly runs: number; readonly seed: number },
  store: BreakStore,
): Promise<BreakActionResult> {
  const campaign = new Campaign(store, randomOf(seed));
  await campaign.start();
  for (let run = 1; run <= runs; run += 1) await campaign.act(run);
  return campaign.result(runs);
}

/** Returns numbers from 0 up to, but without, 1 (mulberry32). */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (end) => Math.floor(next() * end),
    isTrue: (share) => next() < share,
    pick(all) {
      const found = all[Math.floor(next() * all.length)];
      if (found === undefined) throw new Error("nothing to pick from");
      return found;
    },
  };
}

class Campaign {
  readonly #store: BreakStore;
  readonly #random: Random;
  readonly #changes: BreakChanges;
  readonly #left: Record<string, number> = {};
  readonly #wrong: string[] = [];
  #qualified = 0;
  #changed = 0;

  constructor(store: BreakStore, random: Random) {
    this.#store = store;
    this.#random = random;
    this.#changes = new BreakChanges(store, random);
  }

  start(): Promise<void> {
    return this.#changes.start();
  }

  /** One preview, the changes by others, and the effect. */
  async act(run: number): Promise<void> {
    const { database, ledger } = this.#store;
    const deps = { ledger, clock: systemClock };
    const seen = await snapshotOf(database);
    const ids = [...seen.breaks.keys()];
    const action: Action = this.#random.pick(ACTIONS);
    const chosen = this.#random.isTrue(0.4) ? this.#numbers(ids) : this.#filter(action);
    const order = { action, chosen: chosen as BreakOrder["chosen"], actor: CHECKED };
    const asked = await previewBreakAction(order, deps);
    if (!asked.ok) throw new Error(asked.error);
    const preview = asked.value;
    const previewed = selectedBy(chosen, seen.breaks).map(({ id }) => id);
    await this.#changes.several(this.#random.below(BEFORE_MAX + 1), previewed);
    const before = await snapshotOf(database);
    const input = this.#inputOf(action, run);
    const applied = await this.#applyMeanwhile(previewed, {
      id: preview.id,
      actions: [action],
      actor: CHECKED,
      assignee: action === "assign" && input !== "" ? input : null,
      explanation: action === "propose" ? input : "",
    });
    const proposals = [...seen.breaks.values()].flatMap(({ proposal }) => proposal?.id ?? []);
    const kept = await keptOf(database, preview.id, proposals);
    const end = await snapshotOf(database);
    const events = await eventsSince(database, before.event);
    const whole = { action, actor: CHECKED, chosen, input, preview, applied, seen, before, end };
    const problems = contradictionsOf({ ...whole, events, kept });
    const about = `run ${run}, ${action} ${JSON.stringify(chosen)}`;
    this.#wrong.push(...problems.map((problem) => `${about}: ${problem}`));
    this.#count([...kept.outcomes.values()]);
  }

  #inputOf(action: Action, run: number): string {
    if (action === "propose") return `explanation ${run}`;
    return action === "assign" && this.#random.isTrue(0.8) ? this.#changes.assignee() : "";
  }

  /** Applies the action once or twice while others change breaks. */
  async #applyMeanwhile(
    previewed: readonly number[],
    order: Omit<BreakApplyOrder, "at">,
  ): Promise<StoredBreakAction> {
    const times = this.#random.isTrue(0.2) ? 2 : 1;
    const others = this.#changes.several(this.#random.below(MEANWHILE_MAX + 1), previewed);
    const all = await Promise.all(Array.from({ length: times }, () => this.#apply(order)));
    await others;
    const [first, second] = all.map((action) => JSON.stringify(action));
    if (second !== undefined && second !== first)
      this.#wrong.push("a repetition answers otherwise");
    const [action] = all;
    if (!action) throw new Error("the action was not applied");
    return action;
  }

  async #apply(order: Omit<BreakApplyOrder, "at">): Promise<StoredBreakAction> {
    const { ledger } = this.#store;
    const applied = await applyBreakAction(order, { ledger, clock: systemClock });
    if (!applied.ok) throw new Error(`the action was refused: ${applied.error}`);
    return applied.value;
  }

  #numbers(ids: readonly number[]): readonly number[] {
    const count = 1 + this.#random.below(15);
    return [...new Set(Array.from({ length: count }, () => this.#random.pick(ids)))];
  }

  /** A decision mostly selects proposals. */
  #filter(action: Action): Filter {
    const random = this.#random;
    const isDecision = action === "confirm" || action === "reject";
    const { lane, day } = this.#changes.place();
    return {
      ...(random.isTrue(0.4) && { lane }),
      ...(random.isTrue(0.4) && { day }),
      ...(random.isTrue(0.4) && { class: random.pick(["amount", "fee", "missing_at_gateway"]) }),
      ...(random.isTrue(isDecision ? 0.7 : 0.1) && { state: "proposed" }),
      ...(random.isTrue(0.1) && { state: random.pick(["open", "resolved", "closed"]) }),
      ...(random.isTrue(0.1) && { assignee: this.#changes.assignee() }),
    };
  }

  #count(outcomes: readonly string[]): void {
    this.#qualified += outcomes.length;
    for (const outcome of outcomes) {
      if (outcome === "changed") this.#changed += 1;
      else this.#left[outcome] = (this.#left[outcome] ?? 0) + 1;
    }
  }

  result(runs: number): BreakActionResult {
    return {
      runs,
      qualified: this.#qualified,
      changed: this.#changed,
      left: this.#left,
      changes: this.#changes.counts,
      wrong: this.#wrong,
    };
  }
}
