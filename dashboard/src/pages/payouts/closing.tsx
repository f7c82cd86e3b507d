import { Button, Group, Radio, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../client.ts";
import { ActionForm } from "../../components/action-form.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { When } from "../../components/when.tsx";
import { queryClient } from "../../query-client.ts";
import { useMay, usePerson } from "../../session.ts";
import { payoutQuery, type PayoutView } from "./payout-query.ts";

interface Props {
  readonly payout: PayoutView;
}

const keep = (next: PayoutView): void =>
  void queryClient.setQueryData(payoutQuery(next.code).queryKey, next);

/** What the gateway does not explain: one person says what they found out elsewhere, another one agrees. */
export function Closing({ payout }: Props) {
  const mayOperate = useMay("operate");
  return (
    <Stack gap="sm" mt="xs">
      {payout.closing ? <Said payout={payout} closing={payout.closing} /> : null}
      {mayOperate ? <Say payout={payout} /> : null}
    </Stack>
  );
}

function Said({
  payout: { code },
  closing: { id, arrived, words, proposed_by, at },
}: Props & { readonly closing: NonNullable<PayoutView["closing"]> }) {
  const mayApprove = useMay("approve");
  const isOwn = proposed_by.actor === `user:${usePerson()?.id}`;
  const answer = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/payouts/:code/closing", { params: { code }, body: { id, agree } }),
    onSuccess: keep,
  });
  return (
    <Stack gap="xs">
      <Text size="sm">
        {isOwn ? "You say" : `${proposed_by.name} says`}, <When at={at} />:{" "}
        <strong>{arrived ? "the money arrived." : "the money did not arrive."}</strong> {words}
      </Text>
      {mayApprove && !isOwn ? (
        <Group gap="xs">
          <Button size="xs" loading={answer.isPending} onClick={() => answer.mutate(true)}>
            Agree and close it
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={answer.isPending}
            onClick={() => answer.mutate(false)}
          >
            Do not agree
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          Another person, an approver, has to agree.
        </Text>
      )}
      {answer.error ? <ErrorState error={answer.error} /> : null}
    </Stack>
  );
}

function Say({ payout: { code, closing } }: Props) {
  const [finding, setFinding] = useState("");
  const [words, setWords] = useState("");
  const say = useMutation({
    mutationFn: () =>
      call("POST /api/payouts/:code/close", {
        params: { code },
        body: { arrived: finding === "arrived", words: words.trim() },
      }),
    onSuccess: (next) => {
      keep(next);
      setFinding("");
      setWords("");
    },
  });
  return (
    <ActionForm
      action={say}
      verb={closing ? "Put this before an approver instead" : "Put it before an approver"}
      disabled={finding === ""}
    >
      <Radio.Group
        label="What became of it"
        description="By the bank's statement or the gateway's support, in writing."
        value={finding}
        onChange={setFinding}
        required
      >
        <Stack gap={6} mt={6}>
          <Radio value="arrived" label="The money arrived" />
          <Radio value="not_arrived" label="The money did not arrive, and will not" />
        </Stack>
      </Radio.Group>
      <Textarea
        label="By which evidence"
        description="It stays on the audit log for good: no account numbers."
        autosize
        minRows={2}
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        required
      />
    </ActionForm>
  );
}
