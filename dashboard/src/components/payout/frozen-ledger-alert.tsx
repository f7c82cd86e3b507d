import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { detailMessages } from "../detail-messages.tsx";

/**
 * A warning before an upload or approval: a frozen ledger may not know payouts that were sent
 * before.
 */
export const FrozenLedgerAlert = ({
  reason,
  children,
}: {
  readonly reason: string;
  /** The check that the reader must make first. */
  readonly children: ReactNode;
}) => (
  <Alert color="red" variant="light" title={detailMessages.frozen.title}>
    {detailMessages.frozen.detail(reason)} {children}
  </Alert>
);
