import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { Check, Copy } from "lucide-react";
import classes from "./code-block.module.css";
import { messages } from "./messages.ts";

const NAMES: Readonly<Record<string, string>> = messages.languages;

/** Program text with a copy button, where the browser has a clipboard. */
export function CodeBlock({
  language,
  text,
}: {
  readonly language: string;
  readonly text: string;
}) {
  const { copy, copied } = useClipboard();
  const name = NAMES[language] ?? language;
  return (
    <div className={classes.block}>
      <div className={classes.head}>
        <span>{name}</span>
        {navigator.clipboard ? (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
            onClick={() => copy(text)}
          >
            {copied ? messages.copied : messages.copyCode}
          </Button>
        ) : null}
      </div>
      <pre role="region" aria-label={name} tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
