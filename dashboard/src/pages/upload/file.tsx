import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Answer } from "../../client.ts";
import { Amounts } from "../../components/amount.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Go } from "../../components/go.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { BatchStateBadge } from "../../components/state-badge.tsx";
import { isNotThere, NotThere } from "../../components/story-page.tsx";
import { useMay } from "../../session.ts";
import { type BatchStanding, isBeforeApproval, isGivenBack } from "../../state.ts";
import { apart, calledOf } from "../../words.ts";
import { GivenBack } from "../batch/given-back.tsx";
import { batchQuery } from "../batch/queries.ts";
import { Corrections } from "./corrections.tsx";
import { FirstRows } from "./first-rows.tsx";
import { Found } from "./found.tsx";
import { Notice } from "./notice.tsx";
import { findingsQuery } from "./queries.ts";
import { Submit } from "./submit.tsx";
import classes from "./upload.module.css";

export type FileFindings = Answer<"GET /api/batches/:id/findings">;

export function FilePage() {
  const { id } = useParams({ from: "/desk/batches/$id/file" });
  const mayUpload = useMay("upload");
  const { data: found, error, refetch } = useQuery(findingsQuery(id));
  const { data: page } = useQuery(batchQuery(id));
  if (isNotThere(error)) return <NotThere noun="batch" code={id} />;
  const failed = error ? <ErrorState error={error} reset={() => void refetch()} /> : null;
  if (!found) return <Page title="File">{failed ?? <Loading />}</Page>;
  const { batch } = found;
  const standing = { ...batch, reason: page?.reason ?? null };
  const isBack = isGivenBack(standing);
  const isOpen = isBeforeApproval(batch.state);
  return (
    <Page title={apart(calledOf(batch))}>
      {failed}
      {isBack ? <BackWithMaker id={id} rejected={batch.rejected} /> : null}
      <Result found={found} standing={standing} />
      <FirstRows batchId={batch.batch_id} />
      {isOpen && mayUpload && batch.submitted_at === null ? (
        <Submit found={found} isAgain={isBack} />
      ) : null}
      {isBack && found.findings.length === 0 ? null : <Found found={found} />}
      {mayUpload && isOpen && (batch.rejected > 0 || found.corrections.length > 0) ? (
        <Corrections found={found} />
      ) : null}
      <HowItWasRead file={found.file} />
    </Page>
  );
}

/** Nothing of it can be edited here: what an approver saw is what is submitted again. */
const BackWithMaker = ({ id, rejected }: { readonly id: string; readonly rejected: number }) => (
  <Notice role="status" tone="alarm" title="An approver gave this batch back">
    <GivenBack id={id} />
    <Text size="sm">
      {rejected === 0 ? "payrun itself finds no row of it wrong. " : ""}If something has to change,
      bring a corrected file as a <Go to="/upload">new batch</Go> and have an operator cancel this
      one. If it is right after all, submit it again as it is.
    </Text>
  </Notice>
);

const numberOf = (count: number): string => count.toLocaleString();

/** What came of the file, in one look. */
function Result({
  found: { batch, file, findings },
  standing,
}: {
  readonly found: FileFindings;
  readonly standing: BatchStanding;
}) {
  const { batch_id, rows, rejected, totals, submitted_at } = batch;
  const warnings = findings
    .filter(({ example }) => example.severity === "warning")
    .reduce((sum, { count }) => sum + count, file.notes.length);
  return (
    <Section title="Result" actions={<Go to={`/batches/${batch_id}`}>Batch {batch_id}</Go>}>
      <dl className={classes.facts}>
        <Fact name="State">
          <BatchStateBadge {...standing} />
          {submitted_at === null ? null : <Text size="xs">submitted for approval</Text>}
        </Fact>
        <Fact name="Rows">{numberOf(rows)}</Fact>
        <Fact name="Can be sent">{numberOf(rows - rejected)}</Fact>
        <Fact name="Wrong">{numberOf(rejected)}</Fact>
        <Fact name="Warnings">{numberOf(warnings)}</Fact>
        <Fact name="Total of the good rows">
          <Amounts of={totals} />
        </Fact>
      </dl>
    </Section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const DELIMITERS: Readonly<Record<string, string>> = {
  ",": "comma",
  ";": "semicolon",
  "\t": "tab",
};

/** Shown, so that nobody has to believe it: a wrong guess here would be a wrong payment later. */
function HowItWasRead({ file }: { readonly file: FileFindings["file"] }) {
  const ignored = file.columns.filter(({ column }) => column === null);
  return (
    <Section title="How the file was read">
      <dl className={classes.facts}>
        <Fact name="Encoding">{file.encoding}</Fact>
        <Fact name="Between the cells">{DELIMITERS[file.delimiter] ?? file.delimiter}</Fact>
        <Fact name="Columns read">{numberOf(file.columns.length - ignored.length)}</Fact>
        <Fact name="Columns ignored">
          {ignored.length === 0
            ? "none"
            : ignored.map(({ name }) => name || "(no name)").join(", ")}
        </Fact>
      </dl>
      {file.columns.some(({ name, column }) => column !== null && name !== column) ? (
        <Text size="sm">
          {file.columns
            .filter(({ name, column }) => column !== null && name !== column)
            .map(({ name, column }) => `“${name}” is read as ${column}`)
            .join(" · ")}
        </Text>
      ) : null}
      {file.notes.map(({ message, repair }) => (
        <Text key={message} size="sm">
          {message} {repair}
        </Text>
      ))}
    </Section>
  );
}
