import { Alert, Button, Text } from "@mantine/core";
import { OctagonAlert } from "lucide-react";
import { ApiProblem, NoAnswer } from "../client.ts";

/** What went wrong, where, and what one can do: for a page, a section or a form. */
export function ErrorState({
  error,
  reset,
}: {
  readonly error: unknown;
  readonly reset?: () => void;
}) {
  const { title, detail, places, code } = wordsOf(error);
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      title={title}
      icon={<OctagonAlert aria-hidden />}
    >
      <Text size="sm">{detail}</Text>
      {places.length > 0 ? (
        <ul>
          {places.map(({ place, message }) => (
            <li key={place}>
              {place}: {message}
            </li>
          ))}
        </ul>
      ) : null}
      {code ? (
        <Text size="xs" c="dimmed">
          Code for support: {code}
        </Text>
      ) : null}
      {reset ? (
        <Button mt="sm" size="xs" variant="default" onClick={reset}>
          Try again
        </Button>
      ) : null}
    </Alert>
  );
}

function wordsOf(error: unknown) {
  if (error instanceof ApiProblem) {
    const { title, detail, places, code } = error.document;
    return { title, detail, places: places ?? [], code };
  }
  const detail =
    error instanceof NoAnswer
      ? "The server did not answer. Payouts are not harmed: they are sent by the workers, not by this page. Try again in a moment."
      : "This page failed. Nothing was sent because of it. Reload it; if it fails again, tell whoever runs payrun.";
  const title = error instanceof NoAnswer ? "No connection" : "The page could not be shown";
  return { title, detail, places: [], code: null };
}
