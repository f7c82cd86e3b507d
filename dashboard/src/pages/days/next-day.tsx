import { Alert, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Check, Circle, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { dateTimeText, weekdayText } from "../../base/dates.ts";
import { formatMoney } from "../../base/money.ts";
import { isolateDirection } from "../../base/text.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { LaneName } from "../../components/payout/lane-name.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import {
  type Replacement,
  replacementsQuery,
  waitsForText,
} from "../reconciliation/replacement-query.ts";
import { CloseActions } from "./close-actions.tsx";
import { dayQuery, type DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";
import { uploadAddress } from "./next-step.ts";
import classes from "./next-day.module.css";

const texts = messages.next;

/** How often the state of the day is loaded again, in milliseconds. */
const REFETCH_MS = 30_000;

/** The next day to close: its steps with their state, and the actions. */
export function NextDay({ lane, day }: { readonly lane: string; readonly day: string }) {
  const { data, error } = useQuery({ ...dayQuery({ day, lane }), refetchInterval: REFETCH_MS });
  return (
    <Section title={texts.title(weekdayText(day))} caption={<LaneName lane={lane} />}>
      {error && !data ? <ErrorState error={error} /> : null}
      {data ? (
        <Stack>
          <DayFacts of={data} />
          <CloseActions of={data} isInCalendar />
        </Stack>
      ) : null}
    </Section>
  );
}

type StepState = "done" | "todo" | "warning";

const ICONS = { done: Check, todo: Circle, warning: TriangleAlert } as const;

/** One step with its state as an icon and in words. */
function Step({
  state,
  title,
  children,
}: {
  readonly state: StepState;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const Icon = ICONS[state];
  return (
    <li className={classes.step} data-state={state}>
      <span className={classes.icon}>
        <Icon size={16} aria-hidden />
      </span>
      <div>
        <Text size="xs" c="dimmed">
          {title} <VisuallyHidden>{texts.stepStates[state]}</VisuallyHidden>
        </Text>
        <div className={classes.text}>{children}</div>
      </div>
    </li>
  );
}

/** The steps of a day: its statement, its breaks and its balance, and why it cannot be closed. */
export function DayFacts({ of }: { readonly of: DayView }) {
  const { statement, unresolved_breaks: breaks, close, ends_at: end, zone } = of;
  const isReplaced = useReplacement(of) !== null;
  return (
    <Stack gap="sm">
      <ol className={classes.steps}>
        <Step
          state={statement === null ? "todo" : isReplaced ? "warning" : "done"}
          title={texts.statementStep}
        >
          {statement === null
            ? texts.noStatement
            : isolateDirection(of.statement_file ?? statement)}{" "}
          {statement === null ? null : (
            <PageLink to={uploadAddress(of)} isInText>
              {texts.uploadAgain}
            </PageLink>
          )}
          <WaitingReplacement of={of} />
        </Step>
        <Step
          state={breaks > 0 ? "warning" : statement === null ? "todo" : "done"}
          title={texts.breaksStep}
        >
          {breaks === 0 && statement === null ? texts.breaksLater : texts.breaks(breaks)}
        </Step>
        <BalanceStep of={of} />
      </ol>
      {close.why_not === null ? null : (
        <Alert variant="light" color="orange" title={texts.notYet}>
          {isReplaced && close.reason === "unfinished_statement"
            ? texts.replacementBlocks
            : close.why_not}{" "}
          {close.reason === "day_not_over" ? texts.endsAt(dateTimeText(end, { zone }), zone) : null}
        </Alert>
      )}
    </Stack>
  );
}

/** The statement that waits to replace the compared one of the day. Null: there is none. */
function useReplacement({ lane, day }: Pick<DayView, "lane" | "day">): Replacement | null {
  const { data } = useQuery({ ...replacementsQuery, refetchInterval: REFETCH_MS });
  return data?.items.find((each) => each.lane === lane && each.day === day) ?? null;
}

/** Says that a replacement of the statement waits, since when, and who may confirm it. */
function WaitingReplacement({ of }: { readonly of: DayView }) {
  const found = useReplacement(of);
  if (!found) return null;
  return (
    <Text size="sm">
      {texts.replacement(
        <UserText text={found.file_name} />,
        <UserText text={found.by.name} />,
        <Timestamp at={found.at} />,
      )}{" "}
      <UserText text={waitsForText(found.approvers)} />{" "}
      <PageLink to="/reconciliation" isInText>
        {texts.openReplacement}
      </PageLink>
    </Text>
  );
}

/** The computed closing balance, compared with that of the statement. */
function BalanceStep({ of: { figures, currency } }: { readonly of: DayView }) {
  if (!figures) {
    return (
      <Step state="todo" title={texts.balanceStep}>
        {messages.day.noFigures}
      </Step>
    );
  }
  const { closing, observed, difference } = figures;
  const money = (amount: string) => formatMoney({ currency, amount });
  const isEqual = difference === null || !/[1-9]/.test(difference);
  return (
    <Step
      state={observed === null ? "todo" : isEqual ? "done" : "warning"}
      title={texts.balanceStep}
    >
      {observed === null
        ? texts.notObserved(money(closing))
        : isEqual
          ? texts.agrees(money(closing))
          : texts.differs(money(closing), money(observed), money(difference ?? "0"))}
    </Step>
  );
}
