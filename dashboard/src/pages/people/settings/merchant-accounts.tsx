import { Button, Modal, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { ActionForm } from "../../../components/forms/action-form.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { merchantAccountsQuery } from "../../../components/payout/lane-name.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { useMay } from "../../../server/session.ts";
import { accountMessages as texts } from "./account-messages.ts";
import { messages } from "./messages.tsx";
import { SettingsPage } from "./settings-page.tsx";

type Account = Answer<"GET /api/merchant-accounts">["items"][number];

/** The page on which admins name the merchant accounts, and thereby the lanes. */
export function MerchantAccountsPage() {
  const [named, setNamed] = useState<Account | null>(null);
  const mayChange = useMay("administer");
  const { data, error } = useQuery(merchantAccountsQuery);
  return (
    <SettingsPage title={texts.title}>
      <Text>{texts.explanation}</Text>
      {error ? <ErrorState error={error} /> : null}
      {data ? (
        <DataTable
          caption={texts.title}
          hideCaption
          columns={columnsOf(mayChange ? setNamed : null)}
          rows={data.items.toSorted(
            (one, other) => Number(one.name !== null) - Number(other.name !== null),
          )}
          rowKey={({ merchant_code: code }) => code}
          empty={<EmptyState text={texts.empty} />}
        />
      ) : error ? null : (
        <Loading />
      )}
      <Modal
        opened={named !== null}
        onClose={() => setNamed(null)}
        title={texts.titleOf(named?.merchant_code ?? "")}
        closeButtonProps={{ "aria-label": messages.close }}
      >
        {named ? <NameForm account={named} onDone={() => setNamed(null)} /> : null}
      </Modal>
    </SettingsPage>
  );
}

const currencyOf = (lane: string): string => lane.slice(lane.lastIndexOf("/") + 1);

const columnsOf = (onName: ((account: Account) => void) | null): readonly Column<Account>[] => [
  {
    key: "name",
    header: texts.name,
    names: true,
    cell: ({ name, merchant_code: code }) => (
      <>
        {name ?? code}
        {name === null ? (
          <Text size="xs" c="var(--awaiting-fg)">
            {texts.noName}
          </Text>
        ) : (
          <Text size="xs" c="dimmed">
            {code}
          </Text>
        )}
      </>
    ),
  },
  {
    key: "lanes",
    header: texts.currencies,
    card: "state",
    cell: ({ lanes }) => lanes.map(currencyOf).join(", "),
  },
  {
    key: "set",
    header: texts.setBy,
    isBlank: ({ set_at: at }) => at === null,
    cell: ({ set_at: at, set_by_name: by }) =>
      at === null ? (
        texts.notSet
      ) : (
        <>
          {by}
          <Text size="xs" c="dimmed" component="div">
            <Timestamp at={at} />
          </Text>
        </>
      ),
  },
  ...(onName
    ? [
        {
          key: "action",
          header: texts.action,
          card: "action" as const,
          cell: (account: Account) => (
            <Button
              size="xs"
              variant="default"
              aria-label={texts.changeOf(account.name ?? account.merchant_code)}
              onClick={() => onName(account)}
            >
              {texts.change}
            </Button>
          ),
        },
      ]
    : []),
];

function NameForm({ account, onDone }: { readonly account: Account; readonly onDone: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(account.name ?? "");
  const save = useMutation({
    mutationFn: () =>
      call("PUT /api/merchant-accounts/:code", {
        params: { code: account.merchant_code },
        body: { name: name.trim() || null },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: merchantAccountsQuery.queryKey });
      onDone();
    },
  });
  return (
    <ActionForm action={save} verb={texts.save}>
      <TextInput
        label={texts.name}
        description={texts.hint(currencyOf(account.lanes[0] ?? ""))}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={100}
        data-autofocus
      />
    </ActionForm>
  );
}
