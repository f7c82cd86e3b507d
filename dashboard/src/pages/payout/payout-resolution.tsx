import { Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../server/client.ts";
import {
  EMPTY_RESOLUTION,
  ProposedResolution,
  type ResolutionDraft,
  ResolutionForm,
} from "../../components/payout/manual-resolution.tsx";
import { useMay } from "../../server/session.ts";
import { messages } from "./messages.ts";
import { cachePayout, type PayoutView } from "./payout-query.ts";

const texts = messages.resolution;

interface Props {
  readonly payout: PayoutView;
}

interface DraftProps extends Props {
  /** The unsaved form. It is kept when the payout leaves the state on hold. */
  readonly draft: ResolutionDraft;
  readonly onDraft: (draft: ResolutionDraft) => void;
}

/** Resolves a payout on hold: one person records its result, another one confirms it. */
export function PayoutResolution({ payout, draft, onDraft }: DraftProps) {
  const mayOperate = useMay("operate");
  return (
    <Stack gap="sm" mt="xs">
      {payout.resolution ? <Proposal payout={payout} closing={payout.resolution} /> : null}
      {mayOperate ? <ProposalForm payout={payout} draft={draft} onDraft={onDraft} /> : null}
    </Stack>
  );
}

function Proposal({
  payout: { code },
  closing: { id, arrived, evidence, proposed_by, at },
}: Props & { readonly closing: NonNullable<PayoutView["resolution"]> }) {
  const answer = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/payouts/:code/resolution", { params: { code }, body: { id, agree } }),
    onSuccess: cachePayout,
  });
  return (
    <ProposedResolution
      id={id}
      by={proposed_by}
      at={at}
      finding={texts.found(arrived)}
      words={evidence}
      answer={answer}
    />
  );
}

function ProposalForm({ payout: { code, resolution, state }, draft, onDraft }: DraftProps) {
  const say = useMutation({
    mutationFn: () =>
      call("POST /api/payouts/:code/resolve", {
        params: { code },
        body: { arrived: draft.finding === "arrived", evidence: draft.words.trim() },
      }),
    onSuccess: (next) => {
      cachePayout(next);
      onDraft(EMPTY_RESOLUTION);
    },
  });
  return (
    <ResolutionForm
      draft={draft}
      onDraft={onDraft}
      findings={texts.findings}
      isAgain={resolution !== null}
      passed={state === "on_hold" ? null : texts.noLongerNeeded}
      action={say}
    />
  );
}
