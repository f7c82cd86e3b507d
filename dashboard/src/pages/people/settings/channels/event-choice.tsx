import { Checkbox, Code, Fieldset, Stack } from "@mantine/core";
import type { Answer } from "../../../../server/client.ts";
import classes from "./event-choice.module.css";
import { messages } from "./messages.tsx";

type Channels = Answer<"GET /api/channels">;
type Kind = Channels["items"][number]["kind"];
type Event = Channels["events"][number];
type ShownGroup = keyof typeof messages.groups;

/** The group in the form. Schedules have a single event, which is about a batch that is missing. */
const shownGroup = ({ group }: Event): ShownGroup => (group === "schedules" ? "batches" : group);

/** The groups of events that a channel can receive. Single payouts are for programs only. */
const groupsOf = (kind: Kind): ShownGroup[] =>
  (Object.keys(messages.groups) as ShownGroup[]).filter(
    (group) => kind === "webhook" || group !== "payouts",
  );

/** Whether a channel of this kind can receive the event. */
export const isOffered = (name: string, kind: Kind, events: readonly Event[]): boolean =>
  events.some((each) => each.event === name && groupsOf(kind).includes(shownGroup(each)));

interface Choice {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The events that the channel receives, in groups that can be chosen whole. */
export function EventChoice({
  kind,
  events,
  ...choice
}: Choice & { readonly kind: Kind; readonly events: readonly Event[] }) {
  const groups = groupsOf(kind).map((group) => ({
    group,
    events: events.filter((each) => shownGroup(each) === group),
  }));
  const offered = groups.flatMap((each) => each.events);
  return (
    <Fieldset
      variant="unstyled"
      legend={<WholeChoice {...choice} label={messages.allEvents} events={offered} />}
    >
      <Stack gap="sm" mt="xs">
        {groups.map((each) => (
          <EventGroup key={each.group} {...choice} {...each} showsPayload={kind === "webhook"} />
        ))}
      </Stack>
    </Fieldset>
  );
}

/** Selects or clears all of these events. */
function WholeChoice({
  label,
  events,
  chosen,
  onChange,
}: Choice & { readonly label: string; readonly events: readonly Event[] }) {
  const names = events.map(({ event }) => event as string);
  const count = names.filter((name) => chosen.includes(name)).length;
  const others = chosen.filter((name) => !names.includes(name));
  return (
    <Checkbox
      label={messages.chosen(label, count, names.length)}
      fw={600}
      checked={count === names.length}
      indeterminate={count > 0 && count < names.length}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.checked ? [...others, ...names] : others)
      }
    />
  );
}

/** The events of one group. For a webhook, each has an example of the document that it receives. */
const EventGroup = ({
  group,
  events,
  showsPayload,
  chosen,
  onChange,
}: Choice & {
  readonly group: ShownGroup;
  readonly events: readonly Event[];
  readonly showsPayload: boolean;
}) => (
  <Fieldset
    legend={
      <WholeChoice
        label={messages.groups[group]}
        events={events}
        chosen={chosen}
        onChange={onChange}
      />
    }
  >
    <Stack gap="sm" mt="xs">
      {events.map(({ event, says, example }) => (
        <div key={event}>
          <Checkbox
            label={says}
            checked={chosen.includes(event)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked
                  ? [...chosen, event]
                  : chosen.filter((each) => each !== event),
              )
            }
          />
          {showsPayload ? (
            <details className={classes.example}>
              <summary>{messages.payload(event)}</summary>
              <Code block tabIndex={0}>
                {JSON.stringify(example, null, 2)}
              </Code>
            </details>
          ) : null}
        </div>
      ))}
    </Stack>
  </Fieldset>
);
