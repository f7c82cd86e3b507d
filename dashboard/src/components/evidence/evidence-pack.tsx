import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMay } from "../../server/session.ts";
import { messages as texts } from "./messages.ts";

/** Loaded on demand, because a dialog is large. */
const EvidencePackDialog = lazy(() => import("./evidence-pack-dialog.tsx"));

/** How an evidence pack shows beneficiaries. */
export type PackAccounts = "masked" | "in_full";

/** The button that opens the choice between a masked and a full evidence pack. */
export function EvidencePackButton({
  addressOf,
  isOwn = false,
}: {
  /** The address of the pack. */
  readonly addressOf: (accounts: PackAccounts) => string;
  /** The reader uploaded the batch, and has its account numbers anyway. */
  readonly isOwn?: boolean;
}) {
  const mayReveal = useMay("reveal");
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        {texts.open}
      </Button>
      {opened ? (
        <Suspense fallback={null}>
          <EvidencePackDialog
            mayBeFull={mayReveal || isOwn}
            addressOf={addressOf}
            close={() => setOpened(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
