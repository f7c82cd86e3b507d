import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../server/client.ts";
import { LaneName } from "../../components/payout/lane-name.tsx";
import { Amount } from "../../components/amount.tsx";
import { CopyableText } from "../../components/copyable-text.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FactList, type Facts } from "../../components/fact-list.tsx";
import { Loading } from "../../components/loading.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { sameAmount } from "../../base/money.ts";
import { useMay } from "../../server/session.ts";
import type { DepositView } from "./deposit-query.ts";
import { messages } from "./messages.ts";

const texts = messages.facts;

/** The facts of a deposit: amounts, numbers, payer and expiry. */
export function DepositFacts({ deposit }: { readonly deposit: DepositView }) {
  const { currency, amount, payable, paid, code, gateway_number, reference, lane } = deposit;
  const { depositor, details, expires, expires_at, created_by, created_at } = deposit;
  const facts: Facts = [
    [texts.amount, <Amount key="amount" of={deposit} />],
    ...(payable !== null && !sameAmount(payable, amount)
      ? ([[texts.payable, <Amount key="payable" of={{ currency, amount: payable }} />]] as const)
      : []),
    [
      texts.reported,
      paid === null ? texts.noneProven : <Paid key="paid" {...{ currency, paid }} />,
    ],
    [texts.code, <CopyableText key="code" text={code} />],
    [
      texts.gatewayNumber,
      gateway_number ? <CopyableText key="number" text={gateway_number} /> : texts.noGatewayNumber,
    ],
    [texts.reference, reference ?? "–"],
    [texts.lane, <LaneName key="lane" lane={lane} />],
    ...details.map(({ field, text }) => [texts.details[field] ?? field, text] as const),
    ...(depositor
      ? ([[texts.payerAccount, `${depositor.bank_code}, ${depositor.account_number}`]] as const)
      : []),
    ...(expires
      ? ([
          [texts.expires, `${expires.text} (${expires.zone})`],
          ...(expires_at ? ([["", <Timestamp key="ends" at={expires_at} />]] as const) : []),
        ] as const)
      : []),
    [texts.requestedBy, created_by],
    [texts.requestedAt, <Timestamp key="created" at={created_at} />],
  ];
  return <FactList facts={facts} />;
}

/** The amount in the gateway's record of a completed deposit. */
const Paid = ({ currency, paid }: { readonly currency: string; readonly paid: string }) => (
  <span data-proven>
    <Amount of={{ currency, amount: paid }} />
  </span>
);

/** The link for the payer, and the destination that the payment page shows. */
export function PaymentPage({ deposit: { code, destination } }: { readonly deposit: DepositView }) {
  const mayCollect = useMay("collect");
  return (
    <>
      {mayCollect ? (
        <PayLink code={code} />
      ) : (
        <Text size="sm" c="dimmed" mb="sm">
          {messages.paymentPage.linkHidden}
        </Text>
      )}
      {destination ? (
        <FactList facts={destinationFacts(destination)} />
      ) : (
        <Text size="sm" c="dimmed">
          {messages.paymentPage.noDestination}
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
        {messages.paymentPage.linkWarning}
      </Text>
      <CopyableText text={address} />
      <Text size="sm" mb="sm">
        <Anchor href={address} target="_blank" rel="noreferrer">
          {messages.paymentPage.open}
        </Anchor>
      </Text>
    </>
  );
}

const destinationFacts = (destination: NonNullable<DepositView["destination"]>): Facts =>
  Object.entries(destination).flatMap(([name, value]) => {
    const label = messages.paymentPage.destination[name];
    return label && value ? [[label, value] as const] : [];
  });
