import type { World } from "#proof/simulation/world/world.ts";
import type { LogEntry, ActualState } from "./transaction-log.ts";
import type { SimMerchant } from "./message.ts";

/** Fate of one callback. */
export type CallbackFault =
  | "lost"
  | "repeated"
  | "late"
  | "false content"
  | "another key"
  | "unknown code"
  | "garbage";

export interface Callbacks {
  readonly merchants: ReadonlyMap<string, SimMerchant>;
  /** Whether this code has a callback at all. */
  readonly isSent: () => boolean;
  readonly faultOf: () => CallbackFault | null;
  readonly truthOf: (entry: LogEntry) => ActualState;
  /** Delivers the body to a listening process, if there is one. */
  readonly deliver: (body: unknown) => void;
}

const STATUS = { pending: 1, completed: 2, failed: 3 } as const;

/**
 * Announces a payout's final state, or something else: nothing authenticates a callback (F70 to
 * F73).
 */
export function announce(world: World, entry: LogEntry, callbacks: Callbacks): void {
  if (!callbacks.isSent()) return;
  const afterMs = Math.max(0, entry.finishesMs - world.nowMs) + world.random.between(0, 2_000);
  const fault = callbacks.faultOf();
  const send = (told: LogEntry, truth: ActualState, key = told.merchant) =>
    callbacks.deliver(bodyOf(told, truth, callbacks.merchants.get(key)));
  const sendTrue = () => send(entry, callbacks.truthOf(entry));
  switch (fault) {
    case "lost":
      return;
    case "repeated":
      world.after(afterMs, sendTrue);
      world.after(afterMs + 10, sendTrue);
      return world.after(afterMs + 60_000, sendTrue);
    case "late":
      return world.after(afterMs + world.random.between(0, 300_000), sendTrue);
    case "false content":
      // Before any final state: someone has encrypted a false statement or combined two callbacks.
      world.after(0, () => send(entry, entry.fate === "completed" ? "failed" : "completed"));
      return world.after(afterMs, sendTrue);
    case "another key":
      return world.after(afterMs, () => {
        const [other] = [...callbacks.merchants.keys()].filter((code) => code !== entry.merchant);
        send(entry, "completed", other);
      });
    case "unknown code":
      return world.after(afterMs, () => send({ ...entry, code: `${entry.code}X` }, "completed"));
    case "garbage":
      return world.after(afterMs, () => callbacks.deliver({ key: "AAAA", transaction_code: "" }));
    case null:
      return world.after(afterMs, sendTrue);
  }
}

function bodyOf(entry: LogEntry, truth: ActualState, merchant: SimMerchant | undefined): unknown {
  const { code, number, amount, currency } = entry;
  const text = JSON.stringify({
    transaction_no: number,
    transaction_code: code,
    transaction_status: STATUS[truth],
    transaction_amount: amount,
    transaction_fee: "0.00",
    currency_code: currency,
    transaction_ref: "",
  });
  return { key: merchant?.cipher.seal(text) ?? "", transaction_code: code, transaction_no: number };
}
