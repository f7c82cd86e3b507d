import { Badge, Group } from "@mantine/core";
import { Given } from "./given.tsx";

/** A payout code or callback address as it is sent, marked where it comes from the file. */
export const Sent = ({
  of: { text, own },
}: {
  readonly of: { readonly text: string | null; readonly own: boolean };
}) =>
  text === null ? (
    "none"
  ) : (
    <Group component="span" gap="xs" style={{ overflowWrap: "anywhere" }}>
      <Given text={text} />
      {own ? (
        <Badge variant="light" color="orange">
          from the file
        </Badge>
      ) : null}
    </Group>
  );
