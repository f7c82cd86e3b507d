import { Badge, Group } from "@mantine/core";
import { UserText } from "../user-text.tsx";
import { detailMessages } from "../detail-messages.tsx";

/**
 * A payout code or callback URL that is sent to the gateway, marked when it comes from the file.
 */
export const SentValue = ({
  of: { text, own },
}: {
  readonly of: { readonly text: string | null; readonly own: boolean };
}) =>
  text === null ? (
    detailMessages.sent.none
  ) : (
    <Group component="span" gap="xs" style={{ overflowWrap: "anywhere" }}>
      <UserText text={text} />
      {own ? (
        <Badge variant="light" color="orange">
          {detailMessages.sent.fromFile}
        </Badge>
      ) : null}
    </Group>
  );
