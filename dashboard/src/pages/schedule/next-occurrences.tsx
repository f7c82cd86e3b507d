import { Text } from "@mantine/core";
import { localTimeText } from "../../base/dates.ts";
import type { Answer } from "../../server/client.ts";
import { messages } from "./messages.tsx";

const texts = messages.next;

/** The next occurrences, each with the cut-offs that it misses. */
export const NextOccurrences = ({
  of,
}: {
  readonly of: Answer<"POST /api/schedules/preview">["next"];
}) =>
  of.length === 0 ? null : (
    <ul aria-label={texts.label}>
      {of.map(({ at, says, misses }) => (
        <li key={at}>
          {localTimeText(says)}
          {misses.map((miss) => (
            <Text key={miss} size="sm" data-tone="awaiting" c="var(--tone-fg)">
              {texts.miss(miss)}
            </Text>
          ))}
        </li>
      ))}
    </ul>
  );
