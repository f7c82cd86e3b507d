import { Alert, List, Text } from "@mantine/core";
import { AmountLine } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import type { BreakAction } from "./break-action.ts";
import { messages } from "./bulk-messages.ts";
import { messages as classMessages } from "../messages.ts";

type Kind = BreakAction["qualifying"]["kinds"][number];

const KIND_COLUMNS: readonly Column<Kind>[] = [
  {
    key: "kind",
    header: messages.kind,
    names: true,
    cell: (kind) => classMessages.classes[kind.class],
  },
  {
    key: "count",
    header: messages.count,
    numeric: true,
    cell: ({ count }) => count.toLocaleString(),
  },
  {
    key: "difference",
    header: messages.difference,
    numeric: true,
    cell: ({ differences }) =>
      differences.length === 0 ? "–" : <AmountLine of={differences} isSigned />,
  },
];

/** The number of breaks of each class, with the sums of their differences. */
export const BreakKinds = ({
  caption,
  of,
}: {
  readonly caption: string;
  readonly of: readonly Kind[];
}) => (
  <DataTable
    caption={caption}
    hideCaption
    columns={KIND_COLUMNS}
    rows={of}
    rowKey={(kind) => kind.class}
  />
);

/** Why some breaks are not changed. */
export const LeftBreaks = ({
  title = messages.notChanged,
  of,
}: {
  readonly title?: string;
  readonly of: BreakAction["not_qualifying"];
}) =>
  of.length === 0 ? null : (
    <Alert variant="light" color="gray" title={title}>
      {of.map(({ reason, count }) => (
        <Text key={reason} size="sm">
          {messages.reasons[reason](count)}
        </Text>
      ))}
    </Alert>
  );

/** The explanations that the approver decides about. */
export const Explanations = ({ of: { explanations } }: { readonly of: BreakAction }) =>
  explanations.length === 0 ? null : (
    <div>
      <Text size="sm" fw={600}>
        {messages.explanations}
      </Text>
      <List size="sm">
        {explanations.map(({ explanation, by, count }) => (
          <List.Item key={`${by.actor} ${explanation}`}>
            {messages.explanationOf(explanation, by.name, count)}
          </List.Item>
        ))}
      </List>
    </div>
  );
