import { Alert, Button, List, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers, passedOf } from "../../components/confirm-in-numbers.tsx";
import { Go } from "../../components/go.tsx";
import { When } from "../../components/when.tsx";
import { plural } from "../../words.ts";
import type { Sheet } from "./sheet.tsx";

/** What other batches pay already. It is not approved until somebody has said why it is right, and somebody else agrees. */
export function Repeats({ sheet, again }: { readonly sheet: Sheet; readonly again: () => void }) {
  /** The content that was read: a reason is for no other. Null: nobody is asked. */
  const [asked, setAsked] = useState<string | null>(null);
  const rows = sheet.repeats.found.reduce((sum, repeat) => sum + repeat.rows, 0);
  return (
    <>
      <Found repeats={sheet.repeats}>
        {sheet.you.allow_repeats.may ? (
          <Button
            size="xs"
            mt="xs"
            variant="default"
            onClick={() => setAsked(sheet.content_digest)}
          >
            Say why it is right
          </Button>
        ) : null}
      </Found>
      <ConfirmInNumbers
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title="Say why it is right"
        sentence={`${plural(rows, "payout")} of this batch repeat another one. Your reason stands on the audit log, and somebody else has to approve the batch.`}
        verb="Let it repeat"
        asksReason
        passed={
          asked === sheet.content_digest
            ? passedOf(sheet.you.allow_repeats)
            : "The batch has other rows now."
        }
        onConfirm={async ({ reason }) => {
          await call("POST /api/batches/:id/allow-repeats", {
            params: { id: sheet.batch_id },
            body: { content_digest: asked ?? "", reason },
          });
          again();
        }}
      />
    </>
  );
}

function Found({
  repeats: { found, allowed, looking },
  children,
}: {
  readonly repeats: Sheet["repeats"];
  readonly children: ReactNode;
}) {
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
      {isOpen ? children : null}
    </Alert>
  );
}
