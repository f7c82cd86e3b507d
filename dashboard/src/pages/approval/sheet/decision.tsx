import { Alert, Button, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { ApiProblem, call } from "../../../server/client.ts";
import { ConfirmAction, unavailableReason } from "../../../components/forms/confirm-action.tsx";
import { batchName, isolateDirection } from "../../../base/text.ts";
import { showFirstLeft } from "./acknowledgements.ts";
import { ApproveForm, FindingsLeft } from "./approve-form.tsx";
import { messages } from "../messages.tsx";
import { payoutsIn } from "../payouts-in.ts";
import { DecisionOutcome } from "./decision-outcome.tsx";
import { isOvertaken, type Part } from "./decision-part.ts";
import { sumsText } from "./finding-rows.tsx";
import { type ApprovalSheet, refetchApprovals } from "../queries.ts";
import classes from "./decision.module.css";

/** Loaded on demand, because a dialog is large, and on a wide screen the bar has the fields. */
const ApproveDialog = lazy(() => import("./approve-dialog.tsx"));

const texts = messages.decision;

/** More currencies do not fit into the bar. */
const BAR_CURRENCIES_MAX = 2;
const PHONE = "(max-width: 61.99em)";

/**
 * The bar with the actions of an approver. On a phone and for many currencies, its button opens a
 * sheet with the fields. If the reader may not approve, the reason replaces the fields.
 */
export function Decision({ sheet, acknowledgements, reload }: Omit<Part, "overtake">) {
  const { approve, reject, withdraw } = sheet.you;
  const [overtaken, setOvertaken] = useState<ApiProblem | null>(null);
  const [isSendingBack, setIsSendingBack] = useState(false);
  const isWaiting = sheet.state === "awaiting_approval";
  const overtake: Part["overtake"] = (error) => {
    if (!(error instanceof ApiProblem) || !isOvertaken(error)) return false;
    setOvertaken(error);
    reload();
    return true;
  };
  const part = { sheet, acknowledgements, reload, overtake };
  const sendBack = reject.may ? (
    <Button size="md" variant="default" onClick={() => setIsSendingBack(true)}>
      {texts.sendBack}
    </Button>
  ) : null;
  return (
    <>
      {overtaken ? <Overtaken by={overtaken} sheet={sheet} /> : null}
      {isWaiting ? (
        <section className={classes.bar} aria-label={texts.title}>
          <div className={classes.inside}>
            {approve.may ? (
              // The key discards entered totals when the content or the send time changes.
              <Approve key={`${sheet.content_digest} ${sheet.send?.at ?? ""}`} {...part}>
                {sendBack}
              </Approve>
            ) : (
              <>
                <Text size="sm" className={classes.reason}>
                  {approve.why_not}
                </Text>
                {withdraw.may ? <Withdraw {...part} /> : null}
                {sendBack}
              </>
            )}
          </div>
        </section>
      ) : null}
      {/* Outside the bar: an open dialog keeps its text when the batch no longer waits. */}
      <SendBack {...part} opened={isSendingBack} close={() => setIsSendingBack(false)} />
    </>
  );
}

function Overtaken({ by, sheet }: { readonly by: ApiProblem; readonly sheet: ApprovalSheet }) {
  return (
    <Alert role="alert" color="orange" variant="light" title={texts.notRecorded}>
      {sheet.state === "awaiting_approval" ? (
        <Text size="sm">{by.message}</Text>
      ) : (
        <DecisionOutcome of={sheet} />
      )}
    </Alert>
  );
}

/** The fields in the bar, or a button that opens them in a sheet of full height. */
function Approve({ children, ...part }: Part & { readonly children: ReactNode }) {
  const { totals } = part.sheet;
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  /** The dialog was left for the first finding that is not ticked. */
  const [isChecking, setIsChecking] = useState(false);
  if (opened && !wasOpened) setWasOpened(true);
  const open = (): void => {
    setIsChecking(false);
    setOpened(true);
  };
  if (!isPhone && totals.length <= BAR_CURRENCIES_MAX) {
    return <ApproveForm {...part}>{children}</ApproveForm>;
  }
  return (
    <>
      <Text size="xs" className={classes.reason}>
        <strong>{texts.payouts(payoutsIn(totals))}</strong> · {sumsText(totals)}
      </Text>
      {children}
      {/* The totals and the send time can be entered before the findings are ticked. */}
      {part.acknowledgements.left.length === 0 ? null : (
        <Button size="md" variant="default" onClick={open}>
          {texts.prepare}
        </Button>
      )}
      <FindingsLeft of={part.acknowledgements}>
        <Button size="md" onClick={open}>
          {texts.approve}
        </Button>
      </FindingsLeft>
      {wasOpened ? (
        <Suspense fallback={null}>
          <ApproveDialog
            title={texts.sheet(
              isolateDirection(batchName(part.sheet)),
              isolateDirection(part.sheet.maker.name),
            )}
            closeLabel={texts.close}
            opened={opened}
            isPhone={isPhone ?? false}
            returnFocus={!isChecking}
            close={() => setOpened(false)}
            onClosed={() => {
              if (isChecking) showFirstLeft();
            }}
          >
            <div className={classes.sheet}>
              <ApproveForm
                {...part}
                onCheck={() => {
                  setIsChecking(true);
                  setOpened(false);
                }}
              />
            </div>
          </ApproveDialog>
        </Suspense>
      ) : null}
    </>
  );
}

function SendBack({
  sheet,
  reload,
  overtake,
  opened,
  close,
}: Part & { readonly opened: boolean; readonly close: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      opened={opened}
      onClose={close}
      title={texts.sendBackTitle}
      sentence={texts.sendBackText(payoutsIn(sheet.totals), isolateDirection(sheet.maker.name))}
      verb={texts.sendBack}
      danger
      asksReason
      passed={unavailableReason(sheet.you.reject)}
      onConfirm={async ({ reason }) => {
        const input = { params: { id: sheet.batch_id }, body: { reason } };
        try {
          await call("POST /api/batches/:id/reject", input);
        } catch (error) {
          if (overtake(error)) await refetchApprovals(client);
          throw error;
        }
        await refetchApprovals(client);
        reload();
      }}
    />
  );
}

function Withdraw({ sheet, reload }: Part) {
  const withdraw = useMutation({
    mutationFn: () =>
      call("POST /api/batches/:id/withdraw-approval", { params: { id: sheet.batch_id } }),
    onSuccess: reload,
  });
  return (
    <>
      <Button size="md" variant="default" onClick={() => withdraw.mutate()}>
        {texts.withdraw}
      </Button>
      {withdraw.error ? <Alert color="red">{withdraw.error.message}</Alert> : null}
    </>
  );
}
