import { Alert, Button, Group, Radio, Stack, Text, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useMay, usePerson } from "../session.ts";
import { apart } from "../words.ts";
import { ActionForm } from "./action-form.tsx";
import { Changed } from "./changed.tsx";
import { ErrorState } from "./error-state.tsx";
import { NOTE_CHARS } from "./note-form.tsx";
import { When } from "./when.tsx";

/** What one person found out elsewhere, and the button of another one who agrees. */
export function SaidOfIt({
  id,
  by,
  at,
  finding,
  words,
  answer,
}: {
  /** Of these words: others may take their place while somebody reads them. */
  readonly id: number;
  readonly by: { readonly actor: string; readonly name: string };
  readonly at: string;
  readonly finding: string;
  /** By which evidence. */
  readonly words: string;
  /** A mutation: whether they agree. */
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
        {isOwn ? "You say" : `${apart(by.name)} says`}, <When at={at} />: <strong>{finding}</strong>{" "}
        {words}
      </Text>
      {mayApprove && !isOwn && read !== id ? (
        <Alert
          role="alert"
          color="orange"
          variant="light"
          title="This was said since you opened it"
        >
          <Button size="xs" variant="default" onClick={() => setRead(id)}>
            I have read it
          </Button>
        </Alert>
      ) : mayApprove && !isOwn ? (
        <Group gap="xs">
          <Button size="xs" loading={answer.isPending} onClick={() => answer.mutate(true)}>
            Agree and close it
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={answer.isPending}
            onClick={() => answer.mutate(false)}
          >
            Do not agree
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          Another person, an approver, has to agree.
        </Text>
      )}
      {answer.error ? <ErrorState error={answer.error} /> : null}
    </Stack>
  );
}

export interface Saying {
  readonly finding: string;
  readonly words: string;
}

export const NOTHING_SAID: Saying = { finding: "", words: "" };

/** Somebody says what became of it. */
export function SayOfIt({
  said,
  onSaid,
  findings,
  isAgain,
  passed,
  action,
  children,
}: {
  readonly said: Saying;
  readonly onSaid: (said: Saying) => void;
  /** What can be said, by its value. */
  readonly findings: Readonly<Record<string, string>>;
  /** Somebody has said something already. */
  readonly isAgain: boolean;
  /** Why nothing is to be said any more; what was typed stays. */
  readonly passed: string | null;
  readonly action: Parameters<typeof ActionForm>[0]["action"];
  /** Further fields. */
  readonly children?: ReactNode;
}) {
  return (
    <ActionForm
      action={action}
      verb={isAgain ? "Put this before an approver instead" : "Put it before an approver"}
      disabled={passed !== null || said.finding === "" || said.words.trim().length < NOTE_CHARS.min}
    >
      {passed === null || action.isPending ? null : <Changed why={passed} />}
      <Radio.Group
        label="What became of it"
        description="By the bank's statement or the gateway's support, in writing."
        value={said.finding}
        onChange={(finding) => onSaid({ ...said, finding })}
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
        label="By which evidence"
        description="It stays on the audit log for good: no account numbers."
        autosize
        minRows={2}
        maxLength={NOTE_CHARS.max}
        value={said.words}
        onChange={({ currentTarget }) => onSaid({ ...said, words: currentTarget.value })}
        required
      />
    </ActionForm>
  );
}
