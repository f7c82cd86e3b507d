import { Text } from "@mantine/core";
import type { Answer } from "../../client.ts";

/** The next times, each with what it misses. */
export const Next = ({ of }: { readonly of: Answer<"POST /api/schedules/try">["next"] }) =>
  of.length === 0 ? null : (
    <ul aria-label="The next times">
      {of.map(({ at, says, misses }) => (
        <li key={at}>
          {says}
          {misses.map((miss) => (
            <Text key={miss} size="sm" data-tone="alarm" c="var(--tone-text)">
              {miss} The money may arrive a working day later.
            </Text>
          ))}
        </li>
      ))}
    </ul>
  );
