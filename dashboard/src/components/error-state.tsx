import { Alert, Button, Text } from "@mantine/core";
import { OctagonAlert } from "lucide-react";
import { errorWords } from "../error-words.ts";

/** What went wrong, where, and what one can do: for a page, a section or a form. */
export function ErrorState({
  error,
  reset,
}: {
  readonly error: unknown;
  readonly reset?: () => void;
}) {
  const { title, detail, places, code } = errorWords(error);
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      title={title}
      icon={<OctagonAlert aria-hidden />}
    >
      {detail ? <Text size="sm">{detail}</Text> : null}
      {places.length > 0 ? (
        <ul>
          {places.map((place) => (
            <li key={place}>{place}</li>
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
