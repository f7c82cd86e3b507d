import { Alert, Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { Answer } from "../../server/client.ts";
import { messages } from "./messages.tsx";

const ChooseAmountsDialog = lazy(() => import("./choose-amounts.tsx"));

type Schedule = Answer<"GET /api/schedules">["items"][number];

/** Asks for the amount format of a file that could be read in more than one way. */
export function AmountsQuestion({
  of,
  reload,
}: {
  readonly of: Schedule;
  readonly reload: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const asked = of.occurrences.find(({ amounts }) => amounts !== null);
  if (!asked?.amounts) return null;
  return (
    <Alert color="orange" variant="light" title={messages.amounts.needed(asked.day)}>
      <Button size="xs" onClick={() => setOpen(true)}>
        {messages.amounts.choose}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ChooseAmountsDialog
            schedule={of}
            proposal={asked.amounts}
            reload={reload}
            close={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </Alert>
  );
}
