import { Alert, Button, Group, Radio, Stack, Text, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useMay, usePerson } from "../../server/session.ts";
import { isolateDirection } from "../../base/text.ts";
import { ActionForm } from "../forms/action-form.tsx";
import { OutdatedDataAlert } from "../outdated-data-alert.tsx";
import { ErrorState } from "../error-state.tsx";
import { NOTE_CHARS } from "../forms/note-form.tsx";
import { Timestamp } from "../timestamp.tsx";
import { detailMessages } from "../detail-messages.tsx";

const texts = detailMessages.resolution;

/**
 * The result that one person proposes for a payout or deposit, with the buttons of the approver who
 * decides.
 */
export function ProposedResolution({
  id,
  by,
  at,
  finding,
  words,
  answer,
}: {
  /** Identifies the proposal, which may be replaced while an approver reads it. */
  readonly id: number;
  readonly by: { readonly actor: string; readonly name: string };
  readonly at: string;
  readonly finding: string;
  /** The evidence. */
  readonly words: string;
  /** A mutation: true confirms the result. */
  readonly answer: {
    readonly mutate: (agree: boolean) => void;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
}) {
  const mayApprove = useMay("approve");
  const [read, setRead] = useState(id);
  const isOwn = by.actor === `user:${usePerson()?.id}`;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {isOwn ? texts.proposedByYou : texts.proposedBy(isolateDirection(by.name))},{" "}
        <Timestamp at={at} />: <strong>{finding}</strong> {words}
      </Text>
      {mayApprove && !isOwn && read !== id ? (
        <Alert role="alert" color="orange" variant="light" title={texts.proposalChanged}>
          <Button size="xs" variant="default" onClick={() => setRead(id)}>
            {texts.confirmRead}
          </Button>
        </Alert>
      ) : mayApprove && !isOwn ? (
        <Group gap="xs">
          <Button size="xs" loading={answer.isPending} onClick={() => answer.mutate(true)}>
            {texts.confirm}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={answer.isPending}
            onClick={() => answer.mutate(false)}
          >
            {texts.reject}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {texts.needsApprover}
        </Text>
      )}
      {answer.error ? <ErrorState error={answer.error} /> : null}
    </Stack>
  );
}

/** The unsaved fields of a proposal: the result of the payout or deposit, and the evidence. */
export interface ResolutionDraft {
  readonly finding: string;
  readonly words: string;
}

/** The draft of an empty form. */
export const EMPTY_RESOLUTION: ResolutionDraft = { finding: "", words: "" };

/** The form in which a person proposes the result of a payout or deposit. */
export function ResolutionForm({
  draft,
  onDraft,
  findings,
  isAgain,
  passed,
  action,
  children,
}: {
  readonly draft: ResolutionDraft;
  readonly onDraft: (draft: ResolutionDraft) => void;
  /** The labels of the possible results, by value. */
  readonly findings: Readonly<Record<string, string>>;
  /** A proposal exists already. */
  readonly isAgain: boolean;
  /** The reason why a result is no longer needed. The typed text stays. */
  readonly passed: string | null;
  readonly action: Parameters<typeof ActionForm>[0]["action"];
  /** Further fields. */
  readonly children?: ReactNode;
}) {
  return (
    <ActionForm
      action={action}
      verb={isAgain ? texts.proposeInstead : texts.propose}
      disabled={
        passed !== null || draft.finding === "" || draft.words.trim().length < NOTE_CHARS.min
      }
    >
      {passed === null || action.isPending ? null : <OutdatedDataAlert why={passed} />}
      <Radio.Group
        label={texts.result}
        description={texts.resultHint}
        value={draft.finding}
        onChange={(finding) => onDraft({ ...draft, finding })}
        required
      >
        <Stack gap={6} mt={6}>
          {Object.entries(findings).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {children}
      <Textarea
        label={texts.evidence}
        description={detailMessages.notes.permanent}
        autosize
        minRows={2}
        maxLength={NOTE_CHARS.max}
        value={draft.words}
        onChange={({ currentTarget }) => onDraft({ ...draft, words: currentTarget.value })}
        required
      />
    </ActionForm>
  );
}
