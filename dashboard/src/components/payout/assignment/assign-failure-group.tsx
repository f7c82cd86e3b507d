import { Modal, Stack, Text } from "@mantine/core";
import { type Answer, call } from "../../../server/client.ts";
import { queryClient } from "../../../server/query-client.ts";
import { type AssignmentActions, AssignmentForms } from "./assignment.tsx";
import { type Assignment, AssignmentText } from "./assignment-text.tsx";
import { messages } from "./assignment-messages.tsx";

const texts = messages.assignment;

/** A failure group and its assignment. */
interface AssignableGroup {
  readonly state: Answer<"GET /api/failures">["groups"][number]["state"];
  readonly reason: string | null;
  readonly next_actor: string;
  readonly assignment: Assignment;
}

/** The dialog that assigns a failure group. It is loaded when a person opens it. */
export default function AssignFailureGroup({
  group: { state, reason, next_actor: acts, assignment },
  title,
  readAt,
  close,
}: {
  readonly group: AssignableGroup;
  readonly title: string;
  /** When the list was loaded. A snooze does not hide later changes. */
  readonly readAt: string;
  readonly close: () => void;
}) {
  const of = { state, reason };
  const actions: AssignmentActions = {
    assign: (change) => call("PUT /api/failures/assignment", { body: { ...of, ...change } }),
    snooze:
      acts === "payrun"
        ? undefined
        : (until) => call("PUT /api/failures/snooze", { body: { ...of, until, seen_at: readAt } }),
    reload: () => queryClient.invalidateQueries({ queryKey: ["GET /api/failures"] }),
  };
  return (
    <Modal opened onClose={close} title={title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {texts.scope}
        </Text>
        <AssignmentText of={assignment} />
        <AssignmentForms of={assignment} actions={actions} />
      </Stack>
    </Modal>
  );
}
