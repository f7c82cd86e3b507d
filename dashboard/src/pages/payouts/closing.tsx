import { Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../client.ts";
import { NOTHING_SAID, SaidOfIt, type Saying, SayOfIt } from "../../components/closing.tsx";
import { useMay } from "../../session.ts";
import { keepPayout, type PayoutView } from "./payout-query.ts";

interface Props {
  readonly payout: PayoutView;
}

interface SayProps extends Props {
  /** What somebody is typing, which outlasts the state in which it can be said. */
  readonly said: Saying;
  readonly onSaid: (said: Saying) => void;
}

/** What the gateway does not explain: one person says what they found out elsewhere, another one agrees. */
export function Closing({ payout, said, onSaid }: SayProps) {
  const mayOperate = useMay("operate");
  return (
    <Stack gap="sm" mt="xs">
      {payout.closing ? <Said payout={payout} closing={payout.closing} /> : null}
      {mayOperate ? <Say payout={payout} said={said} onSaid={onSaid} /> : null}
    </Stack>
  );
}

function Said({
  payout: { code },
  closing: { id, arrived, words, proposed_by, at },
}: Props & { readonly closing: NonNullable<PayoutView["closing"]> }) {
  const answer = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/payouts/:code/closing", { params: { code }, body: { id, agree } }),
    onSuccess: keepPayout,
  });
  const finding = arrived ? "the money arrived." : "the money did not arrive.";
  return (
    <SaidOfIt id={id} by={proposed_by} at={at} finding={finding} words={words} answer={answer} />
  );
}

const FINDINGS = {
  arrived: "The money arrived",
  not_arrived: "The money did not arrive, and will not",
};

function Say({ payout: { code, closing, state }, said, onSaid }: SayProps) {
  const say = useMutation({
    mutationFn: () =>
      call("POST /api/payouts/:code/close", {
        params: { code },
        body: { arrived: said.finding === "arrived", words: said.words.trim() },
      }),
    onSuccess: (next) => {
      keepPayout(next);
      onSaid(NOTHING_SAID);
    },
  });
  return (
    <SayOfIt
      said={said}
      onSaid={onSaid}
      findings={FINDINGS}
      isAgain={closing !== null}
      passed={state === "held" ? null : "It needs nobody's word any more."}
      action={say}
    />
  );
}
