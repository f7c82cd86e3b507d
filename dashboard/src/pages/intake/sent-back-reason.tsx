import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { UserText } from "../../components/user-text.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { messages } from "./messages.tsx";
import { timelineQuery } from "./queries.ts";

const texts = messages.sentBack;

/** Lines of the audit log from before migration 0052 say `give_back`. */
const SENT_BACK: ReadonlySet<string> = new Set(["send_back", "give_back"]);

/** Shows who last sent the batch back, and why. */
export function SentBackReason({ id }: { readonly id: string }) {
  const { data: timeline } = useQuery(timelineQuery(id));
  const entry = timeline?.items.findLast(({ action }) => SENT_BACK.has(action));
  return (
    <Text size="sm">
      {entry
        ? texts.by(
            <UserText text={entry.by.name} />,
            <Timestamp at={entry.at} />,
            <UserText text={entry.text ?? ""} />,
          )
        : texts.unknown}
    </Text>
  );
}
