import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { LaneName } from "../../../components/payout/lane-name.tsx";
import { Amount } from "../../../components/amount.tsx";
import { DataTable } from "../../../components/data-table.tsx";
import { FactList, type Facts } from "../../../components/fact-list.tsx";
import { Loading } from "../../../components/loading.tsx";
import {
  EvidencePackButton,
  type PackAccounts,
} from "../../../components/evidence/evidence-pack.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Page } from "../../../components/page.tsx";
import { RecordPage } from "../../../components/payout/record-page.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { addressOf } from "../../../server/address.ts";
import { messages as common } from "../../../base/messages.ts";
import { formatAmountsIn, formatMoney } from "../../../base/money.ts";
import { batchNameOf, isolateDirection } from "../../../base/text.ts";
import { messages } from "../messages.ts";
import {
  evidenceQuery,
  type PayoutEvidence,
  payoutQuery,
  type PayoutView,
} from "../payout-query.ts";
import { ATTEMPTS, approvalColumns, AUDIT, RECORDS, STATUS_RECORDS } from "./evidence-columns.tsx";
import { messages as texts } from "./messages.ts";
import classes from "./evidence.module.css";

const factTexts = messages.facts;

/** The columns of the audit entries that need the permission to read the audit log. */
const AUDITORS_ONLY: ReadonlySet<string> = new Set(["number", "details", "hash"]);

const route = getRouteApi("/dashboard/payouts/$code/evidence");

/** The records that prove the course of a payout, on one page that can be printed. */
export function EvidencePage() {
  const { code } = route.useParams();
  const found = useQuery(payoutQuery(code));
  const evidence = useQuery(evidenceQuery(code));
  return (
    <RecordPage noun="payout" code={code} found={found}>
      {(payout) => (
        <Page
          crumbs={[
            { to: "/payouts", label: messages.payout.crumb },
            { to: `/payouts/${encodeURIComponent(code)}`, label: code },
          ]}
          title={texts.title(
            formatMoney(payout),
            isolateDirection(payout.beneficiary ?? messages.payout.noBeneficiary),
          )}
          facts={
            evidence.data ? (
              <span>
                {texts.asOf} <Timestamp year seconds at={evidence.data.at} relative={false} />
              </span>
            ) : null
          }
          actions={
            <>
              <EvidencePackButton addressOf={(accounts) => packAddress(code, accounts)} />
              <Button
                variant="default"
                size="xs"
                leftSection={<Printer size={14} aria-hidden />}
                disabled={!evidence.data}
                onClick={() => window.print()}
              >
                {texts.print}
              </Button>
            </>
          }
        >
          {evidence.error ? (
            <ErrorState error={evidence.error} reset={() => void evidence.refetch()} />
          ) : null}
          {evidence.data ? <Evidence payout={payout} of={evidence.data} /> : null}
          {evidence.isPending ? <Loading lines={8} /> : null}
        </Page>
      )}
    </RecordPage>
  );
}

const packAddress = (code: string, accounts: PackAccounts): string =>
  addressOf("GET /api/payouts/:code/evidence-pack", { params: { code }, query: { accounts } })
    .address;

function Evidence({ payout, of }: { readonly payout: PayoutView; readonly of: PayoutEvidence }) {
  const mayAudit = of.audit.every(({ hash }) => hash !== null);
  return (
    <div className={classes.page}>
      <Section title={texts.payout}>
        <FactList facts={payoutFacts(payout, of)} />
      </Section>
      <Records
        title={texts.approvals}
        columns={approvalColumns(of.content_digest).filter(
          ({ key }) => key !== "method" || mayAudit,
        )}
        rows={of.approvals}
        empty={texts.noApprovals}
      />
      <Records
        title={texts.attempts}
        columns={ATTEMPTS}
        rows={of.attempts}
        empty={texts.noAttempts}
      />
      <Records title={texts.answers} columns={RECORDS} rows={of.answers} empty={texts.noAnswers} />
      <Records
        foldsOnPhone
        title={texts.statusAnswers}
        columns={STATUS_RECORDS}
        rows={of.status_answers}
        empty={texts.noStatusAnswers}
      />
      <Records
        foldsOnPhone
        title={texts.callbacks}
        hint={texts.callbacksHint}
        columns={STATUS_RECORDS}
        rows={of.callbacks}
        empty={texts.noCallbacks}
      />
      <Records
        foldsOnPhone
        isTruncated={of.audit_truncated}
        title={texts.audit}
        hint={[
          texts.auditHint,
          mayAudit ? texts.hashHint : texts.auditHidden,
          ...(of.audit_truncated ? [texts.auditTruncated] : []),
        ].join(" ")}
        columns={mayAudit ? AUDIT : AUDIT.filter(({ key }) => !AUDITORS_ONLY.has(key))}
        rows={of.audit}
        empty={null}
      />
    </div>
  );
}

const payoutFacts = (payout: PayoutView, of: PayoutEvidence): Facts => [
  [factTexts.amount, <Amount key="amount" of={payout} />],
  [texts.state, <PayoutStateBadge key="state" state={payout.state} />],
  [
    texts.moved,
    <span key="moved" data-proven={isProven(payout) || undefined}>
      {formatAmountsIn(payout.outlook.answer)}
    </span>,
  ],
  [factTexts.code, payout.code],
  [factTexts.gatewayNumber, payout.gateway_number ?? factTexts.noGatewayNumber],
  [
    factTexts.batch,
    [...new Set([batchNameOf(payout), payout.file_name]), factTexts.line(payout.line)].join(", "),
  ],
  [factTexts.lane, <LaneName key="lane" lane={payout.lane} />],
  ...payout.details.map(({ field, text }) => [common.fields[field] ?? field, text] as const),
  [texts.fileDigest, <Digest key="file" text={of.file_digest} />],
  [texts.contentDigest, <Digest key="content" text={of.content_digest} />],
];

/** Whether the records prove that the money arrived, or that it arrived and came back. */
const isProven = ({ outlook: { moved } }: PayoutView): boolean =>
  moved === "yes" || moved === "returned";

const Digest = ({ text }: { readonly text: string }) => (
  <span className={classes.digest}>{text}</span>
);

/** One kind of record: a table, or a sentence without records. */
function Records<Row extends { readonly at: string }>({
  title,
  hint,
  columns,
  rows,
  empty,
  foldsOnPhone = false,
  isTruncated = false,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly foldsOnPhone?: boolean;
  /** There are more records than these rows. */
  readonly isTruncated?: boolean;
  readonly columns: Parameters<typeof DataTable<Row>>[0]["columns"];
  readonly rows: readonly Row[];
  readonly empty: string | null;
}) {
  return (
    <Section
      title={title}
      caption={rows.length === 0 ? undefined : texts.records(rows.length, isTruncated)}
      foldsOnPhone={foldsOnPhone && rows.length > 0}
    >
      {hint === undefined || rows.length === 0 ? null : (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <DataTable
          caption={title}
          hideCaption
          columns={columns}
          rows={rows}
          rowKey={(row) => `${row.at} ${rows.indexOf(row)}`}
        />
      )}
    </Section>
  );
}
