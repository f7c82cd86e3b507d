import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../client.ts";
import { Amount } from "../../components/amount.tsx";
import { Copied } from "../../components/copied.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FactList, type Facts } from "../../components/fact-list.tsx";
import { Loading } from "../../components/loading.tsx";
import { When } from "../../components/when.tsx";
import { sameAmount } from "../../money.ts";
import { useMay } from "../../session.ts";
import type { DepositView } from "./deposit-query.ts";

// biome-ignore format: the columns are the point
const FIELDS: Readonly<Record<string, string>> = {
  user_id:      "User",
  deposit_name: "Payer",
  identity_id:  "Identity number",
  phone:        "Phone",
  bank_code:    "Bank code",
};

export function DepositFacts({ deposit }: { readonly deposit: DepositView }) {
  const { currency, amount, payable, paid, code, gateway_number, reference, lane } = deposit;
  const { depositor, details, expires, expires_at, created_by, created_at } = deposit;
  const facts: Facts = [
    ["Asked for", <Amount key="amount" of={deposit} />],
    ...(payable !== null && !sameAmount(payable, amount)
      ? ([["To be paid", <Amount key="payable" of={{ currency, amount: payable }} />]] as const)
      : []),
    [
      "Amount reported",
      paid === null ? "nothing proven" : <Paid key="paid" {...{ currency, paid }} />,
    ],
    ["Code", <Copied key="code" text={code} />],
    ["Gateway number", gateway_number ? <Copied key="number" text={gateway_number} /> : "none yet"],
    ["Reference", reference ?? "–"],
    ["Lane", lane],
    ...details.map(({ field, text }) => [FIELDS[field] ?? field, text] as const),
    ...(depositor
      ? ([["Pays from", `${depositor.bank_code}, ${depositor.account_number}`]] as const)
      : []),
    ...(expires
      ? ([
          ["Ends", `${expires.text} (${expires.zone})`],
          ...(expires_at ? ([["", <When key="ends" at={expires_at} />]] as const) : []),
        ] as const)
      : []),
    ["Asked for by", created_by],
    ["Asked for at", <When key="created" at={created_at} />],
  ];
  return <FactList facts={facts} />;
}

/** In the gateway's record of a completed deposit. */
const Paid = ({ currency, paid }: { readonly currency: string; readonly paid: string }) => (
  <span data-proven>
    <Amount of={{ currency, amount: paid }} />
  </span>
);

/** The link for the payer, and what they are told there. */
export function PaymentPage({ deposit: { code, destination } }: { readonly deposit: DepositView }) {
  const mayCollect = useMay("collect");
  return (
    <>
      {mayCollect ? (
        <PayLink code={code} />
      ) : (
        <Text size="sm" c="dimmed" mb="sm">
          The link is for the payer, and for those who ask payers for money.
        </Text>
      )}
      {destination ? (
        <FactList facts={toldOf(destination)} />
      ) : (
        <Text size="sm" c="dimmed">
          The gateway has not told where to pay.
        </Text>
      )}
    </>
  );
}

function PayLink({ code }: { readonly code: string }) {
  const found = useQuery({
    queryKey: ["GET /api/deposits/:code/pay-url", code],
    queryFn: ({ signal }) => call("GET /api/deposits/:code/pay-url", { params: { code }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (found.error) return <ErrorState error={found.error} />;
  if (!found.data) return <Loading />;
  const { pay_url: address } = found.data;
  return (
    <>
      <Text size="sm" c="dimmed">
        For the payer alone: whoever has the link may do there what the payer may.
      </Text>
      <Copied text={address} />
      <Text size="sm" mb="sm">
        <Anchor href={address} target="_blank" rel="noreferrer">
          Open it
        </Anchor>
      </Text>
    </>
  );
}

// biome-ignore format: the columns are the point
const TOLD: Readonly<Record<string, string>> = {
  upi_id:             "UPI id",
  wallet_code:        "Wallet",
  wallet_number:      "Wallet number",
  wallet_number_type: "Kind of number",
  wallet_name:        "Wallet name",
  match_code:         "Match code",
  bank_name:          "Bank",
  account_number:     "Account number",
  account_name:       "Account name",
};

const toldOf = (destination: NonNullable<DepositView["destination"]>): Facts =>
  Object.entries(destination).flatMap(([name, value]) =>
    TOLD[name] && value ? [[TOLD[name], value] as const] : [],
  );
