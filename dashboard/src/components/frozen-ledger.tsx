import { Alert } from "@mantine/core";
import type { ReactNode } from "react";

/** Where somebody is about to have something paid: a ledger that sends nothing may not know what was paid already. */
export const FrozenLedger = ({
  reason,
  children,
}: {
  readonly reason: string;
  /** What to make sure of first. */
  readonly children: ReactNode;
}) => (
  <Alert color="red" variant="light" title="The ledger is frozen: nothing is sent">
    {reason}. It may have forgotten files, and what was sent of them. {children}
  </Alert>
);
