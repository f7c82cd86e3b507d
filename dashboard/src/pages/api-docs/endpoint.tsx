import { Text } from "@mantine/core";
import { Page } from "../../components/page.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { CodeBlock } from "./code-block.tsx";
import {
  type ApiSection,
  answerOf,
  type Content,
  type Endpoint,
  isForKeys,
  type Parameter,
} from "./description.ts";
import { curlOf, typescriptOf } from "./examples.ts";
import { FieldList, Variants } from "./field-list.tsx";
import { plainText } from "./markdown.ts";
import { InlineText } from "./markdown-text.tsx";
import { messages } from "./messages.ts";
import { MethodAndPath } from "./method-and-path.tsx";
import { parameterField, variantsOf } from "./schema-fields.ts";

const PLACES = ["path", "query", "header"] as const satisfies readonly Parameter["in"][];
const JSON_TYPE = "application/json";

/** One endpoint: who may call it, example requests, its parameters, body and response. */
export function EndpointPage({
  of: endpoint,
  section,
  crumbs,
}: {
  readonly of: Endpoint;
  readonly section: ApiSection;
  readonly crumbs: readonly { readonly to: string; readonly label: string }[];
}) {
  const { method, path, summary, description, parameters, requestBody } = endpoint;
  const { status, content } = answerOf(endpoint);
  return (
    <Page
      title={plainText(summary)}
      crumbs={[...crumbs, { to: `/api/docs/${section.slug}`, label: section.name }]}
      facts={<MethodAndPath method={method} path={path} />}
    >
      <Text component="p" maw="70ch">
        <InlineText text={description} />
      </Text>
      {isForKeys(endpoint) ? <Examples of={endpoint} /> : null}
      {PLACES.map((place) => (
        <Parameters key={place} place={place} of={parameters} />
      ))}
      {requestBody ? (
        <Section title={messages.body}>
          <Body content={requestBody.content} file={fileTextOf(requestBody.content)} />
        </Section>
      ) : null}
      <Section title={messages.response(status)}>
        <Body content={content} file={answerTextOf(content)} isAnswer />
      </Section>
    </Page>
  );
}

const Examples = ({ of: endpoint }: { readonly of: Endpoint }) => (
  <Section title={messages.request} caption={<PageLink to="/api/docs">{messages.setUp}</PageLink>}>
    <CodeBlock language="sh" text={curlOf(endpoint, globalThis.location.origin)} />
    <CodeBlock language="ts" text={typescriptOf(endpoint)} />
  </Section>
);

function Parameters({
  place,
  of: parameters,
}: {
  readonly place: Parameter["in"];
  readonly of: readonly Parameter[];
}) {
  const own = parameters.filter((each) => each.in === place);
  if (own.length === 0) return null;
  return (
    <Section title={messages.parameters[place]}>
      <FieldList fields={own.map(parameterField)} />
    </Section>
  );
}

/** The fields of a JSON body, and a sentence about a body that is not JSON. */
function Body({
  content,
  file,
  isAnswer,
}: {
  readonly content: Content;
  readonly file: string | null;
  readonly isAnswer?: boolean;
}) {
  const variants = variantsOf(content[JSON_TYPE]?.schema ?? {});
  return (
    <>
      <Variants of={variants} isAnswer={isAnswer ?? false} />
      {file === null ? null : <Text size="sm">{file}</Text>}
    </>
  );
}

function fileTextOf(content: Content): string | null {
  if (!("*/*" in content)) return null;
  return JSON_TYPE in content ? messages.otherBody : messages.fileBody;
}

function answerTextOf(content: Content): string | null {
  if (JSON_TYPE in content) return null;
  if ("text/event-stream" in content) return messages.events;
  return "*/*" in content ? messages.file : messages.noContent;
}
