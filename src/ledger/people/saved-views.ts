import { sql } from "kysely";
import { newId } from "#base/ids.ts";
import type { Database } from "#ledger/store/database.ts";
import { isUniqueViolation } from "#ledger/store/database-errors.ts";
import { sealPassing } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { type ViewPage, VIEWS_MAX } from "#people/saved-views.ts";
import { err, ok, type Result } from "#base/result.ts";

/** Saved filters of a page. */
export interface SavedView {
  readonly id: string;
  readonly page: ViewPage;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
}

const NAME = "saved_views_name";

const PLACE = "saved_views text";

/** Seals the search text of payouts, which may be the name of a beneficiary. */
function sealText({ page, filters }: Omit<SavedView, "id">, sealer: Sealer) {
  const { text } = filters;
  if (page !== "payouts" || text === undefined) return filters;
  return { ...filters, text: sealPassing(sealer, text, PLACE).toString("base64url") };
}

function openText(view: SavedView, sealer: Sealer): SavedView {
  const { page, filters } = view;
  const { text } = filters;
  if (page !== "payouts" || text === undefined) return view;
  return {
    ...view,
    filters: { ...filters, text: sealer.open(Buffer.from(text, "base64url"), PLACE) },
  };
}

/** Returns the saved views of a user, by page and name. */
export async function findViews(
  database: Database,
  sealer: Sealer,
  userId: string,
): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    select id, page, name, filters from saved_views where user_id = ${userId}
    order by page, lower(name)`.execute(database);
  return rows.map((view) => openText(view, sealer));
}

/** Stores a view. Fails if the name is taken or the user has too many views. */
export async function saveView(
  database: Database,
  sealer: Sealer,
  userId: string,
  view: Omit<SavedView, "id">,
): Promise<Result<SavedView, "view_name_taken" | "too_many_views">> {
  const saved = { id: newId("VW"), ...view };
  return refuseTakenName(() =>
    database.transaction().execute(async (transaction) => {
      // The lock makes simultaneous calls count each other's views.
      await sql`select from users where id = ${userId} for no key update`.execute(transaction);
      const { rows } = await sql`
        insert into saved_views (id, user_id, page, name, filters)
        select ${saved.id}, ${userId}, ${view.page}, ${view.name}, ${JSON.stringify(sealText(view, sealer))}::jsonb
        where (select count(*) from saved_views where user_id = ${userId}) < ${VIEWS_MAX}
        returning id`.execute(transaction);
      return rows.length === 1 ? ok(saved) : err("too_many_views");
    }),
  );
}

/** A view of one user. Users cannot see the views of others. */
interface Own {
  readonly id: string;
  readonly userId: string;
}

/** Renames a user's own view. */
export async function renameView(
  database: Database,
  { id, userId }: Own,
  name: string,
): Promise<Result<true, "view_name_taken" | "not_found">> {
  return refuseTakenName(async () => {
    const { rows } = await sql`
      update saved_views set name = ${name} where id = ${id} and user_id = ${userId}
      returning id`.execute(database);
    return rows.length === 1 ? ok(true) : err("not_found");
  });
}

/** Deletes a saved view. Returns false if there was none. */
export async function deleteView(database: Database, { id, userId }: Own): Promise<boolean> {
  const { rows } = await sql`
    delete from saved_views where id = ${id} and user_id = ${userId} returning id`.execute(
    database,
  );
  return rows.length === 1;
}

/** Seals the search texts of all saved views again. Views of which `isErased` holds are deleted. */
export async function replaceSearchTexts(
  transaction: Database,
  [from, to]: readonly [Sealer, Sealer],
  isErased: (text: string) => boolean,
): Promise<number> {
  const { rows } = await sql<{ id: string; text: string }>`
    select id, filters ->> 'text' as text from saved_views
    where page = 'payouts' and filters ? 'text'`.execute(transaction);
  let deleted = 0;
  for (const { id, text: sealed } of rows) {
    const text = from.open(Buffer.from(sealed, "base64url"), PLACE);
    if (isErased(text)) {
      await sql`delete from saved_views where id = ${id}`.execute(transaction);
      deleted += 1;
    } else {
      const again = sealPassing(to, text, PLACE).toString("base64url");
      await sql`
        update saved_views set filters = filters || jsonb_build_object('text', ${again}::text)
        where id = ${id}`.execute(transaction);
    }
  }
  return deleted;
}

async function refuseTakenName<T, E>(
  write: () => Promise<Result<T, E>>,
): Promise<Result<T, E | "view_name_taken">> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, NAME)) return err("view_name_taken");
    throw error;
  }
}
