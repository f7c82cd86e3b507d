import { Alert, Text } from "@mantine/core";
import { CircleCheck, CircleX, Clock } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { messages } from "../messages.tsx";
import type { ApprovalSheet } from "../queries.ts";
import classes from "./approval-steps.module.css";

const texts = messages.steps;

/** The steps of the approval: the upload, each approval with its validity, and what is missing. */
export function ApprovalSteps({ sheet }: { readonly sheet: ApprovalSheet }) {
  const { maker, created_at, policy, state } = sheet;
  const isWaiting = state === "awaiting_approval";
  return (
    <Section title={texts.title}>
      <ol className={classes.steps}>
        <Step icon={<CircleCheck size={18} aria-hidden />} tone="settled" title={maker.name}>
          {texts.uploaded} <Timestamp at={created_at} />
        </Step>
        {policy.approvals.map(({ user_id, at, name, live, withdrawn_reason, expires_at }) => (
          <Step
            key={`${user_id} ${at}`}
            icon={live ? <CircleCheck size={18} aria-hidden /> : <CircleX size={18} aria-hidden />}
            tone={live ? "settled" : "cancelled"}
            title={name}
          >
            {texts.approved} <Timestamp at={at} />
            <br />
            {live ? (
              <>
                {texts.validUntil} <Timestamp at={expires_at} relative={false} />
              </>
            ) : (
              texts.invalid(withdrawn_reason)
            )}
          </Step>
        ))}
        {isWaiting && policy.missing > 0 ? (
          <Step
            icon={<Clock size={18} aria-hidden />}
            tone="awaiting"
            title={texts.missing(policy.missing)}
          >
            {policy.possible_approvers.length === 0 ? null : texts.able(policy.possible_approvers)}
          </Step>
        ) : null}
      </ol>
      {isWaiting ? <Text size="xs">{ruleText(sheet)}</Text> : null}
      {isWaiting && policy.blocked !== null ? (
        <Alert color="orange" variant="light" title={texts.blocked}>
          {policy.blocked}
        </Alert>
      ) : null}
    </Section>
  );
}

const Step = ({
  icon,
  tone,
  title,
  children,
}: {
  readonly icon: ReactNode;
  readonly tone: string;
  readonly title: string;
  readonly children: ReactNode;
}) => (
  <li className={classes.step} data-tone={tone}>
    <span className={classes.icon}>{icon}</span>
    <div>
      <strong>
        <UserText text={title} />
      </strong>
      <div className={classes.detail}>{children}</div>
    </div>
  </li>
);

function ruleText({ policy: { people, why, limit_people: more } }: ApprovalSheet): string {
  const rule = people === 1 ? texts.onePerson : texts.people(why, people - 1);
  return more > 0 ? `${rule} ${texts.oneMore}` : rule;
}
