import {
  Alert,
  Button,
  Group,
  List,
  Modal,
  NativeSelect,
  Stack,
  Text,
  Textarea,
} from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { formatSigned } from "../../base/money.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { NOTE_CHARS } from "../../components/forms/note-form.tsx";
import { call } from "../../server/client.ts";
import { usePerson } from "../../server/session.ts";
import { type ListedBreak, sumOfDifferences } from "./break-amounts.ts";
import { messages as classMessages } from "./messages.ts";
import {
  applyToBreaks,
  type BreakActionName,
  type BreakActionResult,
  type Obstacle,
  obstacleOf,
} from "./apply-to-breaks.ts";
import { messages } from "./bulk-messages.ts";

/** An action that a reader chose for the selected breaks. */
export interface ChosenBreakAction {
  readonly action: BreakActionName;
  readonly breaks: readonly ListedBreak[];
  readonly onApplied: () => void;
}

/** The dialog of an action on several breaks: the preview, its input and then the result. */
export default function BreakDialog({
  chosen: { action, breaks, onApplied },
  onClosed,
}: {
  readonly chosen: ChosenBreakAction;
  readonly onClosed: () => void;
}) {
  // Opens after mounting, so that it can return the focus to the element that had it.
  const [opened, setOpened] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the second rendering is the point
  useEffect(() => setOpened(true), []);
  const apply = useMutation({ mutationFn: applyToBreaks });
  const close = (): void => {
    // Stays open while the request runs: a closed dialog would suggest a cancelled action.
    if (!apply.isPending) setOpened(false);
  };
  const able = breaks.filter((each) => obstacleOf(action, each) === null);
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={() => {
        onClosed();
        if (apply.data) onApplied();
      }}
      title={messages.actions[action].title}
      closeButtonProps={{ "aria-label": messages.close }}
      size="lg"
      centered
      // The lock is an inline style, which the content security policy refuses.
      lockScroll={false}
    >
      {apply.data ? (
        <Result action={action} of={apply.data} onClose={close} />
      ) : (
        <Stack>
          <Preview action={action} able={able} all={breaks} />
          {apply.error ? <ErrorState error={apply.error} /> : null}
          {able.length === 0 ? null : (
            <Input
              action={action}
              count={able.length}
              isApplying={apply.isPending}
              onCancel={close}
              onApply={(input) => apply.mutate({ action, breaks: able, ...input })}
            />
          )}
        </Stack>
      )}
    </Modal>
  );
}

interface Kind {
  readonly name: ListedBreak["class"];
  readonly breaks: readonly ListedBreak[];
}

const KIND_COLUMNS: readonly Column<Kind>[] = [
  {
    key: "kind",
    header: messages.kind,
    names: true,
    cell: ({ name }) => classMessages.classes[name],
  },
  {
    key: "count",
    header: messages.count,
    numeric: true,
    cell: ({ breaks }) => breaks.length.toLocaleString(),
  },
  {
    key: "difference",
    header: messages.difference,
    numeric: true,
    cell: ({ breaks }) => sumOfDifferences(breaks).map(formatSigned).join(" · ") || "–",
  },
];

/** The breaks that change, with their sums, and those that do not. */
function Preview({
  action,
  able,
  all,
}: {
  readonly action: BreakActionName;
  readonly able: readonly ListedBreak[];
  readonly all: readonly ListedBreak[];
}) {
  const kinds = [...Map.groupBy(able, (each) => each.class)];
  const others = Map.groupBy(
    all.filter((each) => obstacleOf(action, each) !== null),
    (each) => obstacleOf(action, each) as Obstacle,
  );
  return (
    <>
      <Text size="sm">{able.length === 0 ? messages.none : messages.actions[action].effect}</Text>
      {kinds.length === 0 ? null : (
        <DataTable
          caption={messages.actions[action].title}
          hideCaption
          columns={KIND_COLUMNS}
          rows={kinds.map(([name, breaks]) => ({ name, breaks }))}
          rowKey={({ name }) => name}
        />
      )}
      {action === "confirm" || action === "refuse" ? <Explanations of={able} /> : null}
      {others.size === 0 ? null : (
        <Alert variant="light" color="gray" title={messages.notChanged}>
          {[...others].map(([obstacle, each]) => (
            <Text key={obstacle} size="sm">
              {messages.reasons[obstacle](each.length)}
            </Text>
          ))}
        </Alert>
      )}
    </>
  );
}

/** The explanations that the approver decides about. */
function Explanations({ of }: { readonly of: readonly ListedBreak[] }) {
  const proposals = of.flatMap(({ proposal }) => proposal ?? []);
  const groups = [...Map.groupBy(proposals, (each) => `${each.by.name}\n${each.explanation}`)];
  if (groups.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {messages.explanations}
      </Text>
      <List size="sm">
        {groups.map(([key, [first, ...more]]) =>
          first === undefined ? null : (
            <List.Item key={key}>
              {messages.explanationOf(first.explanation, first.by.name, more.length + 1)}
            </List.Item>
          ),
        )}
      </List>
    </div>
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
  readonly onApply: (input: { readonly assignee: string; readonly explanation: string }) => void;
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
        {action === "assign" ? <AssigneeField value={assignee} onChange={setAssignee} /> : null}
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

function AssigneeField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const { data } = useQuery({
    queryKey: ["GET /api/failures/people"],
    queryFn: ({ signal }) => call("GET /api/failures/people", { signal }),
  });
  return (
    <NativeSelect
      label={messages.assignee}
      value={value}
      data={[
        ...(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
        { value: "", label: messages.nobody },
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** How many breaks changed, and why the others did not. */
const Result = ({
  action,
  of: { done, problems },
  onClose,
}: {
  readonly action: BreakActionName;
  readonly of: BreakActionResult;
  readonly onClose: () => void;
}) => (
  <Stack>
    <Text role="status" fw={600}>
      {messages.actions[action].done(done)}
    </Text>
    {problems.size === 0 ? null : (
      <Alert variant="light" color="orange" title={messages.notChanged}>
        {[...problems].map(([title, count]) => (
          <Text key={title} size="sm">
            {messages.problem(count, title)}
          </Text>
        ))}
      </Alert>
    )}
    <Group justify="flex-end">
      <Button onClick={onClose}>{messages.close}</Button>
    </Group>
  </Stack>
);
