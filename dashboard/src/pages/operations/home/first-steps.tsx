import { Circle, CircleCheck } from "lucide-react";
import { VisuallyHidden } from "@mantine/core";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import classes from "./home.module.css";
import { messages } from "./messages.tsx";
import type { HomeTasks } from "./queries.ts";

const texts = messages.firstSteps;

type Step = NonNullable<HomeTasks["first_steps"]>[number];

/** The page of each step. */
const PAGES: Readonly<Record<Step["step"], string>> = {
  invite_approver: "/settings/users",
  add_channel: "/settings/notifications",
  set_second_factor: "/profile",
  upload: "/upload",
  approve: "/approvals",
};

/** The checklist of a new installation, for the roles of the reader. */
export const FirstSteps = ({ steps }: { readonly steps: readonly Step[] }) => (
  <Section title={texts.title}>
    <ul className={classes.steps}>
      {steps.map(({ step, done }) => (
        <li key={step} data-tone={done ? "settled" : "draft"}>
          {done ? <CircleCheck size={18} aria-hidden /> : <Circle size={18} aria-hidden />}
          <span>
            {texts.steps[step]((text) => (
              <PageLink to={PAGES[step]}>{text}</PageLink>
            ))}
            {done ? <VisuallyHidden> ({texts.done})</VisuallyHidden> : null}
          </span>
        </li>
      ))}
    </ul>
  </Section>
);
