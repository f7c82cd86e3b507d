import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { batchStateDisplay } from "../../../base/state.ts";
import { notRetried } from "../../operations/failures/failure-groups.ts";
import type { OrderVerb } from "./actions/order-dialog.tsx";
import { SendForApproval } from "./actions/send-for-approval.tsx";
import { useCauses, useReader } from "./causes.tsx";
import { messages } from "./messages.tsx";
import { messages as roomMessages } from "../messages.tsx";
import { type DialogButton, nextStepOf, type StepButton } from "./next-step.ts";
import { stateFilter } from "./search-params.ts";
import { statusSentence } from "./status-sentence.ts";
import type { BatchView } from "../batch-view.ts";
import classes from "./verdict.module.css";

const texts = messages.next;

/** Loaded with the action. */
const OrderDialog = lazy(() => import("./actions/order-dialog.tsx"));

/** The state of the batch in numbers, who acts next, and the button for the person who may. */
export function Verdict({
  batch,
  reload,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
}) {
  const reader = useReader();
  const retryable = useCauses(batch)
    .filter(({ state, retry }) => state === "declined" && retry !== null)
    .reduce((sum, group) => sum + notRetried(group), 0);
  const step = nextStepOf(batch, reader, retryable);
  const [asked, setAsked] = useState<OrderVerb | null>(null);
  const [first, ...others] = [statusSentence(batch), ...(step?.says ?? [])].filter(Boolean);
  const isEmpty = first === undefined && !step?.button;
  // The dialogs stay open when the batch changes, and then say so.
  return (
    <section
      aria-label={texts.title}
      className={isEmpty ? undefined : classes.verdict}
      data-tone={batchStateDisplay(batch).tone}
    >
      <div className={classes.text}>
        {first === undefined ? null : <p className={classes.first}>{first}</p>}
        {others.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {batch.state === "awaiting_approval" && !isEmpty ? <p>{texts.unsentUntil}</p> : null}
      </div>
      <SendForApproval batch={batch} reload={reload} />
      {step?.button ? (
        <Action button={step.button} batch={batch} onResume={() => setAsked("resume")} />
      ) : null}
      {asked !== null ? (
        <Suspense fallback={null}>
          <OrderDialog batch={batch} verb={asked} onClose={() => setAsked(null)} reload={reload} />
        </Suspense>
      ) : null}
    </section>
  );
}

function Action({
  button,
  batch,
  onResume,
}: {
  readonly button: StepButton;
  readonly batch: BatchView;
  readonly onResume: () => void;
}) {
  if ("dialog" in button) {
    return button.dialog === "send" ? null : (
      <Button size="sm" onClick={onResume}>
        {roomMessages.actions.resume.verb}
      </Button>
    );
  }
  return (
    <Button
      component={Link}
      to={addressOf(button, batch)}
      size="sm"
      variant={button.kind === "review" ? "default" : "filled"}
    >
      {wordsOf(button, batch)}
    </Button>
  );
}

type LinkButton = Exclude<StepButton, DialogButton>;

function addressOf({ kind }: LinkButton, { batch_id, state }: BatchView): string {
  const page = `/batches/${batch_id}`;
  switch (kind) {
    case "file":
      return `${page}/file`;
    case "review":
      return state === "needs_correction" ? `${page}/file` : `${page}/approval`;
    case "approve":
      return `${page}/approval`;
    case "retry":
      return `${page}/retry`;
    case "on_hold":
    case "held_back":
      return `${page}?state=${stateFilter(kind)}`;
  }
}

function wordsOf(button: LinkButton, { state, rejected }: BatchView): string {
  switch (button.kind) {
    case "file":
      return rejected > 0 ? texts.correctButton : texts.openFile;
    case "approve":
      return texts.approveButton;
    case "review":
      return state === "needs_correction" ? texts.openFile : texts.review;
    case "retry":
      return texts.retryButton(button.payouts);
    case "on_hold":
      return texts.onHoldButton(button.payouts);
    case "held_back":
      return texts.heldBackButton(button.payouts);
  }
}
