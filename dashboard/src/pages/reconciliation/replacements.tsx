import { useMutation, useQuery } from "@tanstack/react-query";
import { dateText } from "../../base/dates.ts";
import { LaneName } from "../../components/payout/lane-name.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ApproverDecision } from "../../components/forms/approver-decision.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import { type Answer, call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import { messages } from "./messages.ts";

const texts = messages.replacements;

const QUERY = {
  queryKey: ["GET /api/statements"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    call("GET /api/statements", { signal }),
};

type Proposed = Answer<"GET /api/statements">["items"][number];

const fileText = (
  file: Pick<Proposed, "file_name" | "lines" | "mapping_version" | "has_balances">,
) => texts.fileText(file.file_name, file.lines, file.mapping_version, file.has_balances);

const COLUMNS: readonly Column<Proposed>[] = [
  { key: "day", header: messages.columns.day, names: true, cell: ({ day }) => dateText(day) },
  { key: "lane", header: messages.columns.lane, cell: ({ lane }) => <LaneName lane={lane} /> },
  { key: "file", header: texts.file, cell: (each) => <UserText text={fileText(each)} /> },
  {
    key: "replaced",
    header: texts.replaced,
    cell: ({ replaces }) => (replaces ? <UserText text={fileText(replaces)} /> : "–"),
  },
  { key: "by", header: texts.by, cell: ({ by }) => <UserText text={by.name} /> },
  { key: "at", header: texts.at, cell: ({ at }) => <Timestamp at={at} relative={false} /> },
  { key: "decision", header: texts.decision, cell: (each) => <Decision of={each} /> },
];

/** The statements that replace a compared one when an approver confirms them. */
export function Replacements() {
  const items = useQuery(QUERY).data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Section title={texts.title} caption={texts.explained} isFlush>
      <DataTable
        caption={texts.title}
        hideCaption
        columns={COLUMNS}
        rows={items}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}

function Decision({ of: { id, is_own: isOwn } }: { readonly of: Proposed }) {
  const decide = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/statements/:id/decide", { params: { id }, body: { agree } }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ["GET /api/statements"] });
      void queryClient.invalidateQueries({ queryKey: ["GET /api/breaks"] });
    },
  });
  return <ApproverDecision decide={decide} isOwn={isOwn} waiting={texts} />;
}
