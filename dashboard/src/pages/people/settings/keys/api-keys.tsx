import { Button, Group, Modal, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { type Answer, call } from "../../../../server/client.ts";
import { ConfirmAction } from "../../../../components/forms/confirm-action.tsx";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { EmptyState } from "../../../../components/empty-state.tsx";
import { ErrorState } from "../../../../components/error-state.tsx";
import { Loading } from "../../../../components/loading.tsx";
import { PageLink } from "../../../../components/page-link.tsx";
import { Timestamp } from "../../../../components/timestamp.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { PENDING_CHANGES_KEY } from "../change-or-propose.ts";
import { OneTimeSecret } from "../one-time-secret.tsx";
import { messages } from "../messages.tsx";
import type { Made } from "./new-key.tsx";

const texts = messages.keys;

type Key = Answer<"GET /api/keys">["items"][number];

const KEYS = ["GET /api/keys"];
/** The states in which a key can be replaced by a new one. */
const ROTATABLE: ReadonlySet<Key["state"]> = new Set(["working", "unconfirmed"]);
const STATES: Readonly<Record<Key["state"], string>> = texts.states;

const NewKey = lazy(async () => ({ default: (await import("./new-key.tsx")).NewKey }));
const RotateKey = lazy(async () => ({ default: (await import("./rotate-key.tsx")).RotateKey }));

const Explanation = () => (
  <Text>
    {texts.explanation}{" "}
    <PageLink to="/api/docs" isInText>
      {texts.docs}
    </PageLink>
  </Text>
);

/** The page that lists, creates, rotates and revokes API keys. */
export function ApiKeysPage() {
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [rotating, setRotating] = useState<Key | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const queries = useQueryClient();
  const keys = useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => call("GET /api/keys", { signal }),
  });
  const refresh = (): void => void queries.invalidateQueries({ queryKey: KEYS });
  const showMade = (key: Made): void => {
    setMade(key);
    setMaking(false);
    setRotating(null);
    refresh();
    void queries.invalidateQueries({ queryKey: PENDING_CHANGES_KEY });
  };
  return (
    <SettingsPage
      title={texts.title}
      actions={<Button onClick={() => setMaking(true)}>{texts.create}</Button>}
      forEverybody
    >
      <Explanation />
      {keys.error ? <ErrorState error={keys.error} /> : null}
      {made ? (
        <OneTimeSecret
          title={texts.keyOf(made.name)}
          text={made.unconfirmed ? texts.store + texts.waits : texts.store}
          secret={made.key}
        />
      ) : null}
      {keys.data ? (
        <KeyTable keys={keys.data.items} onRotate={setRotating} onRevoke={setRevoking} />
      ) : keys.error ? null : (
        <Loading />
      )}
      <Modal
        opened={isMaking}
        onClose={() => setMaking(false)}
        title={texts.create}
        closeButtonProps={{ "aria-label": messages.close }}
      >
        <Suspense fallback={<Loading lines={3} />}>
          <NewKey onMade={showMade} />
        </Suspense>
      </Modal>
      {rotating ? (
        <Suspense>
          <RotateKey rotated={rotating} onMade={showMade} onClose={() => setRotating(null)} />
        </Suspense>
      ) : null}
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

interface KeyActions {
  readonly onRotate: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
}

function KeyTable({ keys, ...actions }: KeyActions & { readonly keys: readonly Key[] }) {
  return (
    <DataTable
      caption={texts.title}
      hideCaption
      empty={<EmptyState text={texts.empty} />}
      rows={keys}
      rowKey={({ id }) => id}
      columns={columnsOf(actions)}
    />
  );
}

const columnsOf = (actions: KeyActions): Column<Key>[] => [
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
    cell: ({ state, confirm_until, replaced_by: next, expires_at }) => (
      <>
        {STATES[state]}
        {state === "working" && next !== null ? (
          <Text size="sm" c="dimmed">
            {texts.replaced(<Timestamp at={expires_at} />)}
          </Text>
        ) : null}
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
    cell: (key) => <KeyButtons of={key} {...actions} />,
  },
];

const KeyButtons = ({ of: key, onRotate, onRevoke }: KeyActions & { readonly of: Key }) =>
  key.revoked_at ? null : (
    <Group gap="xs">
      {key.own && key.replaced_by === null && ROTATABLE.has(key.state) ? (
        <Button
          size="xs"
          variant="default"
          aria-label={texts.rotateLabel(key.name)}
          onClick={() => onRotate(key)}
        >
          {texts.rotate}
        </Button>
      ) : null}
      <Button
        size="xs"
        variant="default"
        aria-label={texts.revokeLabel(key.name)}
        onClick={() => onRevoke(key)}
      >
        {texts.revoke}
      </Button>
    </Group>
  );
