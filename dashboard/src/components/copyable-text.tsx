import { ActionIcon } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Copy } from "lucide-react";
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
    <span className={classes.line}>
      <span className={classes.code}>{text}</span>
      {navigator.clipboard ? (
        <ActionIcon
          variant="subtle"
          size={24}
          aria-label={messages.copy.copy}
          title={messages.copy.copy}
          onClick={() => void copy()}
        >
          <Copy size={14} aria-hidden />
        </ActionIcon>
      ) : null}
    </span>
  );
}
