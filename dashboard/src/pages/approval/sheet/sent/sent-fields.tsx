import { Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { LaneName } from "../../../../components/payout/lane-name.tsx";
import { Section } from "../../../../components/section.tsx";
import { messages } from "../../messages.tsx";
import classes from "./sent.module.css";
import type { ApprovalSheet } from "../../queries.ts";

/** Loaded when a reader opens the list of all rows. */
const SentRows = lazy(async () => ({ default: (await import("./sent-rows.tsx")).SentRows }));

const texts = messages.sent;

/** Shows all data sent to the gateway: the settings of each lane and the fields of each row. */
export function SentFields({ sheet: { batch_id, sent } }: { readonly sheet: ApprovalSheet }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={texts.title} foldsOnPhone>
      {sent.map(({ lane, merchant_code, payout_code, callback_url }) => (
        <Text key={lane} size="sm" className={classes.lane}>
          {texts.lane(
            <LaneName lane={lane} />,
            merchant_code,
            <strong>{payout_code ?? texts.unknown}</strong>,
            callback_url === null ? texts.noCallback : texts.callback(callback_url),
          )}
        </Text>
      ))}
      <details
        className={classes.rows}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>{texts.allRows}</summary>
        {isOpen ? (
          <Suspense fallback={<Text role="status">{texts.loading}</Text>}>
            <SentRows batchId={batch_id} />
          </Suspense>
        ) : null}
      </details>
    </Section>
  );
}
