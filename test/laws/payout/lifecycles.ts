import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { mayApprove } from "#approval/approval.ts";
import {
  BATCH_LIFECYCLE,
  BATCH_STATES,
  type BatchEvent,
  type BatchState,
} from "#intake/batch/batch-lifecycle.ts";
import {
  isFinal,
  LIFECYCLE,
  type PayoutEvent,
  type PayoutState,
  STATES,
} from "#payout/payout-lifecycle.ts";
import { REASONS, storedReason, reasonCode, reasonText, type ReasonCode } from "#payout/reasons.ts";
import { law } from "../base/law.ts";

const ALL_STATES = Object.keys(STATES) as PayoutState[];
const REASON_CODES = Object.keys(REASONS) as ReasonCode[];
const inr = (minor: bigint) => ({ currency: "INR", minor, minorDigits: 2 });

export const LIFECYCLE_LAWS = [
  law(
    "after any sequence of legal transitions, a final payout is never in progress again",
    fc.array(fc.constantFrom(...(Object.keys(LIFECYCLE) as PayoutEvent[])), { maxLength: 60 }),
    (events) => {
      let state: PayoutState = "awaiting_approval";
      let ended = false;
      for (const event of events) {
        if (!LIFECYCLE[event].from.includes(state)) continue;
        state = LIFECYCLE[event].to;
        ok(ALL_STATES.includes(state));
        ok(!ended || isFinal(state), `${event} moved a final payout back into progress`);
        ended ||= isFinal(state);
      }
    },
  ),
  law(
    "after any sequence of legal transitions, no payout is sent before its approval or after its final state",
    fc.array(fc.constantFrom(...(Object.keys(LIFECYCLE) as PayoutEvent[])), { maxLength: 60 }),
    (events) => {
      const done: string[] = [];
      let state: PayoutState = "awaiting_approval";
      for (const event of events) {
        if (!LIFECYCLE[event].from.includes(state)) continue;
        state = LIFECYCLE[event].to;
        done.push(event);
        if (event === "send" || event === "resend") {
          equal(done[0], "approve");
          ok(
            !done.some((past) => ["cancel", "settle", "decline", "hold", "accept"].includes(past)),
          );
        }
        if (event === "resend") ok(done.includes("doubt"));
      }
    },
  ),
  law(
    "whatever happens to a batch, only exceptions may follow a clean finish",
    fc.array(fc.constantFrom(...(Object.keys(BATCH_LIFECYCLE) as BatchEvent[])), { maxLength: 30 }),
    (events) => {
      let state: BatchState = "needs_correction";
      for (const event of events) {
        if (!BATCH_LIFECYCLE[event].from.includes(state)) continue;
        const { to } = BATCH_LIFECYCLE[event];
        ok(!BATCH_STATES[state].final || `${state} ${to}` === "finished finished_with_exceptions");
        state = to;
      }
    },
  ),
  law(
    "I7 a batch is approved only with its own digest and totals",
    fc.tuple(fc.bigInt(1n, 10n ** 15n), fc.bigInt(1n, 10n ** 15n), fc.boolean()),
    ([minor, given, isSame]) => {
      const batch = { contentDigest: "d1", totals: new Map([["INR", inr(minor)]]) };
      const approve = (total: bigint, contentDigest = "d1") =>
        mayApprove(batch, { actor: "ops", contentDigest, totals: new Map([["INR", inr(total)]]) })
          .ok;
      equal(approve(isSame ? minor : given), isSame || minor === given);
      equal(approve(minor, "d2"), false);
    },
  ),
  law(
    "every reason is explained with its details, and its code is read back",
    fc.tuple(fc.constantFrom(...REASON_CODES), fc.string({ unit: "grapheme" })),
    ([code, said]) => {
      const text = storedReason(code, said);
      equal(reasonCode(text), code);
      equal(reasonText(text), said === "" ? REASONS[code] : `${REASONS[code]} Details: ${said}`);
    },
  ),
  law("a text that is not one of our reasons is shown unchanged", fc.string(), (text) => {
    fc.pre(!Object.hasOwn(REASONS, text.split(":")[0] ?? ""));
    deepEqual([reasonCode(text), reasonText(text)], [null, text]);
  }),
];
