import { Button, Group, Text } from "@mantine/core";
import { useMay } from "../../server/session.ts";
import { ErrorState } from "../error-state.tsx";
import { messages } from "../messages.tsx";

const texts = messages.decision;

/**
 * The buttons with which an approver confirms or refuses a proposal. Other users see a text that
 * says who may.
 */
export function ApproverDecision({
  decide,
  isOwn,
  waiting = texts,
}: {
  /** A mutation that sends whether the approver agrees. */
  readonly decide: {
    readonly mutate: (agree: boolean) => void;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
  /** Whether the user made the proposal, which another person must confirm. */
  readonly isOwn: boolean;
  /** The texts for the proposer, and for users who are not approvers. */
  readonly waiting?: { readonly own: string; readonly byApprovers: string };
}) {
  const mayApprove = useMay("approve");
  const { mutate, error, isPending } = decide;
  return (
    <>
      {mayApprove && !isOwn ? (
        <Group gap="xs">
          <Button size="xs" loading={isPending} onClick={() => mutate(true)}>
            {texts.confirm}
          </Button>
          <Button size="xs" variant="default" disabled={isPending} onClick={() => mutate(false)}>
            {texts.refuse}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {isOwn ? waiting.own : waiting.byApprovers}
        </Text>
      )}
      {error ? <ErrorState error={error} /> : null}
    </>
  );
}
