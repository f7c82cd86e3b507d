import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleHelp,
  CirclePause,
  CircleSlash,
  type LucideIcon,
  OctagonX,
  Send,
  Timer,
} from "lucide-react";
import type { Answer } from "../client.ts";
import { When } from "../components/when.tsx";
import { useMay } from "../session.ts";
import type { Tone } from "../state.ts";
import { frameQuery } from "./frame-query.ts";
import classes from "./gateway-light.module.css";
import { Tip } from "./tip.tsx";

type Light = Answer<"GET /api/frame">["light"];

interface Look {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
}

// biome-ignore format: the columns are the point
const LOOKS: Readonly<Record<Light["state"] | "unknown", Look>> = {
  sending:        { word: "sending",        icon: Send,        tone: "moving" },
  slow:           { word: "slow",           icon: Timer,       tone: "alarm" },
  partly_stopped: { word: "partly stopped", icon: CircleSlash, tone: "alarm" },
  paused:         { word: "paused",         icon: CirclePause, tone: "alarm" },
  stopped:        { word: "stopped",        icon: OctagonX,    tone: "bad" },
  unknown:        { word: "not known",      icon: CircleHelp,  tone: "doubt" },
};

/** How sending goes, on every page: a word, an icon and a colour; what it means and since when, where it is pointed at. */
export function GatewayLight() {
  const { data: frame, isError, dataUpdatedAt } = useQuery(frameQuery);
  const maySeeMore = useMay("read");
  if (!frame && !isError) return null;
  // What was so before the server fell silent may be so no more.
  const light = isError ? null : (frame?.light ?? null);
  const { word, icon: Icon, tone } = LOOKS[light?.state ?? "unknown"];
  const shown = (
    <>
      <Icon size={16} aria-hidden />
      <span className={classes.kind}>Gateway: </span>
      <span className={classes.word}>{word}</span>
    </>
  );
  return (
    <Tip says={light ? <Meaning light={light} /> : <Silence sinceMs={dataUpdatedAt} />}>
      {(tipId) =>
        maySeeMore ? (
          <Link
            to="/operations"
            className={classes.light}
            data-tone={tone}
            aria-describedby={tipId}
          >
            {shown}
          </Link>
        ) : (
          <span className={classes.light} data-tone={tone} aria-describedby={tipId}>
            {shown}
          </span>
        )
      }
    </Tip>
  );
}

const Meaning = ({ light: { says, since } }: { readonly light: Light }) => (
  <>
    {says}
    {since === null ? null : (
      <>
        {" "}
        Since <When at={since} />.
      </>
    )}
  </>
);

const Silence = ({ sinceMs }: { readonly sinceMs: number }) => (
  <>
    The server does not answer, so nobody can say here how sending goes.
    {sinceMs === 0 ? null : (
      <>
        {" "}
        It last answered <When at={new Date(sinceMs).toISOString()} />.
      </>
    )}
  </>
);
