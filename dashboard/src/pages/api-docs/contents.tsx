import { TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useScrollToCurrent } from "../../base/scroll-to-current.ts";
import classes from "./contents.module.css";
import type { ApiDocs, ApiSection, Endpoint } from "./description.ts";
import { errorCodesOf, findEndpoints } from "./find.ts";
import { plainText } from "./markdown.ts";
import { messages } from "./messages.ts";
import { MethodAndPath } from "./method-and-path.tsx";

/** The table of contents, with a search that replaces it by the results. */
export function Contents({
  of: docs,
  current,
  onOpen,
}: {
  readonly of: ApiDocs;
  /** The opened section or endpoint. */
  readonly current: string | undefined;
  /** Called when the reader follows a link. */
  readonly onOpen: () => void;
}) {
  const [text, setText] = useState("");
  const nav = useScrollToCurrent<HTMLElement>(current ?? "");
  return (
    <nav ref={nav} aria-label={messages.title} className={classes.contents}>
      <TextInput
        type="search"
        size="sm"
        aria-label={messages.search}
        placeholder={messages.search}
        leftSection={<Search size={14} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {text.trim() === "" ? (
        <Parts of={docs} current={current} onOpen={onOpen} />
      ) : (
        <Results of={docs} text={text} onOpen={onOpen} />
      )}
    </nav>
  );
}

interface PartsProps {
  readonly of: ApiDocs;
  readonly current: string | undefined;
  readonly onOpen: () => void;
}

const Parts = ({ of: docs, current, onOpen }: PartsProps) => (
  <>
    <EntryLink to="/api/docs" onOpen={onOpen}>
      {messages.quickstart}
    </EntryLink>
    <p className={classes.heading}>{messages.endpoints}</p>
    {docs.sections.map((section) => (
      <SectionLinks key={section.slug} of={section} current={current} onOpen={onOpen} />
    ))}
    <EntryLink to="/api/docs/errors" onOpen={onOpen}>
      {messages.errors}
    </EntryLink>
  </>
);

function SectionLinks({
  of: { slug, name, endpoints },
  current,
  onOpen,
}: {
  readonly of: ApiSection;
  readonly current: string | undefined;
  readonly onOpen: () => void;
}) {
  const isCurrent = slug === current || endpoints.some((each) => each.operationId === current);
  return (
    <>
      <EntryLink to={`/api/docs/${slug}`} onOpen={onOpen}>
        {name}
        <span className={classes.count}>{endpoints.length}</span>
      </EntryLink>
      {isCurrent ? (
        <div className={classes.endpoints}>
          {endpoints.map((endpoint) => (
            <EndpointLink key={endpoint.operationId} of={endpoint} onOpen={onOpen} />
          ))}
        </div>
      ) : null}
    </>
  );
}

function Results({
  of: docs,
  text,
  onOpen,
}: {
  readonly of: ApiDocs;
  readonly text: string;
  readonly onOpen: () => void;
}) {
  const endpoints = findEndpoints(docs, text);
  const codes = errorCodesOf(docs).filter(([code = ""]) => code.includes(text.trim()));
  if (endpoints.length + codes.length === 0) {
    return (
      <p role="status" className={classes.none}>
        {messages.noResults}
      </p>
    );
  }
  return (
    <>
      {endpoints.map((endpoint) => (
        <EndpointLink key={endpoint.operationId} of={endpoint} onOpen={onOpen} isResult />
      ))}
      {codes.length === 0 ? null : <p className={classes.heading}>{messages.errors}</p>}
      {codes.map(([code = ""]) => (
        <EntryLink key={code} to="/api/docs/errors" onOpen={onOpen}>
          <code>{code}</code>
        </EntryLink>
      ))}
    </>
  );
}

const EndpointLink = ({
  of: { operationId, method, path, summary },
  onOpen,
  isResult = false,
}: {
  readonly of: Endpoint;
  readonly onOpen: () => void;
  readonly isResult?: boolean;
}) => (
  <EntryLink to={`/api/docs/${operationId}`} title={plainText(summary)} onOpen={onOpen}>
    <MethodAndPath method={method} path={path} isShort />
    {isResult ? <span className={classes.summary}>{plainText(summary)}</span> : null}
  </EntryLink>
);

const EntryLink = ({
  to,
  title,
  onOpen,
  children,
}: {
  readonly to: string;
  readonly title?: string;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}) => (
  <Link
    to={to}
    title={title}
    className={classes.link}
    activeOptions={{ exact: true }}
    activeProps={{ "aria-current": "page" }}
    onClick={onOpen}
  >
    {children}
  </Link>
);
