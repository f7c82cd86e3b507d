import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { formatMoney } from "../../base/money.ts";
import { useMay } from "../../server/session.ts";
import { batchName } from "../../base/text.ts";
import { ConfirmAction } from "../forms/confirm-action.tsx";
import { UserText } from "../user-text.tsx";
import { PageLink } from "../page-link.tsx";
import { Section } from "../section.tsx";
import { BatchStateBadge } from "./state-badge.tsx";
import { detailMessages } from "../detail-messages.tsx";

const texts = detailMessages.retry;

type RetryBatch = Answer<"GET /api/batches/:id/retry-batch">;
type Share = RetryBatch["payable"];

const shareText = ({ count, sums }: Share): string =>
  texts.share(
    count,
    sums.map((sum) => formatMoney(sum)),
  );

/** The retry batches of a batch, and the declined payouts that can still be retried. */
export function RetryBatches({ id, again }: { readonly id: string; readonly again: string }) {
  const { data: remainder } = useQuery({
    queryKey: ["GET /api/batches/:id/retry-batch", id, again],
    queryFn: ({ signal }) => call("GET /api/batches/:id/retry-batch", { params: { id }, signal }),
  });
  const mayUpload = useMay("upload");
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  if (!remainder) return null;
  const { payable, left_out, batches, of } = remainder;
  if (payable.count === 0 && batches.length === 0 && of === null) return null;
  const left = left_out.filter(({ why }) => why !== "settled");
  return (
    <Section title={texts.title}>
      {of === null ? null : (
        <Text size="sm">
          {texts.retries(
            <PageLink to={`/batches/${of.batch_id}`}>
              <UserText text={batchName(of)} />
            </PageLink>,
          )}
        </Text>
      )}
      {batches.map(({ batch_id, state, send }) => (
        <Text size="sm" key={batch_id}>
          {texts.retriedBy(<PageLink to={`/batches/${batch_id}`}>{batch_id}</PageLink>)}{" "}
          <BatchStateBadge state={state} send={send} />
        </Text>
      ))}
      {payable.count === 0 ? null : <Text size="sm">{texts.declined(shareText(payable))}</Text>}
      {payable.count > 0 && mayUpload ? (
        <div>
          <Button variant="default" size="xs" onClick={() => setAsking(true)}>
            {texts.start}
          </Button>
        </div>
      ) : null}
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.dialog}
        sentence={texts.sentence(shareText(payable))}
        verb={texts.create(payable.count)}
        onConfirm={async () => {
          const made = await call("POST /api/batches/:id/retry-batch", {
            params: { id },
            idempotencyKey: key,
          });
          await navigate({ to: `/batches/${made.batch_id}/file` });
        }}
      >
        {left.length === 0 ? null : (
          <div>
            <Text size="sm" fw={600}>
              {texts.leftOut}
            </Text>
            <ul>
              {left.map((share) => (
                <li key={share.why}>
                  <Text size="sm">
                    {shareText(share)}. {share.says}
                  </Text>
                </li>
              ))}
            </ul>
          </div>
        )}
      </ConfirmAction>
    </Section>
  );
}
