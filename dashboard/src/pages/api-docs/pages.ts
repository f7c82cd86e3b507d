/** The pages of the API documentation. They load together, because readers visit several. */
export { ApiDocsPage } from "./api-docs.tsx";
export { ApiEntryPage } from "./entry.tsx";
export { ApiOverviewPage } from "./overview.tsx";
