import { Alert, Button, List, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import { Go } from "../../components/go.tsx";
import { When } from "../../components/when.tsx";
import { plural } from "../../words.ts";
import type { Sheet } from "./sheet.tsx";

/** What other batches pay already. It is not approved until somebody has said why it is right, and somebody else agrees. */
export function Repeats({ sheet, again }: { readonly sheet: Sheet; readonly again: () => void }) {
  const { found, allowed, looking } = sheet.repeats;
  const [asked, setAsked] = useState(false);
  if (looking) {
    return (
      <Text size="sm" role="status">
        It is still being looked for whether it pays again what another batch pays. If it does, it
        cannot be approved.
      </Text>
    );
  }
  if (found.length === 0) return null;
  const isOpen = found.some((repeat) => !repeat.allowed);
  const rows = found.reduce((sum, repeat) => sum + repeat.rows, 0);
  return (
    <Alert
      color={isOpen ? "red" : "orange"}
      variant="light"
      title={
        isOpen ? "It pays again what another batch pays" : "It repeats another batch, with a reason"
      }
    >
      <List size="sm">
        {found.map((repeat) => (
          <List.Item key={repeat.batch_id}>
            {repeat.says}
            <div>
              <Go to={`/batches/${repeat.batch_id}`}>Look at {repeat.batch_id}</Go>
            </div>
          </List.Item>
        ))}
      </List>
      {allowed.map(({ actor, name, reason, at }) => (
        <Text size="sm" key={`${actor} ${at}`}>
          {name}, <When at={at} />: {reason}
        </Text>
      ))}
      {isOpen ? (
        <Text size="sm">
          It cannot be approved like this. Somebody says why it is right, and somebody else approves
          it.
        </Text>
      ) : null}
      {isOpen && sheet.you.allow_repeats.may ? (
        <Button size="xs" mt="xs" variant="default" onClick={() => setAsked(true)}>
          Say why it is right
        </Button>
      ) : null}
      <ConfirmInNumbers
        opened={asked}
        onClose={() => setAsked(false)}
        title="Say why it is right"
        sentence={`${plural(rows, "payout")} of this batch repeat another one. Your reason stands on the audit log, and somebody else has to approve the batch.`}
        verb="Let it repeat"
        asksReason
        onConfirm={async ({ reason }) => {
          await call("POST /api/batches/:id/allow-repeats", {
            params: { id: sheet.batch_id },
            body: { content_digest: sheet.content_digest, reason },
          });
          again();
        }}
      />
    </Alert>
  );
}
