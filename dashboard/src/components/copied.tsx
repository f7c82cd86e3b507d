import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import classes from "./copied.module.css";

/** A text that is taken elsewhere, with a button for it where there is a clipboard. */
export function Copied({ text }: { readonly text: string }) {
  const copy = async (): Promise<void> => {
    // There is no clipboard on a page without https.
    await navigator.clipboard?.writeText(text);
    notifications.show({ message: `Copied: ${text}` });
  };
  return (
    <Group gap="xs" wrap="wrap">
      <span className={classes.code}>{text}</span>
      {navigator.clipboard ? (
        <Button variant="subtle" size="compact-xs" h={24} onClick={() => void copy()}>
          Copy
        </Button>
      ) : null}
    </Group>
  );
}
