import { VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import { frameQuery } from "./frame-query.ts";
import { coveringDestination, type Destination, type Group } from "./navigation.ts";
import classes from "./navigation-links.module.css";
import { useDestinations } from "./page-shortcuts.ts";
import { messages } from "./messages.tsx";

const HEADED_GROUPS: readonly Group[] = ["work", "money", "run"];

/** The links of the rail in their groups, without those at its bottom. */
export function RailLinks({ onFollow }: { readonly onFollow?: () => void }) {
  const destinations = useDestinations();
  return HEADED_GROUPS.map((group) => {
    const links = destinations.filter((each) => each.group === group);
    const heading = messages.groups[group];
    if (links.length === 0) return null;
    return (
      <div key={group}>
        {heading === null ? null : <p className={classes.heading}>{heading}</p>}
        <LinkList links={links} onFollow={onFollow} />
      </div>
    );
  });
}

/** The links at the bottom of the rail. */
export function FootLinks({ onFollow }: { readonly onFollow?: () => void }) {
  const links = useDestinations().filter(({ group }) => group === "foot");
  return <LinkList links={links} onFollow={onFollow} />;
}

const LinkList = ({
  links,
  onFollow,
}: {
  readonly links: readonly Destination[];
  readonly onFollow: (() => void) | undefined;
}) => (
  <ul className={classes.links}>
    {links.map((link) => (
      <li key={link.to}>
        <DestinationLink of={link} className={classes.link} onFollow={onFollow} />
      </li>
    ))}
  </ul>
);

/** The bottom bar of a phone: the pages of every day, and a button for the others. */
export function TabBar({ onMore }: { readonly onMore: () => void }) {
  return (
    <>
      {useDestinations()
        .filter(({ inTabBar }) => inTabBar)
        .map((link) => (
          <DestinationLink key={link.to} of={link} className={classes.tab} />
        ))}
      <button type="button" className={classes.tab} onClick={onMore}>
        <Menu size={20} aria-hidden />
        {messages.more}
      </button>
    </>
  );
}

function DestinationLink({
  of: { to, label, icon: Icon, waits },
  className,
  onFollow,
}: {
  readonly of: Destination;
  readonly className: string | undefined;
  readonly onFollow?: (() => void) | undefined;
}) {
  const covering = useLocation({ select: ({ pathname }) => coveringDestination(pathname) });
  return (
    <Link
      to={to}
      onClick={onFollow}
      className={className}
      activeProps={CURRENT}
      inactiveProps={covering === to ? CURRENT : {}}
      activeOptions={{ exact: to === "/" || covering !== undefined }}
    >
      <Icon aria-hidden />
      {label}
      {waits ? <WaitingCount of={waits} /> : null}
    </Link>
  );
}

const CURRENT = { "aria-current": "page" } as const;

/** The number of tasks of the reader, such as batches to approve or breaks to resolve. */
function WaitingCount({ of }: { readonly of: NonNullable<Destination["waits"]> }) {
  const { data: frame } = useQuery(frameQuery);
  if (!frame || frame[of] === 0) return null;
  return (
    <span className={classes.waiting}>
      {frame[of]}
      <VisuallyHidden>{messages.forYou}</VisuallyHidden>
    </span>
  );
}
