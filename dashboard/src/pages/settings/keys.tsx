import { Button, Checkbox, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../client.ts";
import { ActionForm } from "../../components/action-form.tsx";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { When } from "../../components/when.tsx";
import { SettingsPage } from "./frame.tsx";
import { ShownOnce } from "./shown-once.tsx";

type Key = Answer<"GET /api/keys">["items"][number];
type Scope = Key["scopes"][number];

const KEYS = ["GET /api/keys"];
const DAY_MS = 24 * 60 * 60_000;
const DAYS = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "a year" },
];
const SCOPES: Readonly<Record<Scope, string>> = {
  read: "read batches and payouts",
  upload: "bring files",
  collect: "ask payers for deposits",
  operate: "pause, resume, ask the gateway",
  reveal: "read full account numbers",
  audit: "read the audit log",
};

export function KeysPage() {
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [made, setMade] = useState<{ readonly key: string; readonly name: string } | null>(null);
  const queries = useQueryClient();
  const keys = useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => call("GET /api/keys", { signal }),
  });
  const refresh = (): void => void queries.invalidateQueries({ queryKey: KEYS });
  return (
    <SettingsPage
      title="API keys"
      actions={<Button onClick={() => setMaking(true)}>Make a key</Button>}
    >
      <Text>
        A key lets a program in. It cannot approve and cannot manage users: that needs a person who
        answers for it.
      </Text>
      {keys.error ? <ErrorState error={keys.error} /> : null}
      {made ? (
        <ShownOnce
          title={`The key of ${made.name}`}
          text="Put it where the program finds it. It is not shown again."
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
        title="Make a key"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <NewKey
          onMade={(key, name) => {
            setMade({ key, name });
            setMaking(false);
            refresh();
          }}
        />
      </Modal>
      {revoking ? (
        <ConfirmInNumbers
          opened
          onClose={() => setRevoking(null)}
          title={`Revoke ${revoking.name}`}
          sentence="From now on the program is refused. A revoked key does not come back."
          verb="Revoke"
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
      caption="Keys of programs"
      hideCaption
      empty={<EmptyState text="No program has a key." />}
      rows={keys}
      rowKey={({ id }) => id}
      columns={columnsOf(onRevoke)}
    />
  );
}

const columnsOf = (onRevoke: (key: Key) => void): Column<Key>[] => [
  {
    key: "name",
    header: "Name",
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
  { key: "scopes", header: "May", cell: ({ scopes }) => scopes.join(", ") },
  { key: "by", header: "Made by", cell: ({ created_by }) => created_by },
  { key: "used", header: "Last used", cell: ({ used_at }) => <When at={used_at} /> },
  { key: "ends", header: "Ends", cell: ({ expires_at }) => <When at={expires_at} /> },
  {
    key: "revoke",
    header: "Revoke",
    cell: (key) =>
      key.revoked_at ? (
        "revoked"
      ) : (
        <Button
          size="xs"
          variant="default"
          aria-label={`Revoke: ${key.name}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </Button>
      ),
  },
];

function NewKey({ onMade }: { readonly onMade: (key: string, name: string) => void }) {
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
    onSuccess: ({ key }) => onMade(key, name),
  });
  return (
    <ActionForm action={make} verb="Make the key" disabled={scopes.length === 0}>
      <TextInput
        label="Which program"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
        required
      />
      <Checkbox.Group label="It may" value={[...scopes]} onChange={setScopes}>
        <Stack gap="xs" mt="xs">
          {Object.entries(SCOPES).map(([scope, does]) => (
            <Checkbox key={scope} value={scope} label={scope} description={does} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="It ends after"
        data={DAYS}
        value={days}
        onChange={(chosen) => setDays(chosen ?? days)}
        allowDeselect={false}
      />
    </ActionForm>
  );
}
