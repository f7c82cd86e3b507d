import type { z } from "zod";
import { isReadyForApproval, stateWhenValid } from "#intake/batch/batch-lifecycle.ts";
import type { BATCH_PAGE_API, BatchView } from "#api/approval/batch-page.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import {
  allowedUnless,
  mayApproveNow,
  mayPrioritize,
  mayRelease,
  NO_DRAFT,
  ONLY_UPLOADERS_WITHDRAW,
} from "#views/approval/approval-state.ts";
import type { Person } from "#views/person.ts";
import type { WaitingBatch } from "#ledger/approval/waiting-batches.ts";
import { isUnsent } from "#payout/payout-lifecycle.ts";

type View = z.output<typeof BatchView>;
type Actions = AnswerOf<(typeof BATCH_PAGE_API)["GET /api/batches/:id"]>["you"];

/** Lists the actions of this person on a batch, each with the reason why it is not allowed. */
export const batchActions = (person: Person, view: View, waiting: WaitingBatch): Actions => ({
  approve: mayApproveNow(person, waiting, view.state),
  request_approval: allowedUnless(
    !person.permissions.has("upload") && "You are not an uploader.",
    view.state !== "draft" && "The batch is not a draft.",
  ),
  withdraw: mayWithdraw(person, view, waiting.own),
  ...actionsOnBatch(person, view),
  ...sendTimeActions(person, view, waiting.own),
  release_quarantine: mayRelease(person, view.quarantine),
});

/** Whether this person may withdraw the batch from approval. */
const mayWithdraw = (person: Person, { state, maker }: View, isOwn: boolean) =>
  allowedUnless(
    !person.permissions.has("upload") && "You are not an uploader.",
    !isOwn && maker.actor !== person.actor && ONLY_UPLOADERS_WITHDRAW,
    state !== "awaiting_approval" && "The batch is not awaiting approval.",
    stateWhenValid(maker.actor) !== "draft" && NO_DRAFT,
  );

const NOTHING_UNSENT = "The batch has no unsent payouts.";

function actionsOnBatch(
  person: Person,
  { state, lanes, canary, maker, finished_at: finishedAt }: View,
) {
  const operator = !person.permissions.has("operate") && "You are not an operator.";
  const isOpen = state === "approved" || state === "paused";
  const waits = isOpen && canary.lanes.some((each) => each.state !== "released");
  const failed = canary.lanes.some((each) => each.state === "failed");
  const states = lanes.flatMap((lane) => lane.states).map((each) => each.state);
  const unsent = states.some((each) => each === "approved" || each === "awaiting_approval");
  return {
    pause: allowedUnless(
      operator,
      state !== "approved" && "The batch is not being sent.",
      !unsent && NOTHING_UNSENT,
    ),
    resume: allowedUnless(
      operator,
      state !== "paused" && "The batch is not paused.",
      failed && "The canary did not settle: release or cancel the other payouts.",
      !unsent && NOTHING_UNSENT,
    ),
    release: allowedUnless(
      operator,
      !waits && "No payouts in this batch are waiting for a canary.",
    ),
    set_canary: allowedUnless(
      !person.permissions.has("approve") && "You are not an approver.",
      !isReadyForApproval(state) && "The batch is not awaiting approval.",
    ),
    prioritize: mayPrioritize(person, { state, maker: maker.actor, isOver: finishedAt !== null }),
    cancel: allowedUnless(operator, !states.some(isUnsent) && NOTHING_UNSENT),
  };
}

function sendTimeActions(person: Person, { state, send }: View, isOwn: boolean) {
  const isOpen = state === "approved" || state === "paused";
  const waits =
    !(isOpen && send !== null && send.released_at === null) && "The batch is not scheduled.";
  return {
    reschedule: allowedUnless(
      !person.permissions.has("operate") && "You are not an operator.",
      waits,
      send !== null &&
        send.held_back !== null &&
        "The batch is held back. An approver must decide whether to send it.",
    ),
    send_now: allowedUnless(
      !person.permissions.has("approve") && "You are not an approver.",
      person.kind === "key" && "Only a signed-in user can do this.",
      isOwn && "You uploaded or edited this batch, so another person must make this decision.",
      waits,
    ),
  };
}
