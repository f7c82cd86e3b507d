import { DataTable } from "../../../components/data-table.tsx";
import { Section } from "../../../components/section.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { messages as texts } from "./messages.ts";
import type { RowProblem } from "./use-statement.ts";

const textOr = (text: string | null) => (text === null ? "–" : <UserText text={text} />);

/** The rows of a statement that cannot be read. */
export const UnreadableStatement = ({ problems }: { readonly problems: readonly RowProblem[] }) => (
  <Section title={texts.unreadable} caption={texts.notLoaded} isFlush>
    <DataTable
      caption={texts.unreadable}
      hideCaption
      columns={[
        {
          key: "line",
          header: texts.problem.line,
          names: true,
          cell: ({ line }) => (line === null ? texts.problem.file : line.toLocaleString()),
        },
        { key: "column", header: texts.problem.column, cell: ({ column }) => textOr(column) },
        { key: "found", header: texts.problem.found, cell: ({ found }) => textOr(found) },
        { key: "expected", header: texts.problem.expected, cell: ({ expected }) => expected },
        { key: "message", header: texts.problem.message, cell: ({ message }) => message },
      ]}
      rows={problems}
      rowKey={({ line, column, message }) => `${line} ${column} ${message}`}
    />
  </Section>
);
