import {
  applyPayoutAction,
  decidePayoutAction,
  previewPayoutAction,
} from "#flows/payout/payout-actions.ts";
import type { PayoutFilter } from "#ledger/payout/search/payout-filter.ts";
import type { BulkAction } from "#payout/action/payout-action.ts";
import { isActionWrong, isResolutionWrong } from "./action-checker.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import type { Tables } from "#proof/simulation/ledger/tables.ts";
import type { SimProcess } from "#proof/simulation/world/process.ts";

/** The installation as the operators see it. */
interface ActionContext {
  readonly life: SimProcess;
  readonly ledger: PayingLedger;
  readonly tables: Tables;
  readonly faults: {
    readonly isOver: boolean;
    readonly isClean: boolean;
    count(fault: string): void;
  };
  readonly checker: { recordWrongAction(what: string): void };
  /** The gateway's statement of now. */
  readonly statement: (isExact: boolean) => Tables["listed"];
}

const ACTIONS = ["hold_back", "hold_back", "release", "cancel", "query"] as const;

/**
 * Acts on many payouts while workers move them: previews, lets time pass, and applies. After all
 * faults have ended, everything is released.
 */
export async function actOnMany(context: ActionContext): Promise<void> {
  const { life: proc, ledger, faults, tables } = context;
  const { random } = proc.world;
  if (faults.isOver) {
    if (tables.payouts.every(({ state }) => state !== "held_back")) return;
    return act("release", { states: ["held_back"] }, context);
  }
  if (faults.isClean || !random.isTrue(ACTION_SHARE)) return;
  const batches = await ledger.payout.workingBatches();
  if (batches.length === 0) return;
  if (random.isTrue(RESOLVE_SHARE)) return resolveListed(context);
  const action = random.pick(ACTIONS);
  // Cancelling whole batches would leave little to send.
  const few = (random.isTrue(0.5) ? tables.payouts : []).filter(() => random.isTrue(0.2));
  const ids = few.map(({ id }) => id);
  const all =
    action === "cancel" || ids.length > 0 ? { ids } : { batchId: random.pick(batches).id };
  await act(action, all, context);
}

const ACTION_SHARE = 0.3;
const RESOLVE_SHARE = 0.4;

async function act(
  action: BulkAction,
  filter: PayoutFilter,
  { life: proc, ledger, faults, tables, checker }: ActionContext,
): Promise<void> {
  const { random } = proc.world;
  const id = `PA${tables.payoutActions.size + 1}`;
  const seen = await previewPayoutAction(
    { action, filter, selection: {}, actor: "operator" },
    { ledger, id },
  );
  if (!seen.ok) throw new Error(seen.error);
  if (!faults.isOver) await proc.wait(random.between(0, 5_000));
  // Two clicks, or two processes.
  const times = random.pick([1, 1, 2]);
  const order = { id, actor: "operator", reason: "the supplier called" };
  const epoch = tables.epoch.number;
  const [first] = await Promise.all(
    Array.from({ length: times }, () => applyPayoutAction(order, { ledger })),
  );
  proc.world.activity += 1;
  faults.count(`bulk action: ${action}`);
  if (tables.epoch.number !== epoch) return;
  if (!first?.ok) throw new Error(first?.error);
  const wrong = isActionWrong(tables, id, seen.value, first.value);
  if (wrong !== null) checker.recordWrongAction(`${id} ${action}: ${wrong}`);
}

/**
 * Resolves payouts by a statement: one person proposes, and another one confirms or rejects. The
 * statement may be replaced at any time.
 */
async function resolveListed(context: ActionContext): Promise<void> {
  const { life: proc, ledger, faults, tables, checker } = context;
  const { random } = proc.world;
  upload(context);
  const id = `PA${tables.payoutActions.size + 1}`;
  const filter = { states: ["on_hold", "in_doubt"] } as const;
  const order = { action: "resolve", filter, selection: {}, actor: "operator" } as const;
  const seen = await previewPayoutAction(order, { ledger, id });
  if (!seen.ok) throw new Error(seen.error);
  if (seen.value.qualifying.count === 0) return;
  await proc.wait(random.between(0, 5_000));
  if (random.isTrue(0.2)) upload(context);
  const epoch = tables.epoch.number;
  const said = { id, actor: "operator", reason: "listed" };
  const proposed = await applyPayoutAction(said, { ledger });
  if (!proposed.ok) throw new Error(proposed.error);
  await proc.wait(random.between(0, 20_000));
  if (random.isTrue(0.2)) upload(context);
  const agree = random.isTrue(0.8);
  const decision = { id, actor: "checker", agree, reason: agree ? null : "another account" };
  // Two clicks, or two processes.
  const times = random.pick([1, 1, 2]);
  const [first] = await Promise.all(
    Array.from({ length: times }, () => decidePayoutAction(decision, { ledger })),
  );
  proc.world.activity += 1;
  faults.count(agree ? "bulk action: resolve" : "bulk action: resolution rejected");
  if (tables.epoch.number !== epoch) return;
  if (!first?.ok) throw new Error(first?.error);
  const wrong = isResolutionWrong(tables, id, first.value, agree);
  if (wrong !== null) checker.recordWrongAction(`${id} resolve: ${wrong}`);
}

/** Replaces the statement in the ledger. */
function upload({ faults, tables, statement }: ActionContext): void {
  tables.listed = statement(faults.isClean);
}
