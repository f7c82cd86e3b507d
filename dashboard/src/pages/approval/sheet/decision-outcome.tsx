import { Text } from "@mantine/core";
import { Fragment } from "react";
import { UserText } from "../../../components/user-text.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { batchStateDisplay, isSentBack } from "../../../base/state.ts";
import { SentBackReason } from "../../intake/sent-back-reason.tsx";
import { messages } from "../messages.tsx";
import type { ApprovalSheet } from "../queries.ts";

const texts = messages.outcome;

/** Shows who approved the batch or sent it back, and when. */
export function DecisionOutcome({
  of: { batch_id: id, state, rejected, reason, policy },
}: {
  readonly of: ApprovalSheet;
}) {
  if (isSentBack({ state, rejected, reason })) return <SentBackReason id={id} />;
  const given = policy.approvals.filter(({ withdrawn_at }) => withdrawn_at === null);
  return (
    <Text size="sm">
      {given.length === 0 ? null : texts.approvedBy}
      {given.map(({ user_id, name, at }, place) => (
        <Fragment key={user_id}>
          {place === 0 ? "" : texts.and}
          <UserText text={name} />, <Timestamp at={at} />
        </Fragment>
      ))}
      {given.length === 0 ? "" : ". "}
      {state === "approved" && given.length > 0
        ? ""
        : batchStateDisplay({ state, rejected, reason }).sentence}
      {state === "approved" || reason === null ? "" : texts.reason(reason)}
    </Text>
  );
}
