import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import type { ApiDocs, ApiSection } from "./description.ts";
import { EndpointPage } from "./endpoint.tsx";
import { EntryList } from "./entry-list.tsx";
import { Variants } from "./field-list.tsx";
import { entryOf, errorCodesOf } from "./find.ts";
import { blocksOf } from "./markdown.ts";
import { MarkdownText } from "./markdown-text.tsx";
import { messages } from "./messages.ts";
import { MethodAndPath } from "./method-and-path.tsx";
import { variantsOf } from "./schema-fields.ts";
import { apiDocsQuery } from "./query.ts";

const CRUMBS = [{ to: "/api/docs", label: messages.title }];

/** A section, an endpoint or the errors of the API. */
export function ApiEntryPage() {
  const { entry: address = "" } = useParams({ strict: false });
  const { data: docs } = useSuspenseQuery(apiDocsQuery);
  const entry = entryOf(docs, address);
  switch (entry.kind) {
    case "endpoint":
      return <EndpointPage of={entry.endpoint} section={entry.section} crumbs={CRUMBS} />;
    case "section":
      return <SectionPage of={entry.section} />;
    case "errors":
      return <ErrorsPage of={docs} />;
    case "unknown":
      return (
        <Page title={messages.title} crumbs={CRUMBS}>
          <EmptyState text={messages.unknown}>
            <PageLink to="/api/docs">{messages.toOverview}</PageLink>
          </EmptyState>
        </Page>
      );
  }
}

const SectionPage = ({ of: { name, description, endpoints } }: { readonly of: ApiSection }) => (
  <Page title={name} crumbs={CRUMBS} facts={description}>
    <Section title={messages.endpoints} caption={messages.endpointCount(endpoints.length)} isFlush>
      <EntryList
        entries={endpoints.map(({ operationId, method, path, summary }) => ({
          key: operationId,
          title: (
            <PageLink to={`/api/docs/${operationId}`}>
              <MethodAndPath method={method} path={path} />
            </PageLink>
          ),
          text: summary,
        }))}
      />
    </Section>
  </Page>
);

type ErrorCode = readonly string[];

const CODE_COLUMNS: readonly Column<ErrorCode>[] = [
  { key: "code", header: messages.code, names: true, cell: ([code]) => <code>{code}</code> },
  {
    key: "status",
    header: messages.status,
    numeric: true,
    card: "amount",
    cell: ([, status]) => status,
  },
  { key: "meaning", header: messages.meaning, cell: ([, , meaning]) => meaning },
];

function ErrorsPage({ of: docs }: { readonly of: ApiDocs }) {
  const words = blocksOf(docs.problem.description ?? "").filter(({ kind }) => kind !== "table");
  return (
    <Page title={messages.errors} crumbs={CRUMBS}>
      <Section title={messages.problemFields}>
        <MarkdownText blocks={words} />
        <Variants of={variantsOf(docs.problem)} isAnswer />
      </Section>
      <Section title={messages.errorCodes}>
        <DataTable
          caption={messages.errorCodes}
          hideCaption
          columns={CODE_COLUMNS}
          rows={errorCodesOf(docs)}
          rowKey={([code = ""]) => code}
        />
      </Section>
    </Page>
  );
}
