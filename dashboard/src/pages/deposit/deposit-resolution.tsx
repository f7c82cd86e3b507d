import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../server/client.ts";
import { AmountInput } from "../../components/forms/amount-input.tsx";
import { NOTHING_SAID, SaidOfIt, SayOfIt } from "../../components/payout/manual-resolution.tsx";
import { formatMoney, readAmount } from "../../base/money.ts";
import { useMay } from "../../server/session.ts";
import { type DepositView, keepDeposit } from "./deposit-query.ts";
import { messages } from "./messages.ts";

const texts = messages.resolution;

interface Props {
  readonly deposit: DepositView;
}

/** Resolves a deposit manually: one person records its result, another one confirms it. */
export function Closing({ deposit }: Props) {
  const mayOperate = useMay("operate");
  const isOpen = deposit.actions.includes("resolve");
  return (
    <>
      {isOpen && deposit.resolution ? (
        <Said deposit={deposit} closing={deposit.resolution} />
      ) : null}
      {mayOperate ? (
        <Say deposit={deposit} isOpen={isOpen} />
      ) : deposit.resolution || !isOpen ? null : (
        <Text size="sm" c="dimmed">
          {texts.byOperators}
        </Text>
      )}
    </>
  );
}

function Said({
  deposit: { code, currency },
  closing: { id, received, evidence, proposed_by, at },
}: Props & { readonly closing: NonNullable<DepositView["resolution"]> }) {
  const answer = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/deposits/:code/resolution", { params: { code }, body: { id, agree } }),
    onSuccess: keepDeposit,
  });
  const finding = texts.found(
    received === null ? null : formatMoney({ currency, amount: received }),
  );
  return (
    <SaidOfIt id={id} by={proposed_by} at={at} finding={finding} words={evidence} answer={answer} />
  );
}

function Say({
  deposit: { code, currency, resolution },
  isOpen,
}: Props & {
  /** Whether the deposit can be resolved. The typed text is kept when it no longer can be. */
  readonly isOpen: boolean;
}) {
  const [said, setSaid] = useState(NOTHING_SAID);
  const [amount, setAmount] = useState("");
  const cameIn = said.finding === "received";
  const say = useMutation({
    mutationFn: () =>
      call("POST /api/deposits/:code/resolve", {
        params: { code },
        body: {
          received: cameIn ? (readAmount(amount, currency).amount ?? "") : null,
          evidence: said.words.trim(),
        },
      }),
    onSuccess: (next) => {
      keepDeposit(next);
      setSaid(NOTHING_SAID);
      setAmount("");
    },
  });
  if (!isOpen && said === NOTHING_SAID) return null;
  return (
    <SayOfIt
      said={said}
      onSaid={setSaid}
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
    </SayOfIt>
  );
}
