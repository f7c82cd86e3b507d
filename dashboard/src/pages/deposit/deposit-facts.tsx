import { Text } from "@mantine/core";
import { LaneName } from "../../components/payout/lane-name.tsx";
import { Amount } from "../../components/amount.tsx";
import { CopyableText } from "../../components/copyable-text.tsx";
import { FactList, type Facts } from "../../components/fact-list.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { sameAmount } from "../../base/money.ts";
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
    ...(deposit.is_erased ? ([[texts.payer, texts.erased]] as const) : []),
    ...details.map(({ field, text }) => [texts.details[field] ?? field, text] as const),
    ...(depositor
      ? ([[texts.payerAccount, `${depositor.bank_code}, ${depositor.account_number}`]] as const)
      : []),
    ...(expires
      ? ([
          [
            texts.expires,
            expires_at === null ? (
              `${expires.text} (${expires.zone})`
            ) : (
              <Timestamp key="expires" at={expires_at} />
            ),
          ],
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

/** The destination that the payment page shows. */
export const PaymentDetails = ({
  deposit: { destination, is_erased: isErased },
}: {
  readonly deposit: Pick<DepositView, "destination" | "is_erased">;
}) =>
  destination ? (
    <FactList facts={destinationFacts(destination)} />
  ) : (
    <Text size="sm" c="dimmed">
      {isErased ? messages.paymentPage.erased : messages.paymentPage.noDestination}
    </Text>
  );

const destinationFacts = (destination: NonNullable<DepositView["destination"]>): Facts =>
  Object.entries(destination).flatMap(([name, value]) => {
    const label = messages.paymentPage.destination[name];
    return label && value ? [[label, value] as const] : [];
  });
