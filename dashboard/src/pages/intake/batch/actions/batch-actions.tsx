import { Button, Group } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { BatchMenu } from "./batch-menu.tsx";
import { messages } from "../../messages.tsx";
import type { BatchView } from "../../batch-view.ts";
import type { OrderVerb } from "./order-dialog.tsx";
import { unsentCount } from "../../unsent-count.ts";

const texts = messages.actions;

/** Loaded with the first action. */
const OrderDialog = lazy(() => import("./order-dialog.tsx"));

/**
 * The permitted actions on the batch that are not its next step. Each dialog states its effect in
 * numbers and asks for a reason.
 */
export function BatchActions({
  batch,
  reload,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
}) {
  const [asked, setAsked] = useState<OrderVerb | null>(null);
  const unsent = unsentCount(batch);
  const verbs = (["withdraw", "pause", "release", "cancel"] as const).filter(
    (verb) => batch.you[verb].may && (verb !== "cancel" || unsent > 0 || batch.cancelling),
  );
  return (
    <Group gap="xs">
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
