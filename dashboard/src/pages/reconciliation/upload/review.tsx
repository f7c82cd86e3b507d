import { Alert, Text } from "@mantine/core";
import { formatMoney } from "../../../base/money.ts";
import { messages as texts } from "./messages.ts";
import type { MappingQuestion } from "./use-statement.ts";

/** The lines and the sum that the mapping reads, or why it cannot read the file. */
export function Review({
  of,
  missing,
  currency,
  isReviewing,
}: {
  readonly of: MappingQuestion["review"];
  /** The meanings that no column has. */
  readonly missing: readonly string[];
  readonly currency: string;
  readonly isReviewing: boolean;
}) {
  if (missing.length > 0) {
    return (
      <Alert variant="light" color="orange">
        {texts.missing(missing)}
      </Alert>
    );
  }
  if (isReviewing) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {texts.reading}
      </Text>
    );
  }
  if (of === null) return null;
  const [problem] = of.problems;
  if (problem) {
    const { line, column, message, found } = problem;
    return (
      <Alert variant="light" color="red" title={texts.cannotRead}>
        {texts.problemAt(line, column, message, found)}
      </Alert>
    );
  }
  return (
    <Text size="sm" role="status">
      <strong>
        {texts.reads(of.lines, formatMoney({ currency, amount: of.total }), currency)}
      </strong>
      {of.outside_day > 0 ? ` ${texts.someOutside(of.outside_day)}` : null}
    </Text>
  );
}
