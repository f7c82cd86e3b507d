import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ArrowDown } from "lucide-react";
import { lazy, Suspense } from "react";
import { Amounts } from "../../../components/amount.tsx";
import { columnName } from "../../../components/payout/column-messages.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { Section } from "../../../components/section.tsx";
import { BatchStateBadge } from "../../../components/payout/state-badge.tsx";
import { isNotFound, RecordNotFound } from "../../../components/payout/record-page.tsx";
import { useMay } from "../../../server/session.ts";
import {
  type BatchStatus,
  isBeforeApproval,
  isBeforeRequest,
  isSentBack,
} from "../../../base/state.ts";
import { isolateDirection, batchName } from "../../../base/text.ts";
import { SentBackReason } from "../sent-back-reason.tsx";
import { LeftOutRows } from "../left-out-rows.tsx";
import { batchQuery } from "../queries.ts";
import { Corrections } from "./corrections.tsx";
import { FirstRows } from "./first-rows.tsx";
import { ReadOnlyFindings } from "./read-only-findings.tsx";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import { countWarnings, formatOf, hasEditableWarnings, hasFindings } from "./file-summary.ts";
import { type FileFindings, findingsQuery } from "./queries.ts";
import { messages as stepTexts } from "./reading/step-messages.ts";
import { UploadSteps } from "./reading/upload-steps.tsx";
import classes from "./upload.module.css";

/** Only for files with findings in cells. */
const RepairRows = lazy(async () => ({
  default: (await import("./repair/repair-rows.tsx")).RepairRows,
}));

const TotalRows = lazy(async () => ({
  default: (await import("./repair/leave-out.tsx")).TotalRows,
}));

/** Only for uploaders, before the batch is sent for approval. */
const RequestApproval = lazy(async () => ({
  default: (await import("./request-approval.tsx")).RequestApproval,
}));

const texts = messages.filePage;

const CRUMBS = [{ to: "/batches", label: texts.crumb }];

/** The page of an uploaded file: its findings, corrections, and the request for approval. */
export function FilePage() {
  const { id } = useParams({ from: "/dashboard/batches/$id/file" });
  const mayUpload = useMay("upload");
  const { data: found, error, refetch } = useQuery(findingsQuery(id));
  const { data: page } = useQuery(batchQuery(id));
  if (isNotFound(error)) return <RecordNotFound noun="batch" code={id} />;
  const failed = error ? <ErrorState error={error} reset={() => void refetch()} /> : null;
  if (!found) {
    return (
      <Page title={texts.loading} crumbs={CRUMBS}>
        {failed ?? <Loading />}
      </Page>
    );
  }
  const { batch } = found;
  const status = { ...batch, reason: page?.reason ?? null };
  const isBack = isSentBack(status);
  const isOpen = isBeforeApproval(batch.state);
  const correctsErrors = isOpen && mayUpload && batch.rejected > 0;
  const correctsWarnings = mayUpload && isBeforeRequest(batch.state) && hasEditableWarnings(found);
  const mayRequest = isOpen && mayUpload && batch.approval_requested_at === null;
  return (
    <Page
      title={isolateDirection(batchName(batch))}
      crumbs={CRUMBS}
      actions={mayRequest ? <ToRequest isPrimary={!correctsErrors} /> : null}
    >
      {failed}
      {isOpen ? <Progress found={found} /> : null}
      {isBack ? <SentBackNotice id={id} rejected={batch.rejected} /> : null}
      <Result found={found} status={status} />
      <ValuesToCorrect found={found} errors={correctsErrors} warnings={correctsWarnings} />
      {isBack && !hasFindings(found) ? null : (
        <ReadOnlyFindings found={found} isCorrectedAbove={correctsErrors || correctsWarnings} />
      )}
      {page && mayRequest && !correctsErrors ? (
        <RequestSection found={found} page={page} isAgain={isBack} />
      ) : null}
      {mayUpload && isOpen && (batch.rejected > 0 || found.corrections.length > 0) ? (
        <Corrections found={found} />
      ) : null}
      <LeftOutRows
        batchId={batch.batch_id}
        mayPutBack={mayUpload && isBeforeRequest(batch.state)}
      />
      <HowItWasRead file={found.file} folds={correctsErrors} />
      <FirstRows
        batchId={batch.batch_id}
        isCorrected={found.corrections.length > 0}
        folds={correctsErrors}
      />
      {page && mayRequest && correctsErrors ? (
        <RequestSection found={found} page={page} isAgain={isBack} />
      ) : null}
    </Page>
  );
}

