import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleCheck,
  CircleHelp,
  CirclePause,
  CircleSlash,
  type LucideIcon,
  OctagonX,
  Send,
  Timer,
} from "lucide-react";
import type { Answer } from "../server/client.ts";
import { Timestamp } from "../components/timestamp.tsx";
import { useMay } from "../server/session.ts";
import type { Tone } from "../base/state.ts";
import { frameQuery } from "./frame-query.ts";
import classes from "./gateway-status-indicator.module.css";
import { Tooltip } from "./tooltip.tsx";
import { messages } from "./messages.tsx";

const texts = messages.gateway;

type GatewayStatus = Answer<"GET /api/frame">["status_indicator"];

interface StatusDisplay {
  readonly icon: LucideIcon;
  readonly tone: Tone;
}

// biome-ignore format: the columns are the point
const STATUS_DISPLAY: Readonly<Record<GatewayStatus["state"] | "unknown", StatusDisplay>> = {
  idle:           { icon: CircleCheck, tone: "draft" },
  sending:        { icon: Send,        tone: "settled" },
  slow:           { icon: Timer,       tone: "awaiting" },
  partly_stopped: { icon: CircleSlash, tone: "hold" },
  paused:         { icon: CirclePause, tone: "hold" },
  stopped:        { icon: OctagonX,    tone: "declined" },
  unknown:        { icon: CircleHelp,  tone: "doubt" },
};

/**
 * The status of sending on every page as a label, an icon and a colour. The tooltip explains it and
 * gives its start.
 */
export function GatewayStatusIndicator() {
  const { data: frame, isError, dataUpdatedAt } = useQuery(frameQuery);
  const maySeeMore = useMay("read");
  if (!frame && !isError) return null;
  // The last status may be outdated when the server does not answer.
  const light = isError ? null : (frame?.status_indicator ?? null);
  const state = light?.state ?? "unknown";
  const { icon: Icon, tone } = STATUS_DISPLAY[state];
  const shown = (
    <>
      <Icon size={16} aria-hidden />
      <span>
        <span className={classes.kind}>{texts.label}</span>
        <span className={classes.word}>{texts.states[state]}</span>
      </span>
    </>
  );
  return (
    <Tooltip
      says={
        light ? (
          <StatusExplanation light={light} />
        ) : (
          <NoResponseExplanation sinceMs={dataUpdatedAt} />
        )
      }
    >
      {(tipId) =>
        maySeeMore ? (
          <Link
            to="/operations"
            search={{ tab: "lanes" }}
            className={classes.indicator}
            data-tone={tone}
            aria-describedby={tipId}
          >
            {shown}
          </Link>
        ) : (
          <span className={classes.indicator} data-tone={tone} aria-describedby={tipId}>
            {shown}
          </span>
        )
      }
    </Tooltip>
  );
}

const StatusExplanation = ({ light: { says, since } }: { readonly light: GatewayStatus }) => (
  <>
    {says}
    {since === null ? null : texts.since(<Timestamp at={since} />)}
  </>
);

const NoResponseExplanation = ({ sinceMs }: { readonly sinceMs: number }) => (
  <>
    {texts.silent}
    {sinceMs === 0 ? null : texts.lastAnswer(<Timestamp at={new Date(sinceMs).toISOString()} />)}
  </>
);
