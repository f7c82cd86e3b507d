import { Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Amount } from "../../components/amount.tsx";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { ApproverDecision } from "../../components/forms/approver-decision.tsx";
import { NOTE_CHARS } from "../../components/forms/note-form.tsx";
import { UserText } from "../../components/user-text.tsx";
import { call } from "../../server/client.ts";
import { useMay } from "../../server/session.ts";
import { cacheDay, type DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";
import classes from "./day.module.css";

const texts = messages.actions;

interface Of {
  readonly of: DayView;
}

type Proposed = DayView["proposals"][number];

/** The proposals on a day, which an approver confirms, and the forms for further ones. */
export function DayActions({ of }: Of) {
  const mayOperate = useMay("operate");
  const isClosed = of.state === "closed" || of.state === "broken";
  return (
    <Stack>
      {of.proposals.map((each) => (
        <Proposal key={each.id} of={of} proposal={each} />
      ))}
      {mayOperate ? (
        <details className={classes.form}>
          <summary>{texts.adjust}</summary>
          <AdjustmentForm of={of} />
        </details>
      ) : null}
      {mayOperate && isClosed ? (
        <details className={classes.form}>
          <summary>{texts.askToReopen}</summary>
          <ReopeningForm of={of} />
        </details>
      ) : null}
    </Stack>
  );
}

function Proposal({ of, proposal }: Of & { readonly proposal: Proposed }) {
  const { day, lane, currency } = of;
  const { id, kind, amount, reason, by, decided_by: decider } = proposal;
  const decide = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/days/:day/decide", { params: { day }, body: { lane, agree, proposal: id } }),
    onSuccess: cacheDay,
  });
  const agreed = proposal.by_two
    ? texts.agreedBy(by.name, decider?.name ?? "")
    : texts.agreedAlone(by.name);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {texts[kind]}
        {amount === null ? null : (
          <>
            {" "}
            <Amount of={{ currency, amount }} />
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed">
        {decider ? agreed : texts.proposedBy(by.name)}
      </Text>
      <Text size="sm">
        <UserText text={reason} />
      </Text>
      {decider ? null : <ApproverDecision decide={decide} isOwn={proposal.is_own} />}
    </Stack>
  );
}

function AdjustmentForm({ of: { day, lane } }: Of) {
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const propose = useMutation({
    mutationFn: () =>
      call("POST /api/days/:day/adjust", {
        params: { day },
        body: { lane, amount: amount.trim(), reason: reason.trim() },
      }),
    onSuccess: (next) => {
      cacheDay(next);
      setAmount("");
      setReason("");
    },
  });
  return (
    <ActionForm
      action={propose}
      verb={texts.propose}
      isSecondary
      disabled={amount.trim() === "" || reason.trim().length < NOTE_CHARS.min}
    >
      <TextInput
        label={texts.amount}
        description={texts.amountHint}
        inputMode="decimal"
        value={amount}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
      />
      <Reason value={reason} onChange={setReason} />
    </ActionForm>
  );
}

function ReopeningForm({ of: { day, lane } }: Of) {
  const [reason, setReason] = useState("");
  const propose = useMutation({
    mutationFn: () =>
      call("POST /api/days/:day/reopen", {
        params: { day },
        body: { lane, reason: reason.trim() },
      }),
    onSuccess: (next) => {
      cacheDay(next);
      setReason("");
    },
  });
  return (
    <ActionForm
      action={propose}
      verb={texts.reopen}
      isSecondary
      disabled={reason.trim().length < NOTE_CHARS.min}
    >
      <Reason label={texts.reopenReason} value={reason} onChange={setReason} />
    </ActionForm>
  );
}

const Reason = ({
  label = texts.reason,
  value,
  onChange,
}: {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (reason: string) => void;
}) => (
  <TextInput
    label={label}
    maxLength={NOTE_CHARS.max}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
