import { Button, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { call } from "../../server/client.ts";
import { StateSummary } from "../../components/payout/state-summary.tsx";
import { TwoColumns } from "../../components/two-columns.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { DepositStateBadge } from "../../components/payout/state-badge.tsx";
import { RecordPage } from "../../components/payout/record-page.tsx";
import { Timeline } from "../../components/payout/timeline.tsx";
import { useLive } from "../../server/live.ts";
import { formatMoney } from "../../base/money.ts";
import { useMay } from "../../server/session.ts";
import { DepositResolution } from "./deposit-resolution.tsx";
import { DepositFacts, PaymentDetails } from "./deposit-facts.tsx";
import { PayLink } from "./pay-link.tsx";
import { PayerDetailsForm } from "./payer-details-form.tsx";
import { depositQuery, type DepositView, cacheDeposit } from "./deposit-query.ts";
import { messages } from "./messages.ts";

const texts = messages.deposit;

const route = getRouteApi("/dashboard/deposits/$code");

/** The page of one deposit, updated by the live stream. */
export function DepositPage() {
  const { code } = route.useParams();
  const mayCollect = useMay("collect");
  const found = useQuery(depositQuery(code));
  useLive([`deposit:${code}`], (_topic, document) => cacheDeposit(document as DepositView));
  return (
    <RecordPage noun="deposit" code={code} found={found}>
      {(deposit) => (
        <Page
          title={texts.title(formatMoney(deposit))}
          crumbs={[{ to: "/deposits", label: texts.crumb }]}
        >
          <StateSummary
            badge={<DepositStateBadge state={deposit.state} />}
            colour={COLOURS[deposit.outlook.paid]}
            isProven={deposit.outlook.paid === "yes"}
            question={texts.question}
            outlook={deposit.outlook}
            changedAt={deposit.updated_at}
          />
          {deposit.is_erased ? null : (
            <Section title={texts.payLink}>
              <PayLink code={deposit.code} />
            </Section>
          )}
          <TwoColumns
            main={
              <Section title={texts.timeline}>
                <Timeline of={deposit} />
              </Section>
            }
            isSideFirst
            side={
              <>
                <Section title={texts.actions}>
                  <QueryStatus deposit={deposit} />
                  {mayCollect ? <PayerDetailsForm deposit={deposit} /> : null}
                  <DepositResolution deposit={deposit} />
                </Section>
                <Section title={texts.facts}>
                  <DepositFacts deposit={deposit} />
                </Section>
                <Section title={texts.paymentDetails}>
                  <PaymentDetails deposit={deposit} />
                </Section>
              </>
            }
          />
        </Page>
      )}
    </RecordPage>
  );
}

const COLOURS = {
  yes: "green",
  no: "gray",
  not_yet: "indigo",
  maybe: "grape",
  late: "gray",
  see_reason: "orange",
} as const;

function QueryStatus({ deposit: { code, actions } }: { readonly deposit: DepositView }) {
  const mayOperate = useMay("operate");
  const isAskable = actions.includes("query");
  const ask = useMutation({
    mutationFn: () => call("POST /api/deposits/:code/query", { params: { code } }),
    onSuccess: cacheDeposit,
  });
  return (
    <>
      {isAskable && mayOperate ? (
        <Button size="xs" loading={ask.isPending} onClick={() => ask.mutate()}>
          {messages.query.button}
        </Button>
      ) : (
        <strong>{messages.query.button}</strong>
      )}
      <Text size="sm" c="dimmed">
        {isAskable
          ? `${mayOperate ? "" : `${messages.query.byOperators} `}${messages.query.available}`
          : messages.query.unavailable}
      </Text>
      {ask.error ? <ErrorState error={ask.error} /> : null}
    </>
  );
}
