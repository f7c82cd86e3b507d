import { expect, test } from "vitest";
import { openDatabase } from "#ledger/store/database.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { olderLedger } from "../../support/older-ledger.ts";
import { query } from "../../support/servers/postgres.ts";

const FIRST_NEW = "0039-approved-by-people.sql";

test("sends after an upgrade the batches that were approved before it, and no others", async () => {
  const url = await olderLedger(FIRST_NEW);
  await query(
    url,
    `insert into users (id, email, name, roles) values ('US1', 'a', 'Ada', '{uploader}'), ('US2', 'b', 'Bob', '{approver}');
    insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, maker,
        people_needed, submitted_at, approved_at)
      select id, id, 'c' || id, 'x.csv', 'awaiting_approval', 1, 0, '{}', 0, 0, maker, people, now(), at
      from (values ('CLI', 'cli:root', 1, now()), ('DESK', 'user:US1', 2, now()), ('DESK1', 'user:US1', 1, now()),
        ('WAITS', 'cli:root', 1, null), ('FORCED', 'cli:root', 1, now())) v (id, maker, people, at);
    insert into approvals (batch_id, user_id, content_digest, totals, expires_at)
      select id, 'US2', content_digest, '{}', now() + interval '1 day' from batches where id like 'DESK%';
    insert into audit (seq, at, actor, action, object, facts, hash) values
      (1, '2026-05-01T10:00:00.000Z', 'cli:root', 'approve', 'CLI', '{}', ''),
      (2, '2026-05-01T10:00:00.000Z', 'user:US2', 'approve', 'DESK', '{}', ''),
      (3, '2026-05-01T10:00:00.000Z', 'user:US2', 'approve', 'DESK1', '{}', '');
    update batches set state = 'approved' where id <> 'WAITS'`,
  );
  const database = openDatabase(url, 1);
  expect(await migrate(database)).toContain(FIRST_NEW);
  await database.destroy();
  const approved = await query(url, "select id from approved_batches order by id");
  expect(approved.map(({ id }) => id)).toEqual(["CLI", "DESK", "DESK1"]);
  // An upgrade locks no user out: an admin chooses the roles that require a second factor.
  expect(await query(url, "select role from second_factor_roles")).toEqual([]);
});
