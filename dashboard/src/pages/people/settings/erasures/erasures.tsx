import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { isolateDirection } from "../../../../base/text.ts";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { EmptyState } from "../../../../components/empty-state.tsx";
import { ErrorState } from "../../../../components/error-state.tsx";
import { ConfirmAction } from "../../../../components/forms/confirm-action.tsx";
import { NOTE_CHARS } from "../../../../components/forms/note-form.tsx";
import { Loading } from "../../../../components/loading.tsx";
import { Section } from "../../../../components/section.tsx";
import { Timestamp } from "../../../../components/timestamp.tsx";
import { UserText } from "../../../../components/user-text.tsx";
import { type Answer, call } from "../../../../server/client.ts";
import { useMay, usePerson } from "../../../../server/session.ts";
import { SettingsPage } from "../settings-page.tsx";
import { messages as texts } from "./messages.ts";

type Erasure = Answer<"GET /api/erasures">["items"][number];
interface Decision {
  readonly id: number;
  readonly agree: boolean;
}

/** The erasures of people: proposals, decisions, and those that wait for a rotation of the key. */
export function ErasuresPage() {
  const queries = useQueryClient();
  const person = usePerson();
  const [mayPropose, mayApprove] = [useMay("operate"), useMay("approve")];
  const found = useQuery({
    queryKey: ["GET /api/erasures"],
    queryFn: ({ signal }) => call("GET /api/erasures", { signal }),
  });
  const decide = useMutation({
    mutationFn: ({ id, agree }: Decision) =>
      call("POST /api/erasures/:id/decide", { params: { id }, body: { agree } }),
    // Any page may show the person.
    onSettled: () => queries.invalidateQueries(),
  });
  const error = found.error ?? decide.error;
  const items = found.data?.items;
  return (
    <SettingsPage title={texts.title}>
      <Text>{texts.explanation}</Text>
      {error ? <ErrorState error={error} /> : null}
      {items?.some(({ state }) => state === "erased") ? (
        <Alert color="yellow" variant="light">
          {texts.rotate}
        </Alert>
      ) : null}
      {items ? (
        <DataTable
          caption={texts.caption}
          hideCaption
          rows={items}
          rowKey={({ id }) => String(id)}
          empty={<EmptyState text={texts.none} />}
          columns={columnsOf(
            mayApprove ? decide : null,
            person ? `${person.kind}:${person.id}` : undefined,
          )}
        />
      ) : found.error ? null : (
        <Loading lines={4} />
      )}
      {mayPropose ? <Proposal /> : null}
    </SettingsPage>
  );
}

/** @param decide null: this person may not decide. */
function columnsOf(decide: Decide | null, self: string | undefined): Column<Erasure>[] {
  return [
    { key: "id", header: texts.id, numeric: true, cell: ({ id }) => id },
    { key: "state", header: texts.state, card: "title", cell: ({ state }) => texts.states[state] },
    {
      key: "by",
      header: texts.by,
      cell: ({ proposed_by, at }) => (
        <>
          <UserText text={proposed_by.name} /> <Timestamp at={at} />
        </>
      ),
    },
    { key: "reason", header: texts.reason, cell: ({ reason }) => <UserText text={reason} /> },
    {
      key: "emptied",
      header: texts.emptied,
      cell: ({ payouts, file_rows, comments }) =>
        payouts === null ? "–" : texts.counts(payouts, file_rows ?? 0, comments ?? 0),
    },
    {
      key: "action",
      header: texts.action,
      card: "action",
      cell: ({ id, state, reason, proposed_by }) => {
        if (state !== "proposed" || !decide) return "–";
        if (proposed_by.actor === self) return texts.own;
        return <DecideButtons id={id} reason={reason} decide={decide} />;
      },
    },
  ];
}

type Decide = UseMutationResult<unknown, Error, Decision>;

function DecideButtons({
  id,
  reason,
  decide: { isPending, mutate, mutateAsync },
}: {
  readonly id: number;
  readonly reason: string;
  readonly decide: Decide;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Group gap="xs" wrap="nowrap">
      <ConfirmAction
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={texts.confirmFor(id)}
        sentence={texts.effect(isolateDirection(reason))}
        verb={texts.confirm}
        danger
        onConfirm={() => mutateAsync({ id, agree: true })}
      />
      <Button
        size="xs"
        color="red"
        disabled={isPending}
        aria-label={texts.confirmFor(id)}
        onClick={() => setAsking(true)}
      >
        {texts.confirm}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={isPending}
        aria-label={texts.rejectFor(id)}
        onClick={() => mutate({ id, agree: false })}
      >
        {texts.reject}
      </Button>
    </Group>
  );
}

function Proposal() {
  const queries = useQueryClient();
  const [code, setCode] = useState("");
  const [reason, setReason] = useState("");
  const propose = useMutation({
    mutationFn: () =>
      call("POST /api/erasures", { body: { code: code.trim(), reason: reason.trim() } }),
    onSuccess: async () => {
      setCode("");
      setReason("");
      await queries.invalidateQueries({ queryKey: ["GET /api/erasures"] });
      notifications.show({ message: texts.proposed });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    propose.mutate();
  };
  return (
    <Section title={texts.propose}>
      <Stack component="form" onSubmit={submit} maw="36rem">
        <TextInput
          label={texts.code}
          description={texts.codeHint}
          maxLength={64}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <TextInput
          label={texts.reason}
          description={texts.reasonHint}
          maxLength={NOTE_CHARS.max}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {propose.error ? <ErrorState error={propose.error} /> : null}
        <Button
          type="submit"
          style={{ alignSelf: "start" }}
          loading={propose.isPending}
          disabled={code.trim() === "" || reason.trim().length < NOTE_CHARS.min}
        >
          {texts.send}
        </Button>
      </Stack>
    </Section>
  );
}
