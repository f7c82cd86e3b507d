import { Button, Group, Radio, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../client.ts";
import { ActionForm } from "../../components/action-form.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { When } from "../../components/when.tsx";
import { formatMoney } from "../../money.ts";
import { queryClient } from "../../query-client.ts";
import { useMay, usePerson } from "../../session.ts";
import { depositQuery, type DepositView } from "./deposit-query.ts";

interface Props {
  readonly deposit: DepositView;
}

const keep = (next: DepositView): void =>
  void queryClient.setQueryData(depositQuery(next.code).queryKey, next);

/** What the gateway does not explain: one person says what they found out elsewhere, another one agrees. */
export function Closing({ deposit }: Props) {
  const mayOperate = useMay("operate");
  if (!deposit.actions.includes("close")) return null;
  return (
    <>
      {deposit.closing ? <Said deposit={deposit} closing={deposit.closing} /> : null}
      {mayOperate ? (
        <Say deposit={deposit} />
      ) : deposit.closing ? null : (
        <Text size="sm" c="dimmed">
          An operator can say what became of it, where the bank or the gateway's support knows.
        </Text>
      )}
    </>
  );
}

function Said({
  deposit: { code, currency },
  closing: { id, came_in, words, proposed_by, at },
}: Props & { readonly closing: NonNullable<DepositView["closing"]> }) {
  const mayApprove = useMay("approve");
  const isOwn = proposed_by.actor === `user:${usePerson()?.id}`;
  const answer = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/deposits/:code/closing", { params: { code }, body: { id, agree } }),
    onSuccess: keep,
  });
  return (
    <Stack gap="xs">
      <Text size="sm">
        {isOwn ? "You say" : `${proposed_by.name} says`}, <When at={at} />:{" "}
        <strong>
          {came_in === null
            ? "nothing came in."
            : `${formatMoney({ currency, amount: came_in })} came in.`}
        </strong>{" "}
        {words}
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

function Say({ deposit: { code, currency, closing } }: Props) {
  const [finding, setFinding] = useState("");
  const [amount, setAmount] = useState("");
  const [words, setWords] = useState("");
  const say = useMutation({
    mutationFn: () =>
      call("POST /api/deposits/:code/close", {
        params: { code },
        body: { came_in: finding === "came_in" ? amount.trim() : null, words: words.trim() },
      }),
    onSuccess: (next) => {
      keep(next);
      setFinding("");
      setAmount("");
      setWords("");
    },
  });
  return (
    <ActionForm
      action={say}
      verb={closing ? "Replace what was said" : "Put it before an approver"}
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
          <Radio value="came_in" label="Money came in" />
          <Radio value="nothing" label="Nothing came in" />
        </Stack>
      </Radio.Group>
      {finding === "came_in" ? (
        <TextInput
          label={`How much came in, ${currency}`}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={({ currentTarget }) => setAmount(currentTarget.value)}
          required
        />
      ) : null}
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
