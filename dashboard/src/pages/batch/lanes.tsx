import { Alert } from "@mantine/core";
import { BrakeText } from "../../components/brake-text.tsx";
import { When } from "../../components/when.tsx";
import type { BatchPage } from "./queries.ts";

const NEEDS = {
  wait: "It is tried again by itself",
  person: "It needs a person",
  answers: "It opens by itself, by what the gateway answers",
} as const;

/** The lanes that send nothing at the moment, and what each of them waits for. */
export const Lanes = ({ batch }: { readonly batch: BatchPage }) =>
  batch.lanes.map(({ lane, stopped }) =>
    stopped === null ? null : (
      <Alert key={lane} color="orange" variant="light" title={`${lane} is stopped`}>
        {stopped.reason}. {NEEDS[stopped.needs]}
        {stopped.retry_at === null ? "" : ", "}
        {stopped.retry_at === null ? null : <When at={stopped.retry_at} />}.
        {stopped.brake ? <BrakeText brake={stopped.brake} /> : null}
      </Alert>
    ),
  );
