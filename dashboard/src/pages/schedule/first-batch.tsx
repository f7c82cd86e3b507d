import { Text } from "@mantine/core";
import { localTimeText } from "../../base/dates.ts";
import { AmountSummary } from "../../components/amount-summary.tsx";
import type { Answer } from "../../server/client.ts";
import { messages } from "./messages.tsx";

const texts = messages.form;

/** The payouts of the first batch from a list, and when it is created and sent. */
export const FirstBatch = ({
  of,
}: {
  readonly of: Answer<"POST /api/schedules/preview">["first_batch"];
}) =>
  of === null ? null : (
    <Text size="sm">
      {texts.firstBatch(of.payouts, <AmountSummary key="amounts" of={of.totals} />)}{" "}
      {of.created_says === null
        ? texts.firstNow(localTimeText(of.says))
        : texts.firstLater(localTimeText(of.created_says), localTimeText(of.says))}
    </Text>
  );
