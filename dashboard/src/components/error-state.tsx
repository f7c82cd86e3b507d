import { Alert, Button, Text } from "@mantine/core";
import { OctagonAlert } from "lucide-react";
import { errorText } from "../server/error-text.ts";
import { messages } from "./messages.tsx";

/** The error of a page, a section or a form: what happened, where, and the next step. */
export function ErrorState({
  error,
  reset,
}: {
  readonly error: unknown;
  readonly reset?: () => void;
}) {
  const { title, detail, places, code } = errorText(error);
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
          {messages.error.code(code)}
        </Text>
      ) : null}
      {reset ? (
        <Button mt="sm" size="xs" variant="default" onClick={reset}>
          {messages.error.tryAgain}
        </Button>
      ) : null}
    </Alert>
  );
}
