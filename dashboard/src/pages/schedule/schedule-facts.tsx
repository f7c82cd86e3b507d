import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { AmountSummary } from "../../components/amount-summary.tsx";
import { FactList } from "../../components/fact-list.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { UserText } from "../../components/user-text.tsx";
import { localTimeText, shortDateText } from "../../base/dates.ts";
import type { Answer } from "../../server/client.ts";
import { messages } from "./messages.tsx";
import { exampleOf } from "./schedule-draft.ts";

const texts = messages.facts;

type Schedule = Answer<"GET /api/schedules">["items"][number];

/** The next occurrences of a schedule, the rows that they pay, and the rule. */
export const ScheduleFacts = ({ of }: { readonly of: Schedule }) => (
  <FactList
    facts={[
      ...(of.next.length === 0 ? [] : ([[texts.next, <Next key="next" of={of.next} />]] as const)),
      [texts.pays, <Pays key="pays" of={of} />],
      [
        texts.rule,
        <span key="rule">
          {of.says} {of.note === null ? null : <Warning>{of.note}</Warning>}
        </span>,
      ],
    ]}
  />
);

const Warning = ({ children }: { readonly children: ReactNode }) => (
  <Text span display="block" size="xs" data-tone="awaiting" c="var(--tone-fg)">
    {children}
  </Text>
);

/** Occurrences after the next one that are listed. */
const LATER_SHOWN = 2;

/** The next occurrence with the cut-offs that it misses, and the days after it. */
function Next({ of: [first, ...later] }: { readonly of: Schedule["next"] }) {
  if (first === undefined) return null;
  const days = later.slice(0, LATER_SHOWN).map(({ says }) => shortDateText(says.slice(0, 10)));
  return (
    <>
      <strong>{localTimeText(first.says)}</strong>{" "}
      {days.length === 0 ? null : (
        <Text span size="xs" c="dimmed">
          {texts.afterwards(days)}
        </Text>
      )}
      {first.misses.map((miss) => (
        <Warning key={miss}>{messages.next.miss(miss)}</Warning>
      ))}
    </>
  );
}

/** The rows of a list with their totals, or the folder and how its files are read. */
const Pays = ({
  of: { list, list_batch, folder, amounts, currency },
}: {
  readonly of: Schedule;
}) =>
  list === null ? (
    <>
      {messages.fromFolder(folder ?? "")}
      {amounts === null ? "" : ` ${messages.amounts.readAs(exampleOf(amounts))}`}
      {currency === null ? "" : ` ${messages.amounts.currency(currency)}`}
    </>
  ) : (
    <>
      <PageLink to={`/batches/${list}`} isInText>
        <UserText text={list_batch?.name ?? list} />
      </PageLink>
      {list_batch === null ? null : (
        <>
          , {texts.payouts(list_batch.payouts)}
          <div>
            <AmountSummary of={list_batch.totals} />
          </div>
        </>
      )}
    </>
  );
