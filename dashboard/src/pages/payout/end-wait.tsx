import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../server/client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { NoteForm } from "../../components/forms/note-form.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { useMay, usePerson } from "../../server/session.ts";
import { isolateDirection } from "../../base/text.ts";
import { messages } from "./messages.ts";
import classes from "./payout.module.css";
import { cachePayout, type PayoutView } from "./payout-query.ts";

const texts = messages.endWait;

interface Props {
  readonly payout: PayoutView;
}

/** Whether the payout waits for an earlier request that the gateway may still be processing. */
export const mayWait = ({ wait }: PayoutView["outlook"]): boolean =>
  wait?.reason === "may_be_processed";

/**
 * One person proposes to end the wait before a payout is sent again, and another one confirms it.
 */
export function EndWait({ payout }: Props) {
  const { code, wait_ending } = payout;
  const mayOperate = useMay("operate");
  return (
    <details className={classes.note} open={wait_ending !== null || undefined}>
      <summary>{texts.title}</summary>
      <Text size="sm">{texts.condition}</Text>
      {wait_ending ? <Proposed payout={payout} ending={wait_ending} /> : null}
      {mayOperate ? (
        <NoteForm
          label={texts.reason}
          verb={texts.propose}
          leave={(words) =>
            call("POST /api/payouts/:code/end-wait", { params: { code }, body: { reason: words } })
          }
          onLeft={cachePayout}
        />
      ) : null}
    </details>
  );
}

function Proposed({
  payout: { code },
  ending: { id, reason, proposed_by, at },
}: Props & { readonly ending: NonNullable<PayoutView["wait_ending"]> }) {
  const mayApprove = useMay("approve");
  const isOwn = proposed_by.actor === `user:${usePerson()?.id}`;
  const answer = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/payouts/:code/wait-ending", { params: { code }, body: { id, agree } }),
    onSuccess: cachePayout,
  });
  return (
    <>
      <Text size="sm">
        {isOwn ? texts.proposedByYou : texts.proposedBy(isolateDirection(proposed_by.name))},{" "}
        <Timestamp at={at} />: {reason}
      </Text>
      {mayApprove && !isOwn ? (
        <Group gap="xs">
          <Button size="xs" loading={answer.isPending} onClick={() => answer.mutate(true)}>
            {texts.confirm}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={answer.isPending}
            onClick={() => answer.mutate(false)}
          >
            {texts.reject}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {texts.needsApprover}
        </Text>
      )}
      {answer.error ? <ErrorState error={answer.error} /> : null}
    </>
  );
}
