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
export function RetryBatches({
  id,
  version,
}: {
  readonly id: string;
  /** The state of the batch. The data is loaded again when the state changes. */
  readonly version: string;
}) {
  const { data: retry } = useQuery({
    queryKey: ["GET /api/batches/:id/retry-batch", id, version],
    queryFn: ({ signal }) => call("GET /api/batches/:id/retry-batch", { params: { id }, signal }),
  });
  // Stays here while the data is loaded again: an open dialog remains open, and a second attempt
  // repeats the same request.
  const [isOpen, setOpen] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  if (!retry) return null;
  const { payable, batches, of } = retry;
  if (payable.count === 0 && batches.length === 0 && of === null) return null;
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
      <CreateRetryBatch
        id={id}
        retry={retry}
        idempotencyKey={key}
        isOpen={isOpen}
        setOpen={setOpen}
      />
    </Section>
  );
}

/** The button that creates a batch of the payouts that can be retried, with its confirmation. */
function CreateRetryBatch({
  id,
  retry: { payable, left_out },
  idempotencyKey,
  isOpen,
  setOpen,
}: {
  readonly id: string;
  readonly retry: RetryBatch;
  readonly idempotencyKey: string;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}) {
  const mayUpload = useMay("upload");
  const navigate = useNavigate();
  const create = async (): Promise<void> => {
    const made = await call("POST /api/batches/:id/retry-batch", {
      params: { id },
      idempotencyKey,
    });
    await navigate({ to: `/batches/${made.batch_id}/file` });
  };
  return (
    <>
      {payable.count > 0 && mayUpload ? (
        <div>
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            {texts.start}
          </Button>
        </div>
      ) : null}
      <ConfirmAction
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={texts.dialog}
        sentence={texts.sentence(shareText(payable))}
        verb={texts.create(payable.count)}
        onConfirm={create}
      >
        <LeftOut shares={left_out.filter(({ why }) => why !== "settled")} />
      </ConfirmAction>
    </>
  );
}

/** The payouts that the retry batch leaves out, and why. */
const LeftOut = ({ shares }: { readonly shares: RetryBatch["left_out"] }) =>
  shares.length === 0 ? null : (
    <div>
      <Text size="sm" fw={600}>
        {texts.leftOut}
      </Text>
      <ul>
        {shares.map((share) => (
          <li key={share.why}>
            <Text size="sm">
              {shareText(share)}. {share.says}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
