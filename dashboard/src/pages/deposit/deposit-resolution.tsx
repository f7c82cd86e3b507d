import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../server/client.ts";
import { AmountInput } from "../../components/forms/amount-input.tsx";
import {
  EMPTY_RESOLUTION,
  ProposedResolution,
  ResolutionForm,
} from "../../components/payout/manual-resolution.tsx";
import { formatMoney, readAmount } from "../../base/money.ts";
import { useMay } from "../../server/session.ts";
import { type DepositView, cacheDeposit } from "./deposit-query.ts";
import { messages } from "./messages.ts";

const texts = messages.resolution;

interface Props {
  readonly deposit: DepositView;
}

/** Resolves a deposit manually: one person records its result, another one confirms it. */
export function DepositResolution({ deposit }: Props) {
  const mayOperate = useMay("operate");
  const isOpen = deposit.actions.includes("resolve");
  return (
    <>
      {isOpen && deposit.resolution ? (
        <Proposal deposit={deposit} closing={deposit.resolution} />
      ) : null}
      {mayOperate ? (
        <ProposalForm deposit={deposit} isOpen={isOpen} />
      ) : deposit.resolution || !isOpen ? null : (
        <Text size="sm" c="dimmed">
          {texts.byOperators}
        </Text>
      )}
    </>
  );
}

function Proposal({
  deposit: { code, currency },
  closing: { id, received, evidence, proposed_by, at },
}: Props & { readonly closing: NonNullable<DepositView["resolution"]> }) {
  const answer = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/deposits/:code/resolution", { params: { code }, body: { id, agree } }),
    onSuccess: cacheDeposit,
  });
  const finding = texts.found(
    received === null ? null : formatMoney({ currency, amount: received }),
  );
  return (
    <ProposedResolution
      id={id}
      by={proposed_by}
      at={at}
      finding={finding}
      words={evidence}
      answer={answer}
    />
  );
}

function ProposalForm({
  deposit: { code, currency, resolution },
  isOpen,
}: Props & {
  /** Whether the deposit can be resolved. The typed text is kept when it no longer can be. */
  readonly isOpen: boolean;
}) {
  const [draft, setDraft] = useState(EMPTY_RESOLUTION);
  const [amount, setAmount] = useState("");
  const cameIn = draft.finding === "received";
  const say = useMutation({
    mutationFn: () =>
      call("POST /api/deposits/:code/resolve", {
        params: { code },
        body: {
          received: cameIn ? (readAmount(amount, currency).amount ?? "") : null,
          evidence: draft.words.trim(),
        },
      }),
    onSuccess: (next) => {
      cacheDeposit(next);
      setDraft(EMPTY_RESOLUTION);
      setAmount("");
    },
  });
  if (!isOpen && draft === EMPTY_RESOLUTION) return null;
  return (
    <ResolutionForm
      draft={draft}
      onDraft={setDraft}
      findings={texts.findings}
      isAgain={resolution !== null}
      passed={isOpen ? null : texts.noLongerNeeded}
      action={say}
    >
      {cameIn ? (
        <AmountInput
          label={texts.amount(currency)}
          currency={currency}
          value={amount}
          onChange={setAmount}
          required
        />
      ) : null}
    </ResolutionForm>
  );
}
