import { Text } from "@mantine/core";
import { Fragment } from "react";
import { Given } from "../../components/given.tsx";
import { When } from "../../components/when.tsx";
import { batchWords, isGivenBack } from "../../state.ts";
import { GivenBack } from "../batch/given-back.tsx";
import type { Sheet } from "./sheet.tsx";

/** What became of a batch that waits for nobody any more: who approved it, or gave it back, and when. */
export function Outcome({
  of: { batch_id: id, state, rejected, reason, policy },
}: {
  readonly of: Sheet;
}) {
  if (isGivenBack({ state, rejected, reason })) return <GivenBack id={id} />;
  const given = policy.approvals.filter(({ withdrawn_at }) => withdrawn_at === null);
  return (
    <Text size="sm">
      {given.length === 0 ? null : "Approved by "}
      {given.map(({ user_id, name, at }, place) => (
        <Fragment key={user_id}>
          {place === 0 ? "" : " and "}
          <Given text={name} />, <When at={at} />
        </Fragment>
      ))}
      {given.length === 0 ? "" : ". "}
      {state === "approved" && given.length > 0
        ? ""
        : batchWords({ state, rejected, reason }).sentence}
      {state === "approved" || reason === null ? "" : ` “${reason}”`}
    </Text>
  );
}
