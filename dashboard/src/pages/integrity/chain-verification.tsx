import { Button, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, OctagonAlert } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import classes from "./chain-verification.module.css";
import { messages } from "./messages.tsx";

const texts = messages.verification;

type Verdict = Answer<"GET /api/audit/verify">;

/** The verification of the hash chain, recomputed from the first line to the last. */
export function ChainVerification() {
  /** The saved checkpoint to compare with; empty: none. */
  const [checkpoint, setCheckpoint] = useState("");
  const {
    data: verdict,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ["GET /api/audit/verify", checkpoint],
    queryFn: ({ signal }) =>
      call("GET /api/audit/verify", { query: checkpoint === "" ? {} : { checkpoint }, signal }),
    staleTime: 60_000,
  });
  const compare = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("checkpoint");
    setCheckpoint(typeof typed === "string" ? typed.trim() : "");
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
        <VerdictText of={verdict} isCompared={checkpoint !== ""} />
      ) : error ? null : (
        <Loading lines={2} />
      )}
      <form onSubmit={compare} className={classes.compare}>
        <TextInput
          size="xs"
          name="checkpoint"
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

/** The result of the verification, with the latest hash as a checkpoint to save. */
function VerdictText({
  of: { intact, lines, broken_at, why, at, latest_hash, root },
  isCompared,
}: {
  readonly of: Verdict;
  /** Whether the chain was compared with a saved checkpoint. */
  readonly isCompared: boolean;
}) {
  return (
    <div role="status">
      <p className={classes.verdict} data-tone={intact ? "settled" : "declined"}>
        {intact ? <CircleCheck size={18} aria-hidden /> : <OctagonAlert size={18} aria-hidden />}
        {intact
          ? (isCompared ? texts.intactWithCheckpoint : texts.intact)(lines)
          : broken_at === null
            ? texts.doubtful(String(why))
            : texts.broken(broken_at, String(why))}
        <small>
          <Timestamp seconds at={at} relative={false} />
        </small>
      </p>
      <Text size="xs" c="dimmed">
        {intact
          ? texts.latest(<code className={classes.hash}>{`${lines}:${latest_hash}`}</code>)
          : texts.whenBroken}
      </Text>
      {intact ? (
        <Text size="xs" c="dimmed">
          {texts.root(<code className={classes.hash}>{`${lines}:${root}`}</code>)} <PublicKey />
        </Text>
      ) : null}
    </div>
  );
}

/** The public key with which evidence packs are verified. */
function PublicKey() {
  const { data } = useQuery({
    queryKey: ["GET /api/evidence-keys"],
    queryFn: ({ signal }) => call("GET /api/evidence-keys", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [key] = data?.keys ?? [];
  return key === undefined ? null : texts.publicKey(<code className={classes.hash}>{key}</code>);
}
