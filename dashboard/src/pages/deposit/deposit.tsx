import { Button, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { call } from "../../server/client.ts";
import { Answered } from "../../components/payout/state-summary.tsx";
import { Columns } from "../../components/two-columns.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { DepositStateBadge } from "../../components/payout/state-badge.tsx";
import { StoryPage } from "../../components/payout/record-page.tsx";
import { Timeline } from "../../components/payout/timeline.tsx";
import { useLive } from "../../server/live.ts";
import { formatMoney } from "../../base/money.ts";
import { useMay } from "../../server/session.ts";
import { Closing } from "./deposit-resolution.tsx";
import { DepositFacts, PaymentPage } from "./deposit-facts.tsx";
import { FromPayer } from "./payer-details-form.tsx";
import { depositQuery, type DepositView, keepDeposit } from "./deposit-query.ts";
import { messages } from "./messages.ts";

const texts = messages.deposit;

const route = getRouteApi("/desk/deposits/$code");

export function DepositPage() {
  const { code } = route.useParams();
  const mayCollect = useMay("collect");
  const found = useQuery(depositQuery(code));
  useLive([`deposit:${code}`], (_topic, document) => keepDeposit(document as DepositView));
  return (
    <StoryPage noun="deposit" code={code} found={found}>
      {(deposit) => (
        <Page title={texts.title(formatMoney(deposit))}>
          <Answered
            badge={<DepositStateBadge state={deposit.state} />}
            colour={COLOURS[deposit.outlook.paid]}
            isProven={deposit.outlook.paid === "yes"}
            question={texts.question}
            outlook={deposit.outlook}
            changedAt={deposit.updated_at}
          />
          <Columns
            main={
              <Section title={texts.timeline}>
                <Timeline of={deposit} />
              </Section>
            }
            side={
              <>
                <Section title={texts.facts}>
                  <DepositFacts deposit={deposit} />
                </Section>
                <Section title={texts.paymentPage}>
                  <PaymentPage deposit={deposit} />
                </Section>
                <Section title={texts.actions}>
                  <Ask deposit={deposit} />
                  {mayCollect ? <FromPayer deposit={deposit} /> : null}
                  <Closing deposit={deposit} />
                </Section>
              </>
            }
          />
        </Page>
      )}
    </StoryPage>
  );
}

const COLOURS = {
  yes: "green",
  no: "gray",
  "not yet": "indigo",
  maybe: "grape",
  late: "gray",
  "see reason": "orange",
} as const;

function Ask({ deposit: { code, actions } }: { readonly deposit: DepositView }) {
  const mayOperate = useMay("operate");
  const isAskable = actions.includes("query");
  const ask = useMutation({
    mutationFn: () => call("POST /api/deposits/:code/query", { params: { code } }),
    onSuccess: keepDeposit,
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
