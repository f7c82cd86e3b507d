import { Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../server/client.ts";
import {
  NOTHING_SAID,
  SaidOfIt,
  type Saying,
  SayOfIt,
} from "../../components/payout/manual-resolution.tsx";
import { useMay } from "../../server/session.ts";
import { messages } from "./messages.ts";
import { keepPayout, type PayoutView } from "./payout-query.ts";

const texts = messages.resolution;

interface Props {
  readonly payout: PayoutView;
}

interface SayProps extends Props {
  /** The unsaved form. It is kept when the payout leaves the state on hold. */
  readonly said: Saying;
  readonly onSaid: (said: Saying) => void;
}

/** Resolves a payout on hold: one person records its result, another one confirms it. */
export function Closing({ payout, said, onSaid }: SayProps) {
  const mayOperate = useMay("operate");
  return (
    <Stack gap="sm" mt="xs">
      {payout.resolution ? <Said payout={payout} closing={payout.resolution} /> : null}
      {mayOperate ? <Say payout={payout} said={said} onSaid={onSaid} /> : null}
    </Stack>
  );
}

function Said({
  payout: { code },
  closing: { id, arrived, evidence, proposed_by, at },
}: Props & { readonly closing: NonNullable<PayoutView["resolution"]> }) {
  const answer = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/payouts/:code/resolution", { params: { code }, body: { id, agree } }),
    onSuccess: keepPayout,
  });
  return (
    <SaidOfIt
      id={id}
      by={proposed_by}
      at={at}
      finding={texts.found(arrived)}
      words={evidence}
      answer={answer}
    />
  );
}

function Say({ payout: { code, resolution, state }, said, onSaid }: SayProps) {
  const say = useMutation({
    mutationFn: () =>
      call("POST /api/payouts/:code/resolve", {
        params: { code },
        body: { arrived: said.finding === "arrived", evidence: said.words.trim() },
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
      findings={texts.findings}
      isAgain={resolution !== null}
      passed={state === "on_hold" ? null : texts.noLongerNeeded}
      action={say}
    />
  );
}
