import { Button, NativeSelect, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Answer, call } from "../../server/client.ts";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterForm, stateChoices } from "../../components/forms/filter-form.tsx";
import { UserText } from "../../components/user-text.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { codeColumn } from "../../components/payout/payout-table.tsx";
import { DepositStateBadge } from "../../components/payout/state-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { useRowShortcuts } from "../../base/shortcuts.ts";
import { useMay } from "../../server/session.ts";
import { DEPOSIT_STATES } from "../../base/deposit-state.ts";
import tableClasses from "../../components/payout/payout-table.module.css";
import { paging } from "../../base/paging.ts";
import { messages } from "./messages.ts";
import { type DepositSearch, FIELDS } from "./search-params.ts";

const texts = messages.list;

const route = getRouteApi("/dashboard/deposits");

type Deposit = Answer<"GET /api/deposits">["items"][number];

const COLUMNS: readonly Column<Deposit>[] = [
  codeColumn("deposits"),
  {
    key: "amount",
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: (each) => <Amount of={each} />,
  },
  {
    key: "paid",
    header: texts.reported,
    numeric: true,
    cell: ({ currency, paid }) =>
      paid === null ? "–" : <Amount of={{ currency, amount: paid }} />,
  },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ state }) => <DepositStateBadge state={state} />,
  },
  {
    key: "user",
    header: texts.user,
    cell: ({ user_id, deposit_name, reference }) => (
      <>
        <UserText text={user_id} />
        {deposit_name ? (
          <>
            , <UserText text={deposit_name} />
          </>
        ) : null}
        <span className={tableClasses.second}>
          {reference === null ? null : <UserText text={reference} />}
        </span>
      </>
    ),
  },
  {
    key: "created",
    header: texts.requested,
    cell: ({ created_at }) => <Timestamp at={created_at} relative={false} />,
  },
];

/** The list of deposits with its filters. */
export function DepositsPage() {
  const search: DepositSearch = route.useSearch();
  const navigate = route.useNavigate();
  const mayCollect = useMay("collect");
  const found = useQuery({
    queryKey: ["GET /api/deposits", search],
    queryFn: ({ signal }) => call("GET /api/deposits", { query: search, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: DepositSearch): void => void navigate({ to: "/deposits", search: next });
  const { cursor, ...filters } = search;
  const next = found.data?.next;
  const table = useRowShortcuts<HTMLDivElement>();

  return (
    <Page
      title={texts.title}
      actions={
        mayCollect ? (
          <Button component={Link} to="/deposits/new" size="xs">
            {texts.request}
          </Button>
        ) : null
      }
    >
      <Filters search={filters} onSearch={go} />
      {found.error ? (
        <ErrorState error={found.error} reset={() => void found.refetch()} />
      ) : found.data ? (
        <div ref={table}>
          <DataTable
            caption={texts.caption}
            hideCaption
            columns={COLUMNS}
            rows={found.data.items}
            rowKey={({ code }) => code}
            paging={paging(["deposits", filters], { cursor, next }, (to) =>
              go(to === undefined ? filters : { ...filters, cursor: to }),
            )}
            empty={
              <EmptyState text={Object.keys(filters).length > 0 ? texts.noMatches : texts.empty} />
            }
          />
        </div>
      ) : (
        <Loading lines={8} />
      )}
    </Page>
  );
}

/** The page address holds every filter, so that people can save and share a list. */
function Filters({
  search,
  onSearch,
}: {
  readonly search: DepositSearch;
  readonly onSearch: (search: DepositSearch) => void;
}) {
  const find = (form: HTMLFormElement): void =>
    onSearch(
      Object.fromEntries(
        [...new FormData(form)].filter(([, value]) => typeof value === "string" && value !== ""),
      ),
    );
  return (
    <FilterForm of={texts.title} search={search} onFind={find} onClear={() => onSearch({})}>
      {FIELDS.map((name) => (
        <TextInput
          key={name}
          name={name}
          label={texts.filters[name].label}
          placeholder={texts.filters[name].hint ?? ""}
          autoComplete="off"
          defaultValue={search[name] ?? ""}
        />
      ))}
      <NativeSelect
        label={texts.state}
        name="state"
        data={stateChoices(DEPOSIT_STATES, search.state)}
        defaultValue={search.state ?? ""}
      />
    </FilterForm>
  );
}
