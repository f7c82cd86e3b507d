import { Button, Checkbox, Text } from "@mantine/core";
import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { messages } from "../messages.tsx";
import type { Acknowledgements } from "./acknowledgements.ts";
import { type Severity, SEVERITY_TONE, worstFirst } from "./severity.ts";
import classes from "./verdict.module.css";

const texts = messages.verdict;

/** One finding about the batch, with the rows or details behind it. */
export interface Flag {
  readonly key: string;
  readonly severity: Severity;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  /** The label of the button that shows `content`. */
  readonly more?: string;
  readonly content?: ReactNode;
  /** Shows the content at once. */
  readonly isOpen?: boolean;
}

/** The first card of the page: the number of flags, each flag, and the passed checks. */
export function Verdict({
  flags,
  summary,
  passed,
  acknowledgements,
}: {
  readonly flags: readonly Flag[];
  readonly summary: ReactNode;
  /** Descriptions of the checks that found nothing. */
  readonly passed: readonly string[];
  readonly acknowledgements: Acknowledgements;
}) {
  const id = useId();
  const countOf = (severity: Severity): number =>
    flags.filter((flag) => flag.severity === severity).length;
  const [decide, check, info] = [countOf("decide"), countOf("check"), countOf("info")];
  // Flags that ask for nothing must not hide those that do.
  const isFolded = decide + check > 0 && info > 1;
  const worst = decide > 0 ? "decide" : check > 0 ? "check" : "info";
  const tone = flags.length > 0 ? SEVERITY_TONE[worst] : "settled";
  const Icon = flags.length === 0 ? CircleCheck : worst === "info" ? Info : TriangleAlert;
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head} data-tone={tone}>
        <span className={classes.sign}>
          <Icon size={20} aria-hidden />
        </span>
        <div>
          <h2 id={id} className={classes.headline}>
            {texts.headline(flags.length, decide, check, info)}
          </h2>
          <Text size="sm" c="dimmed">
            {summary}
          </Text>
        </div>
      </div>
      <FlagList
        flags={isFolded ? flags.filter(({ severity }) => severity !== "info") : flags}
        acknowledgements={acknowledgements}
      />
      {isFolded ? (
        <details className={classes.passed}>
          <summary>{texts.folded(info)}</summary>
          <FlagList
            flags={flags.filter(({ severity }) => severity === "info")}
            acknowledgements={acknowledgements}
          />
        </details>
      ) : null}
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

const FlagList = ({
  flags,
  acknowledgements,
}: {
  readonly flags: readonly Flag[];
  readonly acknowledgements: Acknowledgements;
}) => (
  <ul className={classes.flags}>
    {flags
      .toSorted((one, other) => worstFirst(one.severity, other.severity))
      .map((flag) => (
        <FlagItem key={flag.key} flag={flag} acknowledgements={acknowledgements} />
      ))}
  </ul>
);

function FlagItem({
  flag,
  acknowledgements,
}: {
  readonly flag: Flag;
  readonly acknowledgements: Acknowledgements;
}) {
  const { severity, title, detail, more, content } = flag;
  const [isOpen, setOpen] = useState(flag.isOpen ?? false);
  const id = useId();
  const tick = acknowledgements.of(flag.key);
  const Icon = severity === "info" ? Info : TriangleAlert;
  return (
    <li className={classes.flag} data-tone={SEVERITY_TONE[severity]}>
      <Icon size={16} className={classes.icon} role="img" aria-label={texts.severity[severity]} />
      <div className={classes.words}>
        <strong>{title}</strong>
        {detail ? <div className={classes.detail}>{detail}</div> : null}
      </div>
      <div className={classes.actions}>
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
        {tick ? (
          <Checkbox
            size="sm"
            label={texts.checked}
            aria-label={texts.checkedFinding(tick.says)}
            checked={tick.isTicked}
            onChange={({ currentTarget }) => tick.set(currentTarget.checked)}
            data-acknowledge
          />
        ) : null}
      </div>
      {isOpen ? (
        <div id={id} className={classes.content}>
          {content}
        </div>
      ) : null}
    </li>
  );
}
