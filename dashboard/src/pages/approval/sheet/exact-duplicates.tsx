import { Alert, Button, List, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { call } from "../../../server/client.ts";
import { ConfirmAction, unavailableReason } from "../../../components/forms/confirm-action.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { messages } from "../messages.tsx";
import type { ApprovalSheet } from "../queries.ts";

const texts = messages.duplicates;

/**
 * Shows exact duplicates of payouts in other batches. They need a reason before another person may
 * approve the batch.
 */
export function ExactDuplicates({
  sheet,
  reload,
}: {
  readonly sheet: ApprovalSheet;
  readonly reload: () => void;
}) {
  /** Digest of the content that the reason is for. Null while the dialog is closed. */
  const [asked, setAsked] = useState<string | null>(null);
  const rows = sheet.duplicates.found.reduce((sum, duplicate) => sum + duplicate.rows, 0);
  return (
    <>
      <DuplicateList
        duplicates={sheet.duplicates}
        needed={
          sheet.you.allow_duplicates.may
            ? texts.neededFromYou
            : texts.needed(<UserText text={sheet.maker.name} />)
        }
      >
        {sheet.you.allow_duplicates.may ? (
          <Button
            size="xs"
            mt="xs"
            variant="default"
            onClick={() => setAsked(sheet.content_digest)}
          >
            {texts.giveReason}
          </Button>
        ) : null}
      </DuplicateList>
      <ConfirmAction
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={texts.giveReason}
        sentence={texts.giveReasonText(rows)}
        verb={texts.allow}
        asksReason
        passed={
          asked === sheet.content_digest
            ? unavailableReason(sheet.you.allow_duplicates)
            : texts.changed
        }
        onConfirm={async ({ reason }) => {
          await call("POST /api/batches/:id/allow-duplicates", {
            params: { id: sheet.batch_id },
            body: { content_digest: asked ?? "", reason },
          });
          reload();
        }}
      />
    </>
  );
}

function DuplicateList({
  duplicates: { found, allowed, looking },
  needed,
  children,
}: {
  readonly duplicates: ApprovalSheet["duplicates"];
  /** The next step and its person, while the duplicates have no reason. */
  readonly needed: ReactNode;
  readonly children: ReactNode;
}) {
  if (looking) {
    return (
      <Text size="sm" role="status">
        {texts.searching}
      </Text>
    );
  }
  if (found.length === 0) return null;
  const isOpen = found.some((duplicate) => !duplicate.allowed);
  return (
    <Alert
      color={isOpen ? "red" : "orange"}
      variant="light"
      title={isOpen ? texts.open : texts.explained}
    >
      <List size="sm">
        {found.map((duplicate) => (
          <List.Item key={duplicate.batch_id}>
            {duplicate.says}
            <div>
              <PageLink to={`/batches/${duplicate.batch_id}`}>
                {texts.look(duplicate.batch_id)}
              </PageLink>
            </div>
          </List.Item>
        ))}
      </List>
      {allowed.map(({ actor, name, reason, at }) => (
        <Text size="sm" key={`${actor} ${at}`}>
          {name}, <Timestamp at={at} />: {reason}
        </Text>
      ))}
      {isOpen ? <Text size="sm">{needed}</Text> : null}
      {isOpen ? children : null}
    </Alert>
  );
}
