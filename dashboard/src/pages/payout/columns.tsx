import {
  Code,
  FILE_ROW_COLUMNS,
  LISTED_COLUMNS,
  type ListedPayout,
} from "../../components/payout/payout-table.tsx";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { PlainAmount } from "../../components/amount.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import { messages } from "./messages.ts";
import { PayoutMenu } from "./payout-menu.tsx";

const texts = messages.columns;
const { amount, state, beneficiary, batch, changed } = LISTED_COLUMNS;

/** The columns of the list of payouts. */
export const PAYOUT_COLUMNS: readonly ListColumn<ListedPayout>[] = [
  { ...beneficiary, width: 210, isFixed: true },
  { ...amount, width: 175, isFixed: true, sort: ["largest", "smallest"] },
  { ...state, width: 205, isFixed: true },
  {
    key: "reason",
    header: texts.reason,
    width: 150,
    isHidden: true,
    cell: ({ reason }) => (reason === null ? "–" : <UserText text={reason} />),
  },
  { ...batch, isWide: true, card: "none", width: 175, sort: ["newest", "oldest"] },
  {
    key: "code",
    header: texts.code,
    width: 195,
    isWide: true,
    card: "none",
    cell: ({ code }) => <Code text={code} />,
  },
  {
    key: "gateway",
    header: texts.gatewayNumber,
    width: 160,
    isHidden: true,
    isWide: true,
    card: "none",
    cell: ({ gateway_number }) => (gateway_number === null ? "–" : <Code text={gateway_number} />),
  },
  {
    key: "reference",
    header: texts.reference,
    width: 150,
    isHidden: true,
    cell: ({ reference }) => (reference === null ? "–" : <UserText text={reference} />),
  },
  {
    key: "fee",
    header: texts.fee,
    width: 120,
    numeric: true,
    isHidden: true,
    cell: ({ currency, fee }) =>
      fee === null ? "–" : <PlainAmount of={{ currency, amount: fee }} />,
  },
  { ...FILE_ROW_COLUMNS.account, width: 110, isHidden: true },
  {
    key: "sent",
    header: texts.sent,
    width: 160,
    isHidden: true,
    card: "none",
    cell: ({ sent_at }) => <Timestamp at={sent_at} />,
  },
  {
    key: "settled",
    header: texts.settled,
    width: 160,
    isHidden: true,
    card: "none",
    cell: ({ settled_at }) => <Timestamp at={settled_at} />,
  },
  {
    ...changed,
    card: "none",
    width: 140,
    sort: ["changed"],
    cell: ({ updated_at }) => <Timestamp at={updated_at} />,
  },
  {
    key: "action",
    header: texts.action,
    width: 80,
    isFixed: true,
    card: "action",
    cell: (payout) => <PayoutMenu payout={payout} />,
  },
];
