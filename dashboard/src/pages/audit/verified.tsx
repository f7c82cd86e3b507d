import { Button, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, OctagonAlert } from "lucide-react";
import { type FormEvent, useState } from "react";
import { call } from "../../client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import { When } from "../../components/when.tsx";
import classes from "./audit.module.css";

/** "Chain verified to #48,211 at 12:00", recomputed from the first line to the last. */
export function Verified() {
  const [kept, setKept] = useState("");
  const {
    data: verdict,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ["GET /api/audit/verify", kept],
    queryFn: ({ signal }) =>
      call("GET /api/audit/verify", { query: kept === "" ? {} : { head: kept }, signal }),
    staleTime: 60_000,
  });
  const compare = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const head = new FormData(event.currentTarget).get("head");
    setKept(typeof head === "string" ? head.trim() : "");
  };
  return (
    <Section
      title="Is it as it was written?"
      actions={
        <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
          Verify again
        </Button>
      }
    >
      {error ? <ErrorState error={error} /> : null}
      {verdict ? (
        <div role="status">
          <p className={classes.verdict} data-tone={verdict.intact ? "good" : "bad"}>
            {verdict.intact ? (
              <CircleCheck size={18} aria-hidden />
            ) : (
              <OctagonAlert size={18} aria-hidden />
            )}
            {verdict.intact
              ? `Chain verified to #${verdict.lines.toLocaleString()}${kept === "" ? "" : ", and the kept head is in it"}`
              : verdict.broken_at === null
                ? `The chain is whole, but ${verdict.why}`
                : `The chain is broken at #${verdict.broken_at}: ${verdict.why}`}
            <small>
              <When at={verdict.at} relative={false} />
            </small>
          </p>
          <Text size="xs" c="dimmed">
            {verdict.intact ? (
              <>
                Head <code className={classes.hash}>{`${verdict.lines}:${verdict.head}`}</code>.
                Keep it elsewhere, or have it mailed every day (Settings, Notifications): it shows
                later whether lines were taken away or all was written anew.
              </>
            ) : (
              "Pause everything, keep the database as it is, and compare it with a backup."
            )}
          </Text>
        </div>
      ) : error ? null : (
        <Loading lines={2} />
      )}
      <form onSubmit={compare} className={classes.compare}>
        <TextInput
          size="xs"
          name="head"
          label="A head that was kept"
          placeholder="48211:9f3c…"
          autoComplete="off"
        />
        <Button type="submit" size="xs" variant="default">
          Compare
        </Button>
      </form>
    </Section>
  );
}
