import { Button, Checkbox, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { ActionForm } from "../../../components/forms/action-form.tsx";
import { ConfirmAction } from "../../../components/forms/confirm-action.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { usePerson } from "../../../server/session.ts";
import { SettingsPage } from "./settings-page.tsx";
import { PENDING_CHANGES_KEY } from "./change-or-propose.ts";
import { OneTimeSecret } from "./one-time-secret.tsx";
import { messages } from "./messages.tsx";

const texts = messages.keys;

type Key = Answer<"GET /api/keys">["items"][number];
type Scope = Key["scopes"][number];

const KEYS = ["GET /api/keys"];
const DAY_MS = 24 * 60 * 60_000;
const DAYS = Object.entries(texts.days).map(([value, label]) => ({ value, label }));
const SCOPES: Readonly<Record<Scope, string>> = texts.scopes;
const STATES: Readonly<Record<Key["state"], string>> = texts.states;

interface Made {
  readonly key: string;
  readonly name: string;
  readonly unconfirmed: boolean;
}

/** The page that lists, creates and revokes API keys. */
export function ApiKeysPage() {
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const queries = useQueryClient();
  const keys = useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => call("GET /api/keys", { signal }),
  });
  const refresh = (): void => void queries.invalidateQueries({ queryKey: KEYS });
  return (
    <SettingsPage
      title={texts.title}
      actions={<Button onClick={() => setMaking(true)}>{texts.create}</Button>}
      forEverybody
    >
      <Text>{texts.explanation}</Text>
      {keys.error ? <ErrorState error={keys.error} /> : null}
      {made ? (
        <OneTimeSecret
          title={texts.keyOf(made.name)}
          text={made.unconfirmed ? texts.store + texts.waits : texts.store}
          secret={made.key}
        />
      ) : null}
      {keys.data ? (
        <KeyTable keys={keys.data.items} onRevoke={setRevoking} />
      ) : keys.error ? null : (
        <Loading />
      )}
      <Modal
        opened={isMaking}
        onClose={() => setMaking(false)}
        title={texts.create}
        closeButtonProps={{ "aria-label": messages.close }}
      >
        <NewKey
          onMade={(key) => {
            setMade(key);
            setMaking(false);
            refresh();
            void queries.invalidateQueries({ queryKey: PENDING_CHANGES_KEY });
          }}
        />
      </Modal>
      {revoking ? (
        <ConfirmAction
          opened
          onClose={() => setRevoking(null)}
          title={texts.revokeOf(revoking.name)}
          sentence={texts.revokeEffect}
          verb={texts.revoke}
          danger
          onConfirm={async () => {
            await call("DELETE /api/keys/:id", { params: { id: revoking.id } });
            refresh();
          }}
        />
      ) : null}
    </SettingsPage>
  );
}

function KeyTable({
  keys,
  onRevoke,
}: {
  readonly keys: readonly Key[];
  readonly onRevoke: (key: Key) => void;
}) {
  return (
    <DataTable
      caption={texts.title}
      hideCaption
      empty={<EmptyState text={texts.empty} />}
      rows={keys}
      rowKey={({ id }) => id}
      columns={columnsOf(onRevoke)}
    />
  );
}

const columnsOf = (onRevoke: (key: Key) => void): Column<Key>[] => [
  {
    key: "name",
    header: texts.name,
    names: true,
    cell: ({ name, shown }) => (
      <>
        {name}
        <Text size="sm" c="dimmed" ff="monospace">
          {shown}…
        </Text>
      </>
    ),
  },
  {
    key: "scopes",
    header: texts.permissions,
    cell: ({ scopes, inactive_scopes: lost }) => (
      <>
        {scopes.filter((scope) => !lost.includes(scope)).join(", ") || texts.none}
        {lost.length > 0 ? (
          <Text size="sm" fw={600}>
            {texts.lost(lost)}
          </Text>
        ) : null}
      </>
    ),
  },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ state, confirm_until }) => (
      <>
        {STATES[state]}
        {state === "unconfirmed" ? (
          <Text size="sm" c="dimmed">
            {texts.until(<Timestamp at={confirm_until} />)}
          </Text>
        ) : null}
      </>
    ),
  },
  {
    key: "by",
    header: texts.createdBy,
    cell: ({ own, created_by }) => (own ? texts.you : created_by),
  },
  { key: "used", header: texts.lastUsed, cell: ({ used_at }) => <Timestamp at={used_at} /> },
  { key: "ends", header: texts.expires, cell: ({ expires_at }) => <Timestamp at={expires_at} /> },
  {
    key: "revoke",
    header: texts.action,
    card: "action",
    cell: (key) =>
      key.revoked_at ? null : (
        <Button
          size="xs"
          variant="default"
          aria-label={texts.revokeLabel(key.name)}
          onClick={() => onRevoke(key)}
        >
          {texts.revoke}
        </Button>
      ),
  },
];

function NewKey({ onMade }: { readonly onMade: (made: Made) => void }) {
  const permissions = usePerson()?.permissions ?? [];
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(["read"]);
  const [days, setDays] = useState("90");
  const make = useMutation({
    mutationFn: () =>
      call("POST /api/keys", {
        body: {
          name,
          scopes: scopes as Scope[],
          expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        },
      }),
    onSuccess: ({ key, unconfirmed }) => onMade({ key, name, unconfirmed }),
  });
  return (
    <ActionForm action={make} verb={texts.create} disabled={scopes.length === 0}>
      <TextInput
        label={texts.program}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
        required
      />
      <Checkbox.Group label={texts.permissions} value={[...scopes]} onChange={setScopes}>
        <Stack gap="xs" mt="xs">
          {(Object.keys(SCOPES) as Scope[])
            .filter((scope) => permissions.includes(scope))
            .map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={SCOPES[scope]} />
            ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={texts.expiresAfter}
        data={DAYS}
        value={days}
        onChange={(chosen) => setDays(chosen ?? days)}
        allowDeselect={false}
      />
    </ActionForm>
  );
}
