import { Alert } from "@mantine/core";

/** What one was about to do is over. What was typed is still there, to be kept elsewhere. */
export const Changed = ({ why }: { readonly why: string }) => (
  <Alert role="alert" color="orange" variant="light" title="It was changed since you opened it">
    {why} What you have typed stays here until you go back.
  </Alert>
);
