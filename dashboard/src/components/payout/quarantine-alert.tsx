import { Alert, Button, List, Text } from "@mantine/core";
import { useState } from "react";
import type { Answer } from "../../server/client.ts";
import { call } from "../../server/client.ts";
import { ConfirmAction, unavailableReason } from "../forms/confirm-action.tsx";
import { detailMessages } from "../detail-messages.tsx";

const texts = detailMessages.quarantine;

export interface Quarantined {
  readonly batchId: string;
  /** The reasons, one sentence each. Empty when the batch is not in quarantine. */
  readonly reasons: readonly string[];
  readonly release: Answer<"GET /api/batches/:id/approval">["you"]["release_quarantine"];
  readonly reload: () => void;
}

/** The reasons why a batch is in quarantine, and the button that releases it. */
export default function QuarantineAlert({ batchId, reasons, release, reload }: Quarantined) {
  const [isAsked, setAsked] = useState(false);
  if (reasons.length === 0 && !isAsked) return null;
  return (
    <>
      {reasons.length === 0 ? null : (
        <Alert color="red" variant="light" title={texts.title}>
          <List size="sm">
            {reasons.map((reason) => (
              <List.Item key={reason}>{reason}</List.Item>
            ))}
          </List>
          <Text size="sm" mt="xs">
            {texts.risk}
          </Text>
          {release.may ? (
            <Button size="xs" mt="xs" color="red" variant="outline" onClick={() => setAsked(true)}>
              {texts.release}
            </Button>
          ) : (
            <Text size="sm" mt="xs">
              {release.why_not}
            </Text>
          )}
        </Alert>
      )}
      <ConfirmAction
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={texts.release}
        sentence={texts.releaseSentence(batchId)}
        verb={texts.confirm}
        danger
        asksReason
        passed={unavailableReason(release)}
        onConfirm={async ({ reason }) => {
          await call("POST /api/batches/:id/release-quarantine", {
            params: { id: batchId },
            body: { reason },
          });
          reload();
        }}
      />
    </>
  );
}
