import { Title, VisuallyHidden } from "@mantine/core";
import { useId } from "react";
import { PlainAmount } from "../../../components/amount.tsx";
import { BalanceVerdict } from "../../../components/payout/status-breakdown.tsx";
import { messages } from "./messages.tsx";
import type { BatchView } from "../batch-view.ts";
import classes from "./status-card.module.css";

const texts = messages.status;

/** The totals of a batch whose payouts are all in the same state, because none was sent yet. */
export function UploadedAmounts({ batch }: { readonly batch: BatchView }) {
  const id = useId();
  const isApproved = batch.approved_at !== null;
  return (
    <section aria-labelledby={id} className={classes.card}>
      <VisuallyHidden>
        <Title order={2} id={id}>
          {isApproved ? texts.approvedAmount : texts.uploadedAmount}
        </Title>
      </VisuallyHidden>
      <dl className={classes.totals} data-single={batch.equation.length === 1 || undefined}>
        {batch.equation.map(({ currency, approved }) => (
          <div key={currency}>
            <dt>{currency}</dt>
            <dd>
              <PlainAmount of={{ currency, amount: approved }} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.headline}>
        {batch.payouts.toLocaleString()}{" "}
        {isApproved ? texts.unsent(batch.payouts) : texts.uploaded(batch.payouts)}
      </p>
      <BalanceVerdict lines={batch.equation} isApproved={isApproved} onlyIfWrong={!isApproved} />
    </section>
  );
}
