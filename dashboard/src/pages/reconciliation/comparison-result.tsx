import { List, Text } from "@mantine/core";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { messages } from "./messages.ts";
import { messages as texts } from "./upload-messages.ts";
import type { StatementResult } from "./use-statement.ts";

/** The result of a comparison: its counts, and links to the breaks of each class. */
export function ComparisonResult({ of }: { readonly of: StatementResult }) {
  const { statement, comparison } = of;
  const { lane, day } = statement;
  const classes: Readonly<Record<string, string>> = messages.classes;
  if (!comparison) {
    return (
      <Section title={texts.result}>
        <Text size="sm">{texts.proposed}</Text>
      </Section>
    );
  }
  const {
    payouts,
    matched,
    others,
    counted_here: countedHere,
    breaks,
    closed,
    reopened,
  } = comparison;
  const found = Object.entries(breaks);
  return (
    <Section title={texts.result}>
      {statement.is_new ? null : <Text size="sm">{texts.known}</Text>}
      <Text size="sm">{texts.counts(statement.lines, matched, payouts)}</Text>
      {others > 0 ? <Text size="sm">{texts.others(others)}</Text> : null}
      {countedHere > 0 ? <Text size="sm">{texts.countedHere(countedHere)}</Text> : null}
      {comparison.has_balances ? null : <Text size="sm">{texts.noBalances}</Text>}
      {reopened > 0 ? <Text size="sm">{texts.reopened(reopened)}</Text> : null}
      {closed > 0 ? <Text size="sm">{texts.closed(closed)}</Text> : null}
      {found.length === 0 ? (
        <Text size="sm">{texts.noBreaks}</Text>
      ) : (
        <List size="sm" mt="xs" spacing="xs">
          {found.map(([name, count]) => (
            <List.Item key={name}>
              <PageLink
                to={`/reconciliation?${new URLSearchParams({ class: name, lane, day }).toString()}`}
              >
                {texts.breaks(count, classes[name] ?? name)}
              </PageLink>
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}
