import { Alert, Button, Code, CopyButton, Group, Text } from "@mantine/core";
import { messages } from "./messages.tsx";

/** A link or key that the server does not store and shows once. */
export function OneTimeSecret({
  title,
  text,
  secret,
}: {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
}) {
  return (
    <Alert role="status" variant="light" color="yellow" title={title}>
      <Text size="sm">{text}</Text>
      <Group mt="xs" gap="xs">
        <Code style={{ overflowWrap: "anywhere" }}>{secret}</Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? messages.copied : messages.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  );
}
