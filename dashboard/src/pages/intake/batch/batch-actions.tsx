import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { PriorityButton } from "../../../components/payout/priority.tsx";
import { useMay } from "../../../server/session.ts";
import { SendForApproval } from "./send-for-approval.tsx";
import { messages } from "../messages.tsx";
import type { BatchView } from "../queries.ts";
import type { OrderVerb } from "./order-dialog.tsx";
import { unsentCount } from "./status-sentence.ts";

const texts = messages.actions;

/** Loaded with the first action. */
const OrderDialog = lazy(() => import("./order-dialog.tsx"));

/**
 * The permitted actions on the batch. Each dialog states its effect in numbers and asks for a
 * reason.
 */
export function BatchActions({
  batch,
  reload,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
}) {
  const mayUpload = useMay("upload");
  const [asked, setAsked] = useState<OrderVerb | null>(null);
  const verbs = (["withdraw", "pause", "resume", "release", "cancel"] as const).filter(
    (verb) => batch.you[verb].may,
  );
  return (
    <Group gap="xs">
      <SendForApproval batch={batch} reload={reload} />
      {batch.state === "needs_correction" && mayUpload ? (
        <Button component={Link} to={`/batches/${batch.batch_id}/file`} size="xs">
          {texts.continueFile}
        </Button>
      ) : null}
      <PriorityButton batch={batch} may={batch.you.prioritize} reload={reload} />
      {verbs.map((verb) => (
        <Button
          key={verb}
          variant="default"
          size="xs"
          disabled={verb === "cancel" && batch.cancelling}
          c={verb === "cancel" ? "red" : undefined}
          onClick={() => setAsked(verb)}
        >
          {verb !== "cancel"
            ? texts[verb].verb
            : batch.cancelling
              ? texts.cancelling
              : texts.cancelUnsent(unsentCount(batch))}
        </Button>
      ))}
      {asked === null ? null : (
        <Suspense fallback={null}>
          <OrderDialog batch={batch} verb={asked} onClose={() => setAsked(null)} reload={reload} />
        </Suspense>
      )}
    </Group>
  );
}
