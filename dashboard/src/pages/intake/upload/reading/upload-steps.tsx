import { Stepper } from "@mantine/core";
import { messages as texts } from "./step-messages.ts";
import classes from "./upload-steps.module.css";

/** The steps of an upload, from the file to the request for approval. */
type UploadStep = "file" | "reading" | "findings" | "details" | "approval";

const STEPS: readonly UploadStep[] = ["file", "reading", "findings", "details", "approval"];

/** Shows which step of an upload the reader is at, and the result of each step. */
export function UploadSteps({
  active,
  results = {},
}: {
  readonly active: UploadStep;
  readonly results?: Readonly<Partial<Record<UploadStep, string>>>;
}) {
  const at = STEPS.indexOf(active);
  return (
    <Stepper
      active={at}
      size="xs"
      iconSize={24}
      className={classes.steps ?? ""}
      allowNextStepsSelect={false}
      aria-label={texts.label}
    >
      {STEPS.map((step, place) => (
        <Stepper.Step
          key={step}
          label={texts[step]}
          description={results[step]}
          aria-current={place === at ? "step" : undefined}
          tabIndex={-1}
        />
      ))}
    </Stepper>
  );
}
