import { Section } from "../../../components/section.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { useNow } from "../../../components/timestamp.tsx";
import { Amount } from "../../../components/amount.tsx";
import classes from "./home.module.css";
import { messages } from "./messages.tsx";
import type { HomeTasks } from "./queries.ts";
import { durationText, sinceText } from "./time-text.ts";

const texts = messages.inDoubt;

/** The number, sums and age of the payouts in doubt, and the time of the next status query. */
export function InDoubt({
  of: { count, sums, oldest_at, next_query_at },
}: {
  readonly of: HomeTasks["in_doubt"];
}) {
  const nowMs = useNow();
  return (
    <Section
      title={texts.title}
      badge={
        count === 0 ? null : (
          <span className={classes.badge} data-tone="doubt">
            {messages.payouts(count)}
          </span>
        )
      }
      actions={count === 0 ? null : <PageLink to="/payouts?state=in_doubt">{texts.view}</PageLink>}
    >
      {count === 0 ? (
        <p className={classes.quiet}>{texts.empty}</p>
      ) : (
        <>
          <div className={classes.sums}>
            {sums.map(({ currency, amount }, at) => (
              <span key={currency} className={at === 0 ? classes.figure : undefined}>
                <Amount of={{ currency, amount }} />
              </span>
            ))}
          </div>
          <p className={classes.quiet}>
            {texts.advice} <strong data-tone="doubt">{texts.warning}</strong>
          </p>
          <dl className={classes.facts}>
            {oldest_at === null ? null : (
              <Fact name={texts.oldest} value={sinceText(oldest_at, nowMs)} />
            )}
            {next_query_at === null ? null : (
              <Fact name={texts.next} value={dueText(next_query_at, nowMs)} />
            )}
          </dl>
        </>
      )}
    </Section>
  );
}

const dueText = (at: string, nowMs: number): string => {
  const aheadMs = Date.parse(at) - nowMs;
  return aheadMs < 30_000 ? messages.next.now : messages.next.inTime(durationText(aheadMs));
};

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
