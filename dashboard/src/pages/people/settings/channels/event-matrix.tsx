import { VisuallyHidden } from "@mantine/core";
import { Check } from "lucide-react";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { FIVE_ON_PHONE } from "../../../../components/folded-rows.tsx";
import { Section } from "../../../../components/section.tsx";
import type { Answer } from "../../../../server/client.ts";
import { isOffered } from "./event-choice.tsx";
import { messages } from "./messages.tsx";

type Channels = Answer<"GET /api/channels">;
type Channel = Channels["items"][number];
type Event = Channels["events"][number];

/** Which channel receives which event. Events that no channel can receive are left out. */
export function EventMatrix({ of: { items, events } }: { readonly of: Channels }) {
  const rows = events.filter(({ event }) =>
    items.some(({ kind }) => isOffered(event, kind, events)),
  );
  return (
    <Section title={messages.matrix} isFlush>
      <DataTable
        caption={messages.matrix}
        hideCaption
        isWide
        columns={[EVENT, ...items.map(columnOf)]}
        rows={rows}
        rowKey={({ event }) => event}
        fold={FIVE_ON_PHONE}
      />
    </Section>
  );
}

const EVENT: Column<Event> = {
  key: "event",
  header: messages.event,
  names: true,
  cell: ({ says }) => says,
};

const columnOf = (channel: Channel): Column<Event> => {
  const receives = ({ event }: Event): boolean => channel.events.includes(event);
  return {
    key: channel.id,
    header: channel.name,
    isBlank: (each) => !receives(each),
    cell: (each) =>
      receives(each) ? (
        <>
          <Check size={16} aria-hidden />
          <VisuallyHidden>{messages.receives}</VisuallyHidden>
        </>
      ) : null,
  };
};
