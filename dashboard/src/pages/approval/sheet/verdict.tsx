import { Button, Text } from "@mantine/core";
import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { messages } from "../messages.tsx";
import classes from "./verdict.module.css";

const texts = messages.verdict;

/** One finding about the batch, with the rows or details behind it. */
export interface Flag {
  readonly key: string;
  /** False: the finding is common, and needs no action. */
  readonly attention: boolean;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  /** The label of the button that shows `content`. */
  readonly more?: string;
  readonly content?: ReactNode;
}

/** The first card of the page: the number of flags, each flag, and the passed checks. */
export function Verdict({
  flags,
  summary,
  passed,
}: {
  readonly flags: readonly Flag[];
  readonly summary: ReactNode;
  /** Descriptions of the checks that found nothing. */
  readonly passed: readonly string[];
}) {
  const id = useId();
  const attention = flags.filter((flag) => flag.attention).length;
  const tone = attention > 0 ? "declined" : flags.length > 0 ? "awaiting" : "settled";
  const Icon = attention > 0 ? TriangleAlert : flags.length > 0 ? Info : CircleCheck;
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head} data-tone={tone}>
        <span className={classes.sign}>
          <Icon size={20} aria-hidden />
        </span>
        <div>
          <h2 id={id} className={classes.headline}>
            {texts.headline(flags.length, attention)}
          </h2>
          <Text size="sm" c="dimmed">
            {summary}
          </Text>
        </div>
      </div>
      <ul className={classes.flags}>
        {flags
          .toSorted((one, other) => Number(other.attention) - Number(one.attention))
          .map((flag) => (
            <FlagItem key={flag.key} flag={flag} />
          ))}
      </ul>
      {passed.length === 0 ? null : (
        <details className={classes.passed}>
          <summary>{texts.passed(passed.length)}</summary>
          <ul>
            {passed.map((check) => (
              <li key={check}>{check}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function FlagItem({ flag: { attention, title, detail, more, content } }: { readonly flag: Flag }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const Icon = attention ? TriangleAlert : Info;
  return (
    <li className={classes.flag} data-tone={attention ? "declined" : "awaiting"}>
      <Icon
        size={16}
        className={classes.icon}
        role="img"
        aria-label={attention ? texts.attention : texts.info}
      />
      <div className={classes.words}>
        <strong>{title}</strong>
        {detail ? <div className={classes.detail}>{detail}</div> : null}
      </div>
      {content ? (
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen((before) => !before)}
        >
          {more}
        </Button>
      ) : null}
      {isOpen ? (
        <div id={id} className={classes.content}>
          {content}
        </div>
      ) : null}
    </li>
  );
}
