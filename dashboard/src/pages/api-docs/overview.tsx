import { Anchor } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Page } from "../../components/page.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { type Block, blocksOf } from "./markdown.ts";
import { MarkdownText } from "./markdown-text.tsx";
import { messages } from "./messages.ts";
import { EntryList } from "./entry-list.tsx";
import { apiDocsQuery } from "./query.ts";

/** The first page of the API documentation: the quickstart, the sections and the conventions. */
export function ApiOverviewPage() {
  const { data: docs } = useSuspenseQuery(apiDocsQuery);
  const [quickstart, ...others] = chaptersOf(blocksOf(docs.quickstart));
  return (
    <Page
      title={messages.title}
      facts={
        <>
          <span>{messages.version(docs.version)}</span>
          <code>{globalThis.location.origin}</code>
          <Anchor href="/api/openapi.json" size="sm">
            {messages.openApi}
          </Anchor>
        </>
      }
    >
      {quickstart ? <ChapterCard of={quickstart} /> : null}
      <Section title={messages.endpoints} isFlush>
        <EntryList
          entries={docs.sections.map(({ slug, name, description, endpoints }) => ({
            key: slug,
            title: <PageLink to={`/api/docs/${slug}`}>{name}</PageLink>,
            note: messages.endpointCount(endpoints.length),
            text: description,
          }))}
        />
      </Section>
      {others.map((chapter) => (
        <ChapterCard key={chapter.title} of={chapter} />
      ))}
    </Page>
  );
}

/** A heading of the Markdown with the blocks below it. */
interface Chapter {
  readonly title: string;
  readonly blocks: readonly Block[];
}

function chaptersOf(blocks: readonly Block[]): readonly Chapter[] {
  const starts = blocks.flatMap((block, at) => (block.kind === "heading" ? [{ block, at }] : []));
  return starts.map(({ block, at }, number) => ({
    title: block.text,
    blocks: blocks.slice(at + 1, starts[number + 1]?.at),
  }));
}

const ChapterCard = ({ of: { title, blocks } }: { readonly of: Chapter }) => (
  <Section title={title}>
    <MarkdownText blocks={blocks} />
  </Section>
);
