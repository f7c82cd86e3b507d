import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useMay } from "../../../../server/session.ts";
import { BatchMenu } from "./batch-menu.tsx";
import { SendForApproval } from "./send-for-approval.tsx";
import { messages } from "../../messages.tsx";
import type { BatchView } from "../../queries.ts";
import type { OrderVerb } from "./order-dialog.tsx";
import { unsentCount } from "../../unsent-count.ts";

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
  const unsent = unsentCount(batch);
  const verbs = (["withdraw", "pause", "resume", "release", "cancel"] as const).filter(
    (verb) => batch.you[verb].may && (verb !== "cancel" || unsent > 0 || batch.cancelling),
  );
  return (
    <Group gap="xs">
      <SendForApproval batch={batch} reload={reload} />
      {batch.state === "needs_correction" && mayUpload ? (
        <Button component={Link} to={`/batches/${batch.batch_id}/file`} size="xs">
          {texts.continueFile}
        </Button>
      ) : null}
      {batch.state === "awaiting_approval" ? (
        <Button
          component={Link}
          to={`/batches/${batch.batch_id}/approval`}
          size="xs"
          variant={batch.you.approve.may ? "filled" : "default"}
        >
          {texts.review}
        </Button>
      ) : null}
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
              : texts.cancelUnsent(unsent)}
        </Button>
      ))}
      <BatchMenu batch={batch} reload={reload} />
      {asked === null ? null : (
        <Suspense fallback={null}>
          <OrderDialog batch={batch} verb={asked} onClose={() => setAsked(null)} reload={reload} />
        </Suspense>
      )}
    </Group>
  );
}
