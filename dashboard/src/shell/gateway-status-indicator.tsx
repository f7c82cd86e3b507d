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
import type { Answer } from "../server/client.ts";
import { When } from "../components/timestamp.tsx";
import { useMay } from "../server/session.ts";
import type { Tone } from "../base/state.ts";
import { frameQuery } from "./frame-query.ts";
import classes from "./gateway-status-indicator.module.css";
import { Tip } from "./tooltip.tsx";
import { messages } from "./messages.tsx";

const texts = messages.gateway;

type Light = Answer<"GET /api/frame">["status_indicator"];

interface Look {
  readonly icon: LucideIcon;
  readonly tone: Tone;
}

// biome-ignore format: the columns are the point
const LOOKS: Readonly<Record<Light["state"] | "unknown", Look>> = {
  sending:        { icon: Send,        tone: "moving" },
  slow:           { icon: Timer,       tone: "alarm" },
  partly_stopped: { icon: CircleSlash, tone: "alarm" },
  paused:         { icon: CirclePause, tone: "alarm" },
  stopped:        { icon: OctagonX,    tone: "bad" },
  unknown:        { icon: CircleHelp,  tone: "doubt" },
};

/**
 * The status of sending on every page as a label, an icon and a colour. The tooltip explains it and
 * gives its start.
 */
export function GatewayLight() {
  const { data: frame, isError, dataUpdatedAt } = useQuery(frameQuery);
  const maySeeMore = useMay("read");
  if (!frame && !isError) return null;
  // The last status may be outdated when the server does not answer.
  const light = isError ? null : (frame?.status_indicator ?? null);
  const state = light?.state ?? "unknown";
  const { icon: Icon, tone } = LOOKS[state];
  const shown = (
    <>
      <Icon size={16} aria-hidden />
      <span className={classes.kind}>{texts.label}</span>
      <span className={classes.word}>{texts.states[state]}</span>
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
    {since === null ? null : texts.since(<When at={since} />)}
  </>
);

const Silence = ({ sinceMs }: { readonly sinceMs: number }) => (
  <>
    {texts.silent}
    {sinceMs === 0 ? null : texts.lastAnswer(<When at={new Date(sinceMs).toISOString()} />)}
  </>
);
