import { Alert } from "@mantine/core";
import { detailMessages } from "./detail-messages.tsx";

/**
 * Reports that the action is no longer possible. The typed text stays, so that the user can copy
 * it.
 */
export const OutdatedDataAlert = ({ why }: { readonly why: string }) => (
  <Alert role="alert" color="orange" variant="light" title={detailMessages.changed.title}>
    {why} {detailMessages.changed.textStays}
  </Alert>
);
