import { Alert, Button, List, Text } from "@mantine/core";
import { useState } from "react";
import type { Answer } from "../client.ts";
import { call } from "../client.ts";
import { ConfirmInNumbers, passedOf } from "./confirm-in-numbers.tsx";

interface Quarantined {
  readonly batchId: string;
  /** Why, one sentence each; empty: it is not in quarantine. */
  readonly causes: readonly string[];
  readonly release: Answer<"GET /api/batches/:id/approval">["you"]["release_quarantine"];
  readonly again: () => void;
}

/** A batch that a restored ledger may have paid before: why it is not sent, and how a person releases it. */
export function Quarantine({ batchId, causes, release, again }: Quarantined) {
  const [isAsked, setAsked] = useState(false);
  if (causes.length === 0 && !isAsked) return null;
  return (
    <>
      {causes.length === 0 ? null : (
        <Alert
          color="red"
          variant="light"
          title="This batch is in quarantine: it is neither approved nor sent"
        >
          <List size="sm">
            {causes.map((cause) => (
              <List.Item key={cause}>{cause}</List.Item>
            ))}
          </List>
          <Text size="sm">
            Payouts that were paid in the lost history would be paid a second time. Compare each of
            them with the gateway&apos;s records from the time of the backup on.
          </Text>
          {release.may ? (
            <Button size="xs" mt="xs" color="red" variant="outline" onClick={() => setAsked(true)}>
              Release from quarantine
            </Button>
          ) : (
            <Text size="sm">{release.why_not}</Text>
          )}
        </Alert>
      )}
      <ConfirmInNumbers
        opened={isAsked}
        onClose={() => setAsked(false)}
        title="Release from quarantine"
        sentence={`Batch ${batchId} can be approved and sent after this. Say how you know that none of its payouts was paid.`}
        verb="Release"
        danger
        asksReason
        passed={passedOf(release)}
        onConfirm={async ({ reason }) => {
          await call("POST /api/batches/:id/release-quarantine", {
            params: { id: batchId },
            body: { reason },
          });
          again();
        }}
      />
    </>
  );
}
