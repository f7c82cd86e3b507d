/** The rows of every table as the query builder reads them, for the compiler to look at. */
import type { Selectable } from "kysely";
import type { Tables } from "#ledger/store/tables.ts";

export type SelectedRows = { readonly [Name in keyof Tables]: Selectable<Tables[Name]> };