/** The values that the uploader can edit. As long as there are errors, the warnings are folded. */
const ValuesToCorrect = ({
  found,
  errors,
  warnings,
}: {
  readonly found: FileFindings;
  readonly errors: boolean;
  readonly warnings: boolean;
}) => {
  const { batch, file } = found;
  const of = { batchId: batch.batch_id, columns: file.columns };
  return (
    <Suspense fallback={<Loading />}>
      {errors && isBeforeRequest(batch.state) ? <TotalRows found={found} /> : null}
      {errors ? <RepairRows {...of} severity="error" /> : null}
      {warnings ? <RepairRows {...of} severity="warning" folds={errors} /> : null}
    </Suspense>
  );
};

const REQUEST_ID = "send-for-approval";

/** Shows the last step, which is below the findings and details. */
const ToRequest = ({ isPrimary }: { readonly isPrimary: boolean }) => (
  <Button
    size="sm"
    variant={isPrimary ? "filled" : "default"}
    rightSection={<ArrowDown size={16} aria-hidden />}
    onClick={() => {
      const section = document.getElementById(REQUEST_ID);
      section?.scrollIntoView({ block: "start" });
      section?.focus({ preventScroll: true });
    }}
  >
    {texts.toRequest}
  </Button>
);

/** The details and the request for approval: after the findings that the uploader must correct. */
const RequestSection = (props: Parameters<typeof RequestApproval>[0]) => (
  <div id={REQUEST_ID} tabIndex={-1} className={classes.request}>
    <Suspense fallback={<Loading />}>
      <RequestApproval {...props} />
    </Suspense>
  </div>
);

/** The steps of the upload that are done, and the one that the uploader is at. */
function Progress({ found }: { readonly found: FileFindings }) {
  const { batch } = found;
  const errors = batch.rejected;
  const warnings = countWarnings(found);
  const isSent = batch.approval_requested_at !== null;
  const active = errors > 0 ? "findings" : "details";
  return (
    <UploadSteps
      active={isSent ? "approval" : active}
      results={{
        file: batch.file,
        findings:
          errors + warnings === 0 ? stepTexts.noProblems : stepTexts.problems(errors, warnings),
      }}
    />
  );
}

/** The rows cannot be edited here: the uploader sends the same rows for approval again. */
const SentBackNotice = ({ id, rejected }: { readonly id: string; readonly rejected: number }) => (
  <Notice role="status" tone="hold" title={texts.sentBack}>
    <SentBackReason id={id} />
    <Text size="sm">
      {rejected === 0 ? texts.noProblems : ""}
      {texts.sentBackText((text) => (
        <PageLink to="/upload">{text}</PageLink>
      ))}
    </Text>
  </Notice>
);

const numberOf = (count: number): string => count.toLocaleString();

/** Summary of the validated file. */
function Result({ found, status }: { readonly found: FileFindings; readonly status: BatchStatus }) {
  const { batch_id, rows, rejected, totals } = found.batch;
  const warnings = countWarnings(found);
  return (
    <Section
      title={texts.result}
      actions={<PageLink to={`/batches/${batch_id}`}>{texts.batch(batch_id)}</PageLink>}
    >
      <dl className={classes.facts}>
        <Fact name={texts.state}>
          <BatchStateBadge {...status} />
        </Fact>
        <Fact name={texts.rows}>{numberOf(rows)}</Fact>
        {rejected === 0 ? null : (
          <>
            <Fact name={texts.valid}>{numberOf(rows - rejected)}</Fact>
            <Fact name={texts.invalid}>{numberOf(rejected)}</Fact>
          </>
        )}
        {warnings === 0 ? null : <Fact name={texts.warnings}>{numberOf(warnings)}</Fact>}
        <Fact name={texts.total}>
          <div className={classes.sums}>
            <Amounts of={totals} />
          </div>
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

/** Shows how payrun read the file, because a wrong guess could lead to a wrong payout. */
function HowItWasRead({
  file,
  folds,
}: {
  readonly file: FileFindings["file"];
  readonly folds: boolean;
}) {
  const ignored = file.columns.filter(({ column }) => column === null);
  return (
    <Section title={texts.howRead} foldsOnPhone folds={folds}>
      <dl className={classes.facts}>
        {formatOf(file).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        {file.amounts === null ? null : (
          <Fact name={texts.amounts}>
            {texts.amountFormat(file.amounts, file.amounts_confirmed)}
          </Fact>
        )}
        <Fact name={texts.columnsRead}>{numberOf(file.columns.length - ignored.length)}</Fact>
        <Fact name={texts.columnsIgnored}>
          {ignored.length === 0
            ? texts.none
            : ignored.map(({ name }) => name || texts.noName).join(", ")}
        </Fact>
      </dl>
      {file.columns.some(({ name, column }) => column !== null && name !== column) ? (
        <Text size="sm">
          {file.columns
            .filter(({ name, column }) => column !== null && name !== column)
            .map(({ name, column }) => texts.readAs(name, columnName(column ?? "")))
            .join(" · ")}
        </Text>
      ) : null}
    </Section>
  );
}
