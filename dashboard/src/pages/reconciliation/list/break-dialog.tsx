import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorState } from "../../../components/error-state.tsx";
import { AssigneeField } from "../../../components/forms/assignee-field.tsx";
import { NOTE_CHARS } from "../../../components/forms/note-form.tsx";
import { PREVIEW_OPTIONS, PreviewDialog } from "../../../components/forms/preview-dialog.tsx";
import { Loading } from "../../../components/loading.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { usePerson } from "../../../server/session.ts";
import { BreakKinds, Explanations, LeftBreaks } from "../action/action-figures.tsx";
import {
  applyAction,
  type BreakAction,
  type BreakActionInput,
  type BreakActionName,
  type BreakSelection,
  previewAction,
} from "../action/break-action.ts";
import { messages } from "../action/bulk-messages.ts";

/** An action that a reader chose for the selected breaks. */
export interface ChosenBreakAction {
  readonly action: BreakActionName;
  readonly selection: BreakSelection;
  /** Identifies the dialog. Each one makes a new preview. */
  readonly openedAt: number;
  readonly onApplied: () => void;
}

/** Previews the action. */
const usePreview = ({ action, selection, openedAt }: ChosenBreakAction) =>
  useQuery({
    queryKey: ["POST /api/break-actions", action, selection, openedAt],
    queryFn: () => previewAction(action, selection),
    ...PREVIEW_OPTIONS,
  });

/**
 * The dialog of an action on several breaks: the preview of exactly the breaks that change, its
 * input, and then the result.
 */
export default function BreakDialog({
  chosen,
  onClosed,
}: {
  readonly chosen: ChosenBreakAction;
  readonly onClosed: () => void;
}) {
  const preview = usePreview(chosen);
  const apply = useMutation({
    mutationFn: ({ of, ...input }: BreakActionInput & { readonly of: BreakAction }) =>
      applyAction(of, input),
  });
  const of = preview.data;
  return (
    <PreviewDialog
      title={messages.actions[chosen.action].title}
      closeLabel={messages.close}
      isApplying={apply.isPending}
      onClosed={() => {
        onClosed();
        if (apply.data) chosen.onApplied();
      }}
    >
      {(close) =>
        apply.data ? (
          <Result of={apply.data} onClose={close} />
        ) : preview.error ? (
          <ErrorState error={preview.error} />
        ) : of ? (
          <Stack>
            <Preview of={of} />
            {apply.error ? <ErrorState error={apply.error} /> : null}
            {of.qualifying.count === 0 ? null : (
              <Input
                action={chosen.action}
                count={of.qualifying.count}
                isApplying={apply.isPending}
                onCancel={close}
                onApply={(input) => apply.mutate({ of, ...input })}
              />
            )}
          </Stack>
        ) : (
          <Loading lines={4} />
        )
      }
    </PreviewDialog>
  );
}

/** The breaks that change, with their sums, and those that do not. */
function Preview({ of }: { readonly of: BreakAction }) {
  const { action, qualifying, not_qualifying: left } = of;
  const texts = messages.actions[action];
  return (
    <>
      <Text size="sm">{qualifying.count === 0 ? messages.none : texts.effect}</Text>
      {qualifying.count === 0 ? null : <BreakKinds caption={texts.title} of={qualifying.kinds} />}
      <Explanations of={of} />
      <LeftBreaks of={left} />
    </>
  );
}

function Input({
  action,
  count,
  isApplying,
  onCancel,
  onApply,
}: {
  readonly action: BreakActionName;
  readonly count: number;
  readonly isApplying: boolean;
  readonly onCancel: () => void;
  readonly onApply: (input: BreakActionInput) => void;
}) {
  const [assignee, setAssignee] = useState(usePerson()?.id ?? "");
  const [explanation, setExplanation] = useState("");
  const isShort = action === "propose" && explanation.trim().length < NOTE_CHARS.min;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply({ assignee, explanation });
      }}
    >
      <Stack>
        {action === "assign" ? (
          <AssigneeField
            label={messages.assignee}
            nobody={messages.nobody}
            value={assignee}
            onChange={setAssignee}
          />
        ) : null}
        {action === "propose" ? (
          <Textarea
            label={messages.explanation}
            description={messages.explanationHint}
            autosize
            minRows={2}
            maxLength={NOTE_CHARS.max}
            value={explanation}
            onChange={({ currentTarget }) => setExplanation(currentTarget.value)}
            required
          />
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" disabled={isApplying} onClick={onCancel}>
            {messages.cancel}
          </Button>
          <Button type="submit" loading={isApplying} disabled={isShort}>
            {messages.actions[action].apply(count)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** How many breaks changed, and why the others did not. */
const Result = ({
  of: { id, action, changed, left },
  onClose,
}: {
  readonly of: BreakAction;
  readonly onClose: () => void;
}) => (
  <Stack>
    <Text role="status" fw={600}>
      {messages.actions[action].done(changed ?? 0)}
    </Text>
    <LeftBreaks of={left ?? []} />
    <Group justify="space-between">
      <PageLink to={`/reconciliation/actions/${id}`}>{messages.show}</PageLink>
      <Button onClick={onClose}>{messages.close}</Button>
    </Group>
  </Stack>
);
