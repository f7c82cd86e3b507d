import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import classes from "./copyable-text.module.css";
import { messages } from "./messages.tsx";

/** A text with a copy button, where the browser has a clipboard. */
export function CopyableText({ text }: { readonly text: string }) {
  const copy = async (): Promise<void> => {
    // A page without https has no clipboard.
    await navigator.clipboard?.writeText(text);
    notifications.show({ message: messages.copy.copied(text) });
  };
  return (
    <Group gap="xs" wrap="wrap">
      <span className={classes.code}>{text}</span>
      {navigator.clipboard ? (
        <Button variant="subtle" size="compact-xs" h={24} onClick={() => void copy()}>
          {messages.copy.copy}
        </Button>
      ) : null}
    </Group>
  );
}
