import { Alert, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { FileCheck, Printer } from "lucide-react";
import { lazy, Suspense } from "react";
import { Loading } from "../../components/loading.tsx";
import { StateSummary } from "../../components/payout/state-summary.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Page } from "../../components/page.tsx";
import { PayoutTable } from "../../components/payout/payout-table.tsx";
import { Section } from "../../components/section.tsx";
import { PayoutStateBadge } from "../../components/payout/state-badge.tsx";
import { RecordPage } from "../../components/payout/record-page.tsx";
import { Timeline } from "../../components/payout/timeline.tsx";
import { uploaderOf } from "../../components/payout/uploader.ts";
import { sessionQuery, useMay, usePerson } from "../../server/session.ts";
import { useLive } from "../../server/live.ts";
import { formatMoney } from "../../base/money.ts";
import { batchNameOf, isolateDirection } from "../../base/text.ts";
import { PayoutActions, PayoutNote, QueryStatus, RESOLUTION_ID } from "./actions.tsx";
import { PayoutFacts } from "./facts.tsx";
import { PaidByRetry, payingRetryOf } from "./paid-by-retry.tsx";
import { PayoutAssignment } from "./payout-assignment.tsx";
import classes from "./payout.module.css";
import { messages } from "./messages.ts";
import { cachePayout, payoutQuery, type PayoutView } from "./payout-query.ts";

const texts = messages.payout;

const Comments = lazy(async () => ({
  default: (await import("../../components/comments/comments.tsx")).Comments,
}));

const route = getRouteApi("/dashboard/payouts/$code");

/** The page of one payout, updated by the live stream. */
export function PayoutPage() {
  const { code } = route.useParams();
  const found = useQuery(payoutQuery(code));
  useLive([`payout:${code}`], (_topic, document) => cachePayout(document as PayoutView));
  return (
    <RecordPage noun="payout" code={code} found={found}>
      {(payout) => <PayoutContent payout={payout} />}
    </RecordPage>
  );
}

/** Says where the details of an archived payout are. */
const Archived = ({ payout: { archive_file } }: { readonly payout: PayoutView }) =>
  archive_file === null ? null : (
    <Alert color="gray" variant="light" title={texts.archived}>
      {texts.archivedIn(archive_file)}
    </Alert>
  );

/** Says that the payout has no details because the beneficiary was erased. */
const Erased = ({ payout: { is_erased } }: { readonly payout: PayoutView }) =>
  is_erased ? (
    <Alert color="gray" variant="light" title={texts.erased}>
      {texts.erasedHint}
    </Alert>
  ) : null;

const nameIn = ({ is_erased, beneficiary }: PayoutView): string =>
  is_erased ? texts.erasedBeneficiary : (beneficiary ?? texts.noBeneficiary);

/** Says on paper, which does not show the environment, that no real money moved. */
function NoRealMoney() {
  const { data: session } = useQuery(sessionQuery);
  return session === undefined || session.environment === "live" ? null : (
    <p className={classes.paper}>{texts.noRealMoney}</p>
  );
}

/** Says why the payout has no details. */
const Missing = (of: { readonly payout: PayoutView }) => (
  <>
    <Archived {...of} />
    <Erased {...of} />
  </>
);

/** The buttons for the printed receipt and the evidence. */
const Papers = ({ payout, isPaid }: { readonly payout: PayoutView; readonly isPaid: boolean }) => (
  <>
    <Button
      variant="default"
      size="xs"
      leftSection={<Printer size={14} aria-hidden />}
      onClick={() => window.print()}
    >
      {isPaid ? texts.printReceipt : texts.print}
    </Button>
    <Button
      component={Link}
      to={`/payouts/${encodeURIComponent(payout.code)}/evidence`}
      variant="default"
      size="xs"
      leftSection={<FileCheck size={14} aria-hidden />}
    >
      {texts.evidence}
    </Button>
  </>
);

function PayoutContent({ payout }: { readonly payout: PayoutView }) {
  const { chain, outlook } = payout;
  const isPaid = outlook.moved === "yes";
  return (
    <Page
      crumbs={[
        { to: "/payouts", label: texts.crumb },
        { to: `/batches/${payout.batch_id}`, label: isolateDirection(batchNameOf(payout)) },
      ]}
      title={texts.title(formatMoney(payout), isolateDirection(nameIn(payout)))}
      actions={<Papers payout={payout} isPaid={isPaid} />}
    >
      <NoRealMoney />
      <Missing payout={payout} />
      <div className={isPaid ? classes.screen : undefined}>
        <Summary payout={payout} />
      </div>
      <div className={`${classes.screen} ${classes.stack}`}>
        <PayoutActions payout={payout} />
      </div>
      <div className={classes.columns}>
        <div className={classes.stack}>
          <Section title={isPaid ? texts.receipt : texts.facts}>
            <PayoutFacts payout={payout} />
          </Section>
          {chain.length === 0 ? null : (
            <div className={classes.screen}>
              <Chain of={chain} code={payout.code} />
            </div>
          )}
          {payout.assignment ? (
            <div className={classes.screen}>
              <Section title={texts.assignment} foldsOnPhone>
                <PayoutAssignment payout={payout} triage={payout.assignment} />
              </Section>
            </div>
          ) : null}
        </div>
        <div className={`${classes.screen} ${classes.stack}`}>
          <Section title={texts.timeline}>
            <Timeline of={payout} />
            <PayoutNote code={payout.code} />
          </Section>
          <Context payout={payout} />
        </div>
      </div>
    </Page>
  );
}

/** Says whether money has moved, and what happens next. */
function Summary({ payout }: { readonly payout: PayoutView }) {
  const { state, outlook, updated_at } = payout;
  const { moved } = outlook;
  const paidBy = payingRetryOf(payout);
  return (
    <StateSummary
      badge={<PayoutStateBadge {...payout} />}
      colour={state === "resolved" ? "gray" : COLOURS[paidBy === null ? moved : "yes"]}
      isProven={moved === "yes" || moved === "returned"}
      question={texts.question}
      outlook={outlook}
      because={payout.reason_text}
      changedAt={updated_at}
      actions={
        <>
          <NextStep payout={payout} />
          <QueryStatus payout={payout} />
        </>
      }
      headline={paidBy === null ? undefined : <PaidByRetry retry={paidBy} />}
    />
  );
}

/** The button for the next step of the reader, or who can retry the payout. */
function NextStep({ payout }: { readonly payout: PayoutView }) {
  const { batch_id, line, state, retry, resolution } = payout;
  const mayUpload = useMay("upload");
  const mayOperate = useMay("operate");
  const me = usePerson();
  if (retry?.by?.state === "declined") {
    return (
      <PageLink to={`/payouts/${encodeURIComponent(retry.by.code)}`}>
        {texts.openRetryPayout}
      </PageLink>
    );
  }
  if (retry?.by) {
    return <PageLink to={`/batches/${retry.by.batch_id}`}>{texts.openRetry}</PageLink>;
  }
  if (state === "on_hold" && resolution === null && mayOperate) {
    return (
      <Button component="a" href={`#${RESOLUTION_ID}`} size="xs">
        {texts.resolve}
      </Button>
    );
  }
  if (!retry?.may) return null;
  if (!mayUpload) {
    return <Text size="sm">{texts.retryBy(uploaderOf(payout, `user:${me?.id}`))}</Text>;
  }
  return (
    <Button component={Link} to={`/batches/${batch_id}/retry?line=${line}`} size="xs">
      {state === "declined" ? texts.fixAndRetry : texts.retry}
    </Button>
  );
}

/** Other payouts to the account, and the comments. They are not printed. */
const Context = ({ payout: { code, related, related_days } }: { readonly payout: PayoutView }) => (
  <div className={`${classes.screen} ${classes.stack}`}>
    {related.length === 0 ? null : (
      <Section title={texts.related(related_days)} foldsOnPhone>
        <PayoutTable caption={texts.relatedCaption} hideCaption rows={related} />
      </Section>
    )}
    <Section title={texts.comments}>
      <Suspense fallback={<Loading />}>
        <Comments subject={{ payout: code }} />
      </Suspense>
    </Section>
  </div>
);

/** The payouts of one row: the declined ones and their retries, oldest first. */
function Chain({ of, code }: { readonly of: PayoutView["chain"]; readonly code: string }) {
  return (
    <Section title={texts.chain}>
      <ol className={classes.chain} aria-label={texts.chainLabel}>
        {of.map((link) => (
          <li key={link.code}>
            {link.code === code ? (
              <Text size="sm">{texts.thisPayout}</Text>
            ) : (
              <PageLink to={`/payouts/${encodeURIComponent(link.code)}`}>{link.code}</PageLink>
            )}
            <PayoutStateBadge {...link} />
            <PageLink to={`/batches/${link.batch_id}`}>{link.batch_id}</PageLink>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const COLOURS = {
  yes: "green",
  no: "gray",
  not_yet: "indigo",
  maybe: "grape",
  see_reason: "orange",
  returned: "cyan",
} as const;
