import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { lineText } from "#api/app/shapes.ts";
import { VIEW_FILTERS, VIEW_NAME_MAX, type ViewPage, VIEWS_MAX } from "#people/saved-views.ts";

const Name = lineText(1, VIEW_NAME_MAX);
const Value = z.string().trim().min(1).max(300);

/** The filters of one page by name; at least one. */
function filtersOf(page: ViewPage) {
  const shape = Object.fromEntries(VIEW_FILTERS[page].map((name) => [name, Value.optional()]));
  return z
    .strictObject(shape)
    .refine((filters) => Object.keys(filters).length > 0, "at least one filter");
}

const viewOf = <Page extends ViewPage>(page: Page) =>
  z.strictObject({ page: z.literal(page), name: Name, filters: filtersOf(page) });

const NewView = z.discriminatedUnion("page", [
  viewOf("batches"),
  viewOf("payouts"),
  viewOf("failures"),
  viewOf("audit"),
  viewOf("deposits"),
  viewOf("approvals"),
]);

const Page = z.enum(Object.keys(VIEW_FILTERS) as [ViewPage, ...ViewPage[]]);

const View = z.object({
  id: z.string(),
  page: Page,
  name: z.string(),
  filters: z.record(z.string(), z.string()),
});

const ViewId = z.object({ id: z.string().max(40) });

export const SAVED_VIEW_API = {
  "GET /api/views": {
    permission: "signed_in",
    keys: false,
    summary: "Lists your saved views by name",
    answer: z.object({
      items: z.array(View),
      items_max: z.int(),
      /** The filters that views of each page can save. */
      keeps: z.record(Page, z.array(z.string())),
    }),
  },
  "POST /api/views": {
    permission: "signed_in",
    keys: false,
    creates: true,
    summary: `Saves the filters of a page as a view; you can have up to ${VIEWS_MAX}`,
    body: NewView,
    answer: View,
  },
  "PUT /api/views/:id": {
    permission: "signed_in",
    keys: false,
    summary: "Renames one of your views",
    params: ViewId,
    body: z.strictObject({ name: Name }),
    answer: "nothing",
  },
  "DELETE /api/views/:id": {
    permission: "signed_in",
    keys: false,
    summary: "Deletes one of your views",
    params: ViewId,
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
