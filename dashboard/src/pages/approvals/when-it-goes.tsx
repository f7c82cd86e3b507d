import { Group, SegmentedControl, Text, TextInput } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { ApiProblem, call } from "../../client.ts";
import { type Chosen, momentOf } from "./send-choice.ts";

/** Now, or at a time in a zone; what is to be known of that time stands there before anybody approves. */
export function WhenItGoes({
  id,
  chosen,
  change,
  isLater = false,
  late = null,
}: {
  readonly id: string;
  readonly chosen: Chosen;
  readonly change: (chosen: Chosen) => void;
  /** It has a time already: another one is chosen. */
  readonly isLater?: boolean;
  /** The time it was to go out at, where that is over. */
  readonly late?: string | null;
}) {
  const field = (name: "date" | "time" | "zone", label: string, type: string) => (
    <TextInput
      label={label}
      type={type}
      value={chosen[name]}
      onChange={({ currentTarget: { value } }) => change({ ...chosen, [name]: value })}
      required
    />
  );
  return (
    <>
      {isLater ? null : (
        <SegmentedControl
          aria-label="When it goes out"
          value={chosen.kind}
          onChange={(kind) => change({ ...chosen, kind: kind === "at" ? "at" : "now" })}
          data={[
            { value: "now", label: late === null ? "Send now" : "As soon as it is approved" },
            { value: "at", label: "Send at a time" },
          ]}
        />
      )}
      {chosen.kind === "now" ? (
        late === null ? null : (
          <Text size="sm">Its time, {late}, is over: it goes out as soon as it is approved.</Text>
        )
      ) : (
        <>
          <Group gap="sm" grow preventGrowOverflow={false}>
            {field("date", "Day", "date")}
            {field("time", "Time", "time")}
            {field("zone", "Time zone", "text")}
          </Group>
          {chosen.date === "" ? null : <Told id={id} at={momentOf(chosen)} />}
        </>
      )}
    </>
  );
}

/** What is to be known of a time before a batch is given it. */
export const sendTimeQuery = (id: string, at: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/send-time", id, at],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/send-time", { params: { id }, query: { at }, signal }),
    retry: false,
    // While somebody looks at it, a time passes.
    refetchInterval: 30_000,
  });

function Told({ id, at }: { readonly id: string; readonly at: string }) {
  const { data: told, error } = useQuery(sendTimeQuery(id, at));
  return (
    <div role="status">
      {error instanceof ApiProblem ? (
        <Text size="sm" data-tone="alarm" c="var(--tone-text)">
          This is no time. It takes a day, a time, and a time zone such as Asia/Kolkata or UTC.
        </Text>
      ) : null}
      {told ? (
        <>
          <Text size="sm">
            {told.is_over
              ? "This time is over."
              : `It goes out at ${told.says}. Its rows are checked again then; until then it can be put off or cancelled.`}
          </Text>
          {told.misses.map((miss) => (
            <Text key={miss} size="sm" data-tone="alarm" c="var(--tone-text)">
              {miss} The money may arrive a working day later.
            </Text>
          ))}
        </>
      ) : null}
    </div>
  );
}
