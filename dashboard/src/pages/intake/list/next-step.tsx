import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { UserText } from "../../../components/user-text.tsx";
import { isScheduled } from "../../../base/state.ts";

import { type Permission, useMay, usePerson } from "../../../server/session.ts";
import type { Part } from "#approval/status-breakdown.ts";
import type { ListedBatch } from "./listed-batch.ts";
import { messages } from "./list-messages.ts";

const { actions, actors } = messages;

/** A step that a person takes with a batch. */
interface Step {
  readonly may: Permission;
  readonly label: string;
  /** The page of the batch on which it is done. */
  readonly page: string;
  /** The role that takes the step, if the reader may not. */
  readonly by: "uploader" | "approver" | "operator";
}

const CORRECT: Step = { may: "upload", label: actions.correct, page: "/file", by: "uploader" };
const SEND: Step = { may: "upload", label: actions.send, page: "", by: "uploader" };
const REVIEW: Step = { may: "approve", label: actions.review, page: "/approval", by: "approver" };
const REASON: Step = {
  may: "upload",
  label: actions.giveReason,
  page: "/approval",
  by: "uploader",
};
const RESUME: Step = { may: "operate", label: actions.resume, page: "", by: "operator" };
const DECIDE: Step = { may: "operate", label: actions.decide, page: "", by: "operator" };
const RETRY: Step = { may: "upload", label: actions.retry, page: "/retry", by: "uploader" };

/** Returns the next step of a batch that waits for a person; undefined if it waits for nobody. */
export function nextStepOf(batch: ListedBatch): Step | undefined {
  const { send, cancelling } = batch;
  if (batch.needs_duplicate_reason) return REASON;
  switch (batch.state) {
    case "needs_correction":
      return CORRECT;
    case "draft":
      return SEND;
    case "awaiting_approval":
      return REVIEW;
    case "paused":
      return cancelling ? undefined : RESUME;
    case "approved":
      return isScheduled(send) && send?.held_back !== null ? DECIDE : undefined;
    case "finished_with_exceptions":
      if (partCount(batch, "on_hold") > 0) return DECIDE;
      // A retry batch may contain the declined payouts already, as its own page says.
      return batch.retried === null && partCount(batch, "declined") > 0 ? RETRY : undefined;
    case "finished":
    case "cancelled":
      return undefined;
  }
}

const partCount = ({ progress }: ListedBatch, of: Part): number =>
  (progress ?? []).reduce((sum, { part, count }) => sum + (part === of ? count : 0), 0);

/** The next step as a link for readers who may take it, and for others the name of the actor. */
export function NextStep({ of: batch }: { readonly of: ListedBatch }) {
  const step = nextStepOf(batch);
  const person = usePerson();
  const isOwn = person !== null && batch.maker.actor === `user:${person.id}`;
  const isAllowed = useMay(step?.may ?? "read");
  if (!step) return null;
  if (isAllowed && !(isOwn && step === REVIEW)) {
    return (
      <Button
        component={Link}
        to={`/batches/${batch.batch_id}${step.page}`}
        variant={step === REVIEW ? "filled" : "default"}
        size="xs"
      >
        {step.label}
      </Button>
    );
  }
  return (
    <Text size="xs" c="dimmed" component="span">
      <Actor of={batch} by={step.by} isOwn={isOwn} />
    </Text>
  );
}

/** The uploader by name if it is a user, and otherwise the role. */
function Actor({
  of: { maker },
  by,
  isOwn,
}: {
  readonly of: ListedBatch;
  readonly by: Step["by"];
  readonly isOwn: boolean;
}) {
  if (by === "approver") return isOwn ? actors.otherApprover : actors.approver;
  if (by === "uploader" && maker.actor.startsWith("user:")) return <UserText text={maker.name} />;
  return actors[by];
}
