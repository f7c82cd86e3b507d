import { Text } from "@mantine/core";
import { Fragment } from "react";
import { Given } from "../../components/user-text.tsx";
import { When } from "../../components/timestamp.tsx";
import { batchWords, isGivenBack } from "../../base/state.ts";
import { GivenBack } from "../intake/sent-back-reason.tsx";
import { messages } from "./messages.tsx";
import type { Sheet } from "./queries.ts";

const texts = messages.outcome;

/** Shows who approved the batch or sent it back, and when. */
export function Outcome({
  of: { batch_id: id, state, rejected, reason, policy },
}: {
  readonly of: Sheet;
}) {
  if (isGivenBack({ state, rejected, reason })) return <GivenBack id={id} />;
  const given = policy.approvals.filter(({ withdrawn_at }) => withdrawn_at === null);
  return (
    <Text size="sm">
      {given.length === 0 ? null : texts.approvedBy}
      {given.map(({ user_id, name, at }, place) => (
        <Fragment key={user_id}>
          {place === 0 ? "" : texts.and}
          <Given text={name} />, <When at={at} />
        </Fragment>
      ))}
      {given.length === 0 ? "" : ". "}
      {state === "approved" && given.length > 0
        ? ""
        : batchWords({ state, rejected, reason }).sentence}
      {state === "approved" || reason === null ? "" : texts.reason(reason)}
    </Text>
  );
}
