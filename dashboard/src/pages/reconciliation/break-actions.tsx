import { Button, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { MentionTextarea } from "../../components/comments/mention-textarea.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { ApproverDecision } from "../../components/forms/approver-decision.tsx";
import { NOTE_CHARS, NoteForm } from "../../components/forms/note-form.tsx";
import { UserText } from "../../components/user-text.tsx";
import { call } from "../../server/client.ts";
import { sessionQuery, useMay } from "../../server/session.ts";
import { type BreakView, cacheBreak } from "./break-query.ts";
import { messages } from "./messages.ts";

const texts = messages.actions;

interface Of {
  readonly of: BreakView;
}

/** The actions on a break: one person proposes its resolution, an approver confirms it. */
export function BreakActions({ of }: Of) {
  const mayOperate = useMay("operate");
  const { id, state, version } = of;
  const isUnresolved = state === "open" || state === "proposed";
  return (
    <Stack>
      {isUnresolved ? null : <Finished of={of} />}
      {isUnresolved && of.proposal ? <Proposal of={of} proposal={of.proposal} /> : null}
      {isUnresolved && mayOperate ? <Assignment of={of} /> : null}
      {isUnresolved && mayOperate ? <ProposalForm of={of} /> : null}
      <NoteForm
        label={texts.comment}
        verb={texts.addComment}
        leave={(text) =>
          call("POST /api/breaks/:id/comments", { params: { id }, body: { text, version } })
        }
        onLeft={cacheBreak}
        field={MentionTextarea}
      />
    </Stack>
  );
}

function Finished({ of: { resolution } }: Of) {
  if (!resolution) return <Text size="sm">{texts.closed}</Text>;
  const { explanation, by_two: byTwo, proposed_by: proposer, decided_by: decider } = resolution;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {byTwo
          ? texts.resolvedByTwo(proposer.name, decider.name)
          : texts.resolvedAlone(decider.name)}
      </Text>
      <Text size="sm">
        <UserText text={explanation} />
      </Text>
    </Stack>
  );
}

function Proposal({
  of: { id, version },
  proposal: { id: proposal, explanation, by, is_own: isOwn },
}: Of & { readonly proposal: NonNullable<BreakView["proposal"]> }) {
  const decide = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/breaks/:id/decide", { params: { id }, body: { agree, version, proposal } }),
    onSuccess: cacheBreak,
  });
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {texts.proposedBy(by.name)}
      </Text>
      <Text size="sm">
        <UserText text={explanation} />
      </Text>
      <ApproverDecision decide={decide} isOwn={isOwn} />
    </Stack>
  );
}

function Assignment({ of: { id, version, assigned_to: assigned } }: Of) {
  const me = useQuery(sessionQuery).data?.person?.id;
  const assign = useMutation({
    mutationFn: (to: string | null) =>
      call("PUT /api/breaks/:id/assignment", { params: { id }, body: { to, version } }),
    onSuccess: cacheBreak,
  });
  const isMine = me !== undefined && assigned?.actor === `user:${me}`;
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        loading={assign.isPending}
        disabled={me === undefined}
        onClick={() => assign.mutate(isMine ? null : (me ?? null))}
      >
        {isMine ? texts.release : texts.takeOver}
      </Button>
      {assign.error ? <ErrorState error={assign.error} /> : null}
    </div>
  );
}

/** The form of a proposal. If there is one, a button opens the form to replace it. */
function ProposalForm({ of: { id, version, proposal } }: Of) {
  const [explanation, setExplanation] = useState("");
  const [replaces, setReplaces] = useState(false);
  const propose = useMutation({
    mutationFn: () =>
      call("POST /api/breaks/:id/propose", {
        params: { id },
        body: { explanation: explanation.trim(), version },
      }),
    onSuccess: (next) => {
      cacheBreak(next);
      setExplanation("");
      setReplaces(false);
    },
  });
  if (proposal && !replaces) {
    const replace = (): void => {
      setExplanation(proposal.explanation);
      setReplaces(true);
    };
    return (
      <div>
        <Button size="xs" variant="default" onClick={replace}>
          {texts.replaceProposal}
        </Button>
      </div>
    );
  }
  return (
    <ActionForm
      action={propose}
      verb={texts.propose}
      disabled={explanation.trim().length < NOTE_CHARS.min}
    >
      <Textarea
        label={texts.explanation}
        description={texts.explanationHint}
        autosize
        minRows={2}
        maxLength={NOTE_CHARS.max}
        value={explanation}
        onChange={({ currentTarget }) => setExplanation(currentTarget.value)}
      />
    </ActionForm>
  );
}
