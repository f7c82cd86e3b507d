import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { defaultStringifySearch } from "@tanstack/react-router";
import { Banknote, Files, HandCoins, List, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useAfterTyping } from "../../base/list/use-after-typing.ts";
import { batchName, isolateDirection } from "../../base/text.ts";
import { Amount } from "../../components/amount.tsx";
import {
  BatchStateBadge,
  DepositStateBadge,
  PayoutStateBadge,
} from "../../components/payout/state-badge.tsx";
import { type Answer, call } from "../../server/client.ts";
import { messages } from "./messages.ts";

type Found = Answer<"POST /api/search">;

/** A payout, batch or deposit that the palette lists, or the complete list. */
export interface FoundRecord {
  readonly icon: LucideIcon;
  readonly to: string;
  readonly label: string;
  readonly detail?: string;
  readonly aside?: ReactNode;
}

interface FoundRecords {
  readonly groups: readonly { readonly label: string; readonly records: readonly FoundRecord[] }[];
  /** The records are for the previously typed text. */
  readonly isOutdated: boolean;
  /** False while payrun searches, after an error, and if accounts were not searched. */
  readonly isComplete: boolean;
  /** The text shown if there is no result. */
  readonly explanation: string;
}

/**
 * Searches for the text once the reader pauses typing. The previous records stay until then. The
 * record whose code or number is exactly the text is the first of its group.
 */
export function useFoundRecords(text: string): FoundRecords {
  const asked = useAfterTyping(text);
  const search = useQuery({
    queryKey: ["POST /api/search", asked],
    queryFn: ({ signal }) => call("POST /api/search", { body: { q: asked }, signal }),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
  });
  const found = asked === "" || text === "" ? undefined : search.data;
  const isOutdated = text !== asked || search.isPlaceholderData;
  return {
    groups: recordsOf(found, asked),
    isOutdated,
    isComplete: text === "" || (!isOutdated && found?.accounts_left_out === false),
    explanation: search.error
      ? messages.failed
      : search.isFetching || isOutdated
        ? messages.searching
        : found?.accounts_left_out
          ? messages.accountsHidden
          : messages.empty,
  };
}

function recordsOf(found: Found | undefined, text: string): FoundRecords["groups"] {
  if (!found) return [];
  const { payouts, batches, deposits, exact, count_max: countMax } = found;
  const { groups } = messages;
  const rank = (id: string): number => (exact?.id === id ? 0 : 1);
  const byRank = <Row,>(rows: readonly Row[], idOf: (row: Row) => string) =>
    rows.toSorted((one, other) => rank(idOf(one)) - rank(idOf(other)));
  const all = [
    {
      kind: "payout",
      label: groups.payouts,
      records: [
        ...byRank(payouts, ({ code }) => code).map((payout) => payoutRecord(payout, text)),
        ...allRecord("payouts", found.payouts_filter, [
          payouts.length,
          found.payouts_count,
          countMax,
        ]),
      ],
    },
    {
      kind: "batch",
      label: groups.batches,
      records: [
        ...byRank(batches, ({ id }) => id).map(batchRecord),
        ...allRecord("batches", { text }, [batches.length, found.batches_count, countMax]),
      ],
    },
    {
      kind: "deposit",
      label: groups.deposits,
      records: [
        ...byRank(deposits, ({ code }) => code).map(depositRecord),
        ...allRecord("deposits", depositsFilter(deposits, text), [
          deposits.length,
          found.deposits_count,
          countMax,
        ]),
      ],
    },
  ];
  return all.toSorted(
    (one, other) => Number(other.kind === exact?.kind) - Number(one.kind === exact?.kind),
  );
}

/** The list of all matches, if the palette shows only the first ones. */
function allRecord(
  list: "payouts" | "batches" | "deposits",
  filter: Readonly<Record<string, string>>,
  [shown, count, countMax]: readonly [shown: number, count: number, countMax: number],
): FoundRecord[] {
  if (count <= shown) return [];
  return [
    {
      icon: List,
      // Quotes a text of digits, so that it stays a text.
      to: `/${list}${defaultStringifySearch(filter)}`,
      label: messages.all[list](count < countMax ? count : null),
      detail: messages.more(count < countMax ? count - shown : null),
    },
  ];
}

/** Many deposits have the same user or reference. The other numbers are unique. */
const depositsFilter = (
  deposits: Found["deposits"],
  text: string,
): Readonly<Record<string, string>> =>
  deposits.some(({ user_id }) => user_id === text) ? { user_id: text } : { reference: text };

/** The gateway number is shown if the reader searched by number. */
const payoutRecord = (payout: Found["payouts"][number], text: string): FoundRecord => ({
  icon: Banknote,
  to: `/payouts/${encodeURIComponent(payout.code)}`,
  label: isolateDirection(
    payout.is_erased ? messages.erased : (payout.beneficiary ?? messages.unnamed),
  ),
  detail: payout.gateway_number?.toLowerCase().startsWith(text.toLowerCase())
    ? messages.gatewayNumber(payout.code, payout.gateway_number)
    : [payout.code, payout.account_last4 && `••${payout.account_last4}`]
        .filter(Boolean)
        .join(" · "),
  aside: (
    <>
      <Amount of={payout} />
      <PayoutStateBadge {...payout} />
    </>
  ),
});

const batchRecord = ({
  id,
  file_name,
  name,
  purpose,
  state,
  ...status
}: Found["batches"][number]): FoundRecord => ({
  icon: Files,
  to: `/batches/${encodeURIComponent(id)}`,
  label: isolateDirection(batchName({ name, purpose, file: file_name })),
  detail: messages.batch(id),
  aside: (
    <BatchStateBadge {...status} state={state as Parameters<typeof BatchStateBadge>[0]["state"]} />
  ),
});

const depositRecord = (deposit: Found["deposits"][number]): FoundRecord => ({
  icon: HandCoins,
  to: `/deposits/${encodeURIComponent(deposit.code)}`,
  label: isolateDirection(deposit.is_erased ? messages.erased : deposit.user_id),
  detail: deposit.code,
  aside: (
    <>
      <Amount of={deposit} />
      <DepositStateBadge state={deposit.state} />
    </>
  ),
});
