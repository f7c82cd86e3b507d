import { Amount } from "../../components/amount.tsx";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { codeColumn } from "../../components/payout/payout-table.tsx";
import { DepositStateBadge } from "../../components/payout/state-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import type { Answer } from "../../server/client.ts";
import { messages } from "./list-messages.ts";

const texts = messages.columns;

/** A deposit as lists show it. */
export type ListedDeposit = Answer<"GET /api/deposits">["items"][number];

/** The columns of the list of deposits. */
export const DEPOSIT_COLUMNS: readonly ListColumn<ListedDeposit>[] = [
  { ...codeColumn("deposits"), width: 210, isFixed: true },
  {
    key: "amount",
    header: texts.amount,
    width: 150,
    isFixed: true,
    numeric: true,
    card: "amount",
    cell: (each) => <Amount of={each} />,
  },
  {
    key: "paid",
    header: texts.reported,
    width: 150,
    numeric: true,
    cell: ({ currency, paid }) =>
      paid === null ? "–" : <Amount of={{ currency, amount: paid }} />,
  },
  {
    key: "state",
    header: texts.state,
    width: 200,
    isFixed: true,
    card: "state",
    cell: ({ state }) => <DepositStateBadge state={state} />,
  },
  {
    key: "user",
    header: texts.user,
    width: 180,
    isWide: true,
    cell: ({ user_id, deposit_name, is_erased: isErased }) =>
      isErased ? (
        texts.erased
      ) : (
        <>
          <UserText text={user_id} />
          {deposit_name ? (
            <>
              , <UserText text={deposit_name} />
            </>
          ) : null}
        </>
      ),
  },
  {
    key: "reference",
    header: texts.reference,
    width: 140,
    isWide: true,
    cell: ({ reference }) => (reference === null ? "–" : <UserText text={reference} />),
  },
  {
    key: "gateway",
    header: texts.gatewayNumber,
    width: 150,
    isHidden: true,
    cell: ({ gateway_number }) =>
      gateway_number === null ? "–" : <UserText text={gateway_number} />,
  },
  {
    key: "expires",
    header: texts.expires,
    width: 200,
    isHidden: true,
    card: "none",
    cell: ({ expires_at }) => <Timestamp at={expires_at} relative={false} />,
  },
  {
    key: "created",
    header: texts.requested,
    width: 200,
    sort: ["newest", "oldest"],
    cell: ({ created_at }) => <Timestamp at={created_at} relative={false} />,
  },
  {
    key: "changed",
    header: texts.changed,
    width: 200,
    isHidden: true,
    card: "none",
    cell: ({ updated_at }) => <Timestamp at={updated_at} relative={false} />,
  },
];
