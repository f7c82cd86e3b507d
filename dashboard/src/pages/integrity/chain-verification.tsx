import { Button, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, OctagonAlert } from "lucide-react";
import { type FormEvent, useState } from "react";
import { call } from "../../server/client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import classes from "./audit.module.css";
import { messages } from "./messages.tsx";

const texts = messages.verification;

/** The verification of the hash chain, recomputed from the first line to the last. */
export function ChainVerification() {
  const [kept, setKept] = useState("");
  const {
    data: verdict,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ["GET /api/audit/verify", kept],
    queryFn: ({ signal }) =>
      call("GET /api/audit/verify", { query: kept === "" ? {} : { checkpoint: kept }, signal }),
    staleTime: 60_000,
  });
  const compare = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const head = new FormData(event.currentTarget).get("head");
    setKept(typeof head === "string" ? head.trim() : "");
  };
  return (
    <Section
      title={texts.title}
      actions={
        <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
          {texts.again}
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
              ? (kept === "" ? texts.intact : texts.intactWithCheckpoint)(verdict.lines)
              : verdict.broken_at === null
                ? texts.doubtful(String(verdict.why))
                : texts.broken(verdict.broken_at, String(verdict.why))}
            <small>
              <Timestamp at={verdict.at} relative={false} />
            </small>
          </p>
          <Text size="xs" c="dimmed">
            {verdict.intact
              ? texts.latest(
                  <code className={classes.hash}>{`${verdict.lines}:${verdict.latest_hash}`}</code>,
                )
              : texts.whenBroken}
          </Text>
        </div>
      ) : error ? null : (
        <Loading lines={2} />
      )}
      <form onSubmit={compare} className={classes.compare}>
        <TextInput
          size="xs"
          name="head"
          label={texts.saved}
          placeholder={texts.savedExample}
          autoComplete="off"
        />
        <Button type="submit" size="xs" variant="default">
          {texts.compare}
        </Button>
      </form>
    </Section>
  );
}
