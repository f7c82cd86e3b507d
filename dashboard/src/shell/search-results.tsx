import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Answer, call } from "../server/client.ts";
import { Amount } from "../components/amount.tsx";
import { UserText } from "../components/user-text.tsx";
import {
  BatchStateBadge,
  DepositStateBadge,
  PayoutStateBadge,
} from "../components/payout/state-badge.tsx";
import { batchName } from "../base/text.ts";
import { messages } from "./messages.tsx";
import classes from "./search-box.module.css";

const texts = messages.search;

type Found = Answer<"POST /api/search">;

interface Option {
  readonly key: string;
  readonly to: string;
  readonly shown: ReactNode;
}

const TYPED_MS = 200;

interface SearchResults {
  readonly groups: readonly { readonly heading: string; readonly options: readonly Option[] }[];
  /** The page of exactly the typed code; null if there is none, or while the search runs. */
  readonly exact: string | null;
  /** The text shown if there is no result. */
  readonly explanation: string;
}

/** Searches for the text once the reader pauses typing. The previous results stay until then. */
export function useSearchResults(text: string): SearchResults {
  const [asked] = useDebouncedValue(text, TYPED_MS);
  const search = useQuery({
    queryKey: ["POST /api/search", asked],
    queryFn: ({ signal }) => call("POST /api/search", { body: { q: asked }, signal }),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
  });
  const found = asked === "" ? undefined : search.data;
  return {
    groups: [
      { heading: texts.payouts, options: (found?.payouts ?? []).map(payoutOption) },
      { heading: texts.batches, options: (found?.batches ?? []).map(batchOption) },
      { heading: texts.deposits, options: (found?.deposits ?? []).map(depositOption) },
    ],
    exact: text === asked && !search.isPlaceholderData ? exactMatchAddress(found) : null,
    explanation: search.error
      ? texts.failed
      : search.isFetching || text !== asked
        ? texts.searching
        : found?.accounts_left_out
          ? texts.accountsHidden
          : texts.empty,
  };
}

/** The results below the search field, by kind. */
export function ResultList({
  id,
  active,
  results: { groups, explanation },
  onChoose,
}: {
  /** The prefix of the ids of the list and its options. */
  readonly id: string;
  /** The index of the option that Enter opens. */
  readonly active: number;
  readonly results: SearchResults;
  readonly onChoose: (to: string) => void;
}) {
  const options = groups.flatMap((group) => group.options);
  const isEmpty = options.length === 0;
  return (
    <div className={classes.list}>
      <div id={`${id}-list`} role="listbox" aria-label={texts.results}>
        {groups.map((group) =>
          group.options.length === 0 ? null : (
            <div key={group.heading} role="group" aria-label={group.heading}>
              <div className={classes.heading} role="presentation">
                {group.heading}
              </div>
              {group.options.map((option) => (
                <ResultOption
                  key={option.key}
                  id={`${id}-${options.indexOf(option)}`}
                  option={option}
                  isActive={options.indexOf(option) === active}
                  onChoose={onChoose}
                />
              ))}
            </div>
          ),
        )}
      </div>
      {isEmpty ? (
        <p className={classes.says} role="status">
          {explanation}
        </p>
      ) : null}
    </div>
  );
}

const ResultOption = ({
  id,
  option: { to, shown },
  isActive,
  onChoose,
}: {
  readonly id: string;
  readonly option: Option;
  readonly isActive: boolean;
  readonly onChoose: (to: string) => void;
}) => (
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    className={classes.option}
    tabIndex={-1}
    onMouseDown={(event) => {
      event.preventDefault(); // keeps the focus in the box
      onChoose(to);
    }}
  >
    {shown}
  </div>
);

function exactMatchAddress(found: Found | undefined): string | null {
  if (!found?.exact) return null;
  const { kind, id } = found.exact;
  return ADDRESSES[kind](id);
}

const payoutAddress = (code: string): string => `/payouts/${encodeURIComponent(code)}`;
const batchAddress = (id: string): string => `/batches/${encodeURIComponent(id)}`;
const depositAddress = (code: string): string => `/deposits/${encodeURIComponent(code)}`;

const ADDRESSES = { payout: payoutAddress, batch: batchAddress, deposit: depositAddress };

const payoutOption = (payout: Found["payouts"][number]): Option => ({
  key: payout.code,
  to: payoutAddress(payout.code),
  shown: (
    <>
      <Amount of={payout} />
      {payout.beneficiary === null ? null : <UserText text={payout.beneficiary} />}
      <PayoutStateBadge state={payout.state} />
      <span className={classes.code}>{payout.code}</span>
    </>
  ),
});

const batchOption = ({ id, file_name, name, state, send }: Found["batches"][number]): Option => ({
  key: id,
  to: batchAddress(id),
  shown: (
    <>
      <UserText text={batchName({ name, file: file_name })} />
      <BatchStateBadge
        state={state as Parameters<typeof BatchStateBadge>[0]["state"]}
        send={send}
      />
      <span className={classes.code}>{id}</span>
    </>
  ),
});

const depositOption = (deposit: Found["deposits"][number]): Option => ({
  key: deposit.code,
  to: depositAddress(deposit.code),
  shown: (
    <>
      <Amount of={deposit} />
      <UserText text={deposit.user_id} />
      <DepositStateBadge state={deposit.state} />
      <span className={classes.code}>{deposit.code}</span>
    </>
  ),
});
