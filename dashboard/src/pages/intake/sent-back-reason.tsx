import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Given } from "../../components/user-text.tsx";
import { When } from "../../components/timestamp.tsx";
import { messages } from "./messages.tsx";
import { timelineQuery } from "./queries.ts";

const texts = messages.sentBack;

/** Lines of the audit log from before migration 0052 say `give_back`. */
const SENT_BACK: ReadonlySet<string> = new Set(["send_back", "give_back"]);

/** Shows who last sent the batch back, and why. */
export function GivenBack({ id }: { readonly id: string }) {
  const { data: timeline } = useQuery(timelineQuery(id));
  const said = timeline?.items.findLast(({ action }) => SENT_BACK.has(action));
  return (
    <Text size="sm">
      {said
        ? texts.by(
            <Given text={said.by.name} />,
            <When at={said.at} />,
            <Given text={said.text ?? ""} />,
          )
        : texts.unknown}
    </Text>
  );
}
