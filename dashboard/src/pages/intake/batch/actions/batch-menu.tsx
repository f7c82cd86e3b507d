import { Button } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { LateMenu, type MenuButtonProps } from "../../../../components/popover/late-menu.tsx";
import { messages } from "../../messages.tsx";
import type { BatchView } from "../../batch-view.ts";

/** A setting of a batch that has a dialog. */
export type Setting = "canary" | "priority";

/** Loaded when the menu is opened. */
const OpenBatchMenu = lazy(() => import("./open-batch-menu.tsx"));
/** Loaded when the setting is chosen. */
const CanaryDialog = lazy(() => import("./canary-dialog.tsx"));
const PriorityDialog = lazy(async () => ({
  default: (await import("../../../../components/payout/priority.tsx")).PriorityDialog,
}));

/** The settings of a batch that people seldom change, as a menu. */
export function BatchMenu({
  batch,
  reload,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
}) {
  const [chosen, setChosen] = useState<Setting | null>(null);
  const dialog = { batch, reload, onClose: () => setChosen(null) };
  const renderButton = (properties: MenuButtonProps) => (
    <Button
      {...properties}
      variant="default"
      size="xs"
      px={8}
      aria-label={messages.actions.more}
      title={messages.actions.more}
    >
      <Ellipsis size={16} aria-hidden />
    </Button>
  );
  return (
    <>
      {batch.you.set_canary.may || batch.you.prioritize.may ? (
        <LateMenu renderButton={renderButton}>
          <OpenBatchMenu batch={batch} onChoose={setChosen} renderButton={renderButton} />
        </LateMenu>
      ) : null}
      {/* Always drawn: an open dialog stays open when the setting is no longer possible. */}
      <Suspense fallback={null}>
        {chosen === "canary" ? <CanaryDialog {...dialog} /> : null}
        {chosen === "priority" ? <PriorityDialog {...dialog} may={batch.you.prioritize} /> : null}
      </Suspense>
    </>
  );
}
